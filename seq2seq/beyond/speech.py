r"""Speech: an encoder of frames, and batches of utterances, usable with any decoder that reads a two-way encoder."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from seq2seq.batch import Batch, in_order, with_targets
from seq2seq.corpora.speech import Utterance
from seq2seq.encoders import Encoder
from seq2seq.guards import check_at_least, check_generator, check_some
from seq2seq.vocab import Vocabulary


class FrameEncoder(Encoder):
    r"""A recurrent encoder of frames: a linear layer stands where the encoder of words has its table.

    $$\overrightarrow h_j = \mathrm{RNN}(E x_j, \overrightarrow h_{j-1}), \qquad
      \overleftarrow h_j = \mathrm{RNN}(E x_j, \overleftarrow h_{j+1})$$

    A word's vector is a row of the table $E$, which is $E$ times a vector with a single 1; a frame's is $E$ times the
    frame.
    All else is :class:`~seq2seq.encoders.Encoder`.

    Shape:
        source: (batch, frames, frame_size)
        source_lengths: (batch,), in frames, each at least 1
        states: (batch, frames, directions × hidden_size), 0 at padding
        final: (batch, directions × hidden_size)
    """

    def __init__(
        self,
        frame_size: int,
        embedding_size: int,
        hidden_size: int,
        *,
        bidirectional: bool = True,
        cell: str = "gru",
        dropout: float = 0.0,
    ) -> None:
        super().__init__(1, embedding_size, hidden_size, bidirectional=bidirectional, cell=cell, dropout=dropout)
        self.embedding = nn.Linear(frame_size, embedding_size)  # type: ignore[assignment]  # E


def collate_utterances(utterances: Sequence[Utterance], vocab: Vocabulary) -> Batch:
    """Utterances → one batch, in the order given, whose source is frames, 0 after the end.

    Shape:
        source: (batch, frames, FEATURES)
        source_lengths: (batch,), in frames
        source_mask: (batch, frames)
        the rest as :class:`~seq2seq.batch.Batch`

    Raises:
        ValueError: there is no utterance.
    """
    check_some("utterances", utterances)
    source = pad_sequence([utterance.frames for utterance in utterances], batch_first=True)
    source_lengths = torch.tensor([len(utterance.frames) for utterance in utterances])
    return with_targets(source, source_lengths, [vocab.encode(utterance.symbols) for utterance in utterances])


@dataclass(frozen=True)
class UtteranceBatches:
    """Batches of `size` utterances with about as many frames; iterable any number of times.

    With a generator, each pass regroups utterances with as many symbols and shuffles the batches.
    """

    utterances: Sequence[Utterance]
    vocab: Vocabulary
    size: int = 32
    generator: torch.Generator | None = None

    def __post_init__(self) -> None:
        check_at_least("size", self.size, 1)
        check_generator(self.generator)

    def __iter__(self) -> Iterator[Batch]:
        shuffled = in_order(len(self.utterances), self.generator)
        queue = sorted(shuffled, key=lambda row: len(self.utterances[row].symbols))
        groups = [queue[first : first + self.size] for first in range(0, len(queue), self.size)]
        for group in in_order(len(groups), self.generator):
            yield collate_utterances([self.utterances[row] for row in groups[group]], self.vocab)


def weight_on_spans(weights: Tensor, utterances: Sequence[Utterance], neighbours: int = 0) -> float:
    """The mean weight that a symbol's step gives to the symbol's own frames, all together: 0 to 1.

    With neighbours, the frames of that many symbols before it and after it count too.

    Shape:
        weights: (batch, target_len, frames), of a teacher-forced pass over the utterances in this order

    Raises:
        ValueError: the number of neighbours is below 0, or there is no utterance.
    """
    check_at_least("neighbours", neighbours, 0)
    check_some("utterances", utterances, "a mean of nothing is undefined")
    shares = []
    for rows, utterance in zip(weights, utterances, strict=True):
        for symbol in range(len(utterance.spans)):
            near = utterance.spans[max(0, symbol - neighbours) : symbol + neighbours + 1]
            shares.append(rows[symbol, near[0][0] : near[-1][1]].sum().item())
    return sum(shares) / len(shares)
