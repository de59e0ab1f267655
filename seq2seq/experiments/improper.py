"""What scheduled sampling learns where the true distribution is known: sentences of two words (after Huszár, 2015).

    python -m seq2seq.experiments improper    # 5 shares of gold words × 3 seeds: a minute or two

The first word is one of four, equally likely; the second repeats it with a probability of .85.
A large enough model is trained with a constant share of gold words; its own words are drawn as in Bengio et al. (2015).
Its distribution over all sixteen sentences is computed exactly and compared with the true one.

The model's own first word is independent of the gold second word in the loss.
So the distribution of the second word that minimises the loss is a mixture, with e the share of gold words:
q(y2 | y1) = e p(y2 | y1) + (1 - e) p(y2): correct only for e = 1, and independent of the first word for e = 0.
"""

import math
import random

import torch

from seq2seq.batch import collate
from seq2seq.corpora.pair import Pair
from seq2seq.decoders.fixed import EveryStepDecoder
from seq2seq.encoders import Encoder
from seq2seq.experiments.runs import Cell, Runs
from seq2seq.experiments.tables import each, markdown
from seq2seq.experiments.trained import Data, train_on
from seq2seq.losses.scheduled_sampling import ScheduledSampling
from seq2seq.model import Seq2Seq
from seq2seq.vocab import Vocabulary

WORDS = ("a", "b", "c", "d")
SETTINGS: dict = {
    "gold_shares": [1.0, 0.75, 0.5, 0.25, 0.0],
    "same_word": 0.85,
    "pairs": 20_000,
    "steps": 800,
    "tokens_per_batch": 900,
    "learning_rate": 1e-2,
    "embedding_size": 8,
    "size": 16,
    "threads": 1,
}
VOCAB = Vocabulary(WORDS)


def true(first: str, second: str, same_word: float) -> float:
    """p(y2 | y1)."""
    return same_word if first == second else (1 - same_word) / (len(WORDS) - 1)


def sentences(size: int, same_word: float) -> list[Pair]:
    generator = random.Random(1)
    pairs = []
    for _ in range(size):
        first = generator.choice(WORDS)
        (second,) = generator.choices(WORDS, [true(first, word, same_word) for word in WORDS])
        pairs.append(Pair(("a",), (first, second), frozenset()))
    return pairs


@torch.no_grad()
def learned(model: Seq2Seq) -> dict[str, list[float]]:
    """q(y2 | y1) for every y1, renormalised over the words; and q(y1) under the empty key."""
    batch = collate([Pair(("a",), (first,), frozenset()) for first in WORDS], VOCAB, VOCAB)
    logits, _ = model(batch.source, batch.source_lengths, batch.target_in)
    ids = VOCAB.encode(WORDS)
    shares = torch.softmax(logits.double(), -1)[..., ids]
    shares = shares / shares.sum(-1, keepdim=True)
    return {"": shares[0, 0].tolist(), **{word: shares[row, 1].tolist() for row, word in enumerate(WORDS)}}


def divergence(first: list[float], second: dict[str, list[float]], same_word: float) -> float:
    """KL(p || q) in nats: p is the true distribution of sentences, q that of these probabilities."""
    total = 0.0
    for row, word in enumerate(WORDS):
        for column, following in enumerate(WORDS):
            joint = true(word, following, same_word) / len(WORDS)
            total += joint * math.log(joint / (first[row] * second[word][column]))
    return total


def predicted(share: float, same_word: float) -> dict[str, list[float]]:
    """The mixture that minimises the loss, by the formula."""
    uniform = 1 / len(WORDS)
    return {
        word: [share * true(word, following, same_word) + (1 - share) * uniform for following in WORDS]
        for word in WORDS
    }


def run(share: str, seed: int, settings: dict, data: dict) -> tuple[Seq2Seq, dict]:
    def build(source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
        encoder = Encoder(source_vocab_size, settings["embedding_size"], settings["size"])
        sizes = target_vocab_size, settings["embedding_size"], settings["size"], encoder.state_size
        return Seq2Seq(encoder, EveryStepDecoder(*sizes))

    pairs = Data(sentences(settings["pairs"], settings["same_word"]), {}, VOCAB, VOCAB)
    loss = ScheduledSampling(lambda progress: float(share))
    model, entries = train_on(pairs, build, seed, settings, description=f"{float(share):.0%} gold", loss=loss)
    shares = learned(model)
    same = sum(shares[word][number] for number, word in enumerate(WORDS)) / len(WORDS)
    return model, entries | {
        "same_word": round(same, 4),
        "divergence": round(divergence(shares[""], shares, settings["same_word"]), 4),
    }


def by_share(runs: dict[Cell, list[dict]], settings: dict) -> dict[str, dict]:
    """The runs of each share of gold words beside what the formula says."""
    same_word, uniform = settings["same_word"], [1 / len(WORDS)] * len(WORDS)
    shares = {}
    for (share,), records in runs.items():
        mixture = predicted(float(share), same_word)
        shares[share] = {
            "predicted_same_word": round(mixture[WORDS[0]][0], 4),
            "predicted_divergence": round(divergence(uniform, mixture, same_word), 4),
            "runs": records,
        }
    return shares


def table(report: dict) -> str:
    heads = ("gold words", "p(same word), each seed", "by the formula", "KL from the true sentences", "by the formula")
    rows = [
        (
            f"{float(share):.0%}",
            each(".3f", "same_word")(entry["runs"]),
            f"{entry['predicted_same_word']:.3f}",
            each(".3f", "divergence")(entry["runs"]),
            f"{entry['predicted_divergence']:.3f}",
        )
        for share, entry in report["shares"].items()
    ]
    return markdown(heads, rows)


IMPROPER = Runs(
    name="improper",
    title=__doc__.splitlines()[0],
    settings=SETTINGS,
    quick={"pairs": 300, "steps": 5, "gold_shares": [1.0, 0.0]},
    seeds=3,
    models=list(map(str, SETTINGS["gold_shares"])),
    smoke=("1.0", "0.0"),
    data=lambda settings, options: settings,
    run=run,
    record="seed steps cpu_seconds",
    by=("share",),
    head=lambda settings, data: {"torch": torch.__version__},
    under="shares",
    lay_out=by_share,
    table=table,
)
