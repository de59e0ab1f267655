"""Summaries without recurrence, the source seen as a bag of words or by attention (Rush et al., 2015).

    python -m seq2seq.experiments.summaries            # 5 × 3 seeds, half a minute on one core each
    python -m seq2seq.experiments.summaries --quick    # a smoke test of a few seconds, results in a temporary folder
    python -m seq2seq.experiments.summaries --show     # only the table of existing results

A third model has attention whose values are not smoothed.
The headlines are those of :mod:`seq2seq.corpora.headlines`, but names and numbers come from lists that the vocabulary
holds: these models can write a name only if they know it.
The sentences of the test are new all the same.
Bag of words and attention are tried with a shorter list too.
All have the same language model and differ in their encoder; each is searched greedily and with a beam.
The learning rate is the better of two, 0.01 and 0.02, for the bag of words and for attention alike.
Each run writes its record when it finishes; a run that already has a record with the same settings is skipped.
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
from seq2seq.experiments.command_line import add_seeds, parse, parser_with_show, read, resume, write
from seq2seq.experiments.headlines import score
from seq2seq.model import Seq2Seq
from seq2seq.search import greedy
from seq2seq.training import train
from seq2seq.vocab import UNK, Vocabulary

COMMAND = "python -m seq2seq.experiments.summaries"
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


def run(name: str, seed: int, settings: dict, length: str, data: Data) -> dict:
    """Train and test one model from one seed, with the names of one list."""
    torch.manual_seed(seed)
    model = MODELS[name](len(data.vocab), settings)
    generator = torch.Generator().manual_seed(seed)
    history = train(
        model,
        TokenBatches(data.training, data.vocab, data.vocab, settings["tokens_per_batch"], generator),
        steps=settings["steps"],
        learning_rate=settings["learning_rate"],
        clip=settings["clip"],
        device="cpu",
        description=f"{name}, {length} names, seed {seed}",
    )
    return {
        "model": name,
        "list": length,
        "seed": seed,
        "settings": settings,
        "torch": torch.__version__,
        "vocabulary_size": len(data.vocab),
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "cpu_seconds": round(history.cpu_seconds, 1),
        "training_loss": [round(part.mean().item(), 4) for part in torch.tensor(history.losses).chunk(20)],
        **measure(model, data, settings),
    }


@torch.no_grad()
def measure(model: Seq2Seq, data: Data, settings: dict) -> dict:
    """The scores of both searches, and for a model with attention the weight near the words that are copied."""
    batch = collate(data.test, data.vocab, data.vocab)
    longest = 2 * max(len(pair.target) for pair in data.test)
    found, _ = greedy(model, batch.source, batch.source_lengths, longest)
    beam = beam_search(model, batch.source, batch.source_lengths, longest, settings["beam_size"])
    searches = {"greedy": found, "beam": beam.ids[:, 0]}
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
    found = []
    for rows, pair in zip(F.pad(weights, (FARTHEST, FARTHEST)), data.test, strict=True):
        for source, target in pair.links:
            if data.common.encode([pair.target[target]]) == [UNK]:
                found.append(rows[target, source : source + 2 * FARTHEST + 1])
    offsets = [round(each, 4) for each in torch.stack(found).mean(0).tolist()]
    near = offsets[FARTHEST - NEAR : FARTHEST + NEAR + 1]
    return {"on": offsets[FARTHEST], "near": round(sum(near), 4), "offsets": offsets}


def table(lists: dict[str, dict[str, list[dict]]]) -> str:
    """Means over seeds, in Markdown."""
    metrics = ("exact_match", "in_any_order", "rouge_1", "rouge_2", "rouge_l", "copied", "repeated")
    heads = ("names", "model", "search", *metrics, "weight on", "near", "CPU seconds")
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for length, models in lists.items():
        for name, runs in models.items():
            weights = [run["weight"] or dict.fromkeys(("on", "near"), math.nan) for run in runs]
            seconds = _mean([run["cpu_seconds"] for run in runs])
            for way in runs[0]["searches"]:
                scores = [_mean([run["searches"][way][metric] for run in runs]) for metric in metrics]
                scores += [_mean([weight[place] for weight in weights]) for place in ("on", "near")]
                cells = [length, name, way, *(f"{each:.3f}" for each in scores), f"{seconds:.0f}"]
                lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def main(arguments: Sequence[str] | None = None) -> None:
    options_parser = parser_with_show(COMMAND, __doc__.splitlines()[0])
    add_seeds(options_parser, 3)
    options = parse(options_parser, arguments)
    path = options.out / "summaries.json"
    if options.show:
        print(table(read(path)["lists"]))
        return
    settings = SETTINGS | (
        {"training_pairs": 300, "test_pairs": 5, "min_count": 5, "steps": 3} if options.quick else {}
    )
    torch.set_num_threads(settings["threads"])
    data = {length: Data(settings, words) for length, words in settings["lists"].items()}
    folder = options.out / "summaries"
    folder.mkdir(exist_ok=True)
    lists = {
        length: {
            name: [
                resume(
                    folder / f"{name}-{length}-{seed}.json",
                    settings,
                    partial(run, name, seed, settings, length, data[length]),
                )
                for seed in range(options.seeds)
            ]
            for name in names
        }
        for length, names in TRIED.items()
    }
    chance = weight_by_chance(data["many"])
    write(path, {"command": COMMAND, "settings": settings, "weight_by_chance": chance, "lists": lists})
    print(table(lists))


if __name__ == "__main__":
    main()
