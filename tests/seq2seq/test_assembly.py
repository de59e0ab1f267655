"""The assembled system computes what the library's model computes, and the committed weights fit its parts."""

import torch
from small_models import randomise

from seq2seq import checkpoints
from seq2seq.attention import attend
from seq2seq.batch import collate, length_mask
from seq2seq.decoders.fixed import InitialStateDecoder
from seq2seq.demos import capstone as trained
from seq2seq.encoders import Encoder
from seq2seq.exercises import toy_parts
from seq2seq.exercises.capstone import ContextDecoder, Translator
from seq2seq.exercises.capstone import greedy as plain_greedy
from seq2seq.exercises.encoder_decoder import greedy_ids, teacher_forced
from seq2seq.exercises.plain_decoder import PlainDecoder
from seq2seq.experiments import frequent_words
from seq2seq.metrics import exact_match
from seq2seq.model import Seq2Seq
from seq2seq.scorers import AdditiveScorer
from seq2seq.search import greedy
from seq2seq.vocab import BOS, EOS, PAD


def assembled(state: dict[str, torch.Tensor], source_words: int, target_words: int) -> Translator:
    encoder = Encoder(source_words, trained.EMBEDDING_SIZE, trained.HALF)
    scorer = AdditiveScorer(trained.SIZE, 2 * trained.HALF, trained.ATTENTION_SIZE)
    decoder = ContextDecoder(target_words, trained.EMBEDDING_SIZE, trained.SIZE, 2 * trained.HALF)
    for name, module in (("encoder", encoder), ("scorer", scorer), ("decoder", decoder)):
        module.load_state_dict({key.partition(".")[2]: value for key, value in state.items() if key.startswith(name)})
    return Translator(encoder, scorer, attend, decoder)


def test_the_assembled_system_is_the_library_s_model() -> None:
    torch.manual_seed(0)
    model = frequent_words.capstone_model(11, 13).eval()
    source, lengths = torch.randint(4, 11, (5, 6)), torch.tensor([6, 1, 3, 6, 2])
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(3)
    expected_ids, expected_weights = greedy(model, source, lengths, max_length=9)
    translator = assembled(frequent_words.in_parts(model.state_dict()), 11, 13)
    ids, weights = plain_greedy(translator, source, length_mask(lengths, 6), 9)
    assert torch.equal(ids, expected_ids)
    assert torch.allclose(weights, expected_weights, atol=1e-5)


def test_the_committed_model_translates_its_test_set() -> None:
    (source_vocab, target_vocab), test = trained.words(), trained.unseen_pairs()
    state = checkpoints.load(trained.NAME)
    translator = assembled(state, len(source_vocab), len(target_vocab))
    batch = collate(test, source_vocab, target_vocab)
    ids, _ = plain_greedy(translator, batch.source, batch.source_mask, 30)
    translations = [target_vocab.decode(row) for row in ids.tolist()]
    assert exact_match(translations, [pair.target for pair in test]) >= 0.85


def test_the_toy_translator_says_the_source_and_stops_but_loses_the_thread_when_told_another_word() -> None:
    source, translator = torch.tensor([[4, 6, 5], [5, 0, 0]]), toy_parts.ToyTranslator(1)
    ids, weights = plain_greedy(translator, source, source != PAD, 8)
    assert ids.tolist() == [[5, 7, 6, EOS], [6, EOS, PAD, PAD]]
    assert torch.allclose(weights.sum(-1), torch.ones(2, 4))
    memory, state = translator.read(source[:1], source[:1] != PAD)
    first, _, state = translator.step(torch.tensor([BOS]), state, memory)
    assert first.argmax() == 5
    assert translator.step(torch.tensor([BOS]), state, memory)[0].argmax() >= toy_parts.WORDS - 4


def test_the_same_seed_gives_the_same_toy_parts() -> None:
    source, lengths = torch.tensor([[4, 5], [6, 0]]), torch.tensor([2, 1])
    memories = [Translator(*toy_parts.parts(seed)).read(source, length_mask(lengths, 2)) for seed in (1, 1, 2)]
    assert torch.equal(memories[0][0][0], memories[1][0][0])
    assert not torch.equal(memories[0][0][0], memories[2][0][0])


def test_the_plain_decoder_s_teacher_forcing_and_greedy_decoding_equal_those_of_the_model():
    encoder = Encoder(8, 4, 6, bidirectional=False)
    model = randomise(Seq2Seq(encoder, InitialStateDecoder(9, 5, 7, 6))).float().eval()
    weights = {name.replace("rnn.", "cell.").removesuffix("_l0"): v for name, v in model.decoder.state_dict().items()}
    plain = PlainDecoder(9, 5, 7)
    plain.load_state_dict({name: value for name, value in weights.items() if not name.startswith("bridge.")})
    source = torch.randint(4, 8, (5, 6)), torch.tensor([6, 4, 1, 2, 6])
    _, state = model.read(*source)
    target_in = torch.cat([torch.full((5, 1), BOS), torch.randint(4, 9, (5, 3))], dim=1)
    torch.testing.assert_close(teacher_forced(plain, target_in, state.squeeze(0)), model(*source, target_in)[0])
    for max_length in (1, 4, 30):
        assert torch.equal(greedy_ids(plain, state.squeeze(0), max_length), greedy(model, *source, max_length)[0])
