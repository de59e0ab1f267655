"""The effect of padding: models trained with a mask and without, tested with more and more padding.

    python -m seq2seq.experiments padding    # 3 scorers × 2 ways to train × 3 seeds, about 5 core-minutes

The task is reversal, the wiring Luong's, and batches have unsorted lengths.
The encoder is not affected: its states are the same with padding and without, and 0 at padding.
The masked model of the first seed with additive scores is saved for the book.
"""

from functools import partial

import torch
from torch import Tensor
from torch.nn import functional as F

from seq2seq.attention import Attention
from seq2seq.batch import Batch, collate
from seq2seq.corpora.pair import Pair
from seq2seq.corpora.toys import reverse
from seq2seq.decoders.luong import LuongDecoder
from seq2seq.experiments import scorers
from seq2seq.experiments.recipe import RESULTS, with_weights
from seq2seq.experiments.runs import Runs
from seq2seq.experiments.trained import train_model
from seq2seq.metrics import exact_match
from seq2seq.model import Seq2Seq
from seq2seq.search import greedy
from seq2seq.vocab import Vocabulary

LENGTHS, SYMBOLS = (4, 20), 20
PADDING = [0, 10, 20, 40, 80, 160]
SETTINGS = {"training_pairs": 8000, "test_pairs": 200, "steps": 600, "batch": 64, "learning_rate": 5e-3}
CHECKPOINT = RESULTS / "padding.pt"
SCORERS = ("dot", "bilinear", "additive")  # in the models of the experiment on scorers


class UnmaskedAttention(Attention):
    """A deliberate bug: attention that treats padding as tokens."""

    def weigh(self, scores: Tensor, source_mask: Tensor) -> Tensor:
        return super().weigh(scores, torch.ones_like(source_mask))


def vocabulary() -> Vocabulary:
    return Vocabulary([str(symbol) for symbol in range(SYMBOLS)])


def sequences(settings: dict) -> tuple[list[Pair], list[Pair]]:
    """Those to train on, and those to test with."""
    training = reverse(settings["training_pairs"], seed=1, lengths=LENGTHS, symbols=SYMBOLS)
    return training, reverse(settings["test_pairs"], seed=2, lengths=LENGTHS, symbols=SYMBOLS)


def in_batches(pairs: list[Pair], size: int) -> list[Batch]:
    vocab = vocabulary()
    return [collate(pairs[first : first + size], vocab, vocab) for first in range(0, len(pairs), size)]


def build(scorer: str, masked: bool) -> Seq2Seq:
    model = scorers.build("luong", scorer, len(vocabulary()), len(vocabulary()))
    assert isinstance(model.decoder, LuongDecoder)
    if not masked:
        model.decoder.attention = UnmaskedAttention(model.decoder.attention.scorer)
    return model


def load_trained(masked: bool = True) -> Seq2Seq:
    """The saved model, trained with a mask, to run with it or without."""
    return with_weights(build("additive", masked), CHECKPOINT)


def padded(batch: Batch, more: int) -> Batch:
    """The same sentences with `more` columns of padding after the source."""
    return Batch(
        **vars(batch) | {"source": F.pad(batch.source, (0, more)), "source_mask": F.pad(batch.source_mask, (0, more))}
    )


@torch.no_grad()
def weight_on_padding(model: Seq2Seq, batch: Batch) -> float:
    """The weight on padding in forced decoding, mean over the target words."""
    _, weights = model(batch.source, batch.source_lengths, batch.target_in)
    lost = (weights * ~batch.source_mask.unsqueeze(1)).sum(-1)  # (batch, target_len)
    return lost[batch.target_mask].mean().item()


def measure(model: Seq2Seq, pairs: list[Pair]) -> dict[str, list[float]]:
    """Weight on padding and exact match of the same sentences, for each amount of padding."""
    vocab = vocabulary()
    batch, references = collate(pairs, vocab, vocab), [pair.target for pair in pairs]
    record: dict[str, list[float]] = {"weight_on_padding": [], "exact_match": []}
    for more in PADDING:
        longer = padded(batch, more)
        ids, _ = greedy(model, longer.source, longer.source_lengths, max_length=2 * LENGTHS[1])
        record["weight_on_padding"].append(round(weight_on_padding(model, longer), 5))
        record["exact_match"].append(exact_match([vocab.decode(row) for row in ids.tolist()], references))
    return record


def run(scorer: str, seed: int, settings: dict, data: None) -> tuple[Seq2Seq, dict]:
    """Train and measure with the mask and without, from one seed; the masked model also with its mask removed."""
    training, test = sequences(settings)
    batches = in_batches(training, settings["batch"])
    masked, unmasked = (
        train_model(
            partial(build, scorer, mask), lambda order: batches, seed, settings, description=f"{scorer}, {name}"
        )[0]
        for name, mask in (("masked", True), ("unmasked", False))
    )
    without_mask = build(scorer, masked=False)
    without_mask.load_state_dict(masked.state_dict())
    models = {"masked": masked, "mask_taken_off": without_mask.eval(), "unmasked": unmasked}
    return masked, {name: measure(model, test) for name, model in models.items()}


PADDED = Runs(
    name="padding",
    title=__doc__.splitlines()[0],
    settings=SETTINGS,
    quick={"training_pairs": 128, "test_pairs": 5, "steps": 3},
    seeds=3,
    models=SCORERS,
    run=run,
    record="seed",
    by=("scorer",),
    saved={"additive": CHECKPOINT.name},
    head=lambda settings, data: {"lengths": LENGTHS, "padding": PADDING},
    under="runs",
    table=lambda report: "\n".join(
        f"{scorer:10}{name:16} {record[name]}"
        for scorer, records in report["runs"].items()
        for record in records
        for name in ("masked", "mask_taken_off", "unmasked")
    ),
)
