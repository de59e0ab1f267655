"""Translation one sentence and one hypothesis at a time."""

import torch
from torch import Tensor
from torch.nn import functional as F

from benchmarks.naive.model import NaiveModel
from seq2seq.vocab import BOS, EOS


@torch.no_grad()
def greedy(model: NaiveModel, source: Tensor, max_length: int) -> list[int]:
    """The most probable next word, until EOS or `max_length` words; source (source_len,), ids without padding."""
    states, final, mask = _read(model, source)
    state = model.first_state(final)
    words: list[int] = []
    word = BOS
    while len(words) < max_length and word != EOS:
        logits, state = model.step(torch.tensor([word], device=source.device), state, states, final, mask)
        word = int(logits.argmax())
        words.append(word)
    return words


@torch.no_grad()
def beam(model: NaiveModel, source: Tensor, max_length: int, beam_size: int) -> tuple[float, list[int]]:
    """The best hypothesis and its log-probability; a finished hypothesis keeps its place in the beam.

    As in the library's search, a sentence is done when no open hypothesis is better than the best closed one.
    """
    states, final, mask = _read(model, source)
    hypotheses = [(0.0, [BOS], model.first_state(final))]
    closed: list[tuple[float, list[int]]] = []
    for length in range(1, max_length + 1):
        candidates = []
        for total, words, state in hypotheses:
            word = torch.tensor([words[-1]], device=source.device)
            logits, following = model.step(word, state, states, final, mask)
            best, tokens = F.log_softmax(logits, dim=1).topk(min(beam_size, logits.size(1)))
            for log_probability, token in zip(best[0].tolist(), tokens[0].tolist(), strict=True):
                candidates.append((total + log_probability, [*words, token], following))
        candidates.sort(key=lambda candidate: candidate[0], reverse=True)
        hypotheses = []
        for total, words, state in candidates[: beam_size - len(closed)]:
            if words[-1] == EOS or length == max_length:
                closed.append((total, words[1:]))
            else:
                hypotheses.append((total, words, state))
        closed.sort(key=lambda hypothesis: hypothesis[0], reverse=True)
        if not hypotheses or (closed and closed[0][0] >= hypotheses[0][0]):
            break
    return closed[0]


def _read(model: NaiveModel, source: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    states, final = model.encode(source.unsqueeze(0), torch.tensor([len(source)]))
    return states, final, torch.ones(1, len(source), dtype=torch.bool, device=source.device)
