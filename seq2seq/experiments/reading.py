"""Reading comprehension: a question about a text whose names are markers, with attention and with the mean.

    python -m seq2seq.experiments.reading            # 2 readers × 2 rates × 3 seeds, about 8 minutes on one core
    python -m seq2seq.experiments.reading --quick    # a smoke test of a few seconds, results in a temporary folder

One sentence of each story gives the answer; all names change from story to story (Hermann et al., 2015).
The control has the same parameters, but gives every word of the text the same weight.
Both are trained at two learning rates; at the higher one attention ignores the question.
"""

import time
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional as F

from seq2seq.beyond.attentive_reader import AttentiveReader
from seq2seq.corpora.anonymous import Readings, anonymous, reading_vocabulary, readings
from seq2seq.corpora.stories import where_is_the_person
from seq2seq.demos.altered_attention import UniformAttention
from seq2seq.experiments.command_line import parse, parser_with_show, read, write
from seq2seq.experiments.recipe import RESULTS
from seq2seq.training import learning_rate_at, load_checkpoint, save_checkpoint

COMMAND = "python -m seq2seq.experiments.reading"
READERS = {"attention": 0.002, "mean": 0.002, "attention_fast": 0.005, "mean_fast": 0.005}
"""The learning rate of each."""
KEPT = "attention"
SETTINGS: dict = {
    "training_stories": 10_000,
    "test_stories": 1000,
    "sentences": [2, 10],
    "embedding_size": 32,
    "hidden_size": 32,
    "batch": 64,
    "steps": 2000,
    "learning_rates": READERS,
    "clip": 1.0,
    "seeds": 3,
    "threads": 1,
}


def build(name: str, vocab_size: int, settings: dict) -> AttentiveReader:
    reader = AttentiveReader(vocab_size, settings["embedding_size"], settings["hidden_size"])
    if name.startswith("mean"):
        reader.attention = UniformAttention(reader.attention.scorer)
    return reader


def load_trained(folder: Path = RESULTS / "reading") -> AttentiveReader:
    """The trained reader with attention, in evaluation mode; its vocabulary is ``reading_vocabulary()``."""
    reader = build(KEPT, len(reading_vocabulary()), SETTINGS)
    load_checkpoint(folder / f"{KEPT}.pt", reader)
    return reader.eval()


def data(settings: dict) -> tuple[Readings, Readings]:
    """Training stories, and test stories that, before anonymisation, are not among them."""
    lengths = tuple(settings["sentences"])
    training = where_is_the_person(settings["training_stories"], 1, lengths)
    seen = {(story.sentences, story.question) for story in training}
    drawn = where_is_the_person(3 * settings["test_stories"], 1001, lengths)
    fresh = [story for story in drawn if (story.sentences, story.question) not in seen][: settings["test_stories"]]
    vocab = reading_vocabulary()
    return readings(anonymous(training, 2), vocab), readings(anonymous(fresh, 1002), vocab)


def train(reader: AttentiveReader, stories: Readings, seed: int, learning_rate: float, settings: dict) -> None:
    optimiser = torch.optim.Adam(reader.parameters(), lr=learning_rate, fused=True)
    generator = torch.Generator().manual_seed(seed)
    for step in range(settings["steps"]):
        for group in optimiser.param_groups:
            group["lr"] = learning_rate_at(step / settings["steps"], step, learning_rate, 100)
        order = torch.randint(len(stories.answers), (settings["batch"],), generator=generator)
        logits, _ = reader(*(tensor[order] for tensor in stories[:4]))
        optimiser.zero_grad()
        F.cross_entropy(logits, stories.answers[order]).backward()
        torch.nn.utils.clip_grad_norm_(reader.parameters(), settings["clip"])
        optimiser.step()


@torch.no_grad()
def evaluate(reader: AttentiveReader, stories: Readings) -> dict[str, float]:
    """Accuracy, the weight on the supporting sentence, and that sentence's share of the words.

    Also the share of the weight that moves when the text is read with the question of the next story.
    """
    logits, weights = reader.eval()(*stories[:4])
    others = stories.question.roll(1, 0), stories.question_lengths.roll(1, 0)
    _, asked_otherwise = reader(stories.text, stories.text_lengths, *others)
    return {
        "accuracy": _mean(logits.argmax(1) == stories.answers),
        "weight_on_support": _mean((weights * stories.support).sum(1)),
        "support_by_chance": _mean(stories.support.sum(1) / stories.text_lengths),
        "moved_by_the_question": _mean((weights - asked_otherwise).abs().sum(1) / 2),
    }


def _mean(values: Tensor) -> float:
    return round(values.double().mean().item(), 4)


def run(name: str, seed: int, settings: dict, sets: tuple[Readings, Readings], folder: Path) -> dict:
    started = time.process_time()
    torch.manual_seed(seed)
    reader = build(name, len(reading_vocabulary()), settings)
    train(reader, sets[0], seed, READERS[name], settings)
    seconds = round(time.process_time() - started, 1)
    if (name, seed) == (KEPT, 0):
        save_checkpoint(folder / f"{name}.pt", reader, dtype=torch.float16)
    return {"seed": seed, "cpu_seconds": seconds, **evaluate(reader, sets[1])}


def table(models: dict[str, list[dict]]) -> str:
    heads = "| reader | accuracy, each seed | weight on the support | by chance | moved by the question | CPU seconds |"
    lines = [heads, "|---" * 6 + "|"]
    for name, runs in models.items():
        mean = {entry: sum(run[entry] for run in runs) / len(runs) for entry in runs[0]}
        scores = " ".join(f"{run['accuracy']:.3f}" for run in runs)
        lines.append(
            f"| {name} | {scores} | {mean['weight_on_support']:.2f} | {mean['support_by_chance']:.2f} | "
            f"{mean['moved_by_the_question']:.2f} | {mean['cpu_seconds']:.0f} |"
        )
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> None:
    options = parse(parser_with_show(COMMAND, __doc__.splitlines()[0]), arguments)
    path = options.out / "reading.json"
    if options.show:
        print(table(read(path)["models"]))
        return
    settings = SETTINGS
    if options.quick:
        settings = settings | {"training_stories": 200, "test_stories": 20, "steps": 3, "seeds": 1}
    torch.set_num_threads(settings["threads"])
    sets = data(settings)
    folder = options.out / "reading"
    folder.mkdir(exist_ok=True)
    models = {name: [run(name, seed, settings, sets, folder) for seed in range(settings["seeds"])] for name in READERS}
    write(path, {"command": COMMAND, "settings": settings, "torch": torch.__version__, "models": models})
    print(table(models))


if __name__ == "__main__":
    main()
