"""Two long-memory tasks: the sum, or the product, of the two marked numbers of a long sequence.

They are Hochreiter & Schmidhuber's (1997, sections 5.4 and 5.5), in the form of Raffel & Ellis (2015, section 3.1).
A step is a pair (value, marker).
The marker is 1 at two steps, -1 at the first and last, 0 elsewhere.
One marked step is among the steps 1 to 9, the other in the first half of the sequence, counted from 0.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from seq2seq.guards import check_at_least, check_generator

_FIRST_MARKED_BEFORE = 10
_SHORTEST = 22  # half of a shorter sequence has fewer than ten steps to choose from


class MarkedSequences(NamedTuple):
    """Sequences and their targets.

    Shape:
        inputs: (batch, steps, 2), value and marker, 0 at padding; steps = 1.1 × the shortest length, rounded up
        mask: (batch, steps), bool, True = real step
        targets: (batch,)
    """

    inputs: Tensor
    mask: Tensor
    targets: Tensor


def adding(batch_size: int, length: int, generator: torch.Generator) -> MarkedSequences:
    r"""The adding task: values uniform in [-1, 1], the target is the sum of the two marked ones, scaled to [0, 1].

    $$y = \frac{1}{2} + \frac{x_i + x_j}{4}$$

    Each sequence has its own length, uniform from `length` to 1.1 × `length`.
    Tensors are made on the generator's device; the same seed gives the same sequences.

    Raises:
        ValueError: the length is below 22, or the size of the batch below 0.
    """
    inputs, mask, marked = _marked_sequences(batch_size, length, -1.0, generator)
    return MarkedSequences(inputs, mask, 0.5 + marked.sum(dim=1) / 4)


def multiplication(batch_size: int, length: int, generator: torch.Generator) -> MarkedSequences:
    r"""The multiplication task: values uniform in [0, 1], the target is the product of the two marked ones.

    $$y = x_i x_j$$

    Lengths, device and errors are those of :func:`adding`.
    """
    inputs, mask, marked = _marked_sequences(batch_size, length, 0.0, generator)
    return MarkedSequences(inputs, mask, marked.prod(dim=1))


def _marked_sequences(
    batch_size: int, length: int, lowest: float, generator: torch.Generator
) -> tuple[Tensor, Tensor, Tensor]:
    """Inputs, mask, and the two marked values (batch, 2); values are uniform in [lowest, 1]."""
    check_generator(generator)
    check_at_least("batch_size", batch_size, 0)
    why = ", because one marker is among the first ten steps and the other elsewhere in the first half"
    check_at_least("length", length, _SHORTEST, why)
    device = generator.device
    longest = -(-11 * length // 10)
    lengths = torch.randint(length, longest + 1, (batch_size,), generator=generator, device=device)
    steps = torch.arange(longest, device=device)
    mask = steps < lengths.unsqueeze(1)
    values = lowest + (1 - lowest) * torch.rand(batch_size, longest, generator=generator, device=device)
    values = values * mask

    first = torch.randint(1, _FIRST_MARKED_BEFORE, (batch_size,), generator=generator, device=device)
    choices = lengths // 2 - 3  # the steps 1 to half - 2, without the one already taken
    second = 1 + (torch.rand(batch_size, generator=generator, device=device) * choices).long()
    second = second + (second >= first)  # steps from the taken one on move up by one
    marked = torch.stack([first, second], dim=1)  # (batch, 2)

    markers = torch.zeros_like(values)
    markers[:, 0] = -1
    markers.scatter_(1, (lengths - 1).unsqueeze(1), -1.0)
    markers.scatter_(1, marked, 1.0)
    return torch.stack([values, markers], dim=-1), mask, values.gather(1, marked)
