"""The bug museum's loss curves: each bug trained beside the right model, on the task of reversal, at equal steps.

    python -m seq2seq.experiments.museum_curves            # 9 runs × 3 seeds, an estimated 10 minutes of one core
    python -m seq2seq.experiments.museum_curves --quick    # a smoke test of a few seconds, into a temporary folder

The frame is that of ``padding``: Luong's wiring, batches of mixed length as they come, the same first weights, the same
batches and the same number of steps for all runs of a seed; nothing but the bug differs.
Each run keeps the loss that its own code reports, faults of counting included, and the honest loss of its model on the
same batches; and what its model does in use: translated in a batch, alone, and with padding behind.

Two right models are there, for input feeding can only be missing where it should be: `right` and `right_feeding`.
`whisperer` is the right model, measured wrongly: it is not trained a second time.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import torch
from torch import Tensor
from torch.nn import functional as F

from seq2seq.attention import Attention, weighted_sum
from seq2seq.batch import Batch, collate
from seq2seq.corpora.pair import Pair
from seq2seq.corpora.toys import reverse
from seq2seq.decoders.decoder import Decoder
from seq2seq.decoders.luong import InputFeedingDecoder, LuongDecoder
from seq2seq.encoders import Encoder
from seq2seq.experiments.command_line import parse, parser, write
from seq2seq.experiments.padding import padded
from seq2seq.experiments.scorers import WithoutTanh
from seq2seq.metrics import exact_match
from seq2seq.model import Seq2Seq
from seq2seq.museum.exhibits import exhibit_summary
from seq2seq.scorers import AdditiveScorer
from seq2seq.search import greedy
from seq2seq.training import forced_loss, masked_loss, train
from seq2seq.vocab import BOS, PAD, Vocabulary

COMMAND = "python -m seq2seq.experiments.museum_curves"
EMBEDDING_SIZE, SIZE = 32, 64  # SIZE: encoder states (both directions together), decoder states, attention
LENGTHS, SYMBOLS = (4, 20), 20
PADDING = 40  # columns behind each source, to see whether a model minds
PARTS = 40  # the loss of a run is kept as so many means
SETTINGS = {"training_pairs": 8000, "test_pairs": 200, "steps": 600, "batch": 64, "learning_rate": 5e-3, "threads": 1}


class MaskedAfterwards(Attention):
    """A bug on purpose: the mask comes after the softmax, so that padding has taken its share."""

    def forward(
        self, query: Tensor, projected_keys: Tensor, values: Tensor, source_mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        weights = torch.softmax(self.scorer.score(query, projected_keys), dim=-1) * source_mask
        return weighted_sum(weights, values), weights

    def forward_all(
        self, queries: Tensor, projected_keys: Tensor, values: Tensor, source_mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        weights = torch.softmax(self.scorer.score_all(queries, projected_keys), dim=-1) * source_mask.unsqueeze(1)
        return torch.bmm(weights, values), weights


class AcrossTheBatch(Attention):
    """A bug on purpose: the sentences of a batch compete for each position."""

    def forward(
        self, query: Tensor, projected_keys: Tensor, values: Tensor, source_mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        weights = self._weights(self.scorer.score(query, projected_keys), source_mask)
        return weighted_sum(weights, values), weights

    def forward_all(
        self, queries: Tensor, projected_keys: Tensor, values: Tensor, source_mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        weights = self._weights(self.scorer.score_all(queries, projected_keys), source_mask.unsqueeze(1))
        return torch.bmm(weights, values), weights

    def _weights(self, scores: Tensor, mask: Tensor) -> Tensor:
        lowest = torch.finfo(scores.dtype).min
        return torch.softmax(scores.masked_fill(~mask, lowest), dim=0).masked_fill(~mask, 0.0)


class LastColumn(Encoder):
    """A bug on purpose: the decoder starts from the states at the last column."""

    def forward(self, source: Tensor, source_lengths: Tensor) -> tuple[Tensor, Tensor]:
        states, _ = super().forward(source, source_lengths)
        return states, exhibit_summary(states, source_lengths)


class NeverFed(InputFeedingDecoder):
    """A bug on purpose: what is fed is a vector of zeros, made anew at every step."""

    def _feed(self, embedded: Tensor, state: tuple, memory: tuple) -> tuple:
        recurrent_state, fed = state
        return super()._feed(embedded, (recurrent_state, torch.zeros_like(fed)), memory)


class OneMark(LuongDecoder):
    """A bug on purpose, its first half: the sentence begins with the id of padding."""

    def step(self, previous: Tensor, state: tuple, memory: tuple) -> tuple:
        return super().step(_one_mark(previous), state, memory)

    def unroll(self, target_in: Tensor, state: tuple, memory: tuple) -> tuple[Tensor, Tensor]:
        return super().unroll(_one_mark(target_in), state, memory)


def _one_mark(ids: Tensor) -> Tensor:
    return ids.masked_fill(ids == BOS, PAD)


def loss_masked_by_id(model: Seq2Seq, batch: Batch, progress: float) -> Tensor:
    """Its second half: the mask of the loss is made of the ids that are read, so that it hides BOS as well."""
    real = _one_mark(batch.target_in) != PAD  # the first position of every sentence is gone
    logits, _ = model(batch.source, batch.source_lengths, batch.target_in)
    return masked_loss(logits, batch.target_out, real)


def loss_over_padding(model: Seq2Seq, batch: Batch, progress: float) -> Tensor:
    """A bug on purpose: padding is set to 0 in the sum, and counted in the number that it is divided by."""
    logits, _ = model(batch.source, batch.source_lengths, batch.target_in)
    losses = F.cross_entropy(logits.flatten(0, 1), batch.target_out.flatten(), reduction="none")
    return losses.view_as(batch.target_out).masked_fill(~batch.target_mask, 0.0).mean()


@dataclass(frozen=True)
class Exhibit:
    """One run of the museum: what is built, and the loss that its code reports and descends."""

    decoder: type[Decoder] = LuongDecoder
    encoder: type[Encoder] = Encoder
    scorer: type[AdditiveScorer] = AdditiveScorer
    attention: type[Attention] = Attention
    loss: Callable[[Seq2Seq, Batch, float], Tensor] = forced_loss

    def build(self, vocab_size: int) -> Seq2Seq:
        decoder = self.decoder(vocab_size, EMBEDDING_SIZE, SIZE, SIZE, self.scorer(SIZE, SIZE, SIZE))
        if self.attention is not Attention:
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


@torch.no_grad()
def forced_match(model: Seq2Seq, batch: Batch) -> float:
    """The share of sentences that are right to the last word when the reference is whispered word by word."""
    logits, _ = model(batch.source, batch.source_lengths, batch.target_in)
    right = (logits.argmax(-1) == batch.target_out) | ~batch.target_mask
    return right.all(dim=1).float().mean().item()


def free_match(model: Seq2Seq, batch: Batch, references: list[tuple[str, ...]], vocab: Vocabulary) -> float:
    """The same for the model's own words."""
    ids, _ = greedy(model, batch.source, batch.source_lengths, max_length=2 * LENGTHS[1])
    return exact_match([vocab.decode(row) for row in ids.tolist()], references)


