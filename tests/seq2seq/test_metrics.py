"""Perplexity, BLEU, ROUGE and exact matches; BLEU from its parts, as chapter 11 builds it, against sacrebleu."""

import math
import random
from itertools import combinations

import pytest
import sacrebleu
import torch
from small_models import PAIRS, VOCAB, bahdanau

from seq2seq.batch import collate, token_batches
from seq2seq.evaluation.rouge import longest_common_subsequence, rouge_l, rouge_n
from seq2seq.exercises.bottleneck import bleu_of_counts, ngram_matches
from seq2seq.metrics import bleu, bleu_by_length, bucket_rows, exact_match, perplexity, perplexity_of_logits

SHORT, LONG = ["le", "chat"], ["le", "chat", "noir", "dort", "ici"]
REFERENCES = [LONG, ["elle", "ne", "voit", "pas", "le", "chien"]]


def test_perplexity_is_the_inverse_geometric_mean_of_the_probabilities():
    model = bahdanau().eval()
    logs = []
    for pair in PAIRS:
        batch = collate([pair], VOCAB, VOCAB)
        probabilities = model(batch.source, batch.source_lengths, batch.target_in)[0][0].softmax(-1)
        logs += [math.log(row[id]) for row, id in zip(probabilities.detach(), batch.target_out[0], strict=True)]
    expected = pytest.approx(math.exp(-sum(logs) / len(logs)), rel=1e-5)
    assert perplexity(model, token_batches(PAIRS, VOCAB, VOCAB, 8)) == expected
    batch = collate(PAIRS, VOCAB, VOCAB)
    logits, _ = model(batch.source, batch.source_lengths, batch.target_in)
    ours = perplexity_of_logits(logits.detach(), batch.target_out, batch.target_mask).item()
    assert [ours, perplexity(model, [batch])] == [expected] * 2


@pytest.mark.parametrize("training", [True, False])
def test_perplexity_leaves_the_mode_as_it_was_also_after_an_error(training):
    model = bahdanau().train(training)
    with pytest.raises(ValueError, match="got no target token"):
        perplexity(model, [])
    assert model.training is training


def test_a_loss_beyond_the_range_of_an_exponential_is_infinity_as_a_tensor_gives_it():
    model = bahdanau()
    torch.nn.init.zeros_(model.decoder.output_layer.weight)
    with torch.no_grad():
        model.decoder.output_layer.bias[4:] = -1e6
    assert perplexity(model, [collate(PAIRS, VOCAB, VOCAB)]) == math.inf


def test_perplexity_of_half_precision_is_summed_in_single():
    batch, model = collate(PAIRS * 800, VOCAB, VOCAB), bahdanau()
    exact, halved = perplexity(model, [batch]), perplexity(model.half(), [batch])
    assert halved == pytest.approx(exact, rel=1e-3)


def test_bleu_equals_its_definition():
    """One wrong word at the end of six: precisions 5/6, 4/5, 3/4, 2/3; all right, but a word short."""
    wrong = ["elle", "ne", "voit", "pas", "le", "chat"]
    assert bleu([wrong], REFERENCES[1:]) == pytest.approx(100 * (5 / 6 * 4 / 5 * 3 / 4 * 2 / 3) ** (1 / 4))
    assert bleu([REFERENCES[0][:4]], REFERENCES[:1]) == pytest.approx(100 * math.exp(1 - 5 / 4))


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5])
def test_perfect_translations_have_100_however_short_they_are(length):
    sentences = [LONG[:length], LONG[:1]]
    assert bleu(sentences, sentences) == pytest.approx(100.0)
    assert bleu_by_length(sentences, sentences, [3, 3], [(1, 5)]) == {(1, 5): pytest.approx(100.0)}


