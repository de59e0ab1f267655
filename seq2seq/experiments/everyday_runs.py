"""The runs of :mod:`seq2seq.experiments.everyday`: one model or aligner, in one direction, from one seed.

Links and error rates are those of English to French, whichever way a model translates.
"""

from collections.abc import Sequence
from pathlib import Path

from torch import Tensor

from seq2seq.alignment import Links, aer, soft_aer
from seq2seq.batch import token_batches
from seq2seq.corpora.everyday import everyday
from seq2seq.corpora.grammar import corpus
from seq2seq.corpora.hansards import AlignedPair
from seq2seq.corpora.pair import Pair
from seq2seq.corpora.tatoeba import tatoeba
from seq2seq.evaluation.word_aligner import WordAligner, exchanged
from seq2seq.experiments.both_ways import other_way
from seq2seq.experiments.evaluation import forced_weights, links_of, translate
from seq2seq.experiments.recipe import MODELS
from seq2seq.experiments.trained import Data, train_on, with_vocabularies
from seq2seq.metrics import bleu, perplexity
from seq2seq.model import Seq2Seq

ALIGNER = "aligner"
MARKS = frozenset(".,?!")
SHIFTS = {"aer_shift_-1": -1, "aer": 0, "aer_shift_+1": 1}


def gold_pairs(settings: dict) -> list[AlignedPair]:
    """The everyday sentences; those of a smoke test are from the grammar, with all links sure."""
    if settings["corpus"] == "tatoeba":
        return everyday()
    return [AlignedPair(pair.source, pair.target, pair.links, pair.links) for pair in corpus(5, 2, (4, 12))]


def prepare(settings: dict, zipped: Path | None, test: Sequence[AlignedPair]) -> Data:
    """Pairs of training and validation, without twins of the test pairs, and the vocabularies of the training."""
    if settings["corpus"] == "tatoeba":
        splits = tatoeba(zipped, settings["corpus_seed"])
        training, validation = splits["train"], splits["val"]
    else:
        training, validation = corpus(200, 0, (4, 12)), corpus(5, 1, (4, 12))
    training = without_twins(training, test)
    sets: dict[str, list[Pair]] = {"validation": validation[: settings["validation_pairs"]], "test": list(test)}
    return with_vocabularies(training, sets, settings["min_count"])


def without_twins(pairs: Sequence[Pair], test: Sequence[Pair]) -> list[Pair]:
    """The pairs that have neither the source nor the target of a test pair, punctuation and case aside."""

    def bare(side: Sequence[str]) -> tuple[str, ...]:
        return tuple(word.lower() for word in side if word not in MARKS)

    sources, targets = {bare(pair.source) for pair in test}, {bare(pair.target) for pair in test}
    return [pair for pair in pairs if bare(pair.source) not in sources and bare(pair.target) not in targets]


def way_of(data: Data, way: str) -> Data:
    """The data for the direction; the sentences of "backwards" are from French to English."""
    return data if way == "forwards" else other_way(data)


def run_model(
    name: str, way: str, seed: int, settings: dict, data: Data, gold: Sequence[AlignedPair]
) -> tuple[Seq2Seq, dict]:
    """Train one model in one direction and align the test pairs."""
    data = way_of(data, way)
    test, vocabs = data.sets["test"], data.vocabularies
    model, entries = train_on(data, MODELS[name], seed, settings, description=f"{name}, {way}")
    weights = forced_weights(model, test, *vocabs) or []
    return model, entries | {
        "vocabulary_sizes": [len(vocab) for vocab in vocabs],
        "training_pairs": len(data.training),
        "perplexity": round(perplexity(model, token_batches(data.sets["validation"], *vocabs, 4000)), 3),
        "bleu": round(bleu(translate(model, test, *vocabs), [pair.target for pair in test]), 2),
        **aligned(weights, test, way, gold, settings["examples"]),
    }


def aligned(
    weights: Sequence[Tensor], test: Sequence[Pair], way: str, gold: Sequence[AlignedPair], examples: Sequence[int]
) -> dict:
    """What the weights of forced decoding say: error rates, the links, and the weights of the examples by number.

    Shape:
        weights: for each test pair (target_len + 1, source_len), the last row that of EOS
    """
    links = {
        metric: [as_english_to_french(each, way) for each in links_of(weights, test, shift)]
        for metric, shift in SHIFTS.items()
    }
    sure, possible = [pair.links for pair in gold], [pair.possible for pair in gold]
    rates = {metric: aer(each, sure, possible) for metric, each in links.items()}
    tables = [rows[:-1] if way == "forwards" else rows[:-1].T for rows in weights]
    rates["soft_aer"] = soft_aer(tables, sure, possible)
    return {
        **{metric: round(rate, 4) for metric, rate in rates.items()},
        "links": [written(each) for each in links["aer"]],
        "examples": {str(number): rounded(weights[number]) for number in examples},
    }


def of_aligner(settings: dict) -> dict:
    """The settings on which the aligner's links depend."""
    return {key: settings[key] for key in ("corpus", "corpus_seed", "min_count", "examples", "gold_fingerprint")}


def run_aligner(way: str, settings: dict, data: Data) -> dict:
    """Train the statistical aligner in one direction and align the test pairs.

    A row of an example's weights sums to less than 1: what is missing is the share of "nowhere".
    """
    data = way_of(data, way)
    test = data.sets["test"]
    aligner = WordAligner(data.training, *data.vocabularies)
    return {
        "training_pairs": len(data.training),
        "links": [written(as_english_to_french(aligner.links(pair), way)) for pair in test],
        "examples": {str(number): rounded(aligner.weights(test[number])[:, 1:]) for number in settings["examples"]},
    }


def rounded(rows: Tensor) -> list[list[float]]:
    return [[round(weight, 3) for weight in row] for row in rows.tolist()]


def as_english_to_french(links: Links, way: str) -> Links:
    return links if way == "forwards" else exchanged(links)


def written(links: Links) -> str:
    """Links as the corpus writes them: ``0-0 1-2``."""
    return " ".join(f"{source}-{target}" for source, target in sorted(links))


def read_links(text: str) -> Links:
    pairs = (link.split("-") for link in text.split())
    return frozenset((int(source), int(target)) for source, target in pairs)
