"""Copying: headlines by attention alone, by a pointer-generator, and by one with coverage (See et al., 2017).

    python -m seq2seq.experiments headlines    # 3 models × 3 seeds, about 20 seconds on one core each

The task is :mod:`seq2seq.corpora.headlines`; no training sentence has the names and numbers of the test.
Two test sets: lists of places as long as in training, and longer ones.
All three models have the same network except for coverage; attention alone is trained and decoded with its output
layer only, for which an unknown word is <unk>.
It is scored a second time with each <unk> replaced by the source word with the largest weight (Luong et al., 2015b).
"""

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from seq2seq.alignment import aer
from seq2seq.beyond.copying import (
    Choice,
    copy_or_generate,
    copying_loss,
    covering_loss,
    generating_loss,
    greedy_copying,
    only_generate,
)
from seq2seq.beyond.extended_vocabulary import ExtendedBatch, ExtendedBatches, decode, extend
from seq2seq.corpora.headlines import headlines
from seq2seq.corpora.pair import Pair
from seq2seq.decoders.pointer import CoveragePointerDecoder, PointerDecoder
from seq2seq.encoders import Encoder
from seq2seq.evaluation.rouge import rouge_l, rouge_n
from seq2seq.experiments.evaluation import links_of
from seq2seq.experiments.recipe import ATTENTION_SIZE, EMBEDDING_SIZE, HIDDEN_SIZE
from seq2seq.experiments.runs import Runs
from seq2seq.experiments.tables import CPU_SECONDS, mean, tabulate
from seq2seq.experiments.trained import Data, train_model
from seq2seq.metrics import exact_match
from seq2seq.model import Seq2Seq
from seq2seq.vocab import SPECIALS, UNK, Vocabulary

SETTINGS: dict = {
    "training_pairs": 20_000,
    "test_pairs": 500,
    "places": [1, 4],
    "places_longer": [6, 8],
    "min_count": 40,
    "steps": 600,
    "tokens_per_batch": 400,
    "learning_rate": 5e-3,
    "betas": [0.9, 0.98],
    "clip": 0.3,
    "threads": 1,
}
UNKNOWN = SPECIALS[UNK]
MARKS = {",", ":", "and"}  # a list may repeat them


class Variant(NamedTuple):
    decoder: type[PointerDecoder]
    loss: Callable[[Seq2Seq, ExtendedBatch, float], Tensor]
    choice: Choice


VARIANTS = {
    "attention": Variant(PointerDecoder, generating_loss, only_generate),
    "pointer": Variant(PointerDecoder, copying_loss, copy_or_generate),
    "pointer_coverage": Variant(CoveragePointerDecoder, covering_loss, copy_or_generate),
}


def data(settings: dict, options: argparse.Namespace) -> Data:
    training = headlines(settings["training_pairs"], 1, "train", tuple(settings["places"]))
    vocab = Vocabulary.build([pair.source + pair.target for pair in training], settings["min_count"])
    return Data(training, evaluation_sets(settings), vocab, vocab)


