r"""The plain forms of Bahdanau's decoder, each written like its equation: answers to the exercise on chapter 7.

:class:`~seq2seq.decoders.bahdanau.BahdanauDecoder` computes the same faster; the tests compare the two.
"""

import torch
from torch import Tensor, nn

from seq2seq.attention import attend
from seq2seq.scorers import AdditiveScorer


class FirstState(nn.Module):
    r"""The decoder's state before the first word (Bahdanau et al., 2015, appendix A.2.2).

    $$s_0 = \tanh(W_s \overleftarrow h_1)$$

    $\overleftarrow h_1$ is the backward state at the first word: the one that has read the whole sentence and ends
    where the translation begins.

    Shape:
        final: (batch, encoder_size), $[\overrightarrow h_T; \overleftarrow h_1]$, two halves of equal size
        state: (batch, hidden_size), $s_0$
    """

    def __init__(self, encoder_size: int, hidden_size: int) -> None:
        super().__init__()
        self.layer = nn.Linear(encoder_size // 2, hidden_size)  # W_s

    def forward(self, final: Tensor) -> Tensor:
        backward_at_first_word = final[:, final.size(1) // 2 :]
        return torch.tanh(self.layer(backward_at_first_word))


class BahdanauStep(nn.Module):
    r"""One step of the decoder: attend, then update the state (Bahdanau et al., 2015, section 3.1 and appendix A.2.2).

    $$e_{ij} = a(s_{i-1}, h_j), \qquad \alpha_i = \mathrm{softmax}(e_i), \qquad c_i = \sum_j \alpha_{ij} h_j$$
    $$s_i = \mathrm{GRU}([E y_{i-1}; c_i], s_{i-1})$$

    Shape:
        embedded: (batch, embedding_size), the previous word $E y_{i-1}$
        state: (batch, hidden_size), $s_{i-1}$
        projected_keys: (batch, source_len, attention_size), from ``scorer.project_keys``, once per sentence
        values: (batch, source_len, encoder_size), the encoder states $h_j$
        source_mask: (batch, source_len), bool, True = real token
        returns: (new state $s_i$, context $c_i$ (batch, encoder_size), weights (batch, source_len))
    """

    def __init__(self, embedding_size: int, hidden_size: int, encoder_size: int, attention_size: int) -> None:
        super().__init__()
        self.scorer = AdditiveScorer(hidden_size, encoder_size, attention_size)
        self.cell = nn.GRUCell(embedding_size + encoder_size, hidden_size)  # takes the word first, then the context

    def project_keys(self, values: Tensor) -> Tensor:
        return self.scorer.project_keys(values)

    def forward(
        self,
        embedded: Tensor,
        state: Tensor,
        projected_keys: Tensor,
        values: Tensor,
        source_mask: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        scores = self.scorer.score(state, projected_keys)
        context, weights = attend(scores, values, source_mask)
        state = self.cell(torch.cat([embedded, context], dim=-1), state)
        return state, context, weights


def unroll(
    step: nn.Module,
    embedded: Tensor,
    state: Tensor,
    values: Tensor,
    source_mask: Tensor,
) -> tuple[Tensor, Tensor, Tensor]:
    r"""The steps of a whole target, teacher-forced: the previous words are the true ones.

    $$s_i, c_i, \alpha_i = \mathrm{step}(E y_{i-1}, s_{i-1}, h), \qquad i = 1, \ldots, T$$

    The keys do not change from step to step: they are projected once, before the first.

    Shape:
        step: as :class:`BahdanauStep`, with ``step.project_keys(values)``
        embedded: (batch, target_len, embedding_size), the embedded previous words, BOS first
        state: (batch, hidden_size), $s_0$
        values: (batch, source_len, encoder_size)
        source_mask: (batch, source_len), bool, True = real token
        returns: states (batch, target_len, hidden_size), from $s_1$ on, contexts (batch, target_len, encoder_size)
            and weights (batch, target_len, source_len)
    """
    projected_keys = step.project_keys(values)
    states, contexts, weights = [], [], []
    for word in embedded.unbind(1):
        state, context, row = step(word, state, projected_keys, values, source_mask)
        states.append(state)
        contexts.append(context)
        weights.append(row)
    return torch.stack(states, 1), torch.stack(contexts, 1), torch.stack(weights, 1)


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
        states, contexts, weights = (torch.stack(parts, 1) for parts in zip(*done, strict=True))
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
    padded = torch.where(source_mask.unsqueeze(-1), values, values + 1)
    return {
        "state asks": not allclose(run(embedded, -state, values, source_mask)[2], weights),
        "word asks": not allclose(run(-embedded, state, values, source_mask)[2], weights),
        "state enters": not allclose(run(embedded, -state, first, real)[0], alone),
        "word enters": not allclose(run(-embedded, state, first, real)[0], alone),
        "context enters": not allclose(run(embedded, state, -first, real)[0], alone),
        "padding counts": not allclose(run(embedded, state, padded, source_mask)[2], weights),
        "context is the weighted sum": allclose(context, (weights.unsqueeze(1) @ values).squeeze(1)),
    }
