"""Exhibits: short model parts that run, train, and are wrong. Each is a bug that public code has had.

The fixed parts are in :mod:`seq2seq.museum.repairs`.
"""

import torch
from torch import Tensor


def exhibit_weights(scores: Tensor, source_mask: Tensor) -> Tensor:
    """Weights of the source words from their scores; padding gets 0.

    Shape:
        scores: (batch, keys)
        source_mask: (batch, keys), bool, True = real token
        weights: (batch, keys)
    """
    lowest = torch.finfo(scores.dtype).min
    weights = torch.softmax(scores.masked_fill(~source_mask, lowest), dim=0)
    return weights.masked_fill(~source_mask, 0.0)


def exhibit_summary(states: Tensor, source_lengths: Tensor) -> Tensor:
    """The last states of a bidirectional encoder, for the decoder to start from.

    Shape:
        states: (batch, source_len, 2 × hidden_size), forward half first, 0 at padding
        source_lengths: (batch,)
        summary: (batch, 2 × hidden_size)
    """
    return states[:, -1]


def exhibit_scores(asked: Tensor, offered: Tensor, energy: Tensor) -> Tensor:
    """Additive scores of every decoder step against every source word.

    Shape:
        asked: (batch, queries, attention_size), the decoder states, projected
        offered: (batch, keys, attention_size), the encoder states, projected
        energy: (attention_size,), the vector that turns each sum into a number
        scores: (batch, queries, keys)
    """
    together = asked.unsqueeze(2) + offered.unsqueeze(1)
    return together @ energy


def exhibit_perplexity(losses: Tensor, target_mask: Tensor) -> Tensor:
    """Perplexity per word of a batch, from the negative log-likelihood at every position.

    Shape:
        losses: (batch, target_len), of any value at padding
        target_mask: (batch, target_len), bool, True = real token
        perplexity: ()
    """
    losses = losses.masked_fill(~target_mask, 0.0)
    return losses.mean().exp()


def exhibit_translation(next_logits: Tensor, target: Tensor, bos: int) -> Tensor:
    """The words that the decoder outputs, to be compared with the target.

    Shape:
        next_logits: (batch, vocab_size, vocab_size), the decoder as a table: row = previous word, column = next word
        target: (batch, target_len), ids
        words: (batch, target_len), ids
    """
    rows = torch.arange(target.size(0), device=target.device)
    previous = torch.full_like(rows, bos)
    words = []
    for i in range(target.size(1)):
        words.append(next_logits[rows, previous].argmax(-1))
        previous = target[:, i]
    return torch.stack(words, dim=1)
