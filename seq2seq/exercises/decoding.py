r"""Chapter 11: a standalone beam search, blocking repeated runs of words, and a model that misleads a beam."""

import heapq
import math

import torch
from torch import Tensor

from seq2seq.vocab import BOS, EOS


def beam_search(log_table: Tensor, beam_size: int, longest: int, alpha: float) -> tuple[list[int], float, int]:
    r"""The best sentence that a beam finds in a model of the two previous words (Wu et al., 2016, section 7).

    $$s = \frac{\log p(y)}{\mathrm{lp}(|y|)}, \qquad \mathrm{lp}(n) = \left(\frac{5 + n}{6}\right)^\alpha$$

    The search begins with one hypothesis, BOS after BOS, and a beam of `beam_size` places.
    A hypothesis ends with EOS, or as word number `longest`; then it leaves the beam, and its place is not refilled:
    in all later steps the beam has one place fewer.
    A word with the log-probability -inf cannot follow: it is not a candidate.
    The search ends when the beam is empty, or when no open hypothesis could still beat the best that has ended, even
    if all its further words were certain and its length the greatest allowed.

    Shape:
        log_table: (vocab_size, vocab_size, vocab_size), of the word on the last axis, after the words on the two others

    Returns:
        ids: the words of the best hypothesis, EOS included, without BOS
        score: s of that hypothesis
        steps: the number of steps the search has made
    """

    def penalty(length: int) -> float:
        return ((5 + length) / 6) ** alpha

    table = log_table.tolist()
    alive, width = [(0.0, [BOS, BOS])], beam_size
    best, sentence = -math.inf, []
    for length in range(1, longest + 1):
        candidates = [
            (total + log, [*words, token])
            for total, words in alive
            for token, log in enumerate(table[words[-2]][words[-1]])
            if log > -math.inf
        ]
        beam = heapq.nlargest(width, candidates)
        ended = [hypothesis for hypothesis in beam if hypothesis[1][-1] == EOS or length == longest]
        alive = [hypothesis for hypothesis in beam if hypothesis not in ended]
        for total, words in ended:
            if total / penalty(length) > best:
                best, sentence = total / penalty(length), words[2:]
        width -= len(ended)
        if not alive or alive[0][0] / penalty(longest) <= best:
            break
    return sentence, best, length


def without_repeats(log_probabilities: Tensor, prefixes: Tensor, n: int) -> Tensor:
    r"""The log-probabilities of the next word, where no run of n words may occur twice (Paulus et al., 2018).

    A word that would complete a run of `n` words which the hypothesis already contains gets $-\infty$.

    Shape:
        log_probabilities, allowed: (hypotheses, vocab_size)
        prefixes: (hypotheses, length), the words of each hypothesis so far
    """
    allowed = log_probabilities.clone()
    for row, words in enumerate(prefixes.tolist()):
        for start in range(len(words) - n + 1):
            *before, last = words[start : start + n]
            if before == words[len(words) - n + 1 :]:
                allowed[row, last] = -torch.inf
    return allowed


def lured() -> dict[str, dict[str, float]]:
    """A model in which greedy decoding finds a better sentence than a beam of two.

    Returns:
        shares: for "<bos>" and for every word that may occur, the probability of each word that may follow it, with
            "<eos>" for the end; a word that is not named has probability 0
    """
    return {
        "<bos>": {"le": 0.6, "la": 0.4},
        "le": {"chat": 0.6, "chien": 0.4},
        "la": {"dame": 1.0},
        "chat": {"dort": 0.55, "mange": 0.45},
        "chien": {"dort": 1.0},
        "dame": {"rit": 0.5, "chante": 0.5},
        "dort": {"<eos>": 1.0},
        "mange": {"<eos>": 1.0},
        "rit": {"fort": 0.5, "<eos>": 0.5},
        "chante": {"fort": 0.5, "<eos>": 0.5},
        "fort": {"<eos>": 1.0},
    }
