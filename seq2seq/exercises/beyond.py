r"""Exercise 13: hops through a memory, the loss of a pointer-generator, and scores that defeat a mask."""

import itertools

import torch
from torch import Tensor

from seq2seq.attention import attend


def hops(query: Tensor, embeddings: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    r"""A question attends to a story, and again with what it found added (Sukhbaatar et al., 2015, section 2.2).

    $$p^k_i = \mathrm{softmax}_i((u^k)^\top m^k_i), \qquad o^k = \sum_i p^k_i m^{k+1}_i, \qquad u^{k+1} = u^k + o^k$$

    Shape:
        query: (batch, size), $u^1$
        embeddings: (hops + 1, batch, sentences, size), $m^1$ to $m^{K+1}$, each of the whole story
        mask: (batch, sentences), bool, True = real sentence
        answer: (batch, size), $u^{K+1}$
        weights: (batch, hops, sentences), $p^1$ to $p^K$
    """
    weights = []
    for keys, values in itertools.pairwise(embeddings):
        output, looked = attend((keys @ query.unsqueeze(-1)).squeeze(-1), values, mask)
        query = query + output
        weights.append(looked)
    return query, torch.stack(weights, dim=1)


def pointer_loss(
    generated: Tensor,
    weights: Tensor,
    gate: Tensor,
    extended_source: Tensor,
    target: Tensor,
    target_mask: Tensor,
) -> Tensor:
    r"""The loss of a pointer-generator, a mean over the real words (See et al., 2017, equations 6 and 9).

    $$P^t(w) = g^t P^t_{vocab}(w) + (1 - g^t) \sum_{i : w_i = w} a^t_i, \qquad
      L = -\frac{1}{\sum_t m_t} \sum_t m_t \ln \max(P^t(w^t), 10^{-10})$$

    Shape:
        generated: (batch, target_len, vocab_size), $P_{vocab}$, 0 for every id beyond
        weights: (batch, target_len, source_len), $a^t$, 0 at padding
        gate: (batch, target_len), $g^t$, from 0 to 1
        extended_source: (batch, source_len), int64, $w_i$, ids of the extended vocabulary
        target: (batch, target_len), int64, $w^t$, ids of the extended vocabulary
        target_mask: (batch, target_len), bool, True = real token
        loss: (); 0 where no word is real
    """
    known = target < generated.size(-1)
    written = generated.gather(-1, target.masked_fill(~known, 0).unsqueeze(-1)).squeeze(-1)
    matching = extended_source.unsqueeze(1) == target.unsqueeze(-1)  # (batch, target_len, source_len)
    copied = weights.masked_fill(~matching, 0.0).sum(dim=-1)
    right = gate * written.masked_fill(~known, 0.0) + (1 - gate) * copied
    costs = -right.clamp(min=1e-10).log()
    words = target_mask.sum().clamp(min=1)
    return costs.masked_fill(~target_mask, 0.0).sum() / words


def underflow_proof(like: Tensor) -> tuple[Tensor, Tensor]:
    r"""Scores for which a softmax fails with the mask after it, and works with the mask before it.

    $$\alpha_j = \frac{m_j \, \mathrm{softmax}(e)_j}{\sum_l m_l \, \mathrm{softmax}(e)_l}$$

    is $0 / 0$ where the padding's score is so far above the others that their shares round to 0.

    Shape:
        like: (1, keys), harmless scores, at least two
        scores: (1, keys), of the dtype of ``like``, from -1000 to 1000
        mask: (1, keys), bool, True = real token; one key is padding
    """
    scores, mask = torch.full_like(like, -1000.0), torch.ones_like(like, dtype=torch.bool)
    scores[:, -1] = 1000.0
    mask[:, -1] = False
    return scores, mask
