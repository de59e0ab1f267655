r"""Guided alignment: given links supervise the attention weights (Chen et al., 2016; Mi et al., 2016)."""

from collections.abc import Iterable

import torch
from torch import Tensor

from seq2seq.alignment import Links
from seq2seq.batch import Batch, encoded
from seq2seq.corpora.pair import Pair
from seq2seq.device import send
from seq2seq.guards import check_shape
from seq2seq.model import Seq2Seq
from seq2seq.training import masked_loss
from seq2seq.vocab import Vocabulary

Ids = tuple[int, ...]


def guided_loss(weights: Tensor, guide: Tensor) -> Tensor:
    r"""The cross-entropy of the weights with those of the guide (Chen et al., 2016, section 2).

    $$H = -\frac{1}{T'} \sum_t \sum_j A_{tj} \log \alpha_{tj}$$

    $T'$ counts the target words that the guide links; the others are unconstrained.

    Shape:
        weights: (batch, target_len, source_len), $\alpha$
        guide: (batch, target_len, source_len), $A$, each row sums to 1, or to 0 where there is no link
        loss: ()

    Raises:
        ValueError: the shapes differ.
    """
    check_shape("guide", guide, weights.shape, "that of the weights")
    linked = guide.sum(dim=-1) > 0
    tiny = torch.finfo(weights.dtype).tiny
    cross_entropy = -(guide * weights.clamp(min=tiny).log()).sum(dim=-1)
    return cross_entropy[linked].sum() / linked.sum().clamp(min=1)


class GuidedLoss:
    r"""The masked loss plus the guided loss: $L + \lambda H$, in the form that :func:`seq2seq.training.train` expects.

    The links of a sentence are looked up by its ids; a sentence without links has no guide.
    Nor have pairs that are linked differently but alike in their ids, such as two that differ in unknown words alone.

    Raises:
        TypeError: the model has no attention, or a pair is no Pair.
        ValueError: a pair has an empty source.
    """

    def __init__(
        self, pairs: Iterable[Pair], source_vocab: Vocabulary, target_vocab: Vocabulary, weight: float = 1.0
    ) -> None:
        self.weight = weight  # lambda
        self.links: dict[tuple[Ids, Ids], Links] = {}
        pairs, unclear = list(pairs), set()
        for pair, sides in zip(pairs, encoded(pairs, source_vocab, target_vocab), strict=True):
            source, target = map(tuple, sides)
            if self.links.setdefault((source, target), pair.links) != pair.links:
                unclear.add((source, target))
        for ids in unclear:
            del self.links[ids]

    def __call__(self, model: Seq2Seq, batch: Batch, progress: float) -> Tensor:
        logits, weights = model(batch.source, batch.source_lengths, batch.target_in)
        if weights is None:
            raise TypeError(f"model: {type(model.decoder).__name__} has no attention to guide.")
        loss = masked_loss(logits, batch.target_out, batch.target_mask)
        return loss + self.weight * guided_loss(weights, self.guide(batch, weights))

    def guide(self, batch: Batch, weights: Tensor) -> Tensor:
        """The guide of a batch, of the shape of its weights: equal shares for all links of a target word."""
        guide = torch.zeros(weights.shape, dtype=weights.dtype)
        columns = batch.source, batch.source_lengths, batch.target_out, batch.target_mask.sum(1)
        for row, (source, source_length, target, target_length) in enumerate(
            zip(*(column.tolist() for column in columns), strict=True)
        ):
            links = self.links.get((tuple(source[:source_length]), tuple(target[: target_length - 1])))
            if links:
                sources, targets = zip(*links, strict=True)
                guide[row, list(targets), list(sources)] = 1.0
        return send(guide / guide.sum(dim=-1, keepdim=True).clamp(min=1.0), weights.device)
