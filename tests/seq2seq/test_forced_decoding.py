"""The kept weights of two trained models, against the models themselves."""

import torch

from seq2seq.batch import collate
from seq2seq.corpora.grammar import corpus
from seq2seq.demos import forced_decoding
from seq2seq.experiments.forced_decoding import LENGTHS, SEED, SENTENCES
from seq2seq.experiments.recipe import load_trained


def test_the_kept_sentences_are_those_of_the_corpus():
    kept, pairs = forced_decoding.load(), corpus(SENTENCES, SEED, LENGTHS)
    assert [tuple(words) for words in kept.sources] == [pair.source for pair in pairs]
    assert [tuple(words) for words in kept.targets] == [pair.target for pair in pairs]
    assert int(kept.gold.sum()) == sum(len(pair.links) for pair in pairs)


@torch.no_grad()
def test_the_kept_parts_say_what_the_model_says():
    kept = forced_decoding.load()
    model, source_vocab, target_vocab = load_trained("luong_bilinear")
    batch = collate(corpus(SENTENCES, SEED, LENGTHS), source_vocab, target_vocab)
    logits, weights = model(batch.source, batch.source_lengths, batch.target_in)
    real = batch.target_mask
    assert torch.equal(kept.step_mask, real)
    assert torch.equal(kept.source_mask, batch.source_mask)
    assert torch.allclose(kept.weights["luong"][real], weights[real], atol=1e-3)
    known = torch.unique(batch.target_out[real])
    expected = logits[..., known].softmax(-1)[real]
    assert torch.allclose(kept.next_words(kept.weights["luong"])[real], expected, atol=0.02)
