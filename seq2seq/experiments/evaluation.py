"""Evaluates a trained model on test sentences, by bucket of source length."""

from collections.abc import Iterable, Sequence

import torch
from torch import Tensor

from seq2seq.alignment import Links, aer, hard_links, soft_aer
from seq2seq.batch import collate, token_batches
from seq2seq.corpora.pair import Pair
from seq2seq.metrics import bleu, exact_match, perplexity
from seq2seq.model import Seq2Seq
from seq2seq.search import greedy
from seq2seq.vocab import Vocabulary


def translate(model: Seq2Seq, pairs: list[Pair], source_vocab: Vocabulary, target_vocab: Vocabulary) -> list[list[str]]:
    """Greedy translations, free-running."""
    batch = collate(pairs, source_vocab, target_vocab)
    ids, _ = greedy(model, batch.source, batch.source_lengths, max_length=2 * batch.source.size(1) + 10)
    return [target_vocab.decode(row) for row in ids.tolist()]


@torch.no_grad()
def forced_weights(
    model: Seq2Seq, pairs: list[Pair], source_vocab: Vocabulary, target_vocab: Vocabulary
) -> list[Tensor] | None:
    """The weights of forced decoding, (target_length + 1, source_length) for each pair; the last row is that of EOS.

    None for a model without attention.
    """
    batch = collate(pairs, source_vocab, target_vocab)
    _, weights = model(batch.source, batch.source_lengths, batch.target_in)
    if weights is None:
        return None
    return [rows[: len(pair.target) + 1, : len(pair.source)] for rows, pair in zip(weights, pairs, strict=True)]


def links_of(weights: Iterable[Tensor], pairs: Sequence[Pair], shift: int = 0) -> list[Links]:
    """One link per target word, from the weights of forced decoding."""
    return [
        hard_links(rows, len(pair.source), len(pair.target), shift) for rows, pair in zip(weights, pairs, strict=True)
    ]


def alignment_scores(weights: list[Tensor], pairs: list[Pair]) -> dict[str, float]:
    """AER without shift and with both shifts, and soft AER."""
    gold = [pair.links for pair in pairs]
    return {
        "aer": round(aer(links_of(weights, pairs), gold), 4),
        "aer_shift_-1": round(aer(links_of(weights, pairs, shift=-1), gold), 4),
        "aer_shift_+1": round(aer(links_of(weights, pairs, shift=1), gold), 4),
        "soft_aer": round(soft_aer([rows[:-1] for rows in weights], gold), 4),
    }


def evaluate(
    model: Seq2Seq, sets: dict[str, list[Pair]], source_vocab: Vocabulary, target_vocab: Vocabulary
) -> dict[str, dict[str, float]]:
    """BLEU, exact match, perplexity and, with attention, alignment error rates, by named set."""
    model.eval()
    names = ("bleu", "exact_match", "perplexity", "aer", "aer_shift_-1", "aer_shift_+1", "soft_aer")
    scores: dict[str, dict[str, float]] = {metric: {} for metric in names}
    for name, pairs in sets.items():
        hypotheses, references = translate(model, pairs, source_vocab, target_vocab), [pair.target for pair in pairs]
        scores["bleu"][name] = round(bleu(hypotheses, references), 2)
        scores["exact_match"][name] = round(exact_match(hypotheses, references), 4)
        scores["perplexity"][name] = round(perplexity(model, token_batches(pairs, source_vocab, target_vocab, 4000)), 4)
        weights = forced_weights(model, pairs, source_vocab, target_vocab)
        if weights is not None:
            for metric, score in alignment_scores(weights, pairs).items():
                scores[metric][name] = score
    return scores
