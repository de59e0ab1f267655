"""The beam from one step to the next, for all sentences at once; :mod:`seq2seq.beam.search` takes the steps."""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from seq2seq.layers.precision import widened
from seq2seq.vocab import EOS, PAD


class Record(NamedTuple):
    """The contents of the beam after each step, all (steps, batch, beam); an empty place has -inf.

    A `closed` place holds a hypothesis that has ended with EOS or has reached the longest length.
    """

    tokens: Tensor
    parents: Tensor  # the place of the hypothesis that this one continues, in the beam of the step before
    log_probabilities: Tensor
    closed: Tensor


class Beam(NamedTuple):
    """The hypotheses of each sentence that is still searched, as a step finds them; `width` is 1, then the beam's.

    Shape:
        previous: (rows, width), ids, the last word of each
        alive: (rows, width), log-probabilities; -inf where a place is empty
        best: (rows, n_best), scores of closed hypotheses, the best first
        room: (rows, 1), how many may be open
        length: (1,), the words that they have after the step
    """

    previous: Tensor
    alive: Tensor
    best: Tensor
    room: Tensor
    length: Tensor


def advance(beam: Beam, logits: Tensor, penalties: Tensor, beam_size: int) -> tuple[Record, Beam, Tensor]:
    """What is in the beam after a step, what enters the next one, and (rows,) whether that can still change a result.

    The places of a sentence that is searched no longer stay empty.
    """
    alive, parents, previous = _continue(beam.alive, logits, beam.room, beam_size)
    ended = ((previous == EOS) | (beam.length == len(penalties))) & (alive > -torch.inf)
    record = Record(previous, parents, alive, ended)
    closed = (alive / penalties.index_select(0, beam.length - 1)).masked_fill(~ended, -torch.inf)
    best = torch.cat([beam.best, closed], dim=1).topk(beam.best.size(1)).values
    room = beam.room - ended.sum(1, keepdim=True)
    alive = alive.masked_fill(ended, -torch.inf)
    searched = alive.max(1).values / penalties[-1] > best[:, -1]
    alive = alive.masked_fill(~searched.unsqueeze(1), -torch.inf)
    return record, Beam(previous, alive, best, room, beam.length + 1), searched


def _continue(alive: Tensor, logits: Tensor, room: Tensor, beam_size: int) -> tuple[Tensor, Tensor, Tensor]:
    """The most probable continuations: log-probabilities, parents and tokens, each (rows, beam_size).

    There are only as many as `room` says; the others get -inf, parent 0 and PAD.
    """
    most = min(beam_size, logits.size(1))  # no hypothesis can contribute more to the best
    best, words = F.log_softmax(widened(logits), dim=-1).topk(most, dim=-1)
    totals = alive.unsqueeze(2) + best.view(*alive.shape, -1)  # (rows, width, most)
    candidates = totals.flatten(1)
    missing = beam_size - candidates.size(1)
    if missing > 0:
        candidates = F.pad(candidates, (0, missing), value=-torch.inf)
    alive, index = candidates.topk(beam_size)
    alive = alive.masked_fill(torch.arange(beam_size, device=alive.device) >= room, -torch.inf)
    empty = alive == -torch.inf
    parents = index // totals.size(2)
    tokens = words.view(candidates.size(0), -1).gather(1, index.masked_fill(empty, 0))
    return alive, parents.masked_fill(empty, 0), tokens.masked_fill(empty, PAD)


def spread(record: Record, rows: Tensor, batch: int) -> Record:
    """Expand from the sentences still being searched to all; the others' beams are empty."""
    if len(rows) == batch:
        return record
    empty = (PAD, 0, -torch.inf, False)  # the values of a record
    return Record(
        *(
            part.new_full((batch, part.size(1)), value).index_copy_(0, rows, part)
            for part, value in zip(record, empty, strict=True)
        )
    )
