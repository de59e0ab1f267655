r"""Penalties on attention weights, to be added to a loss."""

from torch import Tensor


def doubly_stochastic_penalty(
    weights: Tensor,
    source_mask: Tensor,
    target_mask: Tensor,
) -> Tensor:
    r"""The penalty on unequal total attention to the parts of the source (Xu et al., 2015, section 4.2.1, equation 14).

    $$P = \sum_i \left(1 - \sum_t \alpha_{ti}\right)^2, \qquad L = -\log p(y \mid x) + \lambda P$$

    A step's weights sum to 1 over positions by their softmax; this asks that a position's weights sum to 1 over steps.
    Both can hold only where there are as many steps as positions: over $T$ steps and $L$ positions the lowest
    penalty is $L (1 - T / L)^2$, reached by uniform attention.
    The sums run over real positions and real steps, EOS included; padding is excluded.

    Shape:
        weights: (batch, target_len, source_len)
        source_mask: (batch, source_len), bool, True = real position
        target_mask: (batch, target_len), bool, True = real step
        penalty: (batch,), without $\lambda$

    Raises:
        ValueError: the masks do not fit the weights.
    """
    batch, target_len, source_len = weights.shape
    expected = (batch, source_len), (batch, target_len)
    got = source_mask.shape, target_mask.shape
    if got != expected:
        raise ValueError(
            "source_mask, target_mask: "
            f"got shapes {tuple(got[0])} and {tuple(got[1])}, "
            f"expected {expected[0]} and {expected[1]} from weights "
            f"(batch, target_len, source_len) of {tuple(weights.shape)}; "
            "are the two masks swapped?"
        )
    total = (weights * target_mask.unsqueeze(-1)).sum(dim=1)  # (batch, source_len)
    return ((1 - total).square() * source_mask).sum(dim=-1)
