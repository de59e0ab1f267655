"""Speech-like frames: each symbol sounds for several noisy frames, and nobody says where one ends and the next begins.

A toy of speech: many frames for each symbol, alignments that only go forward, and symbols that come again and again.
The frames are ours, and hold no voice; where each symbol sounds is known.
"""

from dataclasses import dataclass
from random import Random

import torch
from torch import Tensor

from seq2seq.corpora.ranges import check_range
from seq2seq.guards import check_at_least

SYMBOLS = tuple("abcdefgh")
FEATURES = 8  # numbers per frame
SHORTEST, LONGEST = 5, 12  # frames per symbol
NOISE = 0.5  # standard deviation of each feature


@dataclass(frozen=True, slots=True)
class Utterance:
    """Frames, the symbols that sound in them, and the frames of each symbol.

    ``frames`` is (frames, FEATURES); ``spans`` holds (first frame, first frame after the symbol), without gaps.
    """

    frames: Tensor
    symbols: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]

    @property
    def links(self) -> frozenset[tuple[int, int]]:
        """(frame, symbol position), both from 0, as the links of a sentence pair are."""
        return frozenset((frame, i) for i, (start, end) in enumerate(self.spans) for frame in range(start, end))


# (symbols, 2, FEATURES): what a symbol sounds like at its beginning and at its end
SOUNDS = torch.randn(len(SYMBOLS), 2, FEATURES, generator=torch.Generator().manual_seed(0))


def utterances(size: int, seed: int, lengths: tuple[int, int] = (3, 10)) -> list[Utterance]:
    """``size`` utterances, the number of symbols uniform over the range ``lengths``; repeatable by seed.

    Symbols and durations are drawn independently and uniformly.

    Raises:
        ValueError: the size is below 0, or the range is empty, or has an utterance without a symbol.
    """
    check_at_least("size", size, 0)
    check_range("lengths", lengths, 1, "as silence has no symbol")
    rng = Random(seed)
    generator = torch.Generator().manual_seed(seed)
    drawn = []
    for _ in range(size):
        symbols = tuple(rng.choices(SYMBOLS, k=rng.randint(*lengths)))
        durations = [rng.randint(SHORTEST, LONGEST) for _ in symbols]
        clean = sound(symbols, durations)
        noise = NOISE * torch.randn(clean.shape, generator=generator)
        drawn.append(Utterance(clean + noise, symbols, spans_of(durations)))
    return drawn


def spans_of(durations: list[int]) -> tuple[tuple[int, int], ...]:
    """(first frame, first frame after the symbol) for each symbol, from the number of frames of each."""
    ends = torch.tensor(durations).cumsum(0).tolist()
    return tuple(zip([0, *ends[:-1]], ends, strict=True))


def sound(symbols: tuple[str, ...], durations: list[int]) -> Tensor:
    r"""The frames without noise: over its duration each symbol moves evenly from its first sound to its last.

    $$x_{s+t} = \left(1 - \frac{t}{d - 1}\right) a + \frac{t}{d - 1}\, b, \qquad t = 0, \ldots, d - 1$$

    for a symbol with sounds $a$ and $b$ that begins at frame $s$ and lasts $d$ frames.
    So a symbol that follows itself can be told from one that lasts.

    Shape:
        frames: (frames, FEATURES)
    """
    lasting = torch.tensor(durations)
    rows = torch.tensor([SYMBOLS.index(symbol) for symbol in symbols]).repeat_interleave(lasting)
    steps = torch.cat([torch.linspace(0, 1, duration) for duration in durations])
    first, last = SOUNDS[rows].unbind(1)
    return torch.lerp(first, last, steps.unsqueeze(1))
