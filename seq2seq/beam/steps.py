r"""One step of beam search in small functions, for teaching; :mod:`seq2seq.beam.search` does the same faster."""

import torch
from torch import Tensor

from seq2seq.vocab import EOS, PAD


def continue_hypotheses(
    alive: Tensor,
    log_probabilities: Tensor,
    beam_size: int,
) -> tuple[Tensor, Tensor, Tensor]:
    r"""The `beam_size` best of all continuations of a sentence's hypotheses, best first.

    $$\log p(y_1, \ldots, y_i \mid x) = \log p(y_1, \ldots, y_{i-1} \mid x) + \log p(y_i \mid y_1, \ldots, y_{i-1}, x)$$

    (Sutskever et al., 2014, section 3.2.)
    Any hypothesis may be continued by any word: there are width × vocab_size candidates for each sentence.
    An empty place of the beam has -inf.

    Shape:
        alive: (batch, width), log-probabilities of the hypotheses; the width is 1 at first, then the beam's
        log_probabilities: (batch, width, vocab_size), of the next word after each of them

    Returns:
        totals: (batch, beam_size), log-probabilities of the continuations
        parents: (batch, beam_size), the place in `alive` of the hypothesis that each continues
        tokens: (batch, beam_size), the word that each adds
    """
    candidates = alive.unsqueeze(2) + log_probabilities
    totals, index = candidates.flatten(1).topk(beam_size)
    vocab_size = log_probabilities.size(2)
    return totals, index // vocab_size, index % vocab_size


def set_finished_aside(
    totals: Tensor,
    tokens: Tensor,
    is_last: bool,
) -> tuple[Tensor, Tensor]:
    """The hypotheses that continue, and those that have ended: each in its place, with -inf elsewhere.

    A hypothesis ends with EOS; at the last step allowed, all end.

    Shape:
        totals: (batch, beam_size), log-probabilities, and tokens: (batch, beam_size), the last word of each

    Returns:
        alive and finished: (batch, beam_size) each
    """
    ended = (tokens == EOS) | is_last
    alive = totals.masked_fill(ended, -torch.inf)
    finished = totals.masked_fill(~ended, -torch.inf)
    return alive, finished


def trace_back(
    tokens: Tensor,
    parents: Tensor,
    last: Tensor,
    place: Tensor,
) -> Tensor:
    """The words of one hypothesis of each sentence, found from its last word back to its first.

    The word at (step, place) continues the hypothesis at (step − 1, parent).

    Shape:
        tokens, parents: (steps, batch, beam_size), what was in the beam after each step
        last: (batch,), the step of the hypothesis's last word, counted from 0
        place: (batch,), the place of that word in the beam

    Returns:
        ids: (batch, steps), the words in order, PAD after the last
    """
    steps, batch, _ = tokens.shape
    ids = tokens.new_full((batch, steps), PAD)
    rows = torch.arange(batch, device=tokens.device)
    for step in range(steps - 1, -1, -1):
        spoken = step <= last
        ids[:, step] = torch.where(spoken, tokens[step, rows, place], PAD)
        place = torch.where(spoken, parents[step, rows, place], place)
    return ids
