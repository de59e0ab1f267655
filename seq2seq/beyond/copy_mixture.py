r"""The two parts of a pointer-generator's last step in plain form: copying, and mixing with generation.

Together they give what :func:`seq2seq.decoders.pointer.final_distribution` computes for all steps at once.
"""

from torch import Tensor
from torch.nn import functional as F

from seq2seq.guards import check_at_least


def copy_distribution(
    weights: Tensor,
    extended_source: Tensor,
    extended_size: int,
) -> Tensor:
    r"""The weights as a distribution over words: a word gets those of all its positions (See et al., 2017, equation 9).

    $$P_{copy}(w) = \sum_{i : w_i = w} a_i$$

    Padding has weight 0, so the id there does not matter.

    Shape:
        weights: (batch, source_len), $a$, of one step
        extended_source: (batch, source_len), int64, the word at each position, below extended_size
        probabilities: (batch, extended_size)
    """
    nothing = weights.new_zeros(weights.size(0), extended_size)
    return nothing.scatter_add(1, extended_source, weights)


def mixture(generated: Tensor, copied: Tensor, generate: Tensor) -> Tensor:
    r"""Generating and copying in one distribution (See et al., 2017, equation 9).

    $$P(w) = p_{gen} P_{vocab}(w) + (1 - p_{gen}) P_{copy}(w)$$

    The vocabulary's ids come first in the extended vocabulary; $P_{vocab}$ is 0 for words beyond them.

    Shape:
        generated: (batch, vocab_size), $P_{vocab}$
        copied: (batch, extended_size), $P_{copy}$, extended_size ≥ vocab_size
        generate: (batch,), $p_{gen}$, from 0 to 1
        probabilities: (batch, extended_size)

    Raises:
        ValueError: the extended vocabulary is smaller than the vocabulary.
    """
    check_at_least(
        "extended_size", copied.size(-1), generated.size(-1), ", because it has all of the vocabulary's words"
    )
    generate = generate.unsqueeze(-1)
    generated = F.pad(generated, (0, copied.size(-1) - generated.size(-1)))
    return generate * generated + (1 - generate) * copied
