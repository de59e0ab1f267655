import pytest
import torch
from small_models import PAIRS, VOCAB, bahdanau, sharpen
from torch.nn import functional as F

from seq2seq.batch import collate
from seq2seq.beam.penalty import gnmt_penalty, normalised_scores
from seq2seq.beam.search import beam_search
from seq2seq.beam.state import reorder
from seq2seq.beam.steps import continue_hypotheses, set_finished_aside, trace_back
from seq2seq.metrics import perplexity, perplexity_of_logits
from seq2seq.vocab import BOS

MAX_LENGTH = 7
ALPHA = 0.8


@torch.no_grad()
def search_by_steps(model, source, source_lengths, beam_size):
    """The search for one sentence, made of the plain steps; a beam gets narrower by what has ended."""
    memory, state = model.read(source, source_lengths)
    previous, alive, places, beams = torch.tensor([[BOS]]), torch.zeros(1, 1), beam_size, []
    for length in range(1, MAX_LENGTH + 1):
        rows = memory if model.decoder.shares_memory else reorder_memory(memory, previous.size(1))
        logits, _, state = model.decoder.step(previous.flatten(), state, rows)
        totals, parents, previous = continue_hypotheses(alive, F.log_softmax(logits, -1).unsqueeze(0), places)
        alive, finished = set_finished_aside(totals, previous, length == MAX_LENGTH)
        state = reorder(state, parents.flatten())
        scores = normalised_scores(finished, torch.tensor(float(length)), ALPHA)
        beams.append([F.pad(part, (0, beam_size - places)) for part in (previous, parents)])
        beams[-1].append(F.pad(scores, (0, beam_size - places), value=-torch.inf))
        places -= int((finished > -torch.inf).sum())
        if places == 0:
            break
    tokens, parents, scores = (torch.stack(parts) for parts in zip(*beams, strict=True))
    best = scores[:, 0].flatten().argmax()
    return trace_back(tokens, parents, best[None] // beam_size, best[None] % beam_size), scores.max()


def reorder_memory(memory, width):
    return type(memory)(*(None if part is None else part[:1].expand(width, *part.shape[1:]) for part in memory))


@pytest.mark.parametrize("beam_size", [1, 2, 4])
def test_the_steps_together_are_the_search(beam_size):
    model = sharpen(bahdanau())
    model.eval()
    for pair in PAIRS:
        batch = collate([pair], VOCAB, VOCAB)
        found = beam_search(
            model, batch.source, batch.source_lengths, MAX_LENGTH, beam_size, penalty=gnmt_penalty(ALPHA)
        )
        ids, score = search_by_steps(model, batch.source, batch.source_lengths, beam_size)
        words = int(found.lengths)
        assert ids[0, :words].tolist() == found.ids[0, 0, :words].tolist()
        assert float(score) == pytest.approx(float(found.scores), rel=1e-5)


def test_any_hypothesis_may_have_all_of_the_best_continuations():
    likely = torch.tensor([[[0.5, 0.4, 0.1], [0.8, 0.1, 0.1]]]).log()
    totals, parents, tokens = continue_hypotheses(torch.tensor([[0.9, 0.1]]).log(), likely, 2)
    assert (parents.tolist(), tokens.tolist()) == ([[0, 0]], [[0, 1]])
    assert totals.exp() == pytest.approx(torch.tensor([[0.45, 0.36]]))


def test_perplexity_of_a_batch_is_that_of_the_model():
    model = bahdanau().eval()
    batch = collate(PAIRS, VOCAB, VOCAB)
    logits, _ = model(batch.source, batch.source_lengths, batch.target_in)
    ours = perplexity_of_logits(logits.detach(), batch.target_out, batch.target_mask)
    assert ours.item() == pytest.approx(perplexity(model, [batch]), rel=1e-5)
