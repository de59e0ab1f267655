r"""One sentence's translation, step by step: the word read, the weights, the candidates, the output."""

import re
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from seq2seq.attention import weighted_sum
from seq2seq.dropout import without_dropout
from seq2seq.guards import check_at_least, checked_tokens
from seq2seq.vocab import BOS, EOS, UNK, Vocabulary

TOKEN = re.compile(r"'s\b|\w+(?:-\w+)*|[^\w\s]")


@dataclass(frozen=True)
class Step:
    r"""One step of a decoder: the word it reads, its weights $\alpha_t$ and context $c_t$, its candidates."""

    read: str
    weights: tuple[float, ...]  # one for each source token
    context: tuple[float, ...]
    candidates: tuple[tuple[str, float], ...]  # the most probable words with their probabilities, best first

    @property
    def word(self) -> str:
        return self.candidates[0][0]


@dataclass(frozen=True)
class Playback:
    """A decoded sentence; the last step outputs ``<eos>`` unless the search was cut off."""

    source: tuple[str, ...]
    steps: tuple[Step, ...]
    unknown: tuple[str, ...] = ()  # words of the source that the model reads as <unk>

    @property
    def target(self) -> tuple[str, ...]:
        return tuple(step.word for step in self.steps if step.word != "<eos>")

    def text(self) -> str:
        """A line for each step: reads, looks at, may say."""
        lines = [f"{'reads':14} {'looks at':32} may say"]
        for step in self.steps:
            ranked = sorted(zip(step.weights, self.source, strict=True), key=lambda pair: -pair[0])[:2]
            sources = ", ".join(f"{word} {weight:.2f}" for weight, word in ranked)
            may = ", ".join(f"{word} {chance:.2f}" for word, chance in step.candidates[:2])
            lines.append(f"{step.read:14} {sources:32} {may}")
        return "\n".join(lines)


class ByMask(nn.Module):
    """A :class:`~seq2seq.model.Seq2Seq` as :func:`play` expects it, with a mask instead of lengths."""

    model: Any

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def read(self, source: Tensor, source_mask: Tensor) -> tuple[Any, Any]:
        return self.model.read(source, source_mask.sum(dim=1))

    def step(self, previous: Tensor, state: Any, memory: Any) -> tuple[Tensor, Tensor, Any]:
        return self.model.decoder.step(previous, state, memory)


@torch.no_grad()
def play(
    translator: Any, words: Sequence[str], source_vocab: Vocabulary, target_vocab: Vocabulary, candidates: int = 4
) -> Playback:
    r"""Decode one sentence greedily, and record each step; at most twice as many words as the source, plus 10.

    ``translator`` has the interface of :class:`seq2seq.exercises.capstone.Translator`: ``read(source, source_mask)`` →
    (memory, state), where ``memory[1]`` is the encoder states, and ``step(previous, state, memory)`` →
    (logits, weights, state).
    Dropout is off within, if it is a module; its mode is restored.

    Raises:
        ValueError: there are no words, no candidate is asked for, or the decoder has no attention.
        TypeError: the words are a string.
    """
    check_at_least("candidates", candidates, 1)
    if not checked_tokens("words", words):
        raise ValueError("words: got none, expected a sentence of at least one word.")
    with without_dropout(translator) if isinstance(translator, nn.Module) else nullcontext():
        return _played(translator, words, source_vocab, target_vocab, candidates)


def _played(
    translator: Any, words: Sequence[str], source_vocab: Vocabulary, target_vocab: Vocabulary, candidates: int
) -> Playback:
    ids = source_vocab.encode(words)
    source = torch.tensor([ids])
    memory, state = translator.read(source, torch.ones_like(source, dtype=torch.bool))
    previous = torch.tensor([BOS])
    steps: list[Step] = []
    while len(steps) < 2 * len(words) + 10 and (not steps or previous.item() != EOS):
        read = target_vocab.tokens[int(previous)]
        logits, weights, state = translator.step(previous, state, memory)
        if weights is None:
            raise ValueError("translator: its step returns no weights; expected a decoder with attention.")
        likely, likeliest = logits[0].softmax(dim=-1).topk(min(candidates, logits.size(-1)))
        may = zip((target_vocab.tokens[word] for word in likeliest.tolist()), likely.tolist(), strict=True)
        context = weighted_sum(weights, memory[1])[0]
        steps.append(Step(read, tuple(weights[0].tolist()), tuple(context.tolist()), tuple(may)))
        previous = likeliest[:1]
    unknown = (word for word, id in zip(words, ids, strict=True) if id == UNK)
    return Playback(tuple(words), tuple(steps), tuple(dict.fromkeys(unknown)))


def tokenise(text: str) -> list[str]:
    """Tokenise English like the corpora: lower case, punctuation apart, a full stop if no mark ends it.

    >>> tokenise("Anna's letter, the old one")
    ['anna', "'s", 'letter', ',', 'the', 'old', 'one', '.']
    """
    words = TOKEN.findall(text.replace("’", "'").lower())
    if words and words[-1] not in (".", "!", "?"):
        words.append(".")
    return words
