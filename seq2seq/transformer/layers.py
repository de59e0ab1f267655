r"""The layers of a Transformer (Vaswani et al., 2017), pre-norm; :mod:`seq2seq.transformer.model` stacks them."""

import torch
from torch import Tensor, nn

from seq2seq.transformer.positions import positions
from seq2seq.transformer.self_attention import MultiHeadAttention


class PlacedEmbedding(nn.Module):
    r"""A word and its position as one vector, $E x_p + P_p$ (Vaswani et al., 2017, sections 3.4 and 3.5).

    The paper multiplies the embedding by $\sqrt d$; here it is not, because its initial values are large enough
    (:func:`~seq2seq.model.initialise`), and short runs learn faster this way.

    Shape:
        ids: (batch, length), of the positions first, first + 1, …, counted from 0
        placed: (batch, length, size)

    Raises:
        ValueError: the size is odd.
    """

    def __init__(self, vocab_size: int, size: int, dropout: float = 0.0) -> None:
        super().__init__()
        positions(0, size)  # refuses an odd size now, not in training
        self.embedding = nn.Embedding(vocab_size, size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, ids: Tensor, first: int = 0) -> Tensor:
        words = self.embedding(ids)
        return self.dropout(words + positions(ids.size(1), words.size(-1), first, words.dtype, words.device))


class FeedForward(nn.Sequential):
    r"""The same two layers at every position (Vaswani et al., 2017, section 3.3): $W_2 \max(0, W_1 x + b_1) + b_2$.

    Shape:
        states: (..., size) → (..., size)
    """

    def __init__(self, size: int, inner_size: int) -> None:
        super().__init__(nn.Linear(size, inner_size), nn.ReLU(), nn.Linear(inner_size, size))


class EncoderLayer(nn.Module):
    r"""Self-attention, then the feed-forward layers, pre-norm.

    $$x \leftarrow x + \mathrm{attention}(\bar x, \bar x), \qquad x \leftarrow x + \mathrm{FFN}(\bar x), \qquad
      \bar x = \mathrm{LayerNorm}(x)$$

    Shape:
        words: (batch, source_len, size) → (batch, source_len, size)
        visible: (batch, 1, source_len), bool, True = real token
    """

    def __init__(self, size: int, heads: int, inner_size: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.attention_norm = nn.LayerNorm(size)
        self.attention = MultiHeadAttention(size, heads)
        self.inner_norm = nn.LayerNorm(size)
        self.feed_forward = FeedForward(size, inner_size)
        self.dropout = nn.Dropout(dropout)  # on what each sublayer adds

    def forward(self, words: Tensor, visible: Tensor) -> Tensor:
        normed = self.attention_norm(words)
        words = words + self.dropout(self.attention(normed, normed, visible)[0])
        return words + self.dropout(self.feed_forward(self.inner_norm(words)))


class DecoderLayer(nn.Module):
    r"""Attention over the words so far, attention over the source, then the feed-forward layers, pre-norm.

    Shape:
        words: (batch, words, size) → (batch, words, size)
        keys, values: (batch, prefix_len, size), of the words before these; returned with those of these words appended
        visible: (words, prefix_len + words), bool, True = may be seen
        source_keys, source_values: (batch, source_len, size), projected by ``source_attention``
        source_visible: (batch, 1, source_len), bool, True = real token
        weights: (batch, heads, words, source_len)
    """

    def __init__(self, size: int, encoder_size: int, heads: int, inner_size: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.attention_norm = nn.LayerNorm(size)
        self.attention = MultiHeadAttention(size, heads)
        self.source_norm = nn.LayerNorm(size)
        self.source_attention = MultiHeadAttention(size, heads, encoder_size)
        self.inner_norm = nn.LayerNorm(size)
        self.feed_forward = FeedForward(size, inner_size)
        self.dropout = nn.Dropout(dropout)  # on what each sublayer adds

    def forward(
        self,
        words: Tensor,
        keys: Tensor,
        values: Tensor,
        visible: Tensor,
        source_keys: Tensor,
        source_values: Tensor,
        source_visible: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        normed = self.attention_norm(words)
        new_keys, new_values = self.attention.project_keys(normed)
        keys, values = torch.cat([keys, new_keys], 1), torch.cat([values, new_values], 1)
        attended, _ = self.attention.attend(normed, keys, values, visible)
        words = words + self.dropout(attended)
        contexts, weights = self.source_attention.attend(
            self.source_norm(words), source_keys, source_values, source_visible
        )
        words = words + self.dropout(contexts)
        words = words + self.dropout(self.feed_forward(self.inner_norm(words)))
        return words, weights, keys, values
