"""Memory networks and networks with stacks: what only these do."""

import torch
from equations import mixture
from small_models import assert_same, randomise

from seq2seq.beyond.memory_network import AdjacentMemoryNetwork, LayerwiseMemoryNetwork, linear_hop
from seq2seq.beyond.stack_rnn import EMPTY, POP, PUSH, StackRNN, push_and_pop

STORY = torch.tensor([[[4, 5, 6, 7], [8, 5, 0, 0], [9, 10, 4, 0]], [[10, 4, 0, 0], [5, 9, 7, 0], [0, 0, 0, 0]]])
QUESTION = torch.tensor([[4, 6, 0], [5, 7, 9]])


def test_a_hop_without_its_softmax_weighs_by_the_scores():
    query, keys, values = torch.randn(2, 3), torch.randn(2, 4, 3), torch.randn(2, 4, 5)
    mask = torch.tensor([[True] * 4, [True, True, False, False]])
    output, scores = linear_hop(query, keys, values, mask)
    for row, length in enumerate((4, 2)):
        expected = keys[row, :length] @ query[row]
        torch.testing.assert_close(scores[row, :length], expected)
        torch.testing.assert_close(output[row], mixture(expected, values[row, :length]))
    assert scores[~mask].eq(0).all()


def test_a_network_without_softmax_is_linear_in_the_question():
    for kind in (AdjacentMemoryNetwork, LayerwiseMemoryNetwork):
        network = randomise(kind(11, 3, 2, 7))
        assert torch.autograd.gradcheck(
            lambda *_, read=network.without_softmax: read(STORY, QUESTION), tuple(network.parameters()), atol=1e-4
        )
    logits, scores = network.without_softmax(STORY, QUESTION)
    with torch.no_grad():
        network.question.words.weight.mul_(3)
    assert_same(network.without_softmax(STORY, QUESTION), (3 * logits, 3 * scores))


def test_pure_actions_are_those_of_a_list():
    stack, expected = torch.full((1, 1, 6), EMPTY), []
    for step, action in enumerate([PUSH, PUSH, POP, PUSH, PUSH, POP, POP, POP, POP, PUSH]):
        value = (step + 1) / 10
        if action == PUSH:
            expected.insert(0, value)
        elif expected:
            expected.pop(0)
        stack = push_and_pop(stack, torch.tensor([[value]]), torch.eye(2)[action].expand(1, 1, 2))
        torch.testing.assert_close(stack[0, 0], torch.tensor(expected + [EMPTY] * (6 - len(expected))))


def test_rounded_actions_are_whole_and_equal_sure_ones():
    network, ids = randomise(StackRNN(4, 6, 2, 3)), torch.randint(4, (3, 5))
    _, actions = network.rounded(ids)
    assert set(actions.flatten().tolist()) == {0.0, 1.0}
    assert actions.sum(-1).eq(1).all()
    with torch.no_grad():
        network.action_layer.weight.mul_(1e6)
        network.action_layer.bias.mul_(1e6)
    torch.testing.assert_close(network(ids), network.rounded(ids))
