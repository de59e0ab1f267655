import math

import pytest
import torch

from seq2seq.beyond.memory_network import AdjacentMemoryNetwork, LayerwiseMemoryNetwork, hop, linear_hop, word_positions

VOCAB, SIZE, HOPS, MEMORY = 11, 3, 2, 7
STORY = torch.tensor(
    [
        [[4, 5, 6, 7], [8, 5, 0, 0], [9, 10, 4, 0], [6, 0, 0, 0], [7, 8, 4, 4]],
        [[10, 4, 0, 0], [5, 9, 7, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
        [[0] * 4] * 5,  # a story without a sentence
    ]
)
QUESTION = torch.tensor([[4, 6, 0], [5, 7, 9], [8, 0, 0]])


@pytest.fixture(params=[AdjacentMemoryNetwork, LayerwiseMemoryNetwork], ids=["adjacent", "layerwise"])
def network(request):
    made = request.param(VOCAB, SIZE, HOPS, MEMORY).double()
    for parameter in made.parameters():
        torch.nn.init.normal_(parameter)
    return made


def sentence(table, ids):
    """The sum over words, a feature at a time."""
    ids = [word for word in ids if word]
    vector = [0.0] * SIZE
    for j, word in enumerate(ids, start=1):
        for k in range(1, SIZE + 1):
            weight = (1 - j / len(ids)) - (k / SIZE) * (1 - 2 * j / len(ids))
            vector[k - 1] += weight * table[word][k - 1]
    return vector


def memory(embedding, story):
    table, times = embedding.sentence.words.weight.tolist(), embedding.times.weight.tolist()
    story = [ids for ids in story if any(ids)]
    return [
        [value + time for value, time in zip(sentence(table, ids), times[len(story) - 1 - i], strict=True)]
        for i, ids in enumerate(story)
    ]


def look(query, keys, values):
    scores = [math.exp(sum(q * k for q, k in zip(query, key, strict=True))) for key in keys]
    weights = [score / sum(scores) for score in scores]
    return [sum(w * value[d] for w, value in zip(weights, values, strict=True)) for d in range(SIZE)], weights


def matrix(rows, vector):
    return [sum(w * x for w, x in zip(row, vector, strict=True)) for row in rows]


def add(one, other):
    return [a + b for a, b in zip(one, other, strict=True)]


@pytest.mark.parametrize("row", [0, 1])
def test_adjacent_hops_equal_the_loop(row):
    network = AdjacentMemoryNetwork(VOCAB, SIZE, HOPS, MEMORY).double()
    logits, weights = network(STORY, QUESTION)
    memories = [memory(embedding, STORY[row].tolist()) for embedding in network.stories]
    query = sentence(network.stories[0].sentence.words.weight.tolist(), QUESTION[row].tolist())
    for k in range(HOPS):
        output, expected = look(query, memories[k], memories[k + 1])
        assert weights[row, k, : len(expected)].tolist() == pytest.approx(expected)
        query = add(query, output)
    expected_logits = matrix(network.stories[-1].sentence.words.weight.tolist(), query)
    assert logits[row].tolist() == pytest.approx(expected_logits)


@pytest.mark.parametrize("row", [0, 1])
def test_layerwise_hops_equal_the_loop(row):
    network = LayerwiseMemoryNetwork(VOCAB, SIZE, HOPS, MEMORY).double()
    logits, weights = network(STORY, QUESTION)
    keys, values = (memory(embedding, STORY[row].tolist()) for embedding in (network.keys, network.values))
    query = sentence(network.question.words.weight.tolist(), QUESTION[row].tolist())
    for k in range(HOPS):
        output, expected = look(query, keys, values)
        assert weights[row, k, : len(expected)].tolist() == pytest.approx(expected)
        query = add(matrix(network.between.weight.tolist(), query), output)
    assert logits[row].tolist() == pytest.approx(matrix(network.output_layer.weight.tolist(), query))


def test_the_order_of_words_matters(network):
    turned = STORY.clone()
    turned[0, 0] = STORY[0, 0].flip(0)
    assert (network(turned, QUESTION)[0] - network(STORY, QUESTION)[0])[0].abs().max() > 1e-3


def test_a_word_in_the_middle_has_the_same_weight_in_every_feature():
    weights = word_positions(torch.tensor([4, 5, 6, 7]), SIZE)
    torch.testing.assert_close(weights[1], torch.full((SIZE,), 0.5))


def test_padding_of_words_and_of_sentences_changes_nothing(network):
    wider = torch.zeros(3, 7, 6, dtype=torch.long)
    wider[:, :5, :4] = STORY
    wider_question = torch.nn.functional.pad(QUESTION, (0, 2))
    logits, weights = network(wider, wider_question)
    expected_logits, expected_weights = network(STORY, QUESTION)
    torch.testing.assert_close(logits, expected_logits)
    torch.testing.assert_close(weights[..., :5], expected_weights)
    assert weights[..., 5:].eq(0).all()


def test_rows_do_not_touch_each_other(network):
    logits, weights = network(STORY, QUESTION)
    order = torch.tensor([2, 0, 1])
    torch.testing.assert_close(network(STORY[order], QUESTION[order]), (logits[order], weights[order]))
    torch.testing.assert_close(network(STORY[1:2], QUESTION[1:2]), (logits[1:2], weights[1:2]))


def test_a_story_without_sentences_gives_no_nan(network):
    logits, weights = network(STORY, QUESTION)
    (logits.square().sum() + weights.square().sum()).backward()
    assert weights[2].eq(0).all()
    assert logits.isfinite().all()
    assert all(parameter.grad.isfinite().all() for parameter in network.parameters())


def test_gradients_are_right(network):
    assert torch.autograd.gradcheck(lambda *_: network(STORY, QUESTION), tuple(network.parameters()))


def test_one_hop_is_attention_with_keys_and_values_of_their_own():
    query, keys, values = torch.randn(2, SIZE), torch.randn(2, 4, SIZE), torch.randn(2, 4, 5)
    mask = torch.tensor([[True] * 4, [True, True, False, False]])
    output, weights = hop(query, keys, values, mask)
    for row, length in enumerate((4, 2)):
        expected = torch.softmax(keys[row, :length] @ query[row], dim=0)
        torch.testing.assert_close(weights[row, :length], expected)
        torch.testing.assert_close(output[row], expected @ values[row, :length])


def test_a_hop_without_its_softmax_weighs_by_the_scores():
    query, keys, values = torch.randn(2, SIZE), torch.randn(2, 4, SIZE), torch.randn(2, 4, 5)
    mask = torch.tensor([[True] * 4, [True, True, False, False]])
    output, scores = linear_hop(query, keys, values, mask)
    for row, length in enumerate((4, 2)):
        expected = keys[row, :length] @ query[row]
        torch.testing.assert_close(scores[row, :length], expected)
        torch.testing.assert_close(output[row], expected @ values[row, :length])
    assert scores[~mask].eq(0).all()


def test_without_softmax_the_first_scores_grow_with_the_question():
    network = LayerwiseMemoryNetwork(VOCAB, SIZE, HOPS, MEMORY).double()
    _, scores = network.without_softmax(STORY, QUESTION)
    with torch.no_grad():
        network.question.words.weight.mul_(3)
    _, grown = network.without_softmax(STORY, QUESTION)
    torch.testing.assert_close(grown[:, 0], 3 * scores[:, 0])


def test_gradients_without_softmax_are_right(network):
    assert torch.autograd.gradcheck(
        lambda *_: network.without_softmax(STORY, QUESTION), tuple(network.parameters()), atol=1e-4
    )


def test_a_story_longer_than_the_memory_is_refused(network):
    with pytest.raises(ValueError, match="story, axis 1: got 8 sentences, expected at most 7"):
        network(torch.ones(3, 8, 4, dtype=torch.long), QUESTION)


@pytest.mark.parametrize("kind", [AdjacentMemoryNetwork, LayerwiseMemoryNetwork])
def test_a_network_without_hops_is_refused(kind):
    with pytest.raises(ValueError, match="hops: got 0"):
        kind(VOCAB, SIZE, 0)


@pytest.mark.cuda
def test_the_two_devices_agree(network):
    logits, weights = network(STORY, QUESTION)
    others = network.cuda()(STORY.cuda(), QUESTION.cuda())
    torch.testing.assert_close(tuple(part.cpu() for part in others), (logits, weights))