def build(name: str, vocab_size: int) -> Seq2Seq:
    encoder = Encoder(vocab_size, EMBEDDING_SIZE, HIDDEN_SIZE // 2, cell="lstm")
    decoder = VARIANTS[name].decoder(vocab_size, EMBEDDING_SIZE, HIDDEN_SIZE, encoder.state_size, ATTENTION_SIZE)
    return Seq2Seq(encoder, decoder)


def run(name: str, seed: int, settings: dict, data: Data) -> tuple[Seq2Seq, dict]:
    """Train and test one model from one seed."""
    vocab = data.source_vocab
    model, entries = train_model(
        lambda: build(name, len(vocab)),
        lambda order: ExtendedBatches(data.training, vocab, vocab, settings["tokens_per_batch"], order),
        seed,
        settings,
        description=name,
        loss=VARIANTS[name].loss,
    )
    sets = {set_name: measure(model, pairs, vocab, name) for set_name, pairs in data.sets.items()}
    return model, entries | {"vocabulary_size": len(vocab), "sets": sets}


def evaluation_sets(settings: dict) -> dict[str, list[Pair]]:
    """One set as long as in training; one of stories about many places, with longer lists."""
    size, longer = settings["test_pairs"], tuple(settings["places_longer"])
    lists = [pair for pair in headlines(4 * size, 3, "test", longer) if pair.target.count(",") + 2 >= longer[0]]
    return {"same": headlines(size, 2, "test", tuple(settings["places"])), "longer": lists[:size]}


def measure(model: Seq2Seq, pairs: list[Pair], vocab: Vocabulary, name: str) -> dict[str, dict[str, float]]:
    """The scores of the model's headlines, with <unk> replaced or not, and its alignment error rate."""
    batch = extend(pairs, vocab, vocab)
    longest = 2 * max(len(pair.target) for pair in pairs)
    ids, weights = greedy_copying(model, batch, longest, VARIANTS[name].choice)
    written = [decode(row, vocab, words) for row, words in zip(ids.tolist(), batch.unknown, strict=True)]
    scores = {name: score(written, pairs, vocab)}
    if name == "attention":
        replaced = [replace_unknown(*each) for each in zip(written, weights, pairs, strict=True)]
        scores["attention_replaced"] = score(replaced, pairs, vocab)
    with torch.no_grad():
        forced = model(batch.source, batch.source_lengths, batch.target_in).weights
    error = round(aer(links_of(forced, pairs), [pair.links for pair in pairs]), 4)
    return {way: values | {"aer": error} for way, values in scores.items()}


def score(written: Sequence[list[str]], pairs: Sequence[Pair], vocab: Vocabulary) -> dict[str, float]:
    references = [list(pair.target) for pair in pairs]
    scores = {
        "exact_match": exact_match(written, references),
        "rouge_1": rouge_n(written, references, 1),
        "rouge_2": rouge_n(written, references, 2),
        "rouge_l": rouge_l(written, references),
        "copied": copied_right(written, references, vocab),
        "repeated": repetition(written),
    }
    return {name: round(value, 4) for name, value in scores.items()}


def replace_unknown(tokens: Sequence[str], weights: Tensor, pair: Pair) -> list[str]:
    """Each <unk> becomes the source word with the largest weight at its step."""
    looked_at = weights[:, : len(pair.source)].argmax(dim=-1).tolist()
    return [pair.source[looked_at[step]] if token == UNKNOWN else token for step, token in enumerate(tokens)]


def copied_right(written: Sequence[Sequence[str]], references: Sequence[Sequence[str]], vocab: Vocabulary) -> float:
    """The share of the references' unknown words that are anywhere in the headline written for them."""
    hits = total = 0
    for ours, theirs in zip(written, references, strict=True):
        wanted = Counter(word for word in theirs if vocab.encode([word]) == [UNK])
        hits += (wanted & Counter(ours)).total()
        total += wanted.total()
    return hits / total


def repetition(written: Sequence[Sequence[str]]) -> float:
    """The share of words that occur earlier in the same headline; <unk> and MARKS are not counted."""
    repeated = total = 0
    for tokens in written:
        words = [word for word in tokens if word != UNKNOWN and word not in MARKS]
        repeated += len(words) - len(set(words))
        total += len(words)
    return repeated / max(1, total)


METRICS = ("exact_match", "rouge_1", "rouge_2", "rouge_l", "copied", "repeated", "aer")


def table(report: dict) -> str:
    rows = {
        (set_name, way): [run["sets"][set_name][way] | {"cpu_seconds": run["cpu_seconds"]} for run in runs]
        for set_name in ("same", "longer")
        for runs in report["models"].values()
        for way in runs[0]["sets"][set_name]
    }
    return tabulate(("test set", "model"), {metric: mean(".3f", metric) for metric in METRICS} | CPU_SECONDS, rows)


HEADLINES = Runs(
    name="headlines",
    title=__doc__.splitlines()[0],
    settings=SETTINGS,
    quick={"training_pairs": 300, "test_pairs": 5, "min_count": 5, "steps": 3},
    seeds=3,
    models=VARIANTS,
    data=data,
    run=run,
    record="model seed settings torch vocabulary_size parameters cpu_seconds training_loss",
    choices={"model": None},
    table=table,
)
