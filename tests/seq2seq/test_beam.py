"""Beam search against its definition, its tree, its penalties and plain steps; greedy search; every decoder in both."""

import weakref

import pytest
import stand_in_gpu
import torch
from small_models import PAIRS, SIZE, VOCAB, assert_same, bahdanau, fixed, luong, sharpen, tensors
from test_every_decoder import KNOWN, translator
from torch.nn import functional as F

from seq2seq.batch import collate
from seq2seq.beam.penalty import gnmt_penalty, mean_penalty, no_penalty, normalised_scores
from seq2seq.beam.search import beam_search, rescore
from seq2seq.beam.steps import continue_hypotheses, set_finished_aside, trace_back
from seq2seq.beam.tree import beam_tree
from seq2seq.beyond.speech import FrameEncoder
from seq2seq.corpora.toys import reverse
from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.fixed import EveryStepDecoder
from seq2seq.decoders.pointer import PointerDecoder
from seq2seq.decoders.state import reorder, select_memory, with_tensors
from seq2seq.encoders import Encoder
from seq2seq.model import Seq2Seq
from seq2seq.scorers import AdditiveScorer
from seq2seq.search import greedy
from seq2seq.vocab import BOS, EOS, PAD

MAX_LENGTH, ALPHA = 7, 0.8
PENALTIES = {"none": no_penalty, "gnmt": gnmt_penalty(ALPHA), "mean": mean_penalty}


@pytest.fixture(params=PENALTIES)
def penalty(request):
    return PENALTIES[request.param]


def search(model, batch, **options):
    return beam_search(model, batch.source, batch.source_lengths, **{"max_length": MAX_LENGTH, **options})


def log_probabilities(model, source, words):
    """Of each next word after `words`, by teacher forcing."""
    with torch.no_grad():
        logits, _ = model(source.unsqueeze(0), torch.tensor([len(source)]), torch.tensor([[BOS, *words]]))
    return F.log_softmax(logits[0], dim=-1)


def beam_by_loop(model, source, max_length, beam_size, penalty):
    """The definition, without early stop: lists of (score, words), best first."""
    alive, closed = [(0.0, [])], []
    for length in range(1, max_length + 1):
        candidates = []
        for total, words in alive:
            last = log_probabilities(model, source, words)[-1].tolist()
            candidates += [(total + value, [*words, token]) for token, value in enumerate(last)]
        alive = []
        for total, words in sorted(candidates, reverse=True)[: beam_size - len(closed)]:
            if words[-1] == EOS or length == max_length:
                closed.append((total / float(penalty(torch.tensor(float(length)))), words))
            else:
                alive.append((total, words))
    return sorted(closed, reverse=True)


def sentences(batch):
    return [row[:length] for row, length in zip(batch.source, batch.source_lengths.tolist(), strict=True)]


def assert_hypotheses(hypotheses, row, expected):
    """The hypotheses of a sentence, best first, with nothing but padding after their end."""
    for rank, (score, words) in enumerate(expected):
        assert hypotheses.ids[row, rank, : hypotheses.lengths[row, rank]].tolist() == words
        assert hypotheses.scores[row, rank].item() == pytest.approx(score)
        assert set(hypotheses.ids[row, rank, len(words) :].tolist()) <= {PAD}


def test_the_best_equal_those_of_the_loop_over_sentences_and_hypotheses(model, batch, penalty):
    """Also where a beam is wider than the vocabulary, of four words."""
    wide = sharpen(Seq2Seq(Encoder(SIZE, 3, 4), EveryStepDecoder(5, 5, 6, 8)))
    for searched, longest, width, best in ((model, MAX_LENGTH, 4, 3), (model, MAX_LENGTH, 1, 1), (wide, 3, 100, 4)):
        hypotheses = search(searched, batch, max_length=longest, beam_size=width, n_best=best, penalty=penalty)
        for row, source in enumerate(sentences(batch)):
            assert_hypotheses(hypotheses, row, beam_by_loop(searched, source, longest, width, penalty)[:best])


def test_it_stops_when_nothing_better_can_come(batch):
    model = fixed()
    torch.nn.init.zeros_(model.decoder.output_layer.weight)
    with torch.no_grad():
        model.decoder.output_layer.bias[EOS] = 5.0
    assert search(model, batch, max_length=50, beam_size=3).ids.tolist() == [[[EOS]]] * len(PAIRS)


