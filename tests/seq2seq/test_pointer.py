"""The pointer-generator: ids for words that the vocabulary lacks, its distribution, coverage, losses and search."""

import itertools

import pytest
import torch
from torch.nn import functional as F

from seq2seq.batch import collate
from seq2seq.beyond.copy_mixture import copy_distribution, mixture
from seq2seq.beyond.copying import copying_loss, covering_loss, generating_loss, greedy_copying, only_generate
from seq2seq.beyond.extended_vocabulary import decode, encode, extend, unknown_words
from seq2seq.corpora.pair import Pair
from seq2seq.decoders.pointer import (
    CoveragePointerDecoder,
    PointerDecoder,
    PointerSteps,
    coverage_loss,
    final_distribution,
)
from seq2seq.encoders import Encoder
from seq2seq.model import Seq2Seq
from seq2seq.training import train
from seq2seq.vocab import EOS, PAD, UNK, Vocabulary

BATCH, TARGET_LEN, SOURCE_LEN, VOCAB_SIZE, EXTENDED = 2, 3, 5, 7, 9
VOCAB = Vocabulary(["storm", "hits", "in", "and", "said"])
PAIRS = [
    Pair(("storm", "hits", "morva", "and", "tarin", "said", "kovel"), ("storm", "hits", "morva"), frozenset()),
    Pair(("belgor", "said", "storm"), ("storm", "in", "belgor", "and", "elsewhere"), frozenset()),
    Pair(("in", "in", "droma", "droma"), ("droma",), frozenset()),
]
WORDS = Vocabulary(["storm", "hits", "in"])  # ids 4, 5, 6; so the first extended id is 7
FEW = [
    Pair(("storm", "in", "morva", "and", "morva"), ("storm", "hits", "morva"), frozenset()),
    Pair(("tarin", "in", "belgor"), ("belgor", "hits", "elsewhere", "tarin"), frozenset()),
    Pair(("storm",), ("storm",), frozenset()),
]
SOURCE = torch.tensor([[4, 7, 5, 7, 8], [8, 8, 8, 6, 0]])  # 7 and 8 are extended


def draw_steps():
    shapes = (VOCAB_SIZE,), (SOURCE_LEN,), ()
    logits, weights, gate = (torch.randn(BATCH, TARGET_LEN, *shape, dtype=torch.float64) for shape in shapes)
    return PointerSteps(logits, weights.softmax(-1), gate.sigmoid())


def model_of(kind=PointerDecoder):
    encoder = Encoder(len(VOCAB), 6, 4, cell="lstm")
    return Seq2Seq(encoder, kind(len(VOCAB), 6, 10, encoder.state_size, 3)).eval()


def test_unknown_words_are_numbered_in_each_row_from_the_size_of_the_vocabulary_and_the_rest_is_the_plain_batch():
    batch, plain = extend(FEW, WORDS, WORDS), collate(FEW, WORDS, WORDS)
    assert batch.extended_source.tolist() == [[4, 6, 7, 8, 7], [7, 6, 8, PAD, PAD], [4, PAD, PAD, PAD, PAD]]
    assert batch.unknown == (("morva", "and"), ("tarin", "belgor"), ())
    # UNK where the source lacks the word
    assert batch.extended_target_out.tolist() == [[4, 5, 7, EOS, PAD], [8, 5, UNK, 7, EOS], [4, EOS, PAD, PAD, PAD]]
    assert (batch.extended_size, extend(FEW[2:], WORDS, WORDS).extended_size) == (7 + 2, 7)
    assert all(torch.equal(getattr(batch, name), tensor) for name, tensor in vars(plain).items())


def test_what_counts_is_whether_the_vocabulary_of_the_target_has_the_word():
    narrow = Vocabulary(["storm"])
    batch = extend(FEW[:1], WORDS, narrow)
    assert batch.source.tolist() == [[4, 6, UNK, UNK, UNK]]
    assert batch.extended_source.tolist() == [[4, 5, 6, 7, 6]]
    assert batch.unknown == (("in", "morva", "and"),)


def test_encode_and_decode_are_inverse_with_the_words_of_the_row():
    tokens = ["morva", "storm", "in", "and", "morva"]
    unknown = unknown_words(tokens, WORDS)
    assert unknown == ("morva", "and")
    assert decode([*encode(tokens, WORDS, unknown), EOS, 4], WORDS, unknown) == tokens


def test_a_batch_moved_keeps_its_words_and_its_kind():
    batch = extend(FEW, WORDS, WORDS).to("meta")
    assert batch.unknown == extend(FEW, WORDS, WORDS).unknown
    assert batch.vocab_size == 7
    assert {batch.source.device.type, batch.extended_source.device.type} == {"meta"}


