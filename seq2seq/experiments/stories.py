"""Memory networks of one, two and three hops on short stories: accuracy, and where they attend.

    python -m seq2seq.experiments.stories            # 2 tasks × 3 numbers of hops × 3 seeds: a few minutes on one core
    python -m seq2seq.experiments.stories --quick    # a smoke test of a few seconds, results in a temporary folder

"Where is the person?" follows from one sentence, "where is the thing?" from two, the second of which can be found only
by the person named in the first.
Sukhbaatar et al. (2015, section 4) use the stories of bAbI; ours are different, and there are more of them.
The first quarter of every run trains without softmax, their "linear start".
"""

import time
from functools import partial
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional as F

from seq2seq.beyond.memory_network import AdjacentMemoryNetwork
from seq2seq.corpora.stories import (
    StoryTensors,
    story_tensors,
    story_vocabulary,
    where_is_the_person,
    where_is_the_thing,
)
from seq2seq.experiments.command_line import add_seeds, parse, parser_with_show, read, resume, write
from seq2seq.training import learning_rate_at, save_checkpoint

COMMAND = "python -m seq2seq.experiments.stories"
TASKS = {"person": where_is_the_person, "thing": where_is_the_thing}
HOPS = (1, 2, 3)
KEPT = ("thing", 3)  # the network whose weights are saved
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
    seen = {(story.sentences, story.question) for story in training}
    drawn = TASKS[task](3 * settings["test_stories"], settings["test_seed"])
    fresh = [story for story in drawn if (story.sentences, story.question) not in seen]
    vocab = story_vocabulary()
    return story_tensors(training, vocab), story_tensors(fresh[: settings["test_stories"]], vocab)


def rows(tensors: StoryTensors, order: Tensor) -> StoryTensors:
    return StoryTensors(*(tensor[order] for tensor in tensors))


def train(network: AdjacentMemoryNetwork, stories: StoryTensors, steps: int, seed: int, settings: dict) -> list[float]:
    """Adam on the cross-entropy of the answers, with a linear start; returns the loss of every step."""
    optimiser = torch.optim.Adam(network.parameters(), lr=settings["learning_rate"], fused=True)
    generator = torch.Generator().manual_seed(seed)
    linear_steps = round(settings["linear_start"] * steps)
    losses = []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = learning_rate_at(step / steps, step, settings["learning_rate"], warmup_steps=100)
        batch = rows(stories, torch.randint(len(stories.answers), (settings["batch"],), generator=generator))
        read = network.without_softmax if step < linear_steps else network
        logits, _ = read(batch.story, batch.question)
        loss = F.cross_entropy(logits, batch.answers)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), settings["clip"])
        optimiser.step()
        losses.append(loss.item())
    return losses


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


def run(task: str, hops: int, seed: int, settings: dict, out: Path) -> dict:
    training, test = data(task, settings)
    started = time.process_time()
    torch.manual_seed(seed)
    network = AdjacentMemoryNetwork(len(story_vocabulary()), settings["size"], hops)
    losses = train(network, training, settings["steps"][task], seed, settings)
    if (task, hops, seed) == (*KEPT, 0):
        save_checkpoint(out / "stories.pt", network, torch.float16)
    return {
        "task": task,
        "hops": hops,
        "seed": seed,
        "settings": settings,
        "torch": torch.__version__,
        "parameters": sum(parameter.numel() for parameter in network.parameters()),
        "cpu_seconds": round(time.process_time() - started, 1),
        "training_loss": [round(part.mean().item(), 4) for part in torch.tensor(losses).chunk(20)],
        **evaluate(network, test),
    }


def table(runs: list[dict]) -> str:
    lines = [
        "| task | hops | accuracy, each seed | weight on the support, each hop | by chance | CPU seconds |",
        "|---" * 6 + "|",
    ]
    for task, hops in dict.fromkeys((run["task"], run["hops"]) for run in runs):
        ours = [run for run in runs if (run["task"], run["hops"]) == (task, hops)]
        accuracy = " ".join(f"{run['accuracy']:.3f}" for run in ours)
        by_hop = zip(*(run["weight_on_support"] for run in ours), strict=True)
        weight = " ".join(f"{sum(values) / len(values):.2f}" for values in by_hop)
        chance = sum(run["support_by_chance"] for run in ours) / len(ours)
        seconds = sum(run["cpu_seconds"] for run in ours) / len(ours)
        lines.append(f"| {task} | {hops} | {accuracy} | {weight} | {chance:.2f} | {seconds:.0f} |")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> None:
    options_parser = parser_with_show(COMMAND, __doc__.splitlines()[0])
    add_seeds(options_parser, 3)
    options = parse(options_parser, arguments)
    if options.show:
        print(table(read(options.out / "stories.json")["runs"]))
        return
    settings = SETTINGS
    if options.quick:
        settings = settings | {"training_stories": 200, "test_stories": 50, "steps": {"person": 4, "thing": 4}}
    torch.set_num_threads(settings["threads"])
    folder = options.out / "stories"
    folder.mkdir(parents=True, exist_ok=True)
    runs = []
    for task in TASKS:
        for hops in HOPS:
            for seed in range(options.seeds):
                path = folder / f"{task}-{hops}-{seed}.json"
                runs.append(resume(path, settings, partial(run, task, hops, seed, settings, folder)))
    write(options.out / "stories.json", {"command": COMMAND, "settings": settings, "runs": runs})
    print(table(runs))


if __name__ == "__main__":
    main()