def test_what_is_missing_is_marked(batch):
    model = sharpen(Seq2Seq(Encoder(SIZE, 3, 4), EveryStepDecoder(4, 5, 6, 8)))  # four words, so four hypotheses
    hypotheses = search(model, batch, max_length=1, beam_size=6, n_best=6)
    assert hypotheses.lengths.tolist() == [[1, 1, 1, 1, 0, 0]] * len(PAIRS)
    assert (hypotheses.scores[:, 4:] == -torch.inf).all()
    assert (hypotheses.ids[:, 4:] == PAD).all()


def test_leaves_of_the_tree_hold_what_was_found_and_no_step_is_wider_than_the_beam(model, batch, penalty):
    source = sentences(batch)[0]
    nodes = beam_tree(model, source, MAX_LENGTH, 4, penalty)
    assert all(sum(node.step == step for node in nodes) <= 4 for step in range(1, MAX_LENGTH + 1))
    scores = {node: node.score / float(penalty(torch.tensor(float(node.step)))) for node in nodes if node.closed}
    best = max(scores, key=scores.__getitem__)
    words, node = [], best
    while node.parent is not None:
        words.append(node.token)
        assert node.step == nodes[node.parent].step + 1
        assert node.score <= nodes[node.parent].score
        node = nodes[node.parent]
    assert_hypotheses(search(model, batch, beam_size=4, penalty=penalty), 0, [(scores[best], words[::-1])])


def test_penalties_equal_their_equations():
    lengths = torch.tensor([1.0, 7.0, 25.0])
    torch.testing.assert_close(gnmt_penalty(0.5)(lengths), torch.tensor([1.0, 2.0**0.5, 5.0**0.5]))
    torch.testing.assert_close(mean_penalty(lengths), lengths)
    torch.testing.assert_close(no_penalty(lengths), torch.ones(3))


@torch.no_grad()
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_log_probabilities_of_half_precision_are_summed_in_single(dtype, batch):
    model = luong()
    with torch.no_grad():
        model.decoder.output_layer.bias[EOS] = -8  # long hypotheses, whose sums half precision cannot tell apart
    hypotheses = search(model.to(dtype), batch, max_length=120, beam_size=2)
    confirmed = rescore(model, batch.source, batch.source_lengths, hypotheses.ids, hypotheses.lengths)
    assert hypotheses.log_probabilities.dtype == confirmed.dtype == torch.float32
    torch.testing.assert_close(hypotheses.log_probabilities, confirmed, atol=0.1, rtol=0)


def test_frames_and_ids_of_32_bits_are_searched_too():
    encoder = FrameEncoder(3, 4, 3)
    model = sharpen(Seq2Seq(encoder, BahdanauDecoder(SIZE, 5, 6, 6, AdditiveScorer(6, 6, 5))))
    frames, lengths = torch.randn(2, 5, 3, dtype=torch.float64), torch.tensor([5, 2])
    hypotheses = beam_search(model, frames, lengths, 4, 1)
    assert torch.equal(hypotheses.ids[:, 0], greedy(model, frames, lengths, 4)[0])
    assert len(beam_tree(model, frames[0], 4)) > 1
    narrow = beam_search(luong(), torch.tensor([[4, 5]], dtype=torch.int32), torch.tensor([2]), 4)
    assert narrow.ids.dtype == torch.long


