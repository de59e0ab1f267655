r"""Two answers to the exercise on the model of Bahdanau et al. (2015) that no page of the book shows."""

import torch
from torch import Tensor, nn


class ForcedDecoder(nn.Module):
    r"""From the encoder's final states to the logits of a whole target (Bahdanau et al., 2015, appendix A.2.2).

    $$s_0 = \tanh(W_s \overleftarrow h_1), \qquad s_i, c_i, \alpha_i = \mathrm{step}(E y_{i-1}, s_{i-1}, h), \qquad
      \mathrm{logits}_i = W_o\, t(s_i, E y_{i-1}, c_i)$$

    The keys are projected once, before the first step; the readout $t$ runs once, after the last.

    Shape:
        step: ``step(word, state, projected_keys, values, source_mask)`` → (new state, context, weights), with
            ``step.project_keys(values)``
        readout: ``readout(states, embedded, contexts)`` → (batch, target_len, readout_size)
        embedded: (batch, target_len, embedding_size), the embedded previous words, BOS first
        final: (batch, encoder_size), $[\overrightarrow h_T; \overleftarrow h_1]$, two halves of equal size
        values: (batch, source_len, encoder_size), the encoder states $h_j$
        source_mask: (batch, source_len), bool, True = real token
        returns: logits (batch, target_len, vocab_size) and weights (batch, target_len, source_len)
    """

    def __init__(self, encoder_size: int, hidden_size: int, readout_size: int, vocab_size: int) -> None:
        super().__init__()
        self.first_layer = nn.Linear(encoder_size // 2, hidden_size)  # W_s
        self.output_layer = nn.Linear(readout_size, vocab_size)  # W_o

    def forward(
        self, step: nn.Module, readout: nn.Module, embedded: Tensor, final: Tensor, values: Tensor, source_mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        backward = final[:, final.size(1) // 2 :]  # at word 1, where the backward direction ends
        state = torch.tanh(self.first_layer(backward))
        projected_keys = step.project_keys(values)
        done = []
        for word in embedded.unbind(1):
            state, context, row = step(word, state, projected_keys, values, source_mask)
            done.append((state, context, row))
        states, contexts, weights = (torch.stack([one[n] for one in done], 1) for n in range(3))
        return self.output_layer(readout(states, embedded, contexts)), weights


def wires(step: nn.Module, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor) -> dict[str, bool]:
    r"""Which wires a decoder step has, found by changing one thing at a time.

    With a single source word the weight is 1 for any query, so what then reaches the new state came through the cell.

    Shape:
        step: ``step(embedded, state, projected_keys, values, source_mask)`` → (new state, context, weights), with
            ``step.project_keys(values)``
        embedded: (batch, embedding_size), the previous word
        state: (batch, hidden_size)
        values: (batch, source_len, encoder_size)
        source_mask: (batch, source_len), bool, True = real token; the first word of each sentence is real
        returns: True or False for "state asks", "word asks", "state enters", "word enters", "context enters",
            "padding counts" and "context is the weighted sum"
    """

    def run(embedded: Tensor, state: Tensor, values: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return step(embedded, state, step.project_keys(values), values, mask)

    allclose = torch.allclose
    _, context, weights = run(embedded, state, values, source_mask)
    first, real = values[:, :1], source_mask[:, :1]
    alone, _, _ = run(embedded, state, first, real)
    padded = torch.where(source_mask.unsqueeze(-1), values, -values)
    return {
        "state asks": not allclose(run(embedded, -state, values, source_mask)[2], weights),
        "word asks": not allclose(run(-embedded, state, values, source_mask)[2], weights),
        "state enters": not allclose(run(embedded, -state, first, real)[0], alone),
        "word enters": not allclose(run(-embedded, state, first, real)[0], alone),
        "context enters": not allclose(run(embedded, state, -first, real)[0], alone),
        "padding counts": not allclose(run(embedded, state, padded, source_mask)[2], weights),
        "context is the weighted sum": allclose(context, (weights.unsqueeze(1) @ values).squeeze(1)),
    }
