"""Every scorer in both wirings on the reversal task, at equal steps; and the additive scorer without its tanh.

    python -m seq2seq.experiments.scorers            # 2 wirings × 6 scorers × 3 seeds: about 10 minutes on one core
    python -m seq2seq.experiments.scorers --quick    # a smoke test of a few seconds, results in a temporary folder

The source is a sequence of symbols, the target the same sequence reversed, so the gold links are known.
Training sequences have at most 20 symbols; lengths of 21 to 26 symbols are unseen.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from seq2seq.alignment import aer
from seq2seq.batch import collate, token_batches
from seq2seq.corpora.pair import Pair
from seq2seq.corpora.toys import reverse
from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.luong import LuongDecoder
from seq2seq.encoders import Encoder
from seq2seq.experiments.command_line import add_seeds, parse, parser, write
from seq2seq.experiments.evaluation import align, translate
from seq2seq.metrics import exact_match
from seq2seq.model import Seq2Seq
from seq2seq.scorer import Scorer
from seq2seq.scorers import AdditiveScorer, BilinearScorer, DotScorer, LocationScorer, ScaledDotScorer
from seq2seq.training import train
from seq2seq.vocab import Vocabulary

COMMAND = "python -m seq2seq.experiments.scorers"
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


def run(wiring: str, scorer: str, seed: int, settings: dict) -> dict:
    """Train and evaluate one model from one seed."""
    training = reverse(settings["training_pairs"], seed=1, lengths=SEEN)
    sets = {
        "seen": reverse(settings["test_pairs"], seed=2, lengths=SEEN),
        "unseen": reverse(settings["test_pairs"], seed=3, lengths=UNSEEN),
    }
    vocab = Vocabulary.build(pair.source for pair in training)
    torch.manual_seed(seed)
    decoder = WIRINGS[wiring](len(vocab), EMBEDDING_SIZE, SIZE, SIZE, SCORERS[scorer]())
    model = Seq2Seq(Encoder(len(vocab), EMBEDDING_SIZE, SIZE // 2), decoder)
    history = train(
        model,
        token_batches(training, vocab, vocab, settings["tokens_per_batch"], torch.Generator().manual_seed(seed)),
        steps=settings["steps"],
        learning_rate=settings["learning_rate"],
        device="cpu",
        description=f"{wiring}, {scorer}, seed {seed}",
    )
    record = {
        "seed": seed,
        "scorer_parameters": sum(parameter.numel() for parameter in decoder.attention.scorer.parameters()),
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "training_loss": [round(part.mean().item(), 4) for part in torch.tensor(history.losses).chunk(30)],
        "movement": round(movement(model, sets["seen"], vocab), 4),
    }
    for name, pairs in sets.items():
        links = align(model, pairs, vocab, vocab)
        assert links is not None
        record[f"exact_match_{name}"] = exact_match(translate(model, pairs, vocab, vocab), [p.target for p in pairs])
        record[f"aer_{name}"] = round(aer(links, [pair.links for pair in pairs]), 4)
    return record


def main(arguments: list[str] | None = None) -> None:
    options_parser = parser(COMMAND, __doc__.splitlines()[0])
    add_seeds(options_parser, 3)
    options = parse(options_parser, arguments)
    settings = SETTINGS
    if options.quick:
        settings = SETTINGS | {"training_pairs": 200, "test_pairs": 5, "steps": 3}
    torch.set_num_threads(1)
    report: dict = {"command": COMMAND, "settings": settings, "seen": SEEN, "unseen": UNSEEN}
    for wiring in WIRINGS:
        report[wiring] = {}
        for scorer in SCORERS:
            report[wiring][scorer] = [run(wiring, scorer, seed, settings) for seed in range(options.seeds)]
            matches = [f"{record['exact_match_seen']:.2f}" for record in report[wiring][scorer]]
            print(f"{wiring:10}{scorer:14}exact match {' '.join(matches)}", flush=True)
    write(options.out / "scorers.json", report)


if __name__ == "__main__":
    main()
