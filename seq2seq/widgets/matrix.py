"""The matrix of the bilinear score to turn and stretch by hand, and the gradient that would move it."""

from collections.abc import Sequence

import traitlets
from torch import Tensor

from seq2seq.scorers import BilinearScorer
from seq2seq.widgets.widget import Widget


class Matrix(Widget, script="matrix"):
    r"""Keys in the plane, where $W$ takes them, and the weights of $\operatorname{softmax}(q^\top W k_j)$.

    The arrows at the columns of $W$ and at the query show $\partial \log \alpha_t$ with respect to them, $t$ being the
    word that the reader chooses: $\partial \log \alpha_t / \partial W = q (k_t - \sum_j \alpha_j k_j)^\top$.

    Shape:
        keys: (words, 2)
        query: (2,)

    Raises:
        ValueError: keys are not two-dimensional or not as many as the words, or the scorer's matrix is not 2 × 2.
    """

    data = traitlets.Dict().tag(sync=True)

    def __init__(self, words: Sequence[str], keys: Tensor, query: Tensor, scorer: BilinearScorer) -> None:
        matrix = scorer.key_layer.weight.detach()
        shapes = {"keys": (keys, (len(words), 2)), "query": (query, (2,)), "scorer": (matrix, (2, 2))}
        for name, (given, expected) in shapes.items():
            if given.shape != expected:
                raise ValueError(f"{name}: got shape {tuple(given.shape)}, expected {expected}, in a plane.")
        super().__init__(label="The matrix of the bilinear score")
        self.data = {
            "words": list(words),
            "keys": [[round(number, 3) for number in key] for key in keys.tolist()],
            "query": [round(number, 3) for number in query.tolist()],
            "matrix": [[round(number, 3) for number in row] for row in matrix.tolist()],
        }

    def text(self) -> str:
        return f"The matrix of the bilinear score, and the keys of {', '.join(self.data['words'])}."
