r"""Captioning: a convolutional encoder of drawn pictures, usable with any decoder of the library (Xu et al., 2015)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn

from seq2seq.batch import Batch, in_order, with_targets
from seq2seq.corpora.drawings import CELL, GRID, SIDE, Drawing, paint
from seq2seq.decoders.decoder import Decoder
from seq2seq.guards import check_at_least, check_generator, check_some
from seq2seq.losses.penalties import doubly_stochastic_penalty
from seq2seq.model import Seq2Seq
from seq2seq.training import masked_loss
from seq2seq.vocab import Vocabulary

REGIONS = GRID * GRID


class PictureEncoder(nn.Module):
    r"""One state per region of a picture (Xu et al., 2015, section 3.1.1).

    $$a_i = \mathrm{ReLU}(W f_i + p_i), \qquad \mathrm{final} = \frac{1}{L} \sum_i a_i$$

    Two convolutions, each followed by max pooling, reduce the picture to one feature vector $f_i$ per cell.
    A learned vector $p_i$ encodes each region's position; the features of the paper's deep network contain it.
    The mean of the states initialises the decoder, as in the paper (section 3.1.2).

    Shape:
        pictures: (batch, 3, GRID × CELL, GRID × CELL)
        states: (batch, GRID², state_size), row by row
        final: (batch, state_size)

    Raises:
        ValueError: a picture does not have the size of the grid.
    """

    def __init__(self, state_size: int, channels: int = 16) -> None:
        super().__init__()
        self.edges = nn.Conv2d(3, channels, 3, padding=1)
        self.parts = nn.Conv2d(channels, 2 * channels, 3, padding=1)
        self.halve = nn.MaxPool2d(2)
        self.gather = nn.MaxPool2d(CELL // 2)
        self.state_layer = nn.Linear(2 * channels, state_size)  # W
        self.places = nn.Embedding(REGIONS, state_size)  # p

    @property
    def state_size(self) -> int:
        return self.state_layer.out_features

    def check(self, pictures: Tensor) -> None:
        """Refuse pictures of another size."""
        if tuple(pictures.shape[1:]) != (3, SIDE, SIDE):
            raise ValueError(
                f"pictures: got shape {tuple(pictures.shape)}, expected "
                f"(batch, 3, {SIDE}, {SIDE}): colours before rows and columns."
            )

    def forward(self, pictures: Tensor) -> tuple[Tensor, Tensor]:
        self.check(pictures)
        features = self.halve(torch.relu(self.edges(1 - pictures)))  # white becomes 0
        features = self.gather(torch.relu(self.parts(features)))
        features = features.flatten(2).transpose(1, 2)  # (batch, GRID², channels)
        states = torch.relu(self.state_layer(features) + self.places.weight)
        return states, states.mean(dim=1)


class Captioner(Seq2Seq):
    r"""A picture encoder and a decoder, trained jointly (Xu et al., 2015).

    Loss functions, training and greedy search accept it like any model: its source is a picture, and its source
    lengths are the number of regions, the same for all.

    Shape:
        source: (batch, 3, GRID × CELL, GRID × CELL), pictures
        source_lengths: (batch,), ignored: every region is real
        target_in: (batch, target_len), ids, BOS first
        logits: (batch, target_len, target_vocab_size)
        weights: (batch, target_len, GRID²), or None where the decoder has no attention

    Raises:
        ValueError: the decoder needs the backward states of a recurrent encoder.
    """

    def __init__(self, encoder: PictureEncoder, decoder: Decoder) -> None:
        if decoder.needs_both_directions:
            raise ValueError(
                f"decoder: got a {type(decoder).__name__}, which starts from a recurrent encoder's backward state, "
                "expected one that starts from a summary; the regions of a picture have no direction."
            )
        super().__init__(encoder, decoder)
        for layer in (encoder.edges, encoder.parts, encoder.state_layer):  # initialisation for ReLU (He et al., 2015)
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")

    def read(self, source: Tensor, source_lengths: Tensor) -> tuple:
        """Encode the picture: the decoder's memory of it, and its state before the first word."""
        states, final = self.encoder(source)
        return self.decoder.start(states, final, states.new_ones(states.shape[:2], dtype=torch.bool))

    def check(self, source: Tensor, source_lengths: Tensor, target_in: Tensor) -> None:
        """Refuse what the model would refuse, without computing anything; the lengths are ignored."""
        cast(PictureEncoder, self.encoder).check(source)
        self._check_target(target_in, source)


def collate_drawings(drawings: Sequence[Drawing], vocab: Vocabulary) -> Batch:
    """Drawings → one batch, in the order given, whose source is pictures and whose source positions are regions.

    Shape:
        source: (batch, 3, GRID × CELL, GRID × CELL)
        source_mask: (batch, GRID²)
        the rest as :class:`~seq2seq.batch.Batch`

    Raises:
        ValueError: there is no drawing.
    """
    check_some("drawings", drawings)
    pictures = torch.stack([paint(drawing) for drawing in drawings])
    regions = torch.full((len(drawings),), REGIONS)
    return with_targets(pictures, regions, [vocab.encode(drawing.caption) for drawing in drawings])


@dataclass(frozen=True)
class DrawingBatches:
    """Batches of `size` drawings; reshuffled on each pass if there is a generator. Iterable any number of times."""

    drawings: Sequence[Drawing]
    vocab: Vocabulary
    size: int = 32
    generator: torch.Generator | None = None

    def __post_init__(self) -> None:
        check_at_least("size", self.size, 1)
        check_generator(self.generator)

    def __iter__(self) -> Iterator[Batch]:
        order = in_order(len(self.drawings), self.generator)
        for first in range(0, len(order), self.size):
            yield collate_drawings([self.drawings[row] for row in order[first : first + self.size]], self.vocab)


@dataclass(frozen=True)
class DoublyStochasticLoss:
    r"""The masked loss and the doubly stochastic penalty (Xu et al., 2015, equation 14), per real target token.

    $$\frac{1}{T} \sum \left( -\log p(y \mid x) + \lambda \sum_i \left(1 - \sum_t \alpha_{ti}\right)^2 \right)$$

    The outer sum runs over the batch, and $T$ counts its real target tokens, so $\lambda$ is that of the paper.

    Raises:
        ValueError: the model has no attention to penalise.
    """

    penalty_weight: float = 1.0  # lambda

    def __call__(self, model: Seq2Seq, batch: Batch, progress: float) -> Tensor:
        logits, weights = model(batch.source, batch.source_lengths, batch.target_in)
        if weights is None:
            raise ValueError(f"model: its {type(model.decoder).__name__} has no weights, expected soft attention.")
        penalty = doubly_stochastic_penalty(weights, batch.source_mask, batch.target_mask).sum()
        share = self.penalty_weight * penalty / batch.target_mask.sum()
        return masked_loss(logits, batch.target_out, batch.target_mask) + share


def pointing_accuracy(weights: Tensor, drawings: Sequence[Drawing]) -> float:
    """The share of colour and form words whose largest weight lies on the region they refer to.

    Shape:
        weights: (batch, target_len, GRID²), of a teacher-forced pass over the drawings in this order

    Raises:
        ValueError: there is no drawing.
    """
    check_some("drawings", drawings, "a share of nothing is undefined")
    looked = weights.argmax(dim=-1).tolist()
    hits = [looked[row][word] == region for row, drawing in enumerate(drawings) for region, word in drawing.names]
    return sum(hits) / len(hits)
