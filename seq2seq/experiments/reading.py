"""Reading comprehension: a question about a text whose names are markers, with attention and with the mean.

    python -m seq2seq.experiments reading    # 2 readers × 2 rates × 3 seeds, about 8 minutes on one core

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
from seq2seq.experiments.recipe import RESULTS, with_weights
from seq2seq.experiments.runs import Runs
from seq2seq.experiments.tables import CPU_SECONDS, each, mean, of_runs
from seq2seq.experiments.trained import descend

READERS = {"attention": 0.002, "mean": 0.002, "attention_fast": 0.005, "mean_fast": 0.005}
"""The learning rate of each."""
SAVED = "attention"
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
    return with_weights(build(SAVED, len(reading_vocabulary()), SETTINGS), folder / f"{SAVED}.pt")


def data(settings: dict) -> tuple[Readings, Readings]:
    """Training stories, and test stories that, before anonymisation, are not among them."""
    lengths = tuple(settings["sentences"])
    training = where_is_the_person(settings["training_stories"], 1, lengths)
    trained = {(story.sentences, story.question) for story in training}
    drawn = where_is_the_person(3 * settings["test_stories"], 1001, lengths)
    fresh = [story for story in drawn if (story.sentences, story.question) not in trained][: settings["test_stories"]]
    vocab = reading_vocabulary()
    return readings(anonymous(training, 2), vocab), readings(anonymous(fresh, 1002), vocab)


def train(reader: AttentiveReader, stories: Readings, seed: int, learning_rate: float, settings: dict) -> None:
    generator = torch.Generator().manual_seed(seed)

    def loss(step: int) -> Tensor:
        order = torch.randint(len(stories.answers), (settings["batch"],), generator=generator)
        logits, _ = reader(*(tensor[order] for tensor in stories[:4]))
        return F.cross_entropy(logits, stories.answers[order])

    descend(reader, loss, settings["steps"], learning_rate, 100, settings["clip"])


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


def run(name: str, seed: int, settings: dict, sets: tuple[Readings, Readings]) -> tuple[AttentiveReader, dict]:
    started = time.process_time()
    torch.manual_seed(seed)
    reader = build(name, len(reading_vocabulary()), settings)
    train(reader, sets[0], seed, READERS[name], settings)
    seconds = round(time.process_time() - started, 1)
    return reader, {"cpu_seconds": seconds, **evaluate(reader, sets[1])}


COLUMNS = {
    "accuracy, each seed": each(".3f", "accuracy"),
    "weight on the support": mean(".2f", "weight_on_support"),
    "by chance": mean(".2f", "support_by_chance"),
    "moved by the question": mean(".2f", "moved_by_the_question"),
}
READING = Runs(
    name="reading",
    title=__doc__.splitlines()[0],
    settings=SETTINGS,
    quick={"training_stories": 200, "test_stories": 20, "steps": 3},
    seeds=SETTINGS["seeds"],
    models=READERS,
    data=lambda settings, options: data(settings),
    run=run,
    record="seed cpu_seconds",
    by=("reader",),
    saved={SAVED: f"reading/{SAVED}.pt"},
    head=lambda settings, data: {"torch": torch.__version__},
    table=of_runs(COLUMNS | CPU_SECONDS, ("reader",)),
)
