"""The simplified Bahdanau decoder against its own equations, and against the paper's decoder."""

import math

import pytest
import torch

from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.simplified_bahdanau import SimplifiedBahdanauDecoder
from seq2seq.scorers import AdditiveScorer, BilinearScorer

VOCAB, EMBEDDING, HIDDEN, ENCODER, ATTENTION = 9, 3, 6, 8, 7
BATCH, SOURCE_LEN, TARGET_LEN = 2, 6, 4
SIZES = VOCAB, EMBEDDING, HIDDEN, ENCODER
LENGTHS = torch.tensor([6, 4])
SCORERS = {
    "additive": lambda: AdditiveScorer(HIDDEN, ENCODER, ATTENTION),
    "bilinear": lambda: BilinearScorer(HIDDEN, ENCODER),
}


@pytest.fixture(params=SCORERS)
def decoder(request):
    return randomise(SimplifiedBahdanauDecoder(*SIZES, SCORERS[request.param]()))


@pytest.fixture
def states():
    return torch.randn(BATCH, SOURCE_LEN, ENCODER, dtype=torch.float64)


@pytest.fixture
def final():
    return torch.randn(BATCH, ENCODER, dtype=torch.float64)


@pytest.fixture
def target_in():
    return torch.randint(0, VOCAB, (BATCH, TARGET_LEN))


def randomise(module):
    for parameter in module.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return module.double()


def mask(source_len=SOURCE_LEN):
    return torch.arange(source_len) < LENGTHS.unsqueeze(1)


def looped(decoder, target_in, states, final, source_mask):
    memory, state = decoder.start(states, final, source_mask)
    steps = []
    for previous in target_in.unbind(1):
        logits, weights, state = decoder.step(previous, state, memory)
        steps.append((logits, weights))
    return tuple(torch.stack(parts, 1) for parts in zip(*steps, strict=True))


def unrolled(decoder, target_in, states, final, source_mask):
    memory, state = decoder.start(states, final, source_mask)
    return decoder.unroll(target_in, state, memory)


def gru(cell, inputs, state):
    from_input = (cell.weight_ih @ inputs + cell.bias_ih).chunk(3)
    from_state = (cell.weight_hh @ state + cell.bias_hh).chunk(3)
    reset, update = (torch.sigmoid(from_input[i] + from_state[i]) for i in range(2))
    new = torch.tanh(from_input[2] + reset * from_state[2])
    return (1 - update) * new + update * state


@torch.no_grad()
def test_steps_equal_the_equations_one_vector_at_a_time(states, final, target_in):
    decoder = randomise(SimplifiedBahdanauDecoder(*SIZES, SCORERS["additive"]()))
    logits, weights = unrolled(decoder, target_in, states, final, mask())
    scorer, bridge = decoder.attention.scorer, decoder.bridge.hidden_layer
    w, u, v = (layer.weight for layer in (scorer.query_layer, scorer.key_layer, scorer.energy_layer))
    for row, length in enumerate(LENGTHS.tolist()):
        state = torch.tanh(bridge.weight @ final[row] + bridge.bias)  # both halves
        for i in range(TARGET_LEN):
            embedded = decoder.embedding.weight[target_in[row, i]]
            energies = [math.exp(v[0] @ torch.tanh(w @ state + u @ states[row, j])) for j in range(length)]
            context = sum(energies[j] / sum(energies) * states[row, j] for j in range(length))
            state = gru(decoder.cell, torch.cat([embedded, context]), state)
            expected = decoder.output_layer.weight @ torch.cat([state, context, embedded]) + decoder.output_layer.bias
            torch.testing.assert_close(logits[row, i], expected)
            torch.testing.assert_close(weights[row, i, :length].tolist(), [e / sum(energies) for e in energies])


def test_unroll_equals_looped_steps(decoder, target_in, states, final):
    arguments = decoder, target_in, states, final, mask()
    for ours, theirs in zip(unrolled(*arguments), looped(*arguments), strict=True):
        torch.testing.assert_close(ours, theirs)


def test_unroll_has_the_gradients_of_looped_steps(decoder, target_in, states, final):
    inputs = [states.requires_grad_(), final.requires_grad_(), *decoder.parameters()]
    reading = torch.randn(BATCH, TARGET_LEN, VOCAB, dtype=torch.float64)
    gradients = [
        torch.autograd.grad((way(decoder, target_in, states, final, mask())[0] * reading).sum(), inputs)
        for way in (unrolled, looped)
    ]
    for ours, theirs in zip(*gradients, strict=True):
        torch.testing.assert_close(ours, theirs)


def test_gradients_of_a_step_are_right(decoder, states, final):
    def forward(states, final, *_):
        memory, state = decoder.start(states, final, mask())
        return decoder.step(torch.tensor([3, 7]), state, memory)[:2]

    inputs = (states.requires_grad_(), final.requires_grad_(), *decoder.parameters())
    assert torch.autograd.gradcheck(forward, inputs, fast_mode=True)


def test_the_first_state_sees_the_forward_half_which_the_papers_does_not(states, final):
    changed = final.clone()
    changed[:, : ENCODER // 2] += 1
    simplified, paper = (kind(*SIZES, SCORERS["additive"]()) for kind in (SimplifiedBahdanauDecoder, BahdanauDecoder))
    for decoder, sees in ((simplified, True), (paper, False)):
        decoder = randomise(decoder)
        first, other = (decoder.start(states, end, mask())[1] for end in (final, changed))
        assert torch.equal(first, other) != sees


def test_there_is_no_maxout_layer_and_the_output_layer_reads_all_three():
    decoder = SimplifiedBahdanauDecoder(*SIZES, SCORERS["additive"]())
    assert not list(decoder.readout.parameters())
    assert decoder.output_layer.weight.shape == (VOCAB, HIDDEN + ENCODER + EMBEDDING)


def test_more_padding_changes_nothing(decoder, target_in, states, final):
    narrow = unrolled(decoder, target_in, states, final, mask())
    rubbish = torch.randn(BATCH, 3, ENCODER, dtype=torch.float64)
    logits, weights = unrolled(decoder, target_in, torch.cat([states, rubbish], 1), final, mask(SOURCE_LEN + 3))
    torch.testing.assert_close(logits, narrow[0])
    torch.testing.assert_close(weights[..., :SOURCE_LEN], narrow[1])


def test_a_row_does_not_see_its_neighbour(decoder, target_in, states, final):
    logits, _ = unrolled(decoder, target_in, states, final, mask())
    alone, _ = unrolled(decoder, target_in[1:], states[1:], final[1:], mask()[1:])
    torch.testing.assert_close(alone, logits[1:])


def test_a_fully_masked_row_gives_no_nan_gradient(decoder, target_in, states, final):
    source_mask = mask() & torch.tensor([[True], [False]])
    logits, _ = unrolled(decoder, target_in, states.requires_grad_(), final, source_mask)
    logits.sum().backward()
    assert all(part.grad.isfinite().all() for part in (states, *decoder.parameters()))


@pytest.mark.cuda
def test_cuda_agrees_with_the_cpu(decoder, target_in, states, final):
    inputs = target_in, states, final, mask()
    ours = unrolled(decoder, *inputs)
    theirs = unrolled(decoder.cuda(), *(part.cuda() for part in inputs))
    for cpu, cuda in zip(ours, theirs, strict=True):
        torch.testing.assert_close(cuda.cpu(), cpu)
