r"""Decoder steps to try a loop on: they take and return what the real ones do, and compute something simpler.

They look where the previous word points, and they count how often the keys were projected.
"""

import torch
from torch import Tensor, nn

from seq2seq.attention import masked_softmax, weighted_sum


class RehearsalStep(nn.Module):
    r"""Called as :class:`~seq2seq.decoders.plain_bahdanau.BahdanauStep`: (new state, context, weights).

    $$\alpha_i = \mathrm{softmax}(h_j^\top K^\top E y_{i-1}), \qquad s_i = \tanh(W E y_{i-1} + U s_{i-1} + C c_i)$$
    """

    def __init__(self, embedding_size: int, hidden_size: int, encoder_size: int) -> None:
        super().__init__()
        self.key_layer = nn.Linear(encoder_size, embedding_size, bias=False)  # K
        self.word_layer = nn.Linear(embedding_size, hidden_size)  # W
        self.state_layer = nn.Linear(hidden_size, hidden_size, bias=False)  # U
        self.context_layer = nn.Linear(encoder_size, hidden_size, bias=False)  # C
        self.register_buffer("projections", torch.zeros(()))

    def project_keys(self, values: Tensor) -> Tensor:
        self.projections += 1
        return self.key_layer(values)

    def forward(
        self, embedded: Tensor, state: Tensor, projected_keys: Tensor, values: Tensor, source_mask: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        weights = masked_softmax((projected_keys @ embedded.unsqueeze(-1)).squeeze(-1), source_mask)
        context = weighted_sum(weights, values)
        state = torch.tanh(self.word_layer(embedded) + self.state_layer(state) + self.context_layer(context))
        return state, context, weights


class FeedingRehearsalStep(RehearsalStep):
    r"""Called as :class:`~seq2seq.decoders.plain_luong.InputFeedingStep`: (attentional state, weights, new state).

    $$h_t = \tanh(W E y_{t-1} + U h_{t-1} + F \tilde h_{t-1}), \qquad \tilde h_t = \tanh(C c_t - h_t)$$
    """

    def __init__(self, embedding_size: int, hidden_size: int, encoder_size: int) -> None:
        super().__init__(embedding_size, hidden_size, encoder_size)
        self.fed_layer = nn.Linear(hidden_size, hidden_size, bias=False)  # F

    def forward(
        self,
        embedded: Tensor,
        fed: Tensor,
        state: Tensor,
        projected_keys: Tensor,
        values: Tensor,
        source_mask: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        weights = masked_softmax((projected_keys @ embedded.unsqueeze(-1)).squeeze(-1), source_mask)
        context = weighted_sum(weights, values)
        state = torch.tanh(self.word_layer(embedded) + self.state_layer(state) + self.fed_layer(fed))
        return torch.tanh(self.context_layer(context) - state), weights, state
