import math

import pytest
from small_models import PAIRS, VOCAB, bahdanau

from seq2seq.batch import collate, token_batches
from seq2seq.metrics import bleu, bleu_by_length, bucket_rows, exact_match, perplexity, perplexity_of_logits

REFERENCES = [["le", "chat", "noir", "dort", "ici"], ["elle", "ne", "voit", "pas", "le", "chien"]]


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


def test_bleu_equals_its_definition():
    """One wrong word at the end of six: precisions 5/6, 4/5, 3/4, 2/3; all right, but a word short."""
    wrong = ["elle", "ne", "voit", "pas", "le", "chat"]
    assert bleu([wrong], REFERENCES[1:]) == pytest.approx(100 * (5 / 6 * 4 / 5 * 3 / 4 * 2 / 3) ** (1 / 4))
    assert bleu([REFERENCES[0][:4]], REFERENCES[:1]) == pytest.approx(100 * math.exp(1 - 5 / 4))


def test_exact_match_is_the_share_of_sentences_all_right():
    assert exact_match([REFERENCES[0], REFERENCES[1][:-1]], REFERENCES) == 0.5


def test_bleu_by_length_scores_each_bucket_alone():
    hypotheses = [REFERENCES[0], ["elle", "ne", "voit", "pas", "le", "chat"]]
    scores = bleu_by_length(hypotheses, REFERENCES, [5, 8], [(1, 5), (6, 10), (11, 20)])
    assert scores == {(1, 5): pytest.approx(100), (6, 10): pytest.approx(bleu(hypotheses[1:], REFERENCES[1:]))}


def test_buckets_hold_both_their_ends():
    assert bucket_rows([21, 4, 10, 11, 3, 20], [(4, 10), (11, 20), (30, 40)]) == [[1, 2], [3, 5], []]
