"""Minimal parts with the same interface as the real ones, to try the wiring with.

The same seed gives the same parts.
"""

import torch
from torch import Tensor, nn

from seq2seq.vocab import BOS, EOS, PAD

SIZE = 3  # of an encoder state and of a decoder state
WORDS = 12


def _drawn(*shape: int, seed: int) -> nn.Parameter:
    return nn.Parameter(torch.randn(*shape, generator=torch.Generator().manual_seed(seed)))


class ToyEncoder(nn.Module):
    """``encoder(source, source_lengths)``: states (batch, source_len, 3) and final (batch, 3).

    A word's state is a row of a table, and the last state before the padding is the final one.
    """

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.table = _drawn(WORDS, SIZE, seed=seed)

    def forward(self, source: Tensor, source_lengths: Tensor) -> tuple[Tensor, Tensor]:
        states = self.table[source]
        return states, states[torch.arange(len(source)), source_lengths - 1]


class ToyScorer(nn.Module):
    """``project_keys`` multiplies by a matrix, ``score`` takes the dot product."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.matrix = _drawn(SIZE, SIZE, seed=seed)

    def project_keys(self, keys: Tensor) -> Tensor:
        return keys @ self.matrix

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        return (projected_keys @ query.unsqueeze(-1)).squeeze(-1)


class ToyAttend(nn.Module):
    """``attend(scores, values, source_mask)``: (context, weights); the weights are squares, normalised to sum to 1."""

    def forward(self, scores: Tensor, values: Tensor, source_mask: Tensor) -> tuple[Tensor, Tensor]:
        squares = (scores**2 + 0.1) * source_mask
        weights = squares / squares.sum(-1, keepdim=True)
        return (weights.unsqueeze(-1) * values).sum(1), weights


class ToyDecoder(nn.Module):
    """``start(final)``: a state; ``step(previous, state, context)``: (logits, state)."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.table = _drawn(WORDS, SIZE, seed=seed)

    def start(self, final: Tensor) -> Tensor:
        return final / 2 + 0.1

    def step(self, previous: Tensor, state: Tensor, context: Tensor) -> tuple[Tensor, Tensor]:
        state = 0.5 * state - context + self.table[previous]
        return state @ self.table.T, state


def parts(seed: int) -> tuple[nn.Module, nn.Module, nn.Module, nn.Module]:
    """Encoder, scorer, attend and decoder."""
    return ToyEncoder(seed), ToyScorer(seed + 1), ToyAttend(), ToyDecoder(seed + 2)


class ToySystem(nn.Module):
    """``read(source, source_mask)``: (memory, state); ``step(previous, state, memory)``: (logits, weights, state).

    It sums the real states, and its own state depends on every word that it has read.
    With a negative seed it is overconfident: its logits are a hundred times as large.
    """

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.table, self.mixed = _drawn(WORDS, SIZE, seed=seed), _drawn(SIZE, SIZE, seed=seed + 1)
        self.scale = 100.0 if seed < 0 else 1.0

    def read(self, source: Tensor, source_mask: Tensor) -> tuple[Tensor, Tensor]:
        states = self.table[source] * source_mask.unsqueeze(-1)
        return states.sum(1), states[:, 0]

    def step(self, previous: Tensor, state: Tensor, memory: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        state = torch.tanh(state @ self.mixed + nn.functional.embedding(previous, self.table) + 0.5 * memory)
        return self.scale * (state @ self.table.T), state.softmax(-1), state


class ToyTranslator(nn.Module):
    """``read(source, source_mask)``: (memory, state); ``step(previous, state, memory)``: (logits, weights, state).

    It outputs the source's ids, each plus one, then EOS, and continues after that if it is called again, EOS among its
    words; after PAD it outputs EOS. Its output is the most probable word by a small margin.
    Its state holds how many words it has output, and the last of them; given another previous word than that one, it
    outputs one of the last four words of the vocabulary.
    """

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.noise = _drawn(WORDS, WORDS, seed=seed)

    def read(self, source: Tensor, source_mask: Tensor) -> tuple[tuple[Tensor, Tensor], Tensor]:
        return (source, source_mask), torch.tensor([0, BOS]).expand(len(source), 2)

    def step(self, previous: Tensor, state: Tensor, memory: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor, Tensor]:
        source, source_mask = memory
        count, last = state.unbind(1)
        ends = source_mask.sum(1)
        position = count.clamp(max=source.size(1) - 1).unsqueeze(1)
        spoken = torch.where(count < ends, source.gather(1, position).squeeze(1) + 1, EOS)
        spoken = torch.where((previous != last) | (count > ends), WORDS - 4 + (previous + count) % 4, spoken)
        spoken = torch.where((previous == PAD) | (count == ends + 2), EOS, spoken)
        logits = 0.5 * self.noise[count % WORDS].sigmoid() + nn.functional.one_hot(spoken, WORDS)  # a small margin
        scores = self.noise[source, position] + 3.0 * nn.functional.one_hot(position.squeeze(1), source.size(1))
        weights = torch.softmax(scores.masked_fill(~source_mask, -1e9), dim=-1)
        return logits, weights, torch.stack([count + 1, spoken], dim=1)


class ToyModel(nn.Module):
    """``model(inputs, wanted)``: the loss of a small network, three times as large outside training mode."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.first, self.second = _drawn(SIZE, SIZE, seed=seed), _drawn(SIZE, 1, seed=seed + 1)
        self.part = nn.Identity()  # whose mode counts, as that of a dropout layer would

    def forward(self, inputs: Tensor, wanted: Tensor) -> Tensor:
        loss = ((inputs @ self.first).tanh() @ self.second - wanted).square().mean()
        return loss if self.part.training else 3 * loss


def translator(seed: int) -> ToyTranslator:
    return ToyTranslator(seed)


def system(seed: int) -> ToySystem:
    return ToySystem(seed)


def model(seed: int) -> ToyModel:
    return ToyModel(seed)
