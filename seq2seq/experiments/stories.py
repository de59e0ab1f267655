"""Memory networks of one, two and three hops on short stories: accuracy, and where they attend.

    python -m seq2seq.experiments stories    # 2 tasks × 3 numbers of hops × 3 seeds: a few minutes on one core

"Where is the person?" follows from one sentence, "where is the thing?" from two, the second of which can be found only
by the person named in the first.
Sukhbaatar et al. (2015, section 4) use the stories of bAbI; ours are different, and there are more of them.
The first quarter of every run trains without softmax, their "linear start".
"""

import time
from itertools import product
from statistics import fmean

import torch
from torch import Tensor
from torch.nn import functional as F

from seq2seq.beyond.memory_network import AdjacentMemoryNetwork, hop, linear_hop
from seq2seq.corpora.stories import (
    StoryTensors,
    story_tensors,
    story_vocabulary,
    where_is_the_person,
    where_is_the_thing,
)
from seq2seq.experiments.runs import Runs, listed
from seq2seq.experiments.tables import CPU_SECONDS, each, entries, mean, tabulate
from seq2seq.experiments.trained import descend, means, of_model

TASKS = {"person": where_is_the_person, "thing": where_is_the_thing}
HOPS = (1, 2, 3)
SAVED = ("thing", 3)  # the network whose weights are saved
SETTINGS: dict = {
    "training_stories": 10_000,
    "test_stories": 1000,
    "test_seed": 1001,
    "size": 32,
    "batch": 64,
    "steps": {"person": 1500, "thing": 3500},
    "linear_start": 0.25,
    "learning_rate": 0.01,
    "clip": 1.0,
    "threads": 1,
}


def data(task: str, settings: dict) -> tuple[StoryTensors, StoryTensors]:
    """Training stories, and test stories that are not among them."""
    training = TASKS[task](settings["training_stories"], 1)
    trained = {(story.sentences, story.question) for story in training}
    drawn = TASKS[task](3 * settings["test_stories"], settings["test_seed"])
    fresh = [story for story in drawn if (story.sentences, story.question) not in trained]
    vocab = story_vocabulary()
    return story_tensors(training, vocab), story_tensors(fresh[: settings["test_stories"]], vocab)


def rows(tensors: StoryTensors, order: Tensor) -> StoryTensors:
    return StoryTensors(*(tensor[order] for tensor in tensors))


def train(network: AdjacentMemoryNetwork, stories: StoryTensors, steps: int, seed: int, settings: dict) -> list[float]:
    """Adam on the cross-entropy of the answers, with a linear start; returns the loss of every step."""
    generator = torch.Generator().manual_seed(seed)
    linear_steps = round(settings["linear_start"] * steps)

    def loss(step: int) -> Tensor:
        batch = rows(stories, torch.randint(len(stories.answers), (settings["batch"],), generator=generator))
        logits, _ = network(batch.story, batch.question, linear_hop if step < linear_steps else hop)
        return F.cross_entropy(logits, batch.answers)

    return descend(network, loss, steps, settings["learning_rate"], 100, settings["clip"])


@torch.no_grad()
def evaluate(network: AdjacentMemoryNetwork, stories: StoryTensors) -> dict:
    """Accuracy, and each hop's mean weight on the supporting sentences: all, the first, and the last."""
    logits, weights = network(stories.story, stories.question)  # weights: (stories, hops, sentences)
    first = F.one_hot(stories.support.long().argmax(dim=1), stories.support.size(1))
    last = stories.support.long() - first * (stories.support.sum(dim=1, keepdim=True) > 1)
    on_support = (weights * stories.support.unsqueeze(1)).sum(dim=2).mean(dim=0)
    return {
        "accuracy": round((logits.argmax(dim=1) == stories.answers).double().mean().item(), 4),
        "weight_on_support": _rounded(on_support),
        "weight_on_first": _rounded((weights * first.unsqueeze(1)).sum(dim=2).mean(dim=0)),
        "weight_on_last": _rounded((weights * last.unsqueeze(1)).sum(dim=2).mean(dim=0)),
        "support_by_chance": round((stories.support.sum(1) / (stories.story != 0).any(2).sum(1)).mean().item(), 4),
    }


def _rounded(values: Tensor) -> list[float]:
    return [round(value, 4) for value in values.tolist()]


def run(task: str, hops: int, seed: int, settings: dict, tasks: dict) -> tuple[AdjacentMemoryNetwork, dict]:
    training, test = tasks[task]
    started = time.process_time()
    torch.manual_seed(seed)
    network = AdjacentMemoryNetwork(len(story_vocabulary()), settings["size"], hops)
    losses = train(network, training, settings["steps"][task], seed, settings)
    training_entries = of_model(network) | {"cpu_seconds": round(time.process_time() - started, 1)}
    return network, training_entries | {"training_loss": means(losses, 20)} | evaluate(network, test)


def weight_by_hop(runs: list[dict]) -> str:
    return " ".join(f"{fmean(values):.2f}" for values in zip(*entries(runs, ["weight_on_support"]), strict=True))


COLUMNS = {
    "accuracy, each seed": each(".3f", "accuracy"),
    "weight on the support, each hop": weight_by_hop,
    "by chance": mean(".2f", "support_by_chance"),
}


def table(report: dict) -> str:
    rows: dict[tuple[str, int], list[dict]] = {}
    for record in report["runs"]:
        rows.setdefault((record["task"], record["hops"]), []).append(record)
    return tabulate(("task", "hops"), COLUMNS | CPU_SECONDS, rows)


STORIES = Runs(
    name="stories",
    title=__doc__.splitlines()[0],
    settings=SETTINGS,
    quick={"training_stories": 200, "test_stories": 50, "steps": {"person": 4, "thing": 4}},
    seeds=3,
    models=list(product(TASKS, HOPS)),
    data=lambda settings, options: {task: data(task, settings) for task in TASKS},
    run=run,
    record="task hops seed settings torch parameters cpu_seconds training_loss",
    by=("task", "hops"),
    saved={SAVED: "stories/stories.pt"},
    under="runs",
    lay_out=listed,
    table=table,
)
