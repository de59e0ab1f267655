"""The experiments beyond translation: what is trained on and tested, and what is measured, by hand."""

from dataclasses import replace

import pytest
import torch

from seq2seq.beyond.feed_forward_attention import FeedForwardAttention, FeedForwardNetwork, Mean
from seq2seq.beyond.memory_network import AdjacentMemoryNetwork
from seq2seq.corpora.dates import dates
from seq2seq.corpora.drawings import drawings
from seq2seq.corpora.long_memory import adding
from seq2seq.corpora.pair import Pair
from seq2seq.corpora.stories import story_tensors, story_vocabulary, where_is_the_thing
from seq2seq.experiments import captions, headlines, long_memory, stories, summaries
from seq2seq.experiments import dates as dates_experiment
from seq2seq.vocab import UNK, Vocabulary

VOCAB = Vocabulary(["storm", "hits", "in", ",", "and"])
NAMES, NUMBERS = ["anna", "bert", "cleo"], ["1", "2"]
PAIR = Pair(("morva", ",", "tarin", "storm", "77", "morva"), ("storm", "hits", "morva", "77"), frozenset({(0, 2)}))


def test_no_test_drawing_was_trained_on_and_every_word_of_a_caption_is_in_the_vocabulary():
    training = drawings(2000, 1, (2, 3))
    sets = captions.draw_test_sets(captions.SETTINGS | {"test_drawings": 50}, training)
    layouts = {captions._layout(drawing) for drawing in training}
    assert {name: len(drawn) for name, drawn in sets.items()} == dict.fromkeys("2345", 50)
    assert not any(captions._layout(drawing) in layouts for drawn in sets.values() for drawing in drawn)
    assert not any(UNK in captions.VOCAB.encode(drawing.caption) for drawing in drawings(200, 3, (2, 7)))


def test_no_day_of_the_test_was_trained_on():
    training, test = dates_experiment.data(dates_experiment.SETTINGS | {"training_pairs": 100, "test_pairs": 9})
    assert len(test) == 9
    assert not {pair.target for pair in training} & {pair.target for pair in test}


def test_weight_on_gold_is_one_where_all_weight_is_on_links():
    pairs = dates(20, seed=1)
    weights = []
    for pair in pairs:
        rows = torch.zeros(len(pair.target) + 1, len(pair.source))
        for source, target in pair.links:
            rows[target, source] = 1 / sum(other == target for _, other in pair.links)
        weights.append(rows)
    assert dates_experiment.weight_on_gold(weights, pairs) == 1
    assert dates_experiment.weight_on_gold([rows / 4 for rows in weights], pairs) == pytest.approx(0.25)


def test_words_copied_right_and_words_repeated_by_hand():
    """Unknown words alone are copied; the marks of a list and unknown words repeat nothing."""
    references = [["storm", "hits", "morva", "and", "tarin"], ["storm", "in", "kovel"]]
    written = [["storm", "tarin", "tarin"], ["kovel"]]
    assert headlines.copied_right(written, references, VOCAB) == pytest.approx(2 / 3)
    assert headlines.repetition([["storm", "hits", "storm", "storm"], ["hits", "morva"]]) == pytest.approx(2 / 6)
    assert headlines.repetition([["morva", ",", "tarin", ",", "<unk>", "and", "<unk>", "and"]]) == 0


def test_an_unknown_word_is_replaced_by_the_one_looked_at_and_padding_is_not_looked_at():
    pair = Pair(("in", "morva", ",", "storm"), ("storm", "hits", "morva"), frozenset())
    weights = torch.tensor([[0.1, 0.1, 0.1, 0.7, 0], [0.7, 0.1, 0.1, 0.1, 0], [0.1, 0.4, 0.1, 0.1, 0.9]])
    assert headlines.replace_unknown(["storm", "hits", "<unk>"], weights, pair) == ["storm", "hits", "morva"]


