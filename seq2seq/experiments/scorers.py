"""Every scorer in both wirings on the reversal task, at equal steps; and the additive scorer without its tanh.

    python -m seq2seq.experiments scorers    # 2 wirings × 6 scorers × 3 seeds: about 10 minutes on one core

The source is a sequence of symbols, the target the same sequence reversed, so the gold links are known.
Training sequences have at most 20 symbols; lengths of 21 to 26 symbols are unseen.
"""

import argparse
from collections.abc import Callable
from functools import partial
from itertools import product

import torch
from torch import Tensor

from seq2seq.alignment import aer
from seq2seq.batch import collate
from seq2seq.corpora.pair import Pair
from seq2seq.corpora.toys import reverse
from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.luong import LuongDecoder
from seq2seq.encoders import Encoder
from seq2seq.experiments.evaluation import forced_weights, links_of, translate
from seq2seq.experiments.runs import Runs
from seq2seq.experiments.tables import each
from seq2seq.experiments.trained import Data, parameters, train_on
from seq2seq.metrics import exact_match
from seq2seq.model import Seq2Seq
from seq2seq.scorer import Scorer
from seq2seq.scorers import AdditiveScorer, BilinearScorer, DotScorer, LocationScorer, ScaledDotScorer
from seq2seq.vocab import Vocabulary

EMBEDDING_SIZE, SIZE = 32, 64  # SIZE: encoder states (both directions together), decoder states, attention
SEEN, UNSEEN = (4, 20), (21, 26)
SETTINGS = {"training_pairs": 8000, "test_pairs": 200, "steps": 600, "tokens_per_batch": 1000, "learning_rate": 5e-3}


class WithoutTanh(AdditiveScorer):
    """A deliberate bug: additive scores without the tanh."""

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        return self.energy_layer(self.query_layer(query).unsqueeze(-2) + projected_keys).squeeze(-1)


SCORERS: dict[str, Callable[[], Scorer]] = {
    "dot": DotScorer,
    "scaled_dot": ScaledDotScorer,
    "bilinear": lambda: BilinearScorer(SIZE, SIZE),
    "additive": lambda: AdditiveScorer(SIZE, SIZE, SIZE),
    "without_tanh": lambda: WithoutTanh(SIZE, SIZE, SIZE),
    "location": lambda: LocationScorer(SIZE, UNSEEN[1]),
}
WIRINGS = {"luong": LuongDecoder, "bahdanau": BahdanauDecoder}


@torch.no_grad()
def movement(model: Seq2Seq, pairs: list[Pair], vocab: Vocabulary) -> float:
    """The share of the weight that moves from one target word to the next in forced decoding, from 0 to 1."""
    batch = collate(pairs, vocab, vocab)
    _, weights = model(batch.source, batch.source_lengths, batch.target_in)
    moved = (weights[:, 1:] - weights[:, :-1]).abs().sum(-1) / 2  # (batch, target_len - 1)
    return moved[batch.target_mask[:, 1:]].mean().item()


def data(settings: dict, options: argparse.Namespace) -> Data:
    training = reverse(settings["training_pairs"], seed=1, lengths=SEEN)
    sets = {
        "seen": reverse(settings["test_pairs"], seed=2, lengths=SEEN),
        "unseen": reverse(settings["test_pairs"], seed=3, lengths=UNSEEN),
    }
    vocab = Vocabulary.build(pair.source for pair in training)
    return Data(training, sets, vocab, vocab)


def build(wiring: str, scorer: str, vocab_size: int, target_vocab_size: int) -> Seq2Seq:
    decoder = WIRINGS[wiring](target_vocab_size, EMBEDDING_SIZE, SIZE, SIZE, SCORERS[scorer]())
    return Seq2Seq(Encoder(vocab_size, EMBEDDING_SIZE, SIZE // 2), decoder)


def run(wiring: str, scorer: str, seed: int, settings: dict, data: Data) -> tuple[Seq2Seq, dict]:
    """Train and evaluate one model from one seed."""
    description = f"{wiring}, {scorer}"
    model, entries = train_on(data, partial(build, wiring, scorer), seed, settings, description=description, parts=30)
    assert isinstance(model.decoder, LuongDecoder | BahdanauDecoder)
    entries["scorer_parameters"] = parameters(model.decoder.attention.scorer)
    entries["movement"] = round(movement(model, data.sets["seen"], data.source_vocab), 4)
    for name, pairs in data.sets.items():
        weights = forced_weights(model, pairs, *data.vocabularies)
        assert weights is not None
        hypotheses = translate(model, pairs, *data.vocabularies)
        entries[f"exact_match_{name}"] = exact_match(hypotheses, [pair.target for pair in pairs])
        entries[f"aer_{name}"] = round(aer(links_of(weights, pairs), [pair.links for pair in pairs]), 4)
    return model, entries


def table(report: dict) -> str:
    exact = each(".2f", "exact_match_seen")
    return "\n".join(
        f"{wiring:10}{scorer:14}exact match {exact(runs)}"
        for wiring in WIRINGS
        for scorer, runs in report.get(wiring, {}).items()
    )


SCORERS_BY_WIRING = Runs(
    name="scorers",
    title=__doc__.splitlines()[0],
    settings=SETTINGS,
    quick={"training_pairs": 200, "test_pairs": 5, "steps": 3},
    seeds=3,
    models=list(product(WIRINGS, SCORERS)),
    data=data,
    run=run,
    record="seed scorer_parameters parameters training_loss",
    by=("wiring", "scorer"),
    head=lambda settings, data: {"seen": SEEN, "unseen": UNSEEN},
    under="",
    table=table,
)
