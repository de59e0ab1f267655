r"""The capstone: a translation system from its parts in the plain form, its training, and the effect of a change.

The system computes what :class:`~seq2seq.decoders.bahdanau.BahdanauDecoder` and :func:`seq2seq.search.greedy` compute,
a word at a time; a model that was trained as the one can be run as the other.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from seq2seq.decoders.readout import MaxoutReadout
from seq2seq.vocab import BOS, EOS, PAD

Batch = tuple[Tensor, ...]
Memory = tuple[Tensor, Tensor, Tensor]  # projected keys, encoder states, source mask: the same at every step


class ContextDecoder(nn.Module):
    r"""The decoder of Bahdanau et al. (2015, appendix A.2) without its attention: it is given the context.

    $$s_0 = \tanh(W_s \overleftarrow h_1), \qquad s_i = \mathrm{GRU}([E y_{i-1}; c_i], s_{i-1}), \qquad
      \mathrm{logits}_i = W_o\, t(s_i, E y_{i-1}, c_i)$$

    ``bridge`` is $W_s$, ``embedding`` is $E$, ``cell`` is the GRU; ``readout(state, embedded, context)`` is the maxout
    layer $t$, and ``output_layer`` is $W_o$.

    Shape:
        final: (batch, encoder_size), forward half first, then the backward half, which is $\overleftarrow h_1$
        previous: (batch,), ids of the words before, $y_{i-1}$
        state: (batch, hidden_size), $s_{i-1}$ as input, $s_i$ as output
        context: (batch, encoder_size), $c_i$
        logits: (batch, vocab_size), raw: no softmax
    """

    def __init__(self, vocab_size: int, embedding_size: int, hidden_size: int, encoder_size: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_size)
        self.bridge = nn.Linear(encoder_size // 2, hidden_size)
        self.cell = nn.GRUCell(embedding_size + encoder_size, hidden_size)
        self.readout = MaxoutReadout(hidden_size, embedding_size, encoder_size, hidden_size // 2)
        self.output_layer = nn.Linear(hidden_size // 2, vocab_size)

    def start(self, final: Tensor) -> Tensor:
        """The state before the first word."""
        backward_at_first_word = final[:, final.size(1) // 2 :]
        return torch.tanh(self.bridge(backward_at_first_word))

    def step(self, previous: Tensor, state: Tensor, context: Tensor) -> tuple[Tensor, Tensor]:
        """One word: (logits, next state)."""
        embedded = self.embedding(previous)
        state = self.cell(torch.cat([embedded, context], dim=-1), state)
        return self.output_layer(self.readout(state, embedded, context)), state


class Translator:
    r"""Four parts wired as in Bahdanau et al. (2015, section 3.1): attention lies between two decoder states.

    $$e_{ij} = a(s_{i-1}, h_j), \qquad \alpha_i = \mathrm{softmax}(e_i), \qquad c_i = \sum_j \alpha_{ij} h_j, \qquad
      s_i = f(s_{i-1}, y_{i-1}, c_i)$$

    ``encoder(source, source_lengths)`` gives (states, final); ``scorer.project_keys(states)`` and
    ``scorer.score(query, projected_keys)`` give keys and scores; ``attend(scores, values, source_mask)`` gives
    (context, weights); ``decoder.start(final)`` and ``decoder.step(previous, state, context)`` give the first state,
    and (logits, state).

    Shape:
        source: (batch, source_len), ids
        source_mask: (batch, source_len), bool, True = real token
        memory: (projected_keys, states, source_mask), what every step needs from the source
        previous: (batch,), ids
        state: (batch, hidden_size), the decoder state
        logits: (batch, vocab_size)
        weights: (batch, source_len)
    """

    def __init__(self, encoder: Any, scorer: Any, attend: Callable[..., tuple[Tensor, Tensor]], decoder: Any) -> None:
        self.encoder, self.scorer, self.attend, self.decoder = encoder, scorer, attend, decoder

    def read(self, source: Tensor, source_mask: Tensor) -> tuple[Memory, Tensor]:
        """Once per sentence: (memory, state before the first word)."""
        states, final = self.encoder(source, source_mask.sum(dim=1))
        return (self.scorer.project_keys(states), states, source_mask), self.decoder.start(final)

    def step(self, previous: Tensor, state: Tensor, memory: Memory) -> tuple[Tensor, Tensor, Tensor]:
        """Once per word: (logits, weights, next state)."""
        projected_keys, states, source_mask = memory
        scores = self.scorer.score(state, projected_keys)
        context, weights = self.attend(scores, states, source_mask)
        logits, state = self.decoder.step(previous, state, context)
        return logits, weights, state


@torch.no_grad()
def greedy(translator: Any, source: Tensor, source_mask: Tensor, max_length: int) -> tuple[Tensor, Tensor]:
    r"""Greedy decoding: the most probable word at every step, fed back as the next step's previous word.

    $$\hat y_i = \arg\max_y p(y \mid \hat y_1, \ldots, \hat y_{i-1}, x), \qquad \hat y_0 = \text{BOS}$$

    After its EOS a sentence gets PAD.
    It stops when every sentence of the batch has produced EOS, or after `max_length` words.

    Shape:
        translator: has ``read(source, source_mask)`` → (memory, state) and ``step(previous, state, memory)`` →
            (logits, weights, state)
        source: (batch, source_len), ids
        source_mask: (batch, source_len), bool, True = real token
        ids: (batch, steps), steps ≤ max_length, EOS included
        weights: (batch, steps, source_len)
    """
    memory, state = translator.read(source, source_mask)
    previous = source.new_full((source.size(0),), BOS)
    finished = torch.zeros_like(previous, dtype=torch.bool)
    ids: list[Tensor] = []
    weights: list[Tensor] = []
    while len(ids) < max_length and not finished.all():
        logits, step_weights, state = translator.step(previous, state, memory)
        previous = logits.argmax(dim=-1).masked_fill(finished, PAD)
        ids.append(previous)
        weights.append(step_weights)
        finished = finished | (previous == EOS)
    return torch.stack(ids, dim=1), torch.stack(weights, dim=1)


def batch_loss(translator: Any, source: Tensor, source_mask: Tensor, target: Tensor) -> Tensor:
    r"""The mean loss of the target's words under teacher forcing (Bahdanau et al., 2015, section 3; chapter 2).

    $$L = -\frac{1}{N} \sum_b \sum_{i:\, y_{bi} \neq \text{PAD}} \ln p(y_{bi} \mid y_{b,i-1}, \ldots, y_{b1}, x_b),
    \qquad y_{b0} = \text{BOS}$$

    $N$ is the number of target words of the whole batch, each sentence's EOS included; padding does not count.

    Shape:
        translator: has ``read(source, source_mask)`` → (memory, state) and ``step(previous, state, memory)`` →
            (logits, weights, state)
        source: (batch, source_len), ids
        source_mask: (batch, source_len), bool, True = real token
        target: (batch, target_len), ids with EOS, then PAD; no BOS
        loss: a single number, ()
    """
    memory, state = translator.read(source, source_mask)
    previous = target.new_full((target.size(0),), BOS)
    total = torch.zeros(())
    for words in target.unbind(1):
        logits, _, state = translator.step(previous, state, memory)
        total = total + functional.cross_entropy(logits, words, ignore_index=PAD, reduction="sum")
        previous = words
    return total / (target != PAD).sum()


def train(model: nn.Module, batches: Sequence[Batch], learning_rate: float, largest_norm: float) -> list[float]:
    r"""Training: one step of Adam for each batch, with the gradient clipped to a norm (Pascanu et al., 2013).

    $$g \leftarrow g \cdot \min\left(1, \frac{r}{\lVert g \rVert}\right)$$

    $\lVert g \rVert$ is the norm of the gradient of all parameters together, and $r$ is ``largest_norm``.
    The model is put into training mode first; ``model(*batch)`` is the loss of a batch.

    Shape:
        losses: a list of numbers, the loss of each batch before its step
    """
    model.train()
    optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate)
    losses = []
    for batch in batches:
        loss = model(*batch)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), largest_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


def sign_test(before: Sequence[bool], after: Sequence[bool]) -> tuple[int, int, float]:
    r"""Whether a change helped: sentences that only one system has right, and how likely such a lead is by chance.

    $$p = \min\left(1,\; 2 \sum_{k=0}^{\min(w, l)} \binom{n}{k} 2^{-n}\right), \qquad n = w + l$$

    $w$ sentences are right only after the change, $l$ only before it; sentences on which both agree are ignored
    (the sign test, Dixon and Mood, 1946). If they agree on all, $p$ is 1.

    Shape:
        before, after: for each sentence, whether its translation was right, in the same order
        (won, lost, p): two whole numbers and a number
    """
    won = sum(new and not old for old, new in zip(before, after, strict=True))
    lost = sum(old and not new for old, new in zip(before, after, strict=True))
    count = won + lost
    tail = sum(math.comb(count, k) for k in range(min(won, lost) + 1)) / 2**count
    return won, lost, min(1.0, 2 * tail)