def test_the_longer_set_has_longer_lists_alone():
    sets = headlines.evaluation_sets(headlines.SETTINGS | {"training_pairs": 100, "test_pairs": 20})
    assert {name: len(pairs) for name, pairs in sets.items()} == {"same": 20, "longer": 20}
    assert all(6 <= pair.target.count(",") + 2 <= 8 for pair in sets["longer"])
    assert all(pair.target.count(",") + 2 <= 4 for pair in sets["same"])


@pytest.fixture(scope="module")
def data():
    settings = summaries.SETTINGS | {"training_pairs": 400, "test_pairs": 50, "min_count": 5}
    return summaries.Data(settings, {"names": 20, "numbers": 8})


def test_each_name_becomes_one_of_the_list_on_both_sides():
    pair = summaries.from_lists(PAIR, VOCAB, NAMES, NUMBERS)
    first, comma, second, storm, number, again = pair.source
    assert (comma, storm) == (",", "storm")
    assert first == again != second
    assert {first, second} < set(NAMES)
    assert number in NUMBERS
    assert pair.target == ("storm", "hits", first, number)
    assert pair.links == PAIR.links
    assert summaries.from_lists(PAIR, VOCAB, NAMES, NUMBERS) == pair
    with pytest.raises(ValueError, match="tarin: got a list of 1"):
        summaries.from_lists(PAIR, VOCAB, NAMES[:1], NUMBERS)


def test_the_vocabulary_holds_every_word_and_the_lists_have_their_length(data):
    """The names of the test are spread over the whole list, and its sentences are new."""
    words = {word for pair in data.training + data.test for word in pair.source + pair.target}
    assert UNK not in data.vocab.encode(words)
    listed = {word for word in words if data.common.encode([word]) == [UNK]}
    assert [sum(word.isdigit() is digits for word in listed) for digits in (False, True)] == [20, 8]
    assert len(listed & {word for pair in data.test for word in pair.source}) >= 26
    assert not {pair.source for pair in data.test} & {pair.source for pair in data.training}


def test_the_right_words_count_in_any_order_but_as_often_as_they_should():
    pairs = [Pair(("a",), ("x", "y", "x"), frozenset())] * 3
    share = summaries.right_in_any_order([["y", "x", "x"], ["x", "y"], ["x", "y", "y"]], pairs)
    assert share == pytest.approx(1 / 3, abs=1e-4)


def test_the_weight_is_taken_where_the_copied_word_stands_and_beside_it(data):
    longest = max(len(pair.source) for pair in data.test)
    weights = torch.zeros(len(data.test), max(len(pair.target) for pair in data.test) + 1, longest)
    for row, pair in enumerate(data.test):
        for source, target in pair.links:
            if source:
                weights[row, target] = 0
                weights[row, target, source - 1] = 1  # always on the word before
    weights_near = summaries.weight_near(weights, data)
    assert weights_near["on"] == 0
    assert weights_near["offsets"][summaries.FARTHEST - 1] > 0.9
    assert weights_near["near"] == pytest.approx(weights_near["offsets"][summaries.FARTHEST - 1])


def test_by_chance_a_place_has_one_share_of_its_sentence(data):
    links = [(pair, target) for pair in data.test for _, target in pair.links]
    shares = [1 / len(p.source) for p, target in links if data.common.encode([p.target[target]]) == [UNK]]
    by_chance = summaries.weight_by_chance(data)
    assert by_chance["on"] == pytest.approx(sum(shares) / len(shares), abs=1e-4)
    assert by_chance["near"] <= 5 * by_chance["on"] + 1e-3


@pytest.fixture
def tensors():
    return story_tensors(where_is_the_thing(12, 1), story_vocabulary())


