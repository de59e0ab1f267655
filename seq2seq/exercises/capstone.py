r"""The tasks of the capstone that are not part of the library: loss, training, and the effect of a change."""

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from seq2seq.vocab import BOS, PAD

Batch = tuple[Tensor, ...]


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
