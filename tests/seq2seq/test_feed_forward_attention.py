import math

import pytest
import torch

from seq2seq.beyond.feed_forward_attention import FeedForwardAttention, FeedForwardNetwork, Mean

BATCH, STEPS, INPUT_SIZE, SIZE = 3, 6, 2, 5
MASK = torch.tensor([[True] * 6, [True] * 2 + [False] * 4, [False] * 6])  # full, padded, without any real step
POOLINGS = [lambda: FeedForwardAttention(SIZE), Mean]
NAMES = ["attention", "mean"]


@pytest.fixture(params=POOLINGS, ids=NAMES)
def network(request):
    made = FeedForwardNetwork(request.param(), INPUT_SIZE, SIZE).double()
    for linear in (made.input_layer, made.hidden_layer, made.output_layer):
        torch.nn.init.normal_(linear.bias)  # a bias of 0 would put empty rows at the kink of LReLU
    return made


@pytest.fixture
def inputs():
    return torch.randn(BATCH, STEPS, INPUT_SIZE, dtype=torch.float64)


@pytest.fixture
def states():
    return torch.randn(BATCH, STEPS, SIZE, dtype=torch.float64)


def test_attention_equals_the_loop(states):
    attention = FeedForwardAttention(SIZE).double()
    torch.nn.init.normal_(attention.score_layer.bias)
    w, b = attention.score_layer.weight[0].tolist(), attention.score_layer.bias.item()
    context, weights = attention(states, MASK)
    for row in range(2):
        real = [t for t in range(STEPS) if MASK[row, t]]
        scores = {t: math.tanh(sum(w[d] * states[row, t, d].item() for d in range(SIZE)) + b) for t in real}
        total = sum(math.exp(score) for score in scores.values())
        for t in real:
            assert weights[row, t].item() == pytest.approx(math.exp(scores[t]) / total)
        for d in range(SIZE):
            expected = sum(math.exp(scores[t]) / total * states[row, t, d].item() for t in real)
            assert context[row, d].item() == pytest.approx(expected)


def test_the_mean_is_that_of_the_real_steps(states):
    context, weights = Mean()(states, MASK)
    torch.testing.assert_close(context[0], states[0].mean(0))
    torch.testing.assert_close(context[1], states[1, :2].mean(0))
    assert weights[1].tolist() == [0.5, 0.5, 0, 0, 0, 0]


def test_no_weight_is_more_than_e_squared_times_another(states):
    _, weights = FeedForwardAttention(SIZE).double()(1000 * states[:1], MASK[:1])
    assert weights.max() / weights.min() <= math.e**2 + 1e-9
    assert weights.max() / weights.min() > math.e


def test_the_network_equals_the_loop(network, inputs):
    def layer(linear, vector):
        sums = [
            sum(w * x for w, x in zip(row, vector, strict=True)) + b
            for row, b in zip(linear.weight.tolist(), linear.bias.tolist(), strict=True)
        ]
        return [value if value > 0 else 0.01 * value for value in sums]

    outputs, weights = network(inputs, MASK)
    for row in range(2):
        hidden = [layer(network.input_layer, step) for step in inputs[row].tolist()]
        context = [sum(weights[row, t].item() * hidden[t][d] for t in range(STEPS)) for d in range(SIZE)]
        (expected,) = layer(network.output_layer, layer(network.hidden_layer, context))
        assert outputs[row].item() == pytest.approx(expected)


def test_the_order_of_the_steps_is_lost(network, inputs):
    order = torch.randperm(STEPS)
    outputs, weights = network(inputs[:1], MASK[:1])
    others, moved = network(inputs[:1, order], MASK[:1])
    torch.testing.assert_close(others, outputs)
    torch.testing.assert_close(moved, weights[:, order])


def test_what_stands_at_padding_does_not_matter(network, inputs):
    other = torch.where(MASK.unsqueeze(-1), inputs, 1e6)
    torch.testing.assert_close(network(other, MASK), network(inputs, MASK))


def test_more_padding_changes_nothing(network, inputs):
    wider = torch.cat([inputs, torch.randn(BATCH, 3, INPUT_SIZE, dtype=torch.float64)], dim=1)
    wider_mask = torch.cat([MASK, torch.zeros(BATCH, 3, dtype=torch.bool)], dim=1)
    outputs, weights = network(wider, wider_mask)
    expected_outputs, expected_weights = network(inputs, MASK)
    torch.testing.assert_close(outputs, expected_outputs)
    torch.testing.assert_close(weights[:, :STEPS], expected_weights)


def test_rows_do_not_touch_each_other(network, inputs):
    outputs, _ = network(inputs, MASK)
    order = torch.tensor([2, 0, 1])
    torch.testing.assert_close(network(inputs[order], MASK[order])[0], outputs[order])
    torch.testing.assert_close(network(inputs[1:2], MASK[1:2])[0], outputs[1:2])


def test_gradients_are_right(network, inputs):
    parameters = tuple(network.parameters())
    assert torch.autograd.gradcheck(lambda x, *_: network(x, MASK), (inputs.requires_grad_(), *parameters))


def test_a_row_without_real_steps_gives_no_nan(network, inputs):
    outputs, weights = network(inputs.requires_grad_(), MASK)
    (outputs.sum() + weights.square().sum()).backward()
    assert outputs.isfinite().all()
    assert weights[2].eq(0).all()
    assert inputs.grad.isfinite().all()
    assert inputs.grad[~MASK].eq(0).all()
    assert all(parameter.grad.isfinite().all() for parameter in network.parameters())


@pytest.mark.parametrize("pooling", POOLINGS, ids=NAMES)
def test_a_mask_of_numbers_is_refused(pooling, states):
    with pytest.raises(TypeError, match=r"expected torch\.bool"):
        pooling().double()(states, MASK.double())


@pytest.mark.cuda
def test_the_two_devices_agree(network, inputs):
    expected = network(inputs, MASK)
    outputs, weights = network.cuda()(inputs.cuda(), MASK.cuda())
    torch.testing.assert_close((outputs.cpu(), weights.cpu()), expected)
