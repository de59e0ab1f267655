r"""Metrics of translations; for those of alignments see :mod:`seq2seq.alignment`."""

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

import sacrebleu
import torch
from torch import Tensor
from torch.nn import functional as F

from seq2seq.batch import Batch, checked_batches
from seq2seq.dropout import without_dropout
from seq2seq.guards import check_sides, of_targets
from seq2seq.layers.precision import widened
from seq2seq.model import Seq2Seq, decoder_of


@torch.no_grad()
def perplexity(model: Seq2Seq, batches: Iterable[Batch]) -> float:
    r"""Teacher-forced perplexity per real target token, EOS included.

    $$\exp\left(-\frac{1}{N} \sum_i \log p(y_i \mid y_1, \ldots, y_{i-1}, x)\right)$$

    Dropout is off within; the model's mode is restored.
    A loss whose exponential is beyond a float's range gives infinity.

    Raises:
        ValueError: there is no batch.
        TypeError: it is a single batch, in no list, or the model's decoder does not give logits.
    """
    decoder_of(getattr(model, "module", model))
    loss, tokens = 0.0, 0
    with without_dropout(model):
        for batch in checked_batches(batches):
            logits, _ = model(batch.source, batch.source_lengths, batch.target_in)
            real = batch.target_mask
            loss += F.cross_entropy(widened(logits[real]), batch.target_out[real], reduction="sum").item()
            tokens += batch.target_tokens
    if tokens == 0:
        raise ValueError("batches: got no target token, expected at least one.")
    try:
        return math.exp(loss / tokens)
    except OverflowError:
        return math.inf


def perplexity_of_logits(
    logits: Tensor,
    target_out: Tensor,
    target_mask: Tensor,
) -> Tensor:
    r"""Perplexity of the right words of one batch, given the words before them; a number.

    $$\exp\left(-\frac{1}{N} \sum_i \log p(y_i \mid y_1, \ldots, y_{i-1}, x)\right)$$

    N is the number of real words of the whole batch, EOS included.

    Shape:
        logits: (batch, target_len, vocab_size)
        target_out: (batch, target_len), ids, PAD after the end
        target_mask: (batch, target_len), bool, True = real token
        perplexity: ()
    """
    log_probabilities = F.log_softmax(logits, dim=-1)
    words = log_probabilities.gather(-1, target_out.unsqueeze(-1)).squeeze(-1)
    return torch.exp(-words[target_mask].mean())


globals()["perplexity_of_logits"] = of_targets(perplexity_of_logits)


def bleu(
    hypotheses: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
) -> float:
    """Corpus BLEU, 0 to 100, by sacrebleu on the tokens as they are (Papineni et al., 2002; Post, 2018).

    Of n-grams of 1 to 4 tokens; where no hypothesis of the corpus has 4 tokens, up to as many as the longest has.
    A token may have spaces in it: sacrebleu, which cuts at these, gets the tokens' numbers.

    Raises:
        ValueError: the numbers of sentences differ, or there are none.
        TypeError: a sentence is a string, or has several references.
    """
    check_sides(hypotheses, references)
    numbers: defaultdict[str, int] = defaultdict(itertools.count().__next__)

    def line(tokens: Sequence[str]) -> str:
        return " ".join(str(numbers[token]) for token in tokens)

    score = sacrebleu.corpus_bleu(
        [line(tokens) for tokens in hypotheses],
        [[line(tokens) for tokens in references]],
        tokenize="none",
        use_effective_order=True,  # changes nothing where a hypothesis has 4 tokens
    )
    return score.score


def exact_match(hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> float:
    """The share of sentences that match exactly, 0 to 1.

    Raises:
        ValueError: the numbers of sentences differ, or there are none.
        TypeError: a sentence is a string, or has several references.
    """
    check_sides(hypotheses, references)
    hits = [list(ours) == list(theirs) for ours, theirs in zip(hypotheses, references, strict=True)]
    return sum(hits) / len(hits)


def bucket_rows(source_lengths: Sequence[int], buckets: Sequence[tuple[int, int]]) -> list[list[int]]:
    """For each bucket (from, to), both included, the rows whose source length lies in it, in their order.

    A row outside all buckets is left out, and a bucket may be empty.
    """
    return [
        [row for row, length in enumerate(source_lengths) if shortest <= length <= longest]
        for shortest, longest in buckets
    ]


def bleu_by_length(
    hypotheses: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    source_lengths: Sequence[int],
    buckets: Sequence[tuple[int, int]],
) -> dict[tuple[int, int], float]:
    """Corpus BLEU of the sentences in each bucket of source lengths; a bucket without sentences is left out.

    Where no hypothesis of a bucket has 4 tokens, its n-grams are shorter; see :func:`bleu`.

    Raises:
        ValueError: the numbers of sentences or of lengths differ, or there are none.
        TypeError: a sentence is a string, or has several references.
    """
    check_sides(hypotheses, references)
    if len(source_lengths) != len(hypotheses):
        raise ValueError(f"source_lengths: got {len(source_lengths)}, expected {len(hypotheses)}, one per sentence.")
    scores = {}
    for bucket, rows in zip(buckets, bucket_rows(source_lengths, buckets), strict=True):
        if rows:
            scores[bucket] = bleu([hypotheses[row] for row in rows], [references[row] for row in rows])
    return scores
