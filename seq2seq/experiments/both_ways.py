"""Alignment from the combined weights of two models, one for each direction of translation.

    python -m seq2seq.experiments both_ways    # 2 wirings × 3 seeds, 4 core-minutes each

Statistical aligners have long been run in both directions and combined (Och & Ney, 2003).
Here one model translates from English to French and another from French to English, each trained as in
``length_curve``; the weights are those of forced decoding of the test sentences.
``forwards`` links each French word to the English word with its largest weight, ``backwards`` each English word to a
French one; ``mean`` and ``product`` link each French word by the mean or the product of both models' weights; ``both``
keeps the links on which the two agree, ``either`` all links.
"""

from torch import Tensor

from seq2seq.alignment import Links, aer, hard_links
from seq2seq.corpora.pair import Pair
from seq2seq.evaluation.word_aligner import exchanged, turned
from seq2seq.experiments.evaluation import forced_weights
from seq2seq.experiments.length_curve import STEPS_PER_MINUTE
from seq2seq.experiments.recipe import MODELS
from seq2seq.experiments.runs import Runs
from seq2seq.experiments.study import QUICK, SETTINGS, Variant, prepare
from seq2seq.experiments.study import run as train_variant
from seq2seq.experiments.tables import count, mean, of_runs
from seq2seq.experiments.trained import Data
from seq2seq.model import Seq2Seq

WIRINGS = ("luong_bilinear", "bahdanau")
WAYS = ("forwards", "backwards", "mean", "product", "both", "either")


def other_way(data: Data) -> Data:
    sets = {name: [turned(pair) for pair in pairs] for name, pairs in data.sets.items()}
    return Data([turned(pair) for pair in data.training], sets, data.target_vocab, data.source_vocab)


def links(forwards: Tensor, backwards: Tensor) -> dict[str, Links]:
    """The links of one sentence, by each method of combination.

    Shape:
        forwards: (target_len, source_len), weights over source words
        backwards: (source_len, target_len), weights over target words
    """
    target_length, source_length = forwards.shape
    ahead = hard_links(forwards, source_length, target_length)
    back = exchanged(hard_links(backwards, target_length, source_length))
    return {
        "forwards": ahead,
        "backwards": back,
        "mean": hard_links(forwards + backwards.T, source_length, target_length),
        "product": hard_links(forwards * backwards.T, source_length, target_length),
        "both": ahead & back,
        "either": ahead | back,
    }


def weights(model: Seq2Seq, pairs: list[Pair], data: Data) -> list[Tensor]:
    """The weights of each pair, (target_len, source_len), without the row of EOS."""
    forced = forced_weights(model, pairs, *data.vocabularies)
    return [rows[:-1] for rows in forced or []]


def run(wiring: str, seed: int, settings: dict, data: Data) -> tuple[None, dict]:
    """Train both models of a wiring from one seed; the error rate of each method of combination, by length."""
    turned_data = other_way(data)
    variant = Variant(wiring, MODELS[wiring], STEPS_PER_MINUTE[wiring])
    ahead, record = train_variant(variant, seed, settings, data)
    back, other_record = train_variant(variant, seed, settings, turned_data)
    errors: dict[str, dict[str, float]] = {way: {} for way in WAYS}
    for name, pairs in data.sets.items():
        both = zip(weights(ahead, pairs, data), weights(back, turned_data.sets[name], turned_data), strict=True)
        combined = [links(*sentence) for sentence in both]
        for way in WAYS:
            errors[way][name] = round(aer([each[way] for each in combined], [pair.links for pair in pairs]), 4)
    bleu = {"forwards": record["bleu"], "backwards": other_record["bleu"]}
    seconds = round(record["cpu_seconds"] + other_record["cpu_seconds"], 1)
    return None, {"aer": errors, "bleu": bleu, "cpu_seconds": seconds}


BOTH_WAYS = Runs(
    name="both_ways",
    title=__doc__.splitlines()[0],
    settings=SETTINGS | {"minutes": 2.0},
    quick=QUICK | {"minutes": 0.001},
    seeds=3,
    models=WIRINGS,
    data=lambda settings, options: prepare(settings),
    run=run,
    record="seed settings aer bleu cpu_seconds",
    table=of_runs({"seeds": count} | {way: mean(".3f", "aer", way, "*") for way in WAYS}, ("AER",)),
)