def test_the_distribution_is_that_of_a_loop_for_one_step_and_for_all_with_the_right_gradient():
    steps = draw_steps()
    expected = torch.zeros(BATCH, TARGET_LEN, EXTENDED, dtype=torch.float64)
    for row, t in itertools.product(range(BATCH), range(TARGET_LEN)):
        gate = steps.generate[row, t]
        expected[row, t, :VOCAB_SIZE] = gate * steps.logits[row, t].softmax(-1)
        for i in range(SOURCE_LEN):
            expected[row, t, SOURCE[row, i]] += (1 - gate) * steps.weights[row, t, i]
    torch.testing.assert_close(final_distribution(steps, SOURCE, EXTENDED), expected)
    first = PointerSteps(*(part[:, 0] for part in steps))
    torch.testing.assert_close(final_distribution(first, SOURCE, EXTENDED), expected[:, 0])
    parts = [part.requires_grad_() for part in steps]
    assert torch.autograd.gradcheck(lambda *given: final_distribution(PointerSteps(*given), SOURCE, EXTENDED), parts)


def test_the_plain_form_of_the_mixture_equals_it_and_a_word_gets_the_weights_of_all_its_places():
    logits, weights, generate = (part[:, 0] for part in draw_steps())
    plain = mixture(logits.softmax(-1), copy_distribution(weights, SOURCE, EXTENDED), generate)
    torch.testing.assert_close(plain, final_distribution(PointerSteps(logits, weights, generate), SOURCE, EXTENDED))


def test_the_coverage_loss_is_that_of_a_loop_that_passes_over_padding_with_the_right_gradient():
    weights = draw_steps().weights
    mask = torch.tensor([[True, True, True], [True, True, False]])
    total = 0.0
    for row in range(BATCH):
        coverage = torch.zeros(SOURCE_LEN, dtype=torch.float64)
        for t in range(int(mask[row].sum())):
            total += torch.minimum(weights[row, t], coverage).sum().item()
            coverage += weights[row, t]
    assert coverage_loss(weights, mask).item() == pytest.approx(total / 5)
    assert torch.autograd.gradcheck(lambda given: coverage_loss(given, mask), [weights.requires_grad_()])


def test_the_losses_are_the_likelihoods_of_each_kind_of_target():
    model, batch = model_of(), extend(PAIRS, VOCAB, VOCAB)
    steps = model(batch.source, batch.source_lengths, batch.target_in)
    mixed = final_distribution(steps, batch.extended_source, batch.extended_size).log()
    plain = steps.logits.log_softmax(-1)
    copied = generated = 0.0
    for row, pair in enumerate(PAIRS):
        for t in range(len(pair.target) + 1):
            copied -= mixed[row, t, batch.extended_target_out[row, t]].item()
            generated -= plain[row, t, batch.target_out[row, t]].item()
    tokens = sum(len(pair.target) + 1 for pair in PAIRS)
    assert copying_loss(model, batch, 0.0).item() == pytest.approx(copied / tokens, rel=1e-5)
    assert generating_loss(model, batch, 0.0).item() == pytest.approx(generated / tokens, rel=1e-5)


def test_looking_twice_costs_only_late_in_training():
    model, batch = model_of(CoveragePointerDecoder), extend(PAIRS, VOCAB, VOCAB)
    weights = model(batch.source, batch.source_lengths, batch.target_in).weights
    early, late = covering_loss(model, batch, 0.6), covering_loss(model, batch, 0.7)
    torch.testing.assert_close(early, copying_loss(model, batch, 0.0))
    torch.testing.assert_close(late - early, coverage_loss(weights, batch.target_mask))


def test_a_pointer_learns_to_copy_words_that_it_has_never_seen():
    names = ["".join(letters) for letters in zip("abcdefghijkl" * 5, "mnopqrs" * 9, "tuvwx" * 12, strict=False)]
    pairs = [Pair(("storm", name, "said"), (name, "hits"), frozenset()) for name in dict.fromkeys(names)]
    model = model_of()
    batches = [extend(pairs[row : row + 10], VOCAB, VOCAB) for row in range(0, 40, 10)]
    train(model, batches, steps=80, learning_rate=2e-2, warmup_steps=5, loss=copying_loss, device="cpu", progress=False)
    test = extend([Pair(("storm", "zzz", "said"), (), frozenset())], VOCAB, VOCAB)
    ids, weights = greedy_copying(model, test, 5)
    assert decode(ids[0].tolist(), VOCAB, test.unknown[0]) == ["zzz", "hits"]
    assert weights.shape == (1, ids.size(1), 3)
    ids, _ = greedy_copying(model, test, 5, only_generate)
    assert ids.max() < len(VOCAB)


def test_greedy_copying_feeds_an_unknown_word_back_as_unk():
    model, batch = model_of(), extend(PAIRS, VOCAB, VOCAB)
    fed = []
    step = model.decoder.step
    model.decoder.step = lambda previous, state, memory: (fed.append(previous), step(previous, state, memory))[1]
    ids, _ = greedy_copying(model, batch, 4, choice=lambda steps, batch: F.one_hot(batch.extended_source[:, 0], 12))
    assert ids[1, 0] == len(VOCAB)  # belgor
    assert [int(previous[1]) for previous in fed[1:]] == [UNK] * (len(fed) - 1)


def test_a_gpu_copies_what_the_cpu_copies(gpu):
    model, batch = model_of(CoveragePointerDecoder).double(), extend(PAIRS, VOCAB, VOCAB)
    on_cpu, _ = greedy_copying(model, batch, 6)
    on_gpu, _ = greedy_copying(model.to(gpu), batch.to(gpu), 6)
    assert torch.equal(on_gpu.cpu(), on_cpu)
