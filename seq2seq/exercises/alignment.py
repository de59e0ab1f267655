r"""Beyond chapter 12: two alignments merged, and weights that look elsewhere while the output stays the same."""

import torch
from torch import Tensor
from torch.nn import functional as F


def grow_diagonal(forward: Tensor, backward: Tensor) -> Tensor:
    r"""Links of two aligners that read in opposite directions (after Koehn, Och & Marcu, 2003, section 4.5).

    $$L_0 = F \cap B, \qquad L_{n+1} = L_n \cup \{\, \ell \in F \cup B : \ell \text{ touches } L_n \text{ and is free}
      \,\}$$

    A link touches another when it is one of its eight neighbours in the table.
    It is free when its target word or its source word has no link in $L_n$.
    Every round uses the links of the round before and adds all that it finds at once; the last round finds none.

    Shape:
        forward, backward: (batch, target_len, source_len), bool, $F$ and $B$
        links: the same shape, bool
    """
    links, either = forward & backward, forward | backward
    while True:
        near = F.max_pool2d(links.float(), 3, stride=1, padding=1) > 0
        free = ~(links.any(-1, keepdim=True) & links.any(-2, keepdim=True))
        more = either & near & free
        if not more.any():
            return links
        links = links | more


def furthest_look(
    weights: Tensor, others: Tensor, output: Tensor, outputs: Tensor, tolerance: float
) -> tuple[Tensor, Tensor]:
    r"""Among other weights that leave the output almost unchanged, those that differ the most.

    $$\operatorname*{max}_{n} \; \tfrac12 \sum_j \alpha_j \log \frac{\alpha_j}{m_j}
      + \tfrac12 \sum_j \alpha^n_j \log \frac{\alpha^n_j}{m_j}
      \quad\text{where}\quad \tfrac12 \sum_y |p(y) - p_n(y)| \le \epsilon$$

    with $m = (\alpha + \alpha^n) / 2$, the natural logarithm, and $0 \log 0 = 0$: the Jensen–Shannon divergence.
    Jain & Wallace (2019, section 4.2.2) search for such weights by gradient; here they are chosen from trials.
    Gradients are not required.

    Shape:
        weights: (batch, keys), $\alpha$, some of them 0
        others: (trials, batch, keys), $\alpha^n$
        output: (batch, vocab_size), $p$
        outputs: (trials, batch, vocab_size), $p_n$
        tolerance: $\epsilon$
        chosen: (batch,), int64, the number of the trial from 0, -1 where every trial changes the output more
        divergence: (batch,), that of the chosen trial, 0 where there is none
    """
    moved = (outputs - output).abs().sum(-1) / 2
    middle = (weights + others) / 2
    first = (torch.xlogy(weights, weights) - torch.xlogy(weights, middle)).sum(-1)
    second = (torch.xlogy(others, others) - torch.xlogy(others, middle)).sum(-1)
    apart = ((first + second) / 2).masked_fill(moved > tolerance, -torch.inf)
    divergence, chosen = apart.max(0)
    none = divergence.isinf()
    return chosen.masked_fill(none, -1), divergence.masked_fill(none, 0.0)
