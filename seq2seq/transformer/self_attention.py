r"""Self-attention: query, keys and values from one sequence; the causal mask; several heads.

The scores are those of :class:`~seq2seq.scorers.ScaledDotScorer`, the weights those of
:func:`~seq2seq.attention.masked_softmax`: only the origin of query, keys and values is new.
Masks say which keys a query may see: True = may be seen, as `source_mask` says True = real token.
"""

import torch
from torch import Tensor, nn

from seq2seq.attention import masked_softmax
from seq2seq.scorers import ScaledDotScorer


def causal_mask(length: int, device: torch.device | str | None = None) -> Tensor:
    r"""Which positions a position may see: itself and those before it (Vaswani et al., 2017, section 3.2.3).

    $$M_{ij} = [\, j \le i \,]$$

    Shape:
        mask: (length, length), bool, queries on axis 0, keys on axis 1, True = may be seen
    """
    return torch.ones(length, length, dtype=torch.bool, device=device).tril()


def visible_keys(source_mask: Tensor, causal: Tensor | None = None) -> Tensor:
    r"""One mask for every query: the key is a real token, and, if a causal mask is given, not in the future.

    Shape:
        source_mask: (batch, keys), bool, True = real token
        causal: (queries, keys), bool, from :func:`causal_mask`
        visible: (batch, queries, keys), or (batch, 1, keys) without a causal mask

    Raises:
        ValueError: the two masks differ in the number of keys.
    """
    visible = source_mask.unsqueeze(1)
    if causal is None:
        return visible
    count = source_mask.size(-1)
    if causal.size(-1) != count:
        raise ValueError(
            f"causal: got {causal.size(-1)} keys on axis 1, expected {count} "
            "as source_mask has; was one of the two made for another length?"
        )
    return visible & causal


