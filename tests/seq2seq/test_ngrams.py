import random

import pytest
import sacrebleu

from seq2seq.exercises.ngrams import bleu_of_counts, ngram_matches

WORDS = ["le", "chat", "noir", "dort"]


def sentences(seed: int, number: int = 12) -> tuple[list[list[str]], list[list[str]]]:
    draw = random.Random(seed)
    references = [draw.choices(WORDS, k=draw.randint(6, 12)) for _ in range(number)]
    hypotheses = [
        [word if draw.random() < 0.8 else draw.choice(WORDS) for word in words[: draw.randint(3, 12)]]
        for words in references
    ]
    return hypotheses, references


@pytest.mark.parametrize("seed", range(6))
def test_bleu_from_its_parts_is_sacrebleu_without_smoothing(seed):
    hypotheses, references = sentences(seed)
    counts = [[ngram_matches(*pair, n) for pair in zip(hypotheses, references, strict=True)] for n in range(1, 5)]
    matches, totals = zip(*(map(sum, zip(*row, strict=True)) for row in counts), strict=True)
    ours = bleu_of_counts(matches, totals, sum(map(len, hypotheses)), sum(map(len, references)))
    joined = [[" ".join(words) for words in side] for side in (hypotheses, references)]
    theirs = sacrebleu.corpus_bleu(joined[0], joined[1:], tokenize="none", force=True, smooth_method="none")
    assert ours == pytest.approx(theirs.score)


def test_ngrams_match_no_more_often_than_they_stand_there_and_short_sentences_have_none():
    assert ngram_matches(["le"] * 5, ["le", "chat", "le"], 1) == (2, 5)
    assert ngram_matches(["le"], ["le", "chat"], 2) == (0, 0)
    assert bleu_of_counts([3, 1, 0, 0], [5, 4, 3, 0], 5, 5) == 0.0