def search_by_steps(model, source, source_lengths, beam_size):
    """The search for one sentence, made of the plain steps; a beam gets narrower by what has ended."""
    memory, state = model.read(source, source_lengths)
    previous, alive, width, beams = torch.tensor([[BOS]]), torch.zeros(1, 1), beam_size, []
    for length in range(1, MAX_LENGTH + 1):
        first = torch.zeros(previous.size(1), dtype=torch.long)
        rows = memory if model.decoder.shares_memory else select_memory(memory, first)
        logits, _, state = model.decoder.step(previous.flatten(), state, rows)
        totals, parents, previous = continue_hypotheses(alive, F.log_softmax(logits, -1).unsqueeze(0), width)
        alive, finished = set_finished_aside(totals, previous, length == MAX_LENGTH)
        state = reorder(state, parents.flatten())
        scores = normalised_scores(finished, torch.tensor(float(length)), ALPHA)
        beams.append([F.pad(part, (0, beam_size - width)) for part in (previous, parents)])
        beams[-1].append(F.pad(scores, (0, beam_size - width), value=-torch.inf))
        width -= int((finished > -torch.inf).sum())
        if width == 0:
            break
    tokens, parents, scores = (torch.stack(parts) for parts in zip(*beams, strict=True))
    best = scores[:, 0].flatten().argmax()
    return trace_back(tokens, parents, best[None] // beam_size, best[None] % beam_size), scores.max()


@pytest.mark.parametrize("beam_size", [1, 2, 4])
def test_the_steps_together_are_the_search(beam_size):
    model = sharpen(bahdanau()).eval()
    for pair in PAIRS:
        batch = collate([pair], VOCAB, VOCAB)
        hypotheses = search(model, batch, beam_size=beam_size, penalty=gnmt_penalty(ALPHA))
        ids, score = search_by_steps(model, batch.source, batch.source_lengths, beam_size)
        assert_hypotheses(hypotheses, 0, [(float(score.detach()), ids[0, : int(hypotheses.lengths)].tolist())])


def test_any_hypothesis_may_have_all_of_the_best_continuations():
    likely = torch.tensor([[[0.5, 0.4, 0.1], [0.8, 0.1, 0.1]]]).log()
    totals, parents, tokens = continue_hypotheses(torch.tensor([[0.9, 0.1]]).log(), likely, 2)
    assert (parents.tolist(), tokens.tolist()) == ([[0, 0]], [[0, 1]])
    assert totals.exp() == pytest.approx(torch.tensor([[0.45, 0.36]]))


KINDS = [kind for kind in KNOWN if not issubclass(kind, PointerDecoder)]  # which has a search of its own


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_beam_finds_what_teacher_forcing_confirms_and_a_beam_of_one_is_greedy(kind, batch):
    """So are the weights of greedy search."""
    model = sharpen(translator(kind))
    ids, weights = greedy(model, batch.source, batch.source_lengths, MAX_LENGTH)
    bos = torch.full((len(ids), 1), BOS)
    _, forced = model(batch.source, batch.source_lengths, torch.cat([bos, ids[:, :-1]], 1))
    assert_same(weights, forced)
    assert torch.equal(search(model, batch, beam_size=1).ids[:, 0], ids)
    hypotheses = search(model, batch, beam_size=4, n_best=3)
    forced = rescore(model, batch.source, batch.source_lengths, hypotheses.ids, hypotheses.lengths)
    real = hypotheses.lengths > 0
    torch.testing.assert_close(hypotheses.log_probabilities[real], forced[real])


@pytest.mark.parametrize(("word", "longest", "words"), [(EOS, 50, [EOS]), (5, 3, [5, 5, 5])])
def test_greedy_stops_when_every_sentence_has_ended_or_at_the_longest_length(batch, word, longest, words):
    model = fixed()
    torch.nn.init.zeros_(model.decoder.output_layer.weight)
    with torch.no_grad():
        model.decoder.output_layer.bias[word] = 1.0
    ids, _ = greedy(model, batch.source, batch.source_lengths, longest)
    assert ids.tolist() == [words] * len(PAIRS)


def test_a_state_takes_other_tensors_in_order_and_keeps_none_of_them_once_it_is_gone():
    former = None, (torch.zeros(1), (torch.zeros(2), None))
    others = [torch.ones(1), torch.ones(2)]
    state = with_tensors(former, others)
    assert (state[0], state[1][0] is others[0], state[1][1][0] is others[1]) == (None, True, True)
    there = [weakref.ref(part) for part in others]
    del state, others
    assert [part() for part in there] == [None, None]


@pytest.fixture
def looked_at(replaying, monkeypatch):
    """A GPU that a search looks at every three words; of each shape it computes one step, and replays the rest."""
    monkeypatch.setattr("seq2seq.search.STEPS", 3)
    monkeypatch.setattr("seq2seq.beam.search.STEPS", 3)
    return replaying


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_gpu_finds_what_the_cpu_finds_and_few_looks_make_nobody_wait_in_between(kind, looked_at):
    model = sharpen(translator(kind))
    model.decoder.output_layer.bias.data[EOS] += 2.0  # sentences end here and there
    batch, longest, sizes = collate(reverse(9, 2, (2, 9), 6), VOCAB, VOCAB), 14, ((1, 1), (4, 3))

    def everything(given):
        given = given.source, given.source_lengths, longest
        return greedy(model, *given), *(tuple(vars(beam_search(model, *given, *size)).values()) for size in sizes)

    by_cpu = everything(batch)
    on_gpu = batch.to(looked_at)
    model.to(looked_at)
    stand_in_gpu.waits.clear()
    by_gpu = everything(on_gpu)
    assert len(stand_in_gpu.waits) <= (1 + len(sizes)) * (longest // 3 + 1)
    for ours, theirs in zip(tensors(by_gpu), tensors(by_cpu), strict=True):
        torch.testing.assert_close(ours.cpu(), theirs)