def measure(model: Seq2Seq, pairs: list[Pair], vocab: Vocabulary) -> dict[str, float]:
    batch, references = collate(pairs, vocab, vocab), [pair.target for pair in pairs]
    alone = [free_match(model, collate([pair], vocab, vocab), [pair.target], vocab) for pair in pairs]
    with torch.no_grad():
        loss = forced_loss(model, batch, 1.0).item()
    return {
        "test_loss": round(loss, 4),
        "exact_match": round(free_match(model, batch, references, vocab), 4),
        "exact_match_alone": round(sum(alone) / len(alone), 4),
        "exact_match_padded": round(free_match(model, padded(batch, PADDING), references, vocab), 4),
        "whispered": round(forced_match(model, batch), 4),
    }


def run(name: str, seed: int, settings: dict) -> dict:
    """Train and measure one exhibit from one seed; the loss as it reports it, and as it is."""
    exhibit, vocab = EXHIBITS[name], Vocabulary([str(symbol) for symbol in range(SYMBOLS)])
    training = reverse(settings["training_pairs"], seed=1, lengths=LENGTHS, symbols=SYMBOLS)
    test = reverse(settings["test_pairs"], seed=2, lengths=LENGTHS, symbols=SYMBOLS)
    size = settings["batch"]
    batches = [collate(training[first : first + size], vocab, vocab) for first in range(0, len(training), size)]
    honest: list[float] = []

    def loss(model: Seq2Seq, batch: Batch, progress: float) -> Tensor:
        if exhibit.loss is not forced_loss:  # a second pass, that the two curves are of the same weights
            with torch.no_grad():
                honest.append(forced_loss(model, batch, progress).item())
        return exhibit.loss(model, batch, progress)

    torch.manual_seed(seed)
    model = exhibit.build(len(vocab))
    history = train(
        model,
        batches,
        steps=settings["steps"],
        learning_rate=settings["learning_rate"],
        loss=loss,
        device="cpu",
        description=f"{name}, seed {seed}",
    )
    return {
        "seed": seed,
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "cpu_seconds": round(history.cpu_seconds, 1),
        "reported_loss": means(history.losses),
        "honest_loss": means(honest or history.losses),
        **measure(model, test, vocab),
    }


def means(losses: list[float]) -> list[float]:
    return [round(part.mean().item(), 4) for part in torch.tensor(losses).chunk(PARTS)]


def main(arguments: list[str] | None = None) -> None:
    options_parser = parser(COMMAND, __doc__.splitlines()[0])
    options_parser.add_argument("--seeds", type=int, default=3, help="how many, from 0")
    options = parse(options_parser, arguments)
    settings = SETTINGS
    if options.quick:
        settings = SETTINGS | {"training_pairs": 128, "test_pairs": 5, "steps": 3}
        options.seeds = 1
    torch.set_num_threads(settings["threads"])
    report: dict = {
        "command": COMMAND,
        "settings": settings,
        "lengths": LENGTHS,
        "padding": PADDING,
        "torch": torch.__version__,
        "runs": {},
    }
    for name in EXHIBITS:
        report["runs"][name] = []
        for seed in range(options.seeds):
            record = run(name, seed, settings)
            report["runs"][name].append(record)
            end = f"loss {record['reported_loss'][-1]:.3f}, in truth {record['honest_loss'][-1]:.3f}"
            print(f"{name:22}{end}, exact match {record['exact_match']:.2f}", flush=True)
        write(options.out / "museum_curves.json", report)  # what is done is kept


if __name__ == "__main__":
    main()