class SelfAttention(nn.Module):
    r"""Every position of a sequence looks at the sequence (Vaswani et al., 2017, sections 3.2.1 and 3.2.3).

    $$q_i = W_q x_i, \quad k_j = W_k x_j, \quad v_j = W_v x_j, \qquad
      \alpha_i = \mathrm{softmax}_j\!\left(\frac{q_i^\top k_j}{\sqrt d} \;\middle|\; M_{ij}\right), \qquad
      c_i = \sum_j \alpha_{ij} v_j$$

    Without position encodings, permuting the sequence only permutes the contexts.

    Shape:
        sequence: (batch, length, input_size)
        visible: broadcastable to (batch, length, length), bool, True = may be seen
        contexts: (batch, length, value_size); 0 for a query that may see nothing
        weights: (batch, length, length), queries on axis 1, keys on axis 2
    """

    def __init__(self, input_size: int, attention_size: int, value_size: int) -> None:
        super().__init__()
        self.query_layer = nn.Linear(input_size, attention_size, bias=False)  # W_q
        self.key_layer = nn.Linear(input_size, attention_size, bias=False)  # W_k
        self.value_layer = nn.Linear(input_size, value_size, bias=False)  # W_v
        self.scorer = ScaledDotScorer()

    def forward(self, sequence: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        queries, keys = self.query_layer(sequence), self.key_layer(sequence)
        scores = self.scorer.score_all(queries, keys)
        weights = masked_softmax(scores, visible)
        return weights @ self.value_layer(sequence), weights


def split_heads(projected: Tensor, heads: int) -> Tensor:
    r"""Each head's share of the features, on an axis of its own (Vaswani et al., 2017, section 3.2.2).

    $$x = [x^1; \ldots; x^H]$$

    Head $h$ gets the features from $(h - 1)\, d / H$ up to $h\, d / H$, in their order.

    Shape:
        projected: (batch, positions, size), all heads side by side
        split: (batch, heads, positions, size / heads)
    """
    return projected.unflatten(-1, (heads, -1)).transpose(1, 2)


def join_heads(contexts: Tensor) -> Tensor:
    r"""The heads side by side again, the way back from ``split_heads`` (Vaswani et al., 2017, section 3.2.2).

    $$c = [c^1; \ldots; c^H]$$

    Shape:
        contexts: (batch, heads, positions, head_size)
        joined: (batch, positions, heads × head_size)
    """
    return contexts.transpose(1, 2).flatten(2)


class MultiHeadAttention(nn.Module):
    r"""Several attentions side by side, each in a subspace of its own (Vaswani et al., 2017, section 3.2.2).

    $$c_i = W_O [c_i^1; \ldots; c_i^H] + b_O, \qquad
      c^h = \mathrm{attention}(W_Q^h x + b_Q^h,\; W_K^h y + b_K^h,\; W_V^h y + b_V^h)$$

    Self-attention is the case $y = x$; a decoder that attends to the source has its own states as $x$ and the
    encoder's as $y$.
    The heads' matrices are stacked in one layer, as in ``nn.MultiheadAttention``, which gives the same results.
    Two differences: True in a mask means "may be seen" here and "ignore" there, and a query that may see nothing gets
    $b_O$ here and NaN there.

    Shape:
        queries: (batch, queries, size)
        sequence: (batch, keys, key_size), where keys and values come from
        keys, values: (batch, keys, size), projected, from ``project_keys``
        visible: broadcastable to (batch, queries, keys), bool, True = may be seen
        contexts: (batch, queries, size)
        weights: (batch, heads, queries, keys)

    Raises:
        ValueError: the heads do not divide the size.
    """

    def __init__(self, size: int, heads: int, key_size: int | None = None) -> None:
        super().__init__()
        if size % heads:
            raise ValueError(f"size: got {size}, expected a multiple of heads={heads}; each head gets an equal share.")
        self.heads = heads
        self.query_layer = nn.Linear(size, size)  # W_Q
        self.key_layer = nn.Linear(key_size or size, size)  # W_K
        self.value_layer = nn.Linear(key_size or size, size)  # W_V
        self.output_layer = nn.Linear(size, size)  # W_O
        self.scorer = ScaledDotScorer()

    def project_keys(self, sequence: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values: they depend only on the sequence, and are computed once for any number of queries."""
        return self.key_layer(sequence), self.value_layer(sequence)

    def attend(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        visible: Tensor,
    ) -> tuple[Tensor, Tensor]:
        """(contexts, weights) of unprojected queries over keys and values projected by ``project_keys``."""
        parts = (self.query_layer(queries), keys, values)
        rows = [split_heads(part, self.heads).flatten(0, 1) for part in parts]
        asked, keys, values = rows  # (batch × heads, positions, size / heads)
        scores = self.scorer.score_all(asked, keys).unflatten(0, (-1, self.heads))
        # (batch, heads, queries, keys)
        weights = masked_softmax(scores, visible.unsqueeze(-3))
        contexts = torch.bmm(weights.flatten(0, 1), values)
        contexts = join_heads(contexts.unflatten(0, (-1, self.heads)))
        return self.output_layer(contexts), weights

    def forward(self, queries: Tensor, sequence: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        return self.attend(queries, *self.project_keys(sequence), visible)


def from_torch(theirs: nn.MultiheadAttention) -> MultiHeadAttention:
    """Ours with the weights of PyTorch's own: copies, of the same type and on the same device.

    Raises:
        ValueError: theirs has no counterpart in ours: no biases, keys and values of different sizes, or an extra
            key added to every sentence.
    """
    if theirs.in_proj_bias is None or theirs.bias_k is not None or theirs.add_zero_attn or theirs.kdim != theirs.vdim:
        raise ValueError(
            "theirs: expected nn.MultiheadAttention with bias=True, kdim equal to vdim, add_bias_kv=False and "
            "add_zero_attn=False; nothing else has a counterpart here."
        )
    ours = MultiHeadAttention(theirs.embed_dim, theirs.num_heads, theirs.kdim).to(theirs.in_proj_bias)
    if theirs.in_proj_weight is None:
        weights = theirs.q_proj_weight, theirs.k_proj_weight, theirs.v_proj_weight
    else:
        weights = theirs.in_proj_weight.chunk(3)
    layers = (ours.query_layer, ours.key_layer, ours.value_layer)
    with torch.no_grad():
        for layer, weight, bias in zip(layers, weights, theirs.in_proj_bias.chunk(3), strict=True):
            layer.weight.copy_(weight)
            layer.bias.copy_(bias)
        ours.output_layer.load_state_dict(theirs.out_proj.state_dict())
    return ours
