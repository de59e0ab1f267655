import torch

from seq2seq.batch import collate
from seq2seq.corpora.toys import reverse
from seq2seq.experiments.padding import UnmaskedAttention, build, padded, vocabulary, weight_on_padding
from seq2seq.scorers import BilinearScorer


def batch():
    vocab = vocabulary()
    return collate(reverse(5, seed=0, lengths=(2, 7)), vocab, vocab)


def test_padding_adds_columns_and_no_token_and_leaves_the_target_alone():
    longer = padded(batch(), 4)
    assert longer.source.size(1) == batch().source.size(1) + 4
    assert longer.source_mask.sum() == batch().source_mask.sum()
    assert torch.equal(longer.target_in, batch().target_in)


def test_a_masked_model_gives_nothing_to_padding_and_an_unmasked_one_more_the_more_there_is():
    assert weight_on_padding(build("additive", masked=True), padded(batch(), 4)) == 0
    model = build("bilinear", masked=False)
    assert 0 < weight_on_padding(model, batch()) < weight_on_padding(model, padded(batch(), 9))


def test_unmasked_attention_takes_padding_for_tokens_for_one_query_and_for_all():
    attention = UnmaskedAttention(BilinearScorer(query_size=3, key_size=4))
    queries, keys, mask = torch.randn(2, 6, 3), torch.randn(2, 5, 4), torch.zeros(2, 5, dtype=torch.bool)
    projected = attention.scorer.project_keys(keys)
    _, at_once = attention.forward_all(queries, projected, keys, mask)
    torch.testing.assert_close(at_once.sum(-1), torch.ones(2, 6))
    one_by_one = [attention(query, projected, keys, mask)[1] for query in queries.unbind(1)]
    torch.testing.assert_close(at_once, torch.stack(one_by_one, 1))
