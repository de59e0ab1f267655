import math

import pytest
import torch

from seq2seq.beyond.stack_rnn import EMPTY, POP, PUSH, StackRNN, push_and_pop

BATCH, STEPS, VOCAB, HIDDEN, STACKS, TOP = 3, 5, 4, 6, 2, 3


@pytest.fixture
def network():
    return StackRNN(VOCAB, HIDDEN, STACKS, TOP).double()


@pytest.fixture
def ids():
    return torch.randint(VOCAB, (BATCH, STEPS))


def all_of(action):
    return torch.eye(2)[action].expand(1, 1, 2)


def test_pure_actions_are_those_of_a_list():
    stack, expected = torch.full((1, 1, 6), EMPTY), []
    for step, action in enumerate([PUSH, PUSH, POP, PUSH, PUSH, POP, POP, POP, POP, PUSH]):
        value = (step + 1) / 10
        if action == PUSH:
            expected.insert(0, value)
        elif expected:
            expected.pop(0)
        stack = push_and_pop(stack, torch.tensor([[value]]), all_of(action))
        torch.testing.assert_close(stack[0, 0], torch.tensor(expected + [EMPTY] * (6 - len(expected))))


def test_mixed_actions_equal_the_loop():
    stack, value = torch.randn(BATCH, STACKS, 4), torch.randn(BATCH, STACKS)
    actions = torch.randn(BATCH, STACKS, 2).softmax(-1)
    result = push_and_pop(stack, value, actions)
    for b in range(BATCH):
        for s in range(STACKS):
            for i in range(4):
                above = value[b, s] if i == 0 else stack[b, s, i - 1]
                below = EMPTY if i == 3 else stack[b, s, i + 1]
                expected = actions[b, s, PUSH] * above + actions[b, s, POP] * below
                torch.testing.assert_close(result[b, s, i], expected)


def test_the_network_equals_the_loop(network, ids):
    def layer(linear, vector):
        rows = linear.weight.tolist()
        bias = linear.bias.tolist() if linear.bias is not None else [0.0] * len(rows)
        return [sum(w * x for w, x in zip(row, vector, strict=True)) + b for row, b in zip(rows, bias, strict=True)]

    def sigmoid(vector):
        return [1 / (1 + math.exp(-x)) for x in vector]

    logits, actions = network(ids)
    depth = STEPS + TOP
    for row in range(BATCH):
        hidden, stacks = [0.0] * HIDDEN, [[EMPTY] * depth for _ in range(STACKS)]
        for t in range(STEPS):
            entry = network.input_table.weight[ids[row, t]].tolist()
            seen = [value for stack in stacks for value in stack[:TOP]]
            parts = entry, layer(network.recurrent, hidden), layer(network.from_stack, seen)
            hidden = sigmoid([sum(part) for part in zip(*parts, strict=True)])
            scores, values = layer(network.action_layer, hidden), sigmoid(layer(network.value_layer, hidden))
            for s, stack in enumerate(stacks):
                push = 1 / (1 + math.exp(scores[2 * s + POP] - scores[2 * s + PUSH]))
                assert actions[row, t, s].tolist() == pytest.approx([push, 1 - push])
                over, under = [values[s], *stack[:-1]], [*stack[1:], EMPTY]
                stacks[s] = [push * a + (1 - push) * b for a, b in zip(over, under, strict=True)]
            assert logits[row, t].tolist() == pytest.approx(layer(network.output_layer, hidden))


def test_later_symbols_change_nothing_before_them(network, ids):
    other = torch.cat([ids[:, :3], (ids[:, 3:] + 1) % VOCAB, ids], dim=1)
    logits, actions = network(ids)
    changed_logits, changed_actions = network(other)
    torch.testing.assert_close(changed_logits[:, :3], logits[:, :3])
    torch.testing.assert_close(changed_actions[:, :3], actions[:, :3])


def test_rows_do_not_touch_each_other(network, ids):
    logits, actions = network(ids)
    order = torch.tensor([2, 0, 1])
    torch.testing.assert_close(network(ids[order]), (logits[order], actions[order]))
    torch.testing.assert_close(network(ids[1:2]), (logits[1:2], actions[1:2]))


def test_gradients_are_right(network, ids):
    assert torch.autograd.gradcheck(lambda *_: network(ids[:, :4]), tuple(network.parameters()))


def test_rounded_actions_are_whole_and_equal_sure_ones(network, ids):
    _, actions = network.rounded(ids)
    assert set(actions.flatten().tolist()) == {0.0, 1.0}
    assert actions.sum(-1).eq(1).all()
    with torch.no_grad():
        network.action_layer.weight.mul_(1e6)
        network.action_layer.bias.mul_(1e6)
    torch.testing.assert_close(network(ids), network.rounded(ids))


@pytest.mark.parametrize("sizes", [{"stacks": 0}, {"top": 0}])
def test_a_network_that_reads_no_stack_is_refused(sizes):
    with pytest.raises(ValueError, match="got 0, expected at least 1"):
        StackRNN(VOCAB, HIDDEN, **sizes)


@pytest.mark.cuda
def test_the_two_devices_agree(network, ids):
    expected = network(ids)
    others = network.cuda()(ids.cuda())
    torch.testing.assert_close(tuple(part.cpu() for part in others), expected)