@pytest.mark.parametrize("task", stories.TASKS)
def test_no_story_of_the_test_was_trained_on(task):
    training, test = stories.data(task, stories.SETTINGS | {"training_stories": 30, "test_stories": 9})
    assert len(test.answers) == 9

    def told(part):  # without padding, which differs between the two parts
        texts = zip(part.story.tolist(), part.question.tolist(), strict=True)
        return {str(text).replace(", 0", "").replace(", [0]", "") for text in texts}

    assert len(told(training)) > 20
    assert not told(training) & told(test)


def test_weights_on_the_support_are_those_of_its_two_sentences(tensors):
    network = AdjacentMemoryNetwork(len(story_vocabulary()), 5, hops=2)
    scores = stories.evaluate(network, tensors)
    _, weights = network(tensors.story, tensors.question)
    on_support = weights.transpose(1, 2)[tensors.support].view(12, 2, 2).mean(0)  # first and last, hops
    expected = zip(("first", "last", "support"), (*on_support, on_support.sum(0)), strict=True)
    for part, shares in expected:
        assert scores[f"weight_on_{part}"] == pytest.approx(shares.tolist(), abs=2e-4)


def test_training_lowers_the_loss(tensors):
    network = AdjacentMemoryNetwork(len(story_vocabulary()), 16, hops=1)
    settings = stories.SETTINGS | {"batch": 8, "learning_rate": 0.05, "linear_start": 0.1}
    losses = stories.train(network, tensors, 80, 0, settings)
    assert losses[-1] < losses[0] / 2


@pytest.fixture
def sequences():
    return adding(7, 1000, torch.Generator().manual_seed(1))


@pytest.fixture
def network():
    return FeedForwardNetwork(FeedForwardAttention(4), size=4)


def test_the_parts_are_the_batch_and_have_its_gradients(network, sequences):
    parts = long_memory.in_parts(sequences)
    assert len(parts) > 1
    assert all(map(torch.equal, map(torch.cat, zip(*parts, strict=True)), sequences))
    loss = long_memory.gradients(network, sequences)
    by_parts = [parameter.grad.clone() for parameter in network.parameters()]
    outputs, _ = network(sequences.inputs, sequences.mask)
    expected = (outputs - sequences.targets).square().mean()
    torch.testing.assert_close(loss, expected.detach())
    torch.testing.assert_close(by_parts, list(torch.autograd.grad(expected, list(network.parameters()))))


def test_accuracy_counts_errors_below_the_tolerance(network, sequences):
    outputs, _ = network(sequences.inputs, sequences.mask)
    off = torch.tensor([0.0, 0.039, -0.039, 0.041, -0.041, 1.0, -1.0])
    shifted = sequences._replace(targets=outputs.detach() + off)
    assert long_memory.accuracy(network, shifted, 0.04) == pytest.approx(3 / 7)


def test_the_mean_has_two_steps_worth_of_weight_on_the_marked(sequences):
    network = FeedForwardNetwork(Mean(), size=4)
    expected = (2 / sequences.mask.sum(1)).mean().item()
    assert long_memory.weight_on_marked(network, sequences) == pytest.approx(expected)


def test_a_second_run_adds_to_the_report_and_each_rate_of_a_length_has_its_own(quick, capsys):
    first = quick(long_memory.LONG_MEMORY, "--lengths", "50")["runs"]
    cases = {(task, pooling) for task in long_memory.TASKS for pooling in long_memory.POOLINGS}
    assert {(run["task"], run["pooling"]) for run in first} == cases
    assert "| multiplication | 50 | mean | 2 |" in capsys.readouterr().out
    with_two = replace(long_memory.LONG_MEMORY, models=long_memory.cells({("adding", 100): (0.01, 0.003)}))
    runs = quick(with_two, "--lengths", "100", "--tasks", "adding")["runs"]
    assert [run for run in runs if run["length"] == 50] == first
    rates = sorted((run["pooling"], run["settings"]["learning_rate"]) for run in runs if run["length"] == 100)
    assert rates == [("attention", 0.003), ("attention", 0.01), ("mean", 0.003), ("mean", 0.01)]
