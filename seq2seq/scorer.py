r"""The base class of all score functions; the functions are in :mod:`seq2seq.scorers`."""

from typing import Any

from torch import Tensor, nn


class Scorer(nn.Module):
    r"""The scorer interface: ``scorer(query, keys)`` projects the keys, then scores them.

    The work is split in two because the keys of a sentence stay the same at every decoder step:
    ``project_keys`` runs once per sentence, ``score`` once per query.

    Shape:
        query: (batch, query_size), the decoder state $q$
        keys: (batch, keys, key_size), the encoder states $k_j$
        scores: (batch, keys), unnormalised and unmasked
    """

    def project_keys(self, keys: Tensor) -> Tensor:
        """The part of the score that depends only on the keys; computed once per sentence."""
        return keys

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        """Scores of one query against keys projected by ``project_keys``."""
        raise NotImplementedError

    def score_all(self, queries: Tensor, projected_keys: Tensor) -> Tensor:
        """Scores of many queries at once: (batch, queries, query_size) → (batch, queries, keys)."""
        count = queries.size(1)
        keys = projected_keys.unsqueeze(1).expand(-1, count, *projected_keys.shape[1:])
        scores = self.score(queries.flatten(0, 1), keys.flatten(0, 1))
        return scores.unflatten(0, (-1, count))

    def forward(self, query: Tensor, keys: Tensor) -> Tensor:
        return self.score(query, self.project_keys(keys))


# The class is shown in the book as it stands above: what follows is added from outside.


def _with_score_all(cls: type[Scorer], **options: Any) -> None:
    """A class that defines `score` and no `score_all` gets the general one: an inherited one would compute another."""
    super(Scorer, cls).__init_subclass__(**options)
    if "score" in vars(cls) and "score_all" not in vars(cls):
        setattr(cls, "score_all", Scorer.score_all)  # noqa: B010  mypy takes a method for constant


setattr(Scorer, "__init_subclass__", classmethod(_with_score_all))  # noqa: B010
