"""Summaries without recurrence, the source seen as a bag of words or by attention (Rush et al., 2015).

    python -m seq2seq.experiments summaries    # 5 × 3 seeds, half a minute on one core each

A third model has attention whose values are not smoothed.
The headlines are those of :mod:`seq2seq.corpora.headlines`, but names and numbers come from lists that the vocabulary
holds: these models can write a name only if they know it.
The sentences of the test are new all the same.
Bag of words and attention are tried with a shorter list too.
All have the same language model and differ in their encoder; each is searched greedily and with a beam.
The learning rate is the better of two, 0.01 and 0.02, for the bag of words and for attention alike.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from random import Random

import torch
from torch import Tensor
from torch.nn import functional as F

from seq2seq.batch import TokenBatches, collate
from seq2seq.beam.search import beam_search
from seq2seq.beyond.summariser import (
    AttentiveFeedForwardDecoder,
    FeedForwardDecoder,
    WordEncoder,
)
from seq2seq.corpora.headlines import headlines
from seq2seq.corpora.pair import Pair
from seq2seq.experiments.headlines import score
from seq2seq.experiments.runs import Runs
from seq2seq.experiments.tables import CPU_SECONDS, mean, tabulate
from seq2seq.experiments.trained import train_model
from seq2seq.model import Seq2Seq
from seq2seq.search import greedy
from seq2seq.vocab import UNK, Vocabulary

SETTINGS: dict = {
    "training_pairs": 20_000,
    "test_pairs": 500,
    "places": [1, 4],
    "min_count": 40,
    "lists": {"many": {"names": 1000, "numbers": 200}, "few": {"names": 200, "numbers": 50}},
    "embedding_size": 64,
    "hidden_size": 128,
    "source_size": 64,
    "words": 5,
    "half_width": 2,
    "beam_size": 5,
    "steps": 1500,
    "tokens_per_batch": 400,
    "learning_rate": 2e-2,
    "clip": 1.0,
    "threads": 1,
}
NEAR, FARTHEST = 2, 3  # words on each side of a copied word: those that smoothing reaches, and those recorded


def bag_of_words(vocab_size: int, settings: dict) -> Seq2Seq:
    encoder = WordEncoder(vocab_size, settings["source_size"])
    return Seq2Seq(encoder, FeedForwardDecoder(vocab_size, **_sizes(settings)))


def attention(vocab_size: int, settings: dict, half_width: int | None = None) -> Seq2Seq:
    width = settings["half_width"] if half_width is None else half_width
    decoder = AttentiveFeedForwardDecoder(vocab_size, **_sizes(settings), half_width=width)
    return Seq2Seq(WordEncoder(vocab_size, settings["source_size"]), decoder)


def _sizes(settings: dict) -> dict[str, int]:
    sizes = {name: settings[name] for name in ("embedding_size", "hidden_size", "words")}
    return sizes | {"encoder_size": settings["source_size"]}


MODELS: dict[str, Callable[[int, dict], Seq2Seq]] = {
    "bag_of_words": bag_of_words,
    "attention_unsmoothed": partial(attention, half_width=0),
    "attention": attention,
}
TRIED = {"many": tuple(MODELS), "few": ("bag_of_words", "attention")}  # models, by their list of names


class Data:
    """Pairs with the names of one list: for training, and for the test.

    `vocab` has all their words, `common` those that are neither name nor number.
    """

    def __init__(self, settings: dict, lengths: dict[str, int]) -> None:
        drawn = headlines(settings["training_pairs"], 1, "train", tuple(settings["places"]))
        tests = headlines(settings["test_pairs"], 2, "test", tuple(settings["places"]))
        self.common = Vocabulary.build([pair.source + pair.target for pair in drawn], settings["min_count"])
        rare = dict.fromkeys(word for pair in drawn for word in pair.source if self.common.encode([word]) == [UNK])
        numbers = [word for word in rare if word.isdigit()][: lengths["numbers"]]
        names = [word for word in rare if not word.isdigit()][: lengths["names"]]
        self.training = [from_lists(pair, self.common, names, numbers) for pair in drawn]
        self.test = [from_lists(pair, self.common, names, numbers) for pair in tests]
        self.vocab = Vocabulary.build(pair.source + pair.target for pair in self.training)


def from_lists(pair: Pair, common: Vocabulary, names: Sequence[str], numbers: Sequence[str]) -> Pair:
    """The pair with each name and number, the words that are not common, replaced by one of a list.

    A word becomes the same one on both sides, and different words become different ones.

    Raises:
        ValueError: a list is shorter than the sentence needs.
    """
    chosen: dict[str, str] = {}
    for word in pair.source:
        if word not in chosen and common.encode([word]) == [UNK]:
            draw = Random(word)  # not a remainder of its checksum, which says whether the word is held out
            choices = numbers if word.isdigit() else names
            drawn = draw.sample(choices, min(len(choices), len(chosen) + 1))  # one more than can be taken
            free = [choice for choice in drawn if choice not in chosen.values()]
            if not free:
                raise ValueError(f"{word}: got a list of {len(choices)}, expected one longer than a sentence's names.")
            chosen[word] = free[0]
    source, target = (tuple(chosen.get(word, word) for word in side) for side in (pair.source, pair.target))
    return Pair(source, target, pair.links)


def run(length: str, name: str, seed: int, settings: dict, lists: dict[str, Data]) -> tuple[Seq2Seq, dict]:
    """Train and test one model from one seed, with the names of one list."""
    data = lists[length]
    model, entries = train_model(
        lambda: MODELS[name](len(data.vocab), settings),
        lambda order: TokenBatches(data.training, data.vocab, data.vocab, settings["tokens_per_batch"], order),
        seed,
        settings,
        description=f"{name}, {length} names",
    )
    return model, entries | {"vocabulary_size": len(data.vocab)} | measure(model, data, settings)


@torch.no_grad()
def measure(model: Seq2Seq, data: Data, settings: dict) -> dict:
    """The scores of both searches, and for a model with attention the weight near the words that are copied."""
    batch = collate(data.test, data.vocab, data.vocab)
    longest = 2 * max(len(pair.target) for pair in data.test)
    greedily, _ = greedy(model, batch.source, batch.source_lengths, longest)
    beam = beam_search(model, batch.source, batch.source_lengths, longest, settings["beam_size"])
    searches = {"greedy": greedily, "beam": beam.ids[:, 0]}
    scores = {}
    for way, ids in searches.items():
        written = [data.vocab.decode(row) for row in ids.tolist()]
        scores[way] = score(written, data.test, data.common) | {"in_any_order": right_in_any_order(written, data.test)}
    _, weights = model(batch.source, batch.source_lengths, batch.target_in)
    return {"searches": scores, "weight": None if weights is None else weight_near(weights, data)}


def right_in_any_order(written: Sequence[Sequence[str]], pairs: Sequence[Pair]) -> float:
    """The share of headlines that have the right words, each as often as it should be, whatever their order."""
    hits = [Counter(words) == Counter(pair.target) for words, pair in zip(written, pairs, strict=True)]
    return round(sum(hits) / len(hits), 4)


def weight_by_chance(data: Data) -> dict:
    """The same measure for a bag of words, in which each word of a sentence has the same weight."""
    batch = collate(data.test, data.vocab, data.vocab)
    weights = batch.source_mask / batch.source_lengths.unsqueeze(1)
    return weight_near(weights.unsqueeze(1).expand(-1, batch.target_in.size(1), -1), data)


def weight_near(weights: Tensor, data: Data) -> dict:
    """The mean weight on a copied word and on its neighbours, at the step that writes the copy of it.

    `offsets` has them from left to right; a place outside the sentence has the weight 0.

    Shape:
        weights: (batch, target_len, source_len), of a teacher-forced pass over the test pairs
    """
    near_copies = []
    for rows, pair in zip(F.pad(weights, (FARTHEST, FARTHEST)), data.test, strict=True):
        for source, target in pair.links:
            if data.common.encode([pair.target[target]]) == [UNK]:
                near_copies.append(rows[target, source : source + 2 * FARTHEST + 1])
    offsets = [round(each, 4) for each in torch.stack(near_copies).mean(0).tolist()]
    near = offsets[FARTHEST - NEAR : FARTHEST + NEAR + 1]
    return {"on": offsets[FARTHEST], "near": round(sum(near), 4), "offsets": offsets}


METRICS = ("exact_match", "in_any_order", "rouge_1", "rouge_2", "rouge_l", "copied", "repeated")
WEIGHTS = {"weight on": "on", "near": "near"}
NOWHERE = dict.fromkeys(WEIGHTS.values(), math.nan)  # the weights of a model without attention


def table(report: dict) -> str:
    columns = {metric: mean(".3f", metric) for metric in METRICS}
    columns |= {head: mean(".3f", entry) for head, entry in WEIGHTS.items()} | CPU_SECONDS
    rows = {
        (length, name, way): [
            run["searches"][way] | (run["weight"] or NOWHERE) | {"cpu_seconds": run["cpu_seconds"]} for run in runs
        ]
        for length, models in report["lists"].items()
        for name, runs in models.items()
        for way in runs[0]["searches"]
    }
    return tabulate(("names", "model", "search"), columns, rows)


SUMMARIES = Runs(
    name="summaries",
    title=__doc__.splitlines()[0],
    settings=SETTINGS,
    quick={"training_pairs": 300, "test_pairs": 5, "min_count": 5, "steps": 3},
    seeds=3,
    models=[(length, name) for length, names in TRIED.items() for name in names],
    data=lambda settings, options: {length: Data(settings, words) for length, words in settings["lists"].items()},
    run=run,
    record="model list seed settings torch vocabulary_size parameters cpu_seconds training_loss",
    by=("list", "model"),
    head=lambda settings, data: {"weight_by_chance": weight_by_chance(data["many"])},
    under="lists",
    table=table,
)
