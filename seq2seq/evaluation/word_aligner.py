r"""A statistical word aligner: IBM model 1 with a preference for the diagonal (Brown et al., 1993; Dyer et al., 2013).

It ignores grammar and context: a table of word translations, learned by expectation maximisation.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from seq2seq.alignment import Links
from seq2seq.corpora.pair import Pair
from seq2seq.guards import check_at_least, check_share, check_some
from seq2seq.vocab import PAD, Vocabulary

_UNSEEN = 1e-9  # the probability of a word pair that never co-occurred


def position_prior(source_length: int, target_length: int, tension: float, null_share: float) -> Tensor:
    r"""Where a target word comes from, before any word is known (Dyer et al., 2013, equation 1).

    $$\delta(a_t = j) \propto (1 - p_0) \exp\left(-\lambda \left|\frac{j}{S} - \frac{t}{T}\right|\right), \qquad
      \delta(a_t = \mathrm{nowhere}) = p_0$$

    Shape:
        prior: (target_length, 1 + source_length), "nowhere" first

    Raises:
        ValueError: there is no source word, or the share is not between 0 and 1.
    """
    check_at_least("source_length", source_length, 1, ", because each target word gets a source word")
    check_share("null_share", null_share)
    sources = (torch.arange(source_length) + 0.5) / source_length
    targets = (torch.arange(target_length) + 0.5) / target_length
    near = torch.softmax(-tension * (sources - targets.unsqueeze(1)).abs(), dim=-1)
    return torch.cat([torch.full((target_length, 1), null_share), (1 - null_share) * near], dim=-1)


class WordAligner:
    """The table of one direction: each target word comes from one source word, or from nowhere."""

    def __init__(
        self,
        pairs: Sequence[Pair],
        source_vocab: Vocabulary,
        target_vocab: Vocabulary,
        passes: int = 5,
        tension: float = 12.0,
        null_share: float = 0.08,
    ) -> None:
        check_at_least("passes", passes, 1, "; an untrained table takes every pair of words for equally likely")
        self.vocabs, self.tension, self.null_share = (source_vocab, target_vocab), tension, null_share
        check_some("pairs", pairs, "a table is learned from them")
        cells = [self._cells(pair) for pair in pairs]
        words = torch.cat([cell.flatten() for cell in cells])
        priors = torch.cat([self._prior(cell).flatten() for cell in cells])
        widths = torch.cat([torch.full((len(cell),), cell.size(1)) for cell in cells])
        row_of = torch.arange(len(widths)).repeat_interleave(widths)  # a row is a target word of a sentence
        self.met, entries = words.unique(return_inverse=True)
        self.table = torch.ones(len(self.met))  # t(target word | source word), of the pairs that co-occurred
        sources = self.met // len(target_vocab)
        for _ in range(passes):
            shares = priors * self.table[entries]
            shares = shares / torch.zeros(len(widths)).index_add_(0, row_of, shares)[row_of]
            counts = torch.zeros(len(self.met)).index_add_(0, entries, shares)
            totals = torch.zeros(len(source_vocab)).index_add_(0, sources, counts)
            self.table = counts / totals[sources].clamp(min=_UNSEEN)

    def weights(self, pair: Pair) -> Tensor:
        r"""$p(a_t = j \mid x, y) \propto \delta(a_t = j) \, t(y_t \mid x_j)$, (target_len, 1 + source_len)."""
        cells = self._cells(pair)
        entries = torch.searchsorted(self.met, cells).clamp(max=len(self.met) - 1)
        probabilities = torch.where(self.met[entries] == cells, self.table[entries], _UNSEEN)
        shares = self._prior(cells) * probabilities
        return shares / shares.sum(dim=-1, keepdim=True)

    def links(self, pair: Pair) -> Links:
        """Links each target word to the source word it most likely comes from, if any."""
        best = self.weights(pair).argmax(dim=-1).tolist()
        return frozenset((source - 1, target) for target, source in enumerate(best) if source > 0)

    def _cells(self, pair: Pair) -> Tensor:
        """An id for each pair of words, (target_len, 1 + source_len); PAD stands for nowhere."""
        source_vocab, target_vocab = self.vocabs
        sources = torch.tensor([PAD, *source_vocab.encode(pair.source)])
        targets = torch.tensor(target_vocab.encode(pair.target), dtype=torch.long)  # also of no word
        return sources * len(target_vocab) + targets.unsqueeze(1)

    def _prior(self, cells: Tensor) -> Tensor:
        target_length, columns = cells.shape
        return position_prior(columns - 1, target_length, self.tension, self.null_share)


def turned(pair: Pair) -> Pair:
    """Target and source exchanged, including the links."""
    return Pair(pair.target, pair.source, exchanged(pair.links))


def exchanged(links: Links) -> Links:
    """The same links from target to source."""
    return frozenset((target, source) for source, target in links)


def union_links(forwards: WordAligner, backwards: WordAligner, pair: Pair) -> Links:
    """Every link that either direction finds; a word may then have several."""
    return forwards.links(pair) | exchanged(backwards.links(turned(pair)))
