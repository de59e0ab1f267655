"""A trained model on test sentences, bucket by bucket of source length."""

import torch

from seq2seq.alignment import Links, aer, hard_links
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
def align(model: Seq2Seq, pairs: list[Pair], source_vocab: Vocabulary, target_vocab: Vocabulary) -> list[Links] | None:
    """One link per target word, from the weights of forced decoding; None for a model without attention."""
    batch = collate(pairs, source_vocab, target_vocab)
    _, weights = model(batch.source, batch.source_lengths, batch.target_in)
    if weights is None:
        return None
    return [hard_links(rows, len(pair.source), len(pair.target)) for rows, pair in zip(weights, pairs, strict=True)]


def evaluate(
    model: Seq2Seq, sets: dict[str, list[Pair]], source_vocab: Vocabulary, target_vocab: Vocabulary
) -> dict[str, dict[str, float]]:
    """BLEU, exact match, perplexity and, with attention, AER of each named set."""
    model.eval()
    scores: dict[str, dict[str, float]] = {"bleu": {}, "exact_match": {}, "perplexity": {}, "aer": {}}
    for name, pairs in sets.items():
        hypotheses, references = translate(model, pairs, source_vocab, target_vocab), [pair.target for pair in pairs]
        scores["bleu"][name] = round(bleu(hypotheses, references), 2)
        scores["exact_match"][name] = round(exact_match(hypotheses, references), 4)
        scores["perplexity"][name] = round(perplexity(model, token_batches(pairs, source_vocab, target_vocab, 4000)), 4)
        links = align(model, pairs, source_vocab, target_vocab)
        if links is not None:
            scores["aer"][name] = round(aer(links, [pair.links for pair in pairs]), 4)
    return scores
