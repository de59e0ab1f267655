r"""The exhibits of :mod:`seq2seq.museum.exhibits`, fixed."""

import torch
from torch import Tensor


def mended_weights(scores: Tensor, source_mask: Tensor) -> Tensor:
    r"""Weights of the source words from their scores; padding gets 0 (Bahdanau et al., 2015, equation 6).

    $$\alpha_j = \frac{m_j \exp(e_j)}{\sum_l m_l \exp(e_l)}$$

    Shape:
        scores: (batch, keys)
        source_mask: (batch, keys), bool, True = real token; a sentence may have none
        weights: (batch, keys)
    """
    lowest = torch.finfo(scores.dtype).min
    return torch.softmax(scores.masked_fill(~source_mask, lowest), dim=1).masked_fill(~source_mask, 0.0)


def mended_summary(states: Tensor, source_lengths: Tensor) -> Tensor:
    r"""The last states of a bidirectional encoder (Bahdanau et al., 2015, equation 7 and appendix A.2.2).

    $$[\overrightarrow h_T; \overleftarrow h_1]$$

    Shape:
        states: (batch, source_len, 2 × hidden_size), forward half first, 0 at padding
        source_lengths: (batch,), each at least 1
        summary: (batch, 2 × hidden_size)
    """
    hidden_size = states.size(2) // 2
    rows = torch.arange(states.size(0), device=states.device)
    forward_state = states[rows, source_lengths - 1, :hidden_size]
    backward_state = states[:, 0, hidden_size:]
    return torch.cat([forward_state, backward_state], dim=1)


def mended_scores(asked: Tensor, offered: Tensor, energy: Tensor) -> Tensor:
    r"""Additive scores of every decoder step against every source word (Bahdanau et al., 2015, appendix A.1.2).

    $$e_{ij} = v^\top \tanh(W s_{i-1} + U h_j)$$

    Shape:
        asked: (batch, queries, attention_size), $W s_{i-1}$
        offered: (batch, keys, attention_size), $U h_j$
        energy: (attention_size,), $v$
        scores: (batch, queries, keys)
    """
    together = asked.unsqueeze(2) + offered.unsqueeze(1)
    return together.tanh() @ energy


def mended_perplexity(losses: Tensor, target_mask: Tensor) -> Tensor:
    r"""Perplexity per real word of a batch, from the negative log-likelihood at every position.

    $$\exp\left(\frac{\sum_i m_i L_i}{\sum_i m_i}\right)$$

    Shape:
        losses: (batch, target_len), of any finite value at padding
        target_mask: (batch, target_len), bool, True = real token; at least one in the batch
        perplexity: ()
    """
    return losses[target_mask].mean().exp()


def mended_translation(next_logits: Tensor, bos: int, steps: int) -> Tensor:
    r"""The words that the decoder outputs when it reads only its own output (greedy decoding).

    $$\hat y_i = \arg\max_y \; p(y \mid \hat y_{i-1}, x), \qquad \hat y_0 = \mathrm{BOS}$$

    Shape:
        next_logits: (batch, vocab_size, vocab_size), the decoder as a table: row = previous word, column = next word
        words: (batch, steps), ids
    """
    rows = torch.arange(next_logits.size(0), device=next_logits.device)
    previous = torch.full_like(rows, bos)
    words = []
    for _ in range(steps):
        previous = next_logits[rows, previous].argmax(-1)
        words.append(previous)
    return torch.stack(words, dim=1)
