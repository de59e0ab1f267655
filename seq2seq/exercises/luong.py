r"""The plain forms of Luong's decoders, without and with input feeding: answers to the exercise on chapter 8.

:class:`~seq2seq.decoders.luong.LuongDecoder` and :class:`~seq2seq.decoders.luong.InputFeedingDecoder` compute the
same with a choice of cells and scorers; the tests compare them.
"""

from itertools import combinations, permutations

import torch
from torch import Tensor, nn

from seq2seq.attention import attend, masked_softmax
from seq2seq.scorers import BilinearScorer


class LuongStep(nn.Module):
    r"""One step of the global model: update the state, then attend (Luong et al., 2015, section 3.1).

    $$h_t = \mathrm{GRU}(E y_{t-1}, h_{t-1}), \qquad \alpha_t = \mathrm{softmax}(\mathrm{score}(h_t, \bar h)), \qquad
      c_t = \sum_s \alpha_{ts} \bar h_s, \qquad \tilde h_t = \tanh(W_c [c_t; h_t])$$

    Shape:
        embedded: (batch, embedding_size), the previous word $E y_{t-1}$
        state: (batch, hidden_size), $h_{t-1}$
        projected_keys: (batch, source_len, hidden_size), from ``scorer.project_keys``, once per sentence
        values: (batch, source_len, encoder_size), the encoder states
        source_mask: (batch, source_len), bool, True = real token
        returns: (attentional state $\tilde h_t$ (batch, hidden_size), weights (batch, source_len), new state $h_t$)
    """

    def __init__(self, embedding_size: int, hidden_size: int, encoder_size: int) -> None:
        super().__init__()
        self.cell = nn.GRUCell(embedding_size, hidden_size)
        self.scorer = BilinearScorer(hidden_size, encoder_size)
        self.attentional_layer = nn.Linear(encoder_size + hidden_size, hidden_size, bias=False)  # W_c

    def project_keys(self, values: Tensor) -> Tensor:
        return self.scorer.project_keys(values)

    def forward(
        self, embedded: Tensor, state: Tensor, projected_keys: Tensor, values: Tensor, source_mask: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        state = self.cell(embedded, state)
        context, weights = attend(self.scorer.score(state, projected_keys), values, source_mask)
        attentional = torch.tanh(self.attentional_layer(torch.cat([context, state], dim=-1)))
        return attentional, weights, state


class InputFeedingStep(nn.Module):
    r"""One step with input feeding: the word, and the last attentional state (Luong et al., 2015, section 3.3).

    $$h_t = \mathrm{GRU}([E y_{t-1}; \tilde h_{t-1}], h_{t-1})$$

    The rest is as without input feeding: $h_t$ asks, and the attentional state is $\tanh(W_c [c_t; h_t])$.

    Shape:
        embedded: (batch, embedding_size), the previous word $E y_{t-1}$
        fed: (batch, hidden_size), the attentional state of the step before, $\tilde h_{t-1}$
        state: (batch, hidden_size), $h_{t-1}$
        projected_keys: (batch, source_len, hidden_size), from ``scorer.project_keys``, once per sentence
        values: (batch, source_len, encoder_size), the encoder states
        source_mask: (batch, source_len), bool, True = real token
        returns: (attentional state $\tilde h_t$ (batch, hidden_size), weights (batch, source_len), new state $h_t$)
    """

    def __init__(self, embedding_size: int, hidden_size: int, encoder_size: int) -> None:
        super().__init__()
        self.cell = nn.GRUCell(embedding_size + hidden_size, hidden_size)  # takes the word first, then what is fed
        self.scorer = BilinearScorer(hidden_size, encoder_size)
        self.attentional_layer = nn.Linear(encoder_size + hidden_size, hidden_size, bias=False)  # W_c

    def project_keys(self, values: Tensor) -> Tensor:
        return self.scorer.project_keys(values)

    def forward(
        self,
        embedded: Tensor,
        fed: Tensor,
        state: Tensor,
        projected_keys: Tensor,
        values: Tensor,
        source_mask: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        state = self.cell(torch.cat([embedded, fed], dim=-1), state)
        context, weights = attend(self.scorer.score(state, projected_keys), values, source_mask)
        attentional = torch.tanh(self.attentional_layer(torch.cat([context, state], dim=-1)))
        return attentional, weights, state


def unroll_feeding(
    step: nn.Module, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor
) -> tuple[Tensor, Tensor]:
    r"""Input feeding over a whole target, teacher-forced (Luong et al., 2015, section 3.3).

    $$\tilde h_t, \alpha_t, h_t = \mathrm{step}(E y_{t-1}, \tilde h_{t-1}, h_{t-1}, \bar h), \qquad \tilde h_0 = 0$$

    The keys are projected once, before the first step.

    Shape:
        step: ``step(word, fed, state, projected_keys, values, source_mask)`` → (attentional state, weights, new state),
            with ``step.project_keys(values)``
        embedded: (batch, target_len, embedding_size), the embedded previous words, BOS first
        state: (batch, hidden_size), $h_0$; $\tilde h_0$ has the same shape
        values: (batch, source_len, encoder_size)
        source_mask: (batch, source_len), bool, True = real token
        returns: attentional states (batch, target_len, hidden_size) and weights (batch, target_len, source_len)
    """
    projected_keys = step.project_keys(values)
    fed = torch.zeros_like(state)
    attentionals, weights = [], []
    for word in embedded.unbind(1):
        fed, step_weights, state = step(word, fed, state, projected_keys, values, source_mask)
        attentionals.append(fed)
        weights.append(step_weights)
    return torch.stack(attentionals, 1), torch.stack(weights, 1)


class LuongUnroll(nn.Module):
    r"""All steps of the global model at once, teacher-forced, without a loop over the target.

    $$H = \mathrm{GRU}(E y_{0}, \ldots, E y_{T-1}), \qquad A = \mathrm{softmax}(H (W_a \bar H)^\top),
      \qquad C = A \bar H, \qquad \tilde H = \tanh(W_c [C; H])$$

    It equals a loop over single steps, because no state depends on a context: the recurrent layer runs once.

    Shape:
        embedded: (batch, target_len, embedding_size), the embedded previous words, BOS first
        state: (batch, hidden_size), $h_0$
        values: (batch, source_len, encoder_size)
        source_mask: (batch, source_len), bool, True = real token
        returns: attentional states (batch, target_len, hidden_size) and weights (batch, target_len, source_len)
    """

    def __init__(self, embedding_size: int, hidden_size: int, encoder_size: int) -> None:
        super().__init__()
        self.rnn = nn.GRU(embedding_size, hidden_size, batch_first=True)  # expects the state as (1, batch, hidden_size)
        self.scorer = BilinearScorer(hidden_size, encoder_size)
        self.attentional_layer = nn.Linear(encoder_size + hidden_size, hidden_size, bias=False)  # W_c

    def forward(self, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor) -> tuple[Tensor, Tensor]:
        hidden, _ = self.rnn(embedded, state.unsqueeze(0))  # every h_t
        scores = hidden @ self.scorer.project_keys(values).mT  # (batch, target_len, source_len)
        weights = masked_softmax(scores, source_mask.unsqueeze(1))
        contexts = weights @ values
        return torch.tanh(self.attentional_layer(torch.cat([contexts, hidden], dim=-1))), weights


def unroll_unfinished(
    step: nn.Module, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor, target_lengths: Tensor
) -> tuple[Tensor, Tensor]:
    r"""Input feeding over targets of different lengths: each step runs only the unfinished sentences.

    $$\tilde h_t, \alpha_t, h_t = \mathrm{step}(E y_{t-1}, \tilde h_{t-1}, h_{t-1}, \bar h), \qquad \tilde h_0 = 0$$

    (Luong et al., 2015, section 3.3.) After the end of a target, attentional states and weights are 0.

    Shape:
        step: ``step(word, fed, state, projected_keys, values, source_mask)`` → (attentional state, weights, new state),
            with ``step.project_keys(values)``, which runs once, before the first step
        embedded: (batch, target_len, embedding_size), the embedded previous words, BOS first
        state: (batch, hidden_size), $h_0$
        values: (batch, source_len, encoder_size)
        source_mask: (batch, source_len), bool, True = real token
        target_lengths: (batch,), from 1 to target_len, in any order
        returns: attentional states (batch, target_len, hidden_size) and weights (batch, target_len, source_len)
    """
    projected_keys, fed = step.project_keys(values), torch.zeros_like(state)
    rows = torch.arange(len(embedded), device=embedded.device)
    attentionals = state.new_zeros(*embedded.shape[:2], state.size(1))
    weights = values.new_zeros(*embedded.shape[:2], values.size(1))
    for t in range(int(target_lengths.max())):
        going = target_lengths[rows] > t
        rows, fed, state = rows[going], fed[going], state[going]
        projected_keys, values, source_mask = projected_keys[going], values[going], source_mask[going]
        fed, row, state = step(embedded[rows, t], fed, state, projected_keys, values, source_mask)
        attentionals[rows, t], weights[rows, t] = fed, row
    return attentionals, weights


def told_apart(runs: dict[str, list[float]], level: float) -> list[tuple[str, str]]:
    """Which models are better than which, beyond chance differences of seeds: an exact permutation test (Fisher, 1935).

    If two models were alike, every way to divide their pooled scores between them would be equally likely.
    The chance is the share of these in which the first model's mean is at least as far above the second's as observed.

    Shape:
        runs: the scores of each model's runs, by name; higher is better
        level: the largest chance at which two models count as different
        returns: the pairs (better, worse), in the order of the names
    """
    pairs = []
    for better, worse in permutations(runs, 2):
        observed = sum(runs[better])
        sums = [sum(group) for group in combinations(runs[better] + runs[worse], len(runs[better]))]
        if sum(total >= observed for total in sums) / len(sums) <= level:
            pairs.append((better, worse))
    return pairs
