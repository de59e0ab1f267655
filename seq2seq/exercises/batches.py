r"""Answers to exercise 1 that are not part of the library: a whole batch from ids, and a test for padding bugs."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from seq2seq.vocab import BOS, EOS, PAD


def collated(
    sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Sentence pairs as ids, without BOS and EOS → the five tensors that a model learns from.

    Rows keep their order, and padding comes after the sentence.
    A target may be empty; a source needs a token.

    Shape:
        source: (batch, longest source), ids
        source_mask: of the same shape, bool, True = real token
        target_in, target_out: (batch, longest target + 1), ids
        target_mask: of the same shape, bool, True = real token of `target_out`

    Raises:
        ValueError: a source is empty.
    """
    if not all(sources):
        raise ValueError(f"sources: row {[*map(len, sources)].index(0)} is empty, expected a token.")
    source_lengths, target_lengths = (torch.tensor([[len(ids)] for ids in side]) for side in (sources, targets))
    width, steps = max(map(len, sources)), max(map(len, targets)) + 1
    source = [[*ids, *[PAD] * (width - len(ids))] for ids in sources]
    target_in = [[BOS, *ids, *[PAD] * (steps - 1 - len(ids))] for ids in targets]
    target_out = [[*ids, EOS, *[PAD] * (steps - 1 - len(ids))] for ids in targets]
    source_mask = torch.arange(width) < source_lengths
    target_mask = torch.arange(steps) <= target_lengths
    return torch.tensor(source), source_mask, torch.tensor(target_in), torch.tensor(target_out), target_mask


def depends_on_company(network: Callable[[Tensor, Tensor], Tensor], source: Tensor, lengths: Tensor) -> list[int]:
    """The rows for which the network gives a different result alone than in their batch.

    Alone means in a batch of one sentence, as wide as its own length.
    Numbers that differ by less than 0.0001 count as equal, up to rounding.

    Shape:
        source: (batch, longest), ids, PAD after the end
        lengths: (batch,), each at least 1
        network(source, lengths): (batch, size)
    """
    together = network(source, lengths)
    rows = []
    for row, length in enumerate(lengths.tolist()):
        alone = network(source[row : row + 1, :length], lengths[row : row + 1])
        if (together[row] - alone[0]).abs().max() > 1e-4:
            rows.append(row)
    return rows


def mean_of_words(source: Tensor, lengths: Tensor) -> Tensor:
    vectors = torch.sin(source.unsqueeze(-1) * torch.tensor([0.7, 1.9, 3.1]))  # PAD, 0, has the vector 0
    return vectors.sum(1) / lengths.view(source.size(0), 1)


def mean_of_row(source: Tensor, lengths: Tensor) -> Tensor:
    vectors = torch.sin(source.unsqueeze(-1) * torch.tensor([0.7, 1.9, 3.1]))
    return vectors.mean(1)


def pooled(source: Tensor, lengths: Tensor) -> Tensor:
    vectors = torch.sin(source.unsqueeze(-1) * torch.tensor([0.7, 1.9, 3.1]))
    mask = (torch.arange(source.size(1)) < lengths.unsqueeze(1)).unsqueeze(-1)
    shares = torch.exp(vectors - vectors.max()) * mask
    return (shares * vectors).sum(1) / shares.sum(1)


def nearly_masked(source: Tensor, lengths: Tensor) -> Tensor:
    vectors = torch.sin(source.unsqueeze(-1) * torch.tensor([0.7, 1.9, 3.1]))
    mask = (torch.arange(source.size(1)) < lengths.unsqueeze(1)).unsqueeze(-1)
    return (torch.softmax(vectors - 5.0 * ~mask, dim=1) * vectors).sum(1)


def backward(source: Tensor, lengths: Tensor) -> Tensor:
    state = torch.zeros(source.size(0), 3)
    for ids in source.flip(1).unbind(1):
        vectors = torch.sin(ids.unsqueeze(-1) * torch.tensor([0.7, 1.9, 3.1]))
        state = torch.tanh(vectors + 0.9 * state + 0.5)
    return state


def centred(source: Tensor, lengths: Tensor) -> Tensor:
    vectors = torch.sin(source.unsqueeze(-1) * torch.tensor([0.7, 1.9, 3.1]))
    means = vectors.sum(1) / lengths.unsqueeze(1)
    return means - means.mean(0)