def test_short_hypotheses_are_judged_by_the_n_grams_they_have():
    """One word of two is right, and no pair of words: one half, and sacrebleu's half of a match for the pair.

    A single hypothesis of four words brings all four orders back.
    """
    assert bleu([SHORT], [["le", "chien"]]) == pytest.approx(100 * math.sqrt(0.5 * 0.5))
    assert bleu([["chien"]], [["chat"]]) == 0.0
    ours, theirs = [LONG[:4], SHORT], [LONG[:4], ["le", "chien"]]
    assert bleu(ours, theirs) == pytest.approx(100 * (5 / 6 * 3 / 4 * 1 * 1) ** 0.25)


def test_a_space_within_a_token_makes_no_two_of_it():
    ours, theirs = ["New York", "is", "so", "big"], ["New", "York", "is so", "big"]
    assert bleu([ours], [theirs]) < 20
    assert bleu([["10\xa0000", *LONG]], [["10\xa0000", *LONG]]) == pytest.approx(100)


def test_exact_match_is_the_share_of_sentences_all_right():
    assert exact_match([REFERENCES[0], REFERENCES[1][:-1]], REFERENCES) == 0.5


def test_bleu_by_length_scores_each_bucket_alone():
    hypotheses = [REFERENCES[0], ["elle", "ne", "voit", "pas", "le", "chat"]]
    scores = bleu_by_length(hypotheses, REFERENCES, [5, 8], [(1, 5), (6, 10), (11, 20)])
    assert scores == {(1, 5): pytest.approx(100), (6, 10): pytest.approx(bleu(hypotheses[1:], REFERENCES[1:]))}


def test_buckets_hold_both_their_ends():
    assert bucket_rows([21, 4, 10, 11, 3, 20], [(4, 10), (11, 20), (30, 40)]) == [[1, 2], [3, 5], []]


def sentences(seed):
    draw = random.Random(seed)
    references = [draw.choices(LONG[:4], k=draw.randint(6, 12)) for _ in range(12)]
    hypotheses = [
        [word if draw.random() < 0.8 else draw.choice(LONG[:4]) for word in words[: draw.randint(3, 12)]]
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


CASES = [  # ours, the reference, ROUGE-1, -2, -L
    ("the cat sleeps", "the cat sat on the mat", 2 * (2 / 3 * 2 / 6) / (2 / 3 + 2 / 6), 2 * 1 / (2 + 5), 4 / 9),
    ("a b c d", "b c d e a b", 2 * 4 / 10, 2 * (1 * 3 / 5) / (1 + 3 / 5), 2 * 3 / 10),  # ab, bc, cd; b c d
    ("two towns damages storm", "storm hits two towns", 3 / 4, 1 / 3, 2 / 4),  # not in the order of the reference
    ("a a a", "a a b", 2 / 3, 1 / 2, 2 / 3),  # a repeated word counts as often as both have it
    ("b a", "a b", 1, 0, 0.5),
    ("a", "a", 1, 1, 1),  # shorter than n: by being equal
    *(("a", "b", 0, 0, 0), ("", "a", 0, 0, 0)),
    *(("a", "", 0, 0, 0), ("", "", 1, 1, 1)),
]


@pytest.mark.parametrize(("ours", "reference", "unigrams", "bigrams", "longest"), CASES)
def test_the_scores_by_hand_for_lists_and_tuples(ours, reference, unigrams, bigrams, longest):
    for kind in (list, tuple):
        sides = [ours.split()], [kind(reference.split())]
        assert [rouge_n(*sides, 1), rouge_n(*sides, 2), rouge_l(*sides)] == pytest.approx([unigrams, bigrams, longest])


def test_the_score_of_a_corpus_is_the_mean_of_its_summaries():
    ours, theirs = [["a"], ["a", "b"]], [["a"], ["c", "d"]]
    assert rouge_n(ours, theirs, 1) == rouge_l(ours, theirs) == pytest.approx(0.5)


def test_the_longest_common_subsequence_is_that_of_a_search():
    generator = random.Random(4)
    for _ in range(40):
        ours, theirs = (generator.choices("abc", k=generator.randint(0, 7)) for _ in range(2))
        shared = [
            size for size in range(len(ours) + 1) if set(combinations(ours, size)) & set(combinations(theirs, size))
        ]
        assert longest_common_subsequence(ours, theirs) == max(shared)
