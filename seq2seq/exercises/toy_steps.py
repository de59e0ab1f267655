r"""Decoder steps to try a loop on: they take and return what the real ones do, and compute something simpler.

Their query is the previous word, and they count how often the keys were projected, and the rows of all calls.
"""

import torch
from torch import Tensor, nn

from seq2seq.attention import masked_softmax, weighted_sum


class ToyStep(nn.Module):
    r"""Called as :class:`~seq2seq.exercises.bahdanau.BahdanauStep`: (new state, context, weights).

    $$\alpha_i = \mathrm{softmax}(h_j^\top K^\top E y_{i-1}), \qquad s_i = \tanh(W E y_{i-1} + U s_{i-1} + C c_i)$$
    """

    projections: Tensor
    rows: Tensor

    def __init__(self, embedding_size: int, hidden_size: int, encoder_size: int) -> None:
        super().__init__()
        self.key_layer = nn.Linear(encoder_size, embedding_size, bias=False)  # K
        self.word_layer = nn.Linear(embedding_size, hidden_size)  # W
        self.state_layer = nn.Linear(hidden_size, hidden_size, bias=False)  # U
        self.context_layer = nn.Linear(encoder_size, hidden_size, bias=False)  # C
        self.register_buffer("projections", torch.zeros((), dtype=torch.long))
        self.register_buffer("rows", torch.zeros((), dtype=torch.long))

    def project_keys(self, values: Tensor) -> Tensor:
        self.projections += 1
        return self.key_layer(values)

    def forward(
        self, embedded: Tensor, state: Tensor, projected_keys: Tensor, values: Tensor, source_mask: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        self.rows += len(embedded)
        weights = masked_softmax((projected_keys @ embedded.unsqueeze(-1)).squeeze(-1), source_mask)
        context = weighted_sum(weights, values)
        state = torch.tanh(self.word_layer(embedded) + self.state_layer(state) + self.context_layer(context))
        return state, context, weights


class FeedingToyStep(ToyStep):
    r"""Called as :class:`~seq2seq.exercises.luong.InputFeedingStep`: (attentional state, weights, new state).

    $$h_t = \tanh(W E y_{t-1} + U h_{t-1} + F \tilde h_{t-1}), \qquad \tilde h_t = \tanh(C c_t - h_t)$$
    """

    def __init__(self, embedding_size: int, hidden_size: int, encoder_size: int) -> None:
        super().__init__(embedding_size, hidden_size, encoder_size)
        self.fed_layer = nn.Linear(hidden_size, hidden_size, bias=False)  # F

    def forward(  # type: ignore[override]  # called as another step
        self,
        embedded: Tensor,
        fed: Tensor,
        state: Tensor,
        projected_keys: Tensor,
        values: Tensor,
        source_mask: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        self.rows += len(embedded)
        weights = masked_softmax((projected_keys @ embedded.unsqueeze(-1)).squeeze(-1), source_mask)
        context = weighted_sum(weights, values)
        state = torch.tanh(self.word_layer(embedded) + self.state_layer(state) + self.fed_layer(fed))
        return torch.tanh(self.context_layer(context) - state), weights, state


class ToyReadout(nn.Module):
    r"""Called as :class:`~seq2seq.decoders.readout.MaxoutReadout`; it counts its calls.

    $$t_i = \tanh(U s_i + V E y_{i-1} + C c_i)$$
    """

    runs: Tensor

    def __init__(self, embedding_size: int, hidden_size: int, encoder_size: int, readout_size: int) -> None:
        super().__init__()
        self.layer = nn.Linear(hidden_size + embedding_size + encoder_size, readout_size)
        self.register_buffer("runs", torch.zeros((), dtype=torch.long))

    def forward(self, state: Tensor, embedded: Tensor, context: Tensor) -> Tensor:
        self.runs += 1
        return torch.tanh(self.layer(torch.cat([state, embedded, context], dim=-1)))


class SpecimenStep(nn.Module):
    """A step with a given wiring, to be identified by experiment; called as a Bahdanau step.

    ``wiring`` names the differences from the paper, such as "word asks, no state"; "" means none.
    """

    def __init__(self, embedding_size: int, hidden_size: int, encoder_size: int, wiring: str = "") -> None:
        super().__init__()
        self.key_layer = nn.Linear(encoder_size, hidden_size, bias=False)
        self.word_layer = nn.Linear(embedding_size, hidden_size)
        self.state_layer = nn.Linear(hidden_size, hidden_size, bias=False)
        self.context_layer = nn.Linear(encoder_size, hidden_size, bias=False)
        self._wiring = set(wiring.split(", "))

    def project_keys(self, values: Tensor) -> Tensor:
        return self.key_layer(values)

    def forward(
        self, embedded: Tensor, state: Tensor, projected_keys: Tensor, values: Tensor, source_mask: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        word, recurrent = self.word_layer(embedded), self.state_layer(state)
        query = word + recurrent if "word asks" in self._wiring else recurrent
        query = torch.ones_like(query) if "nobody asks" in self._wiring else query
        query = (query + word + recurrent) - (word + recurrent)  # what does not ask cancels, up to rounding
        scores = (projected_keys @ query.unsqueeze(-1)).squeeze(-1) / 2
        scores = scores * source_mask if "zero scores" in self._wiring else scores
        unmasked = self._wiring & {"no mask", "late mask", "zero scores"}
        weights = masked_softmax(scores, torch.ones_like(source_mask) if unmasked else source_mask)
        weights = weights * source_mask if "late mask" in self._wiring else weights
        context = values[:, 0] if "fixed context" in self._wiring else weighted_sum(weights, values)
        context = values.mean(1) if "mean context" in self._wiring else context
        parts = {"no word": word, "no state": recurrent, "no context": self.context_layer(context)}
        new = sum((part for name, part in parts.items() if name not in self._wiring), torch.zeros_like(state))
        return torch.tanh(new), 1.1 * context / 1.1, weights
