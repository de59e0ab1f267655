r"""Beam search: the best few hypotheses of every sentence, all sentences and hypotheses of a batch in one pass.

The keys of a sentence are projected once, and shared by its hypotheses.
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from seq2seq.beam.beam import Beam, Record, advance, spread
from seq2seq.beam.penalty import Penalty, no_penalty, penalties_of
from seq2seq.decoders.decoder import Decoder
from seq2seq.decoders.state import reorder, select_memory, tensors, with_tensors
from seq2seq.device import between_looks, send
from seq2seq.dropout import without_dropout
from seq2seq.guards import check_at_least, check_integers, check_shape
from seq2seq.layers.precision import widened
from seq2seq.model import Seq2Seq, decoder_of
from seq2seq.recordings import Recordings
from seq2seq.search import STEPS, refuse_nan
from seq2seq.vocab import BOS, PAD


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
        ValueError: max_length or n_best is below 1, beam_size is below n_best, or a penalty is not above 0 or falls.
        TypeError: the penalty is not a function of lengths, or the model has no decoder that gives logits.
        FloatingPointError: the model gives NaN.
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
    ids = rows.new_full((steps, batch, n_best), PAD)
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

    Raises:
        TypeError, ValueError: the model refuses the sentences or the hypotheses, or the lengths do not fit these.
    """
    check_integers("source_lengths", source_lengths, "a length counts the words of a row")
    check_shape("lengths", lengths, ids.shape[:2], "one for each hypothesis of ids (batch, n_best, steps)")
    if lengths.numel() and int(lengths.max()) > ids.size(-1):
        raise ValueError(f"lengths: got {int(lengths.max())}, expected at most {ids.size(-1)}, the steps of ids.")
    n_best = ids.size(1)
    flat = ids.flatten(0, 1)  # (batch × n_best, steps)
    target_in = torch.cat([flat.new_full((flat.size(0), 1), BOS), flat[:, :-1]], dim=1)
    with without_dropout(model):
        logits, _ = model(*(part.repeat_interleave(n_best, dim=0) for part in (source, source_lengths)), target_in)
    words = F.log_softmax(widened(logits), dim=-1).gather(-1, flat.unsqueeze(-1)).squeeze(-1)
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
    looking = between_looks(source.device, STEPS)
    decoder: Decoder = decoder_of(model)
    with without_dropout(model):
        memory, state = model.read(source, source_lengths)
        batch, parts = source.size(0), tensors(state)
        number = widened(next(part for part in (*parts, *tensors(memory)) if part.is_floating_point()))
        penalties = penalties_of(penalty, torch.arange(1, max_length + 1, dtype=number.dtype))  # nobody waits to check
        penalties = send(penalties, number.device)

        def step(*given: Tensor) -> tuple[Tensor, ...]:
            beam, before = Beam(*given[: len(Beam._fields)]), with_tensors(state, given[len(Beam._fields) :])
            logits, _, after = decoder.step(beam.previous.flatten(), before, memory)
            record, beam, searched = advance(beam, logits, penalties, beam_size)
            return *record, searched, *beam, *tensors(_follow(after, record.parents, len(logits)))

        run = Recordings(step, source.device)
        rows = torch.arange(batch, device=source.device)  # the sentences still being searched
        beam = Beam(
            previous=rows.new_full((batch, 1), BOS),  # a source may be pictures
            alive=number.new_zeros(batch, 1),
            best=number.new_full((batch, n_best), -torch.inf),
            room=rows.new_full((batch, 1), beam_size),
            length=rows.new_ones(1),
        )
        steps: list[Record] = []
        for length in range(1, max_length + 1):
            results = run(*beam, *parts)
            record, searched, beam, parts = Record(*results[:4]), results[4], Beam(*results[5:10]), [*results[10:]]
            steps.append(spread(record, rows, batch))
            if length == 1 and not decoder.shares_memory:  # all hypotheses of a sentence have the same
                memory = select_memory(memory, rows.repeat_interleave(beam_size))
            if length % looking:
                continue
            remaining = searched.nonzero().squeeze(1)
            if len(remaining) == 0:
                break
            if len(remaining) < len(rows) and (looking == 1 or 2 * len(remaining) < len(rows)):
                beam, before, memory = _keep(remaining, beam, with_tensors(state, parts), memory, decoder)
                rows, parts = rows[remaining], tensors(before)
    record = Record(*(torch.stack(parts) for parts in zip(*steps, strict=True)))
    reached = (record.log_probabilities > -torch.inf).any(2).any(1)
    searched_for, lost = torch.stack([reached.sum(), record.log_probabilities.isnan().sum()]).tolist()  # steps; NaN
    if lost:
        refuse_nan()
    if looking == 1:
        return record
    return Record(*(part[:searched_for] for part in record))


def _follow(state: Any, parents: Tensor, hypotheses: int) -> Any:
    """The states of the hypotheses that are continued, in the order of their continuations.

    Shape:
        state: of `hypotheses`, as many for each row as a beam was wide before the step
        parents: (rows, beam_size), a place in that beam
    """
    places = torch.arange(hypotheses, device=parents.device)
    first = places.view(len(parents), -1)[:, :1]  # of each row
    return reorder(state, (first + parents).flatten())


def _keep(
    remaining: Tensor,
    beam: Beam,
    state: Any,
    memory: Any,
    decoder: Decoder,
) -> tuple[Beam, Any, Any]:
    """Only what belongs to the sentences that remain."""
    size = beam.previous.size(1)
    first = remaining.unsqueeze(1) * size  # of each row
    places = (first + torch.arange(size, device=first.device)).flatten()
    beam = Beam._make([*(part[remaining] for part in beam[:-1]), beam.length])
    rows = remaining if decoder.shares_memory else places
    return beam, reorder(state, places), select_memory(memory, rows)
