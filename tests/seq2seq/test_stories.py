import json

import pytest
import torch

from seq2seq.beyond.memory_network import AdjacentMemoryNetwork
from seq2seq.corpora.stories import story_tensors, story_vocabulary, where_is_the_thing
from seq2seq.experiments import stories

QUICK = stories.SETTINGS | {"training_stories": 30, "test_stories": 9, "steps": {"person": 4, "thing": 4}}


@pytest.fixture
def tensors():
    return story_tensors(where_is_the_thing(12, 1), story_vocabulary())


@pytest.mark.parametrize("task", stories.TASKS)
def test_no_story_of_the_test_was_trained_on(task):
    training, test = stories.data(task, QUICK)
    assert len(test.answers) == 9

    vocab = story_vocabulary()

    def told(part):
        texts = zip(part.story.tolist(), part.question.tolist(), strict=True)
        return {
            (" ".join(" ".join(vocab.decode(ids)) for ids in story), " ".join(vocab.decode(ids)))
            for story, ids in texts
        }

    assert len(told(training)) > 20
    assert not told(training) & told(test)


def test_weights_on_the_support_are_those_of_its_two_sentences(tensors):
    network = AdjacentMemoryNetwork(len(story_vocabulary()), 5, hops=2)
    scores = stories.evaluate(network, tensors)
    _, weights = network(tensors.story, tensors.question)
    for k in range(2):
        first = sum(weights[row, k, s.nonzero()[0]].item() for row, s in enumerate(tensors.support)) / 12
        last = sum(weights[row, k, s.nonzero()[-1]].item() for row, s in enumerate(tensors.support)) / 12
        assert scores["weight_on_first"][k] == pytest.approx(first, abs=1e-4)
        assert scores["weight_on_last"][k] == pytest.approx(last, abs=1e-4)
        assert scores["weight_on_support"][k] == pytest.approx(first + last, abs=2e-4)


def test_training_lowers_the_loss(tensors):
    torch.manual_seed(1)
    network = AdjacentMemoryNetwork(len(story_vocabulary()), 16, hops=1)
    settings = stories.SETTINGS | {"batch": 8, "learning_rate": 0.05, "linear_start": 0.1}
    losses = stories.train(network, tensors, 80, 0, settings)
    assert losses[-1] < losses[0] / 2


def test_the_report_has_every_task_and_number_of_hops(tmp_path, capsys):
    stories.main(["--quick", "--out", str(tmp_path)])
    report = json.loads((tmp_path / "stories.json").read_text())
    assert [(run["task"], run["hops"]) for run in report["runs"]] == [
        (task, hops) for task in ("person", "thing") for hops in (1, 2, 3)
    ]
    assert all(len(run["weight_on_support"]) == run["hops"] for run in report["runs"])
    assert (tmp_path / "stories" / "stories.pt").exists()
    assert "| thing | 3 |" in capsys.readouterr().out


def test_a_seed_repeats_the_run(tmp_path):
    once, again = (stories.run("person", 2, 3, QUICK, tmp_path) for _ in range(2))
    assert once | {"cpu_seconds": 0} == again | {"cpu_seconds": 0}
