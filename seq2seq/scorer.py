r"""The base class of all score functions; the functions are in :mod:`seq2seq.scorers`."""

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
        return self.score(queries, projected_keys.unsqueeze(1))

    def forward(self, query: Tensor, keys: Tensor) -> Tensor:
        return self.score(query, self.project_keys(keys))
