"""The bug museum's loss curves: each bug and the correct model, trained on reversal with equal steps.

    python -m seq2seq.experiments museum_curves    # 9 runs × 3 seeds, about 11 core-minutes

The setup is that of ``padding``: Luong's wiring, batches of unsorted lengths, the same initial weights, the same
batches and the same number of steps for all runs of a seed; only the bug differs.
Each run records the loss that its own code reports, wrong averages included, the true loss of its model on the same
batches, and how well its model translates in batches, one sentence at a time, and with extra padding.

There are two correct models, `right` and `right_feeding`, because only a model with input feeding can lack it.
Evaluation by teacher forcing needs no separate run: every model is also measured with teacher forcing, by its share of
correct symbols. (Shares of whole rows cannot show that bug: a row without an error is the same with teacher forcing
and without.)
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import torch
from torch import Tensor
from torch.nn import functional as F

from seq2seq.attention import Attention
from seq2seq.batch import Batch
from seq2seq.corpora.pair import Pair
from seq2seq.decoders.luong import InputFeedingDecoder, LuongDecoder
from seq2seq.encoders import Encoder
from seq2seq.experiments import padding
from seq2seq.experiments.padding import LENGTHS, in_batches, padded, sequences, vocabulary
from seq2seq.experiments.runs import Runs
from seq2seq.experiments.scorers import EMBEDDING_SIZE, SIZE, WithoutTanh
from seq2seq.experiments.trained import means, train_model
from seq2seq.model import Seq2Seq
from seq2seq.museum.store_room import (
    AcrossTheBatch,
    LastColumn,
    MaskedAfterwards,
    NeverFed,
    OneMark,
    loss_masked_by_id,
    loss_over_padding,
)
from seq2seq.scorers import AdditiveScorer
from seq2seq.search import greedy
from seq2seq.training import forced_loss
from seq2seq.vocab import PAD

PADDING = 40  # columns after each source, to see whether they change the output
MEASURED = ("exact_match", "exact_match_alone", "exact_match_padded", "symbols", "symbols_whispered")
PARTS = 40  # the losses of a run are averaged into this many means
SETTINGS = padding.SETTINGS | {"test_pairs": 192}


@dataclass(frozen=True)
class Exhibit:
    """One run of the museum: what is built, and the loss that its code reports and minimises."""

    decoder: type[LuongDecoder] = LuongDecoder
    encoder: type[Encoder] = Encoder
    scorer: type[AdditiveScorer] = AdditiveScorer
    attention: type[Attention] = Attention
    loss: Callable[[Seq2Seq, Batch, float], Tensor] = forced_loss

    def build(self, vocab_size: int) -> Seq2Seq:
        decoder = self.decoder(vocab_size, EMBEDDING_SIZE, SIZE, SIZE, self.scorer(SIZE, SIZE, SIZE))
        decoder.attention = self.attention(decoder.attention.scorer)
        return Seq2Seq(self.encoder(vocab_size, EMBEDDING_SIZE, SIZE // 2), decoder)


RIGHT = Exhibit()
FEEDING = Exhibit(decoder=InputFeedingDecoder)
EXHIBITS: dict[str, Exhibit] = {
    "right": RIGHT,
    "right_feeding": FEEDING,
    "mask_after_softmax": replace(RIGHT, attention=MaskedAfterwards),
    "softmax_over_batch": replace(RIGHT, attention=AcrossTheBatch),
    "wrong_backward_state": replace(RIGHT, encoder=LastColumn),
    "without_tanh": replace(RIGHT, scorer=WithoutTanh),
    "feeding_missing": replace(FEEDING, decoder=NeverFed),
    "pad_is_bos": replace(RIGHT, decoder=OneMark, loss=loss_masked_by_id),
    "loss_over_padding": replace(RIGHT, loss=loss_over_padding),
}


def free_words(model: Seq2Seq, batch: Batch) -> Tensor:
    """Free-running output, cut to one more than the length of the reference, to show whether the model stops late.

    Shape:
        words: (batch, target_len + 1), ids
    """
    steps = batch.target_out.size(1) + 1
    words, _ = greedy(model, batch.source, batch.source_lengths, max_length=steps)
    return F.pad(words, (0, steps - words.size(1)), value=PAD)


@torch.no_grad()
def forced_words(model: Seq2Seq, batch: Batch) -> Tensor:
    """Output with teacher forcing: (batch, target_len), ids."""
    logits, _ = model(batch.source, batch.source_lengths, batch.target_in)
    return logits.argmax(-1)


def symbols_right(words: Tensor, batch: Batch) -> float:
    """The share of symbols, EOS included, that are where the reference has them."""
    hits = words[:, : batch.target_out.size(1)] == batch.target_out
    return hits[batch.target_mask].float().mean().item()


def rows_right(words: Tensor, batch: Batch) -> float:
    """The share of rows that match the reference up to its last symbol and stop there."""
    reference = F.pad(batch.target_out, (0, words.size(1) - batch.target_out.size(1)), value=PAD)
    return (words == reference).all(dim=1).float().mean().item()


def measure(model: Seq2Seq, pairs: list[Pair], size: int) -> dict[str, float]:
    """Scores of a trained model in batches of the training size, one sentence at a time, and with extra padding."""
    model.eval()

    def mean(measured: Callable[[Batch], float], batches: list[Batch]) -> float:
        weights = [batch.source.size(0) for batch in batches]
        return round(sum(w * measured(b) for w, b in zip(weights, batches, strict=True)) / sum(weights), 4)

    batches = in_batches(pairs, size)
    scores = (
        mean(lambda batch: rows_right(free_words(model, batch), batch), batches),
        mean(lambda batch: rows_right(free_words(model, batch), batch), in_batches(pairs, 1)),
        mean(lambda batch: rows_right(free_words(model, padded(batch, PADDING)), batch), batches),
        mean(lambda batch: symbols_right(free_words(model, batch), batch), batches),
        mean(lambda batch: symbols_right(forced_words(model, batch), batch), batches),
    )
    return dict(zip(MEASURED, scores, strict=True))


def run(name: str, seed: int, settings: dict, data: None) -> tuple[Seq2Seq, dict]:
    """Train and measure one exhibit from one seed; records its reported loss and its true loss."""
    exhibit, started = EXHIBITS[name], time.process_time()
    training, test = sequences(settings)
    honest: list[float] = []

    def loss(model: Seq2Seq, batch: Batch, progress: float) -> Tensor:
        if exhibit.loss is not forced_loss:  # a second pass, so that the two curves are of the same weights
            with torch.no_grad():
                honest.append(forced_loss(model, batch, progress).item())
        return exhibit.loss(model, batch, progress)

    model, entries = train_model(
        lambda: exhibit.build(len(vocabulary())),
        lambda order: in_batches(training, settings["batch"]),
        seed,
        settings,
        description=name,
        parts=PARTS,
        loss=loss,
    )
    reported = entries["training_loss"]
    losses = {"reported_loss": reported, "honest_loss": means(honest, PARTS) if honest else reported}
    measured = measure(model, test, settings["batch"])
    return model, entries | losses | measured | {"cpu_seconds": round(time.process_time() - started, 1)}


MUSEUM_CURVES = Runs(
    name="museum_curves",
    title=__doc__.splitlines()[0],
    settings=SETTINGS,
    quick={"training_pairs": 128, "test_pairs": 5, "steps": 3},
    seeds=3,
    models=EXHIBITS,
    run=run,
    record=f"seed parameters reported_loss honest_loss {' '.join(MEASURED)} cpu_seconds",
    by=("exhibit",),
    head=lambda settings, data: {"lengths": LENGTHS, "padding": PADDING},
    under="runs",
    table=lambda report: "\n".join(
        f"{name:22}loss {record['reported_loss'][-1]:.3f}, true loss {record['honest_loss'][-1]:.3f}, "
        f"exact match {record['exact_match']:.2f}"
        for name, records in report["runs"].items()
        for record in records
    ),
)
