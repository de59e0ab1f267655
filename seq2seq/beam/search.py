r"""Beam search: the best few hypotheses of every sentence, all sentences and hypotheses of a batch in one pass.

The keys of a sentence are projected once, and shared by its hypotheses.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from seq2seq.beam.penalty import Penalty, no_penalty
from seq2seq.beam.state import reorder, select_memory
from seq2seq.decoders.decoder import Decoder
from seq2seq.guards import check_at_least
from seq2seq.model import Seq2Seq, without_dropout
from seq2seq.vocab import BOS, EOS, PAD


@dataclass(frozen=True)
class Hypotheses:
    """The best hypotheses of each sentence, best first.

    A sentence may have fewer than `n_best`; missing ones have length 0 and score -inf.

    Shape:
        ids: (batch, n_best, steps), EOS at the end unless cut off at the longest length, then PAD
        lengths: (batch, n_best), the words of each, EOS included
        log_probabilities: (batch, n_best), their sum over the words
        scores: (batch, n_best), the log-probabilities divided by the penalty
    """

    ids: Tensor
    lengths: Tensor
    log_probabilities: Tensor
    scores: Tensor


class Record(NamedTuple):
    """The contents of the beam after each step, all (steps, batch, beam); an empty place has -inf.

    A `closed` place holds a hypothesis that has ended with EOS or has reached the longest length.
    """

    tokens: Tensor
    parents: Tensor  # the place of the hypothesis that this one continues, in the beam of the step before
    log_probabilities: Tensor
    closed: Tensor


@torch.no_grad()
def beam_search(
    model: Seq2Seq,
    source: Tensor,
    source_lengths: Tensor,
    max_length: int,
    beam_size: int = 5,
    n_best: int = 1,
    penalty: Penalty = no_penalty,
) -> Hypotheses:
    r"""Beam search (Sutskever et al., 2014, section 3.2), for every sentence of the batch at once.

    $$\mathrm{score}(y, x) = \frac{\sum_i \log p(y_i \mid y_1, \ldots, y_{i-1}, x)}{\mathrm{lp}(|y|)}$$

    Each step keeps the `beam_size` most probable continuations of the hypotheses kept before.
    One that ends with EOS leaves the beam with its score, and its place is not refilled: the beam narrows by one.
    A hypothesis cut off at `max_length` competes with the others.
    A sentence's search ends when its beam is empty, or when nothing left in it can still enter the `n_best`: a
    log-probability never rises, and no penalty is above that of `max_length`.
    With beam_size=1 this is greedy search.

    Dropout is off during the search; the model's mode is restored.

    Shape:
        source: (batch, source_len), ids
        source_lengths: (batch,)

    Raises:
        ValueError: max_length or n_best is below 1, or beam_size is below n_best.
    """
    record = search_record(
        model,
        source,
        source_lengths,
        max_length,
        beam_size,
        n_best,
        penalty,
    )
    sums, device = record.log_probabilities, source.device  # sums: (steps, batch, beam)
    steps, batch, _ = sums.shape
    lengths = torch.arange(1, steps + 1, device=device, dtype=sums.dtype)
    scores = sums / penalty(lengths).view(-1, 1, 1)
    scores = scores.masked_fill(~record.closed, -torch.inf).transpose(0, 1)
    scores, slot = scores.flatten(1).topk(n_best)  # of (batch, steps × beam)
    last, slot = slot // beam_size, slot % beam_size
    missing = scores == -torch.inf
    rows = torch.arange(batch, device=device).unsqueeze(1)
    log_probabilities = sums[last, rows, slot].masked_fill(missing, -torch.inf)
    ids = source.new_full((steps, batch, n_best), PAD)
    for step in range(steps - 1, -1, -1):  # from the last word back to the first
        spoken = (step <= last) & ~missing
        ids[step] = torch.where(spoken, record.tokens[step].gather(1, slot), PAD)
        slot = torch.where(spoken, record.parents[step].gather(1, slot), slot)
    ended_at = (last + 1).masked_fill(missing, 0)
    return Hypotheses(ids.permute(1, 2, 0), ended_at, log_probabilities, scores)


@torch.no_grad()
def rescore(model: Seq2Seq, source: Tensor, source_lengths: Tensor, ids: Tensor, lengths: Tensor) -> Tensor:
    r"""The log-probability of each hypothesis, by teacher forcing; it equals what the search found.

    $$\sum_{i=1}^{n} \log p(y_i \mid y_1, \ldots, y_{i-1}, x)$$

    Shape:
        source: (batch, source_len), and source_lengths: (batch,)
        ids: (batch, n_best, steps), and lengths: (batch, n_best), as in :class:`Hypotheses`
        log_probabilities: (batch, n_best)
    """
    n_best = ids.size(1)
    flat = ids.flatten(0, 1)  # (batch × n_best, steps)
    target_in = torch.cat([flat.new_full((flat.size(0), 1), BOS), flat[:, :-1]], dim=1)
    with without_dropout(model):
        logits, _ = model(_repeat(source, n_best), _repeat(source_lengths, n_best), target_in)
    words = F.log_softmax(logits, dim=-1).gather(-1, flat.unsqueeze(-1)).squeeze(-1)
    spoken = torch.arange(flat.size(1), device=ids.device) < lengths.flatten().unsqueeze(1)
    return words.masked_fill(~spoken, 0.0).sum(-1).view(lengths.shape)


def search_record(
    model: Seq2Seq,
    source: Tensor,
    source_lengths: Tensor,
    max_length: int,
    beam_size: int,
    n_best: int,
    penalty: Penalty,
) -> Record:
    check_at_least("max_length", max_length, 1)
    check_at_least("n_best", n_best, 1)
    check_at_least("beam_size", beam_size, n_best, ", as many as n_best; a beam holds no more hypotheses than its size")
    with without_dropout(model):
        memory, state = model.read(source, source_lengths)
        batch = source.size(0)
        rows = torch.arange(batch, device=source.device)  # the sentences still being searched
        previous = source.new_full((batch, 1), BOS)  # (rows, width): one hypothesis, then beam_size
        steps: list[Record] = []
        for length in range(1, max_length + 1):
            logits, _, state = model.decoder.step(previous.flatten(), state, memory)
            if not steps:
                alive = logits.new_zeros(batch, 1)  # log-probabilities; -inf where a place is empty
                best = logits.new_full((batch, n_best), -torch.inf)  # scores of closed hypotheses
                room = source.new_full((batch, 1), beam_size)  # how many are still open
                lengths = torch.arange(1, max_length + 1, device=source.device, dtype=logits.dtype)
                penalties = penalty(lengths)
            alive, parents, previous = _continue(alive, logits, room, beam_size)
            ended = (previous == EOS) if length < max_length else torch.ones_like(previous, dtype=torch.bool)
            ended &= alive > -torch.inf
            steps.append(_spread(Record(previous, parents, alive, ended), rows, batch))

            closed = (alive / penalties[length - 1]).masked_fill(~ended, -torch.inf)
            best = torch.cat([best, closed], dim=1).topk(n_best).values
            room = room - ended.sum(1, keepdim=True)
            alive = alive.masked_fill(ended, -torch.inf)
            searched = alive.max(1).values / penalties[-1] > best[:, -1]
            if not searched.any():
                break
            remaining = searched.nonzero().squeeze(1)
            width = logits.size(0) // rows.size(0)
            state, memory = _select(model.decoder, state, memory, parents, remaining, width)
            rows, alive, best, room, previous = (part[remaining] for part in (rows, alive, best, room, previous))
    return Record(*(torch.stack(parts) for parts in zip(*steps, strict=True)))


def _select(
    decoder: Decoder,
    state: Any,
    memory: Any,
    parents: Tensor,
    remaining: Tensor,
    width: int,
) -> tuple[Any, Any]:
    """State and memory for the next step: only the sentences `remaining`, hypotheses in the order of their `parents`.

    `parents` is (rows, beam_size); in the step before, each row had `width` hypotheses.
    """
    sentences, beam_size = parents.shape
    continued = remaining.unsqueeze(1) * width + parents[remaining]
    state = reorder(state, continued.flatten())
    if decoder.shares_memory:
        if len(remaining) < sentences:
            memory = select_memory(memory, remaining)
    elif width != beam_size or len(remaining) < sentences:
        # all hypotheses of a sentence have the same memory
        first = (remaining * width).unsqueeze(1).expand(-1, beam_size)
        memory = select_memory(memory, first.flatten())
    return state, memory


def _continue(alive: Tensor, logits: Tensor, room: Tensor, beam_size: int) -> tuple[Tensor, Tensor, Tensor]:
    """The most probable continuations: log-probabilities, parents and tokens, each (rows, beam_size).

    There are only as many as `room` says; the others get -inf, parent 0 and PAD.
    """
    most = min(beam_size, logits.size(1))  # no hypothesis can contribute more to the best
    best, words = F.log_softmax(logits, dim=-1).topk(most, dim=-1)
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


def _spread(record: Record, rows: Tensor, batch: int) -> Record:
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


def _repeat(rows: Tensor, times: int) -> Tensor:
    return rows.repeat_interleave(times, dim=0)
