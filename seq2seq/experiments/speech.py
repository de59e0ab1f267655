"""Speech-like frames: attention by content alone, and by content and location, on inputs up to 4 times as long.

    python -m seq2seq.experiments speech    # 2 models × 3 seeds, about a minute on one core each

The scores of one model are additive; those of the other also see the weights of the step before, through a convolution
(Chorowski et al., 2015).
A step of the second costs more, so the first gets more of them: both have about the same time.
"""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from seq2seq.beyond.speech import FrameEncoder, UtteranceBatches, collate_utterances, weight_on_spans
from seq2seq.corpora.speech import FEATURES, SYMBOLS, Utterance, utterances
from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.decoder import Decoder
from seq2seq.decoders.location_aware import LocationAwareDecoder
from seq2seq.evaluation.edit_distance import symbol_error_rate
from seq2seq.experiments.recipe import RESULTS, with_weights
from seq2seq.experiments.runs import Runs
from seq2seq.experiments.tables import CPU_SECONDS, PARAMETERS, mean, tabulate
from seq2seq.experiments.trained import train_model
from seq2seq.model import Seq2Seq
from seq2seq.scorers import AdditiveScorer
from seq2seq.search import greedy
from seq2seq.vocab import Vocabulary

VOCAB = Vocabulary(SYMBOLS)
EMBEDDING_SIZE, SIZE, ATTENTION_SIZE = 16, 64, 32  # SIZE: both directions of the encoder together, and the decoder
SETTINGS: dict = {
    "training_utterances": 12_000,
    "training_symbols": [2, 8],
    "training_seed": 1,
    "test_utterances": 200,  # per number of symbols
    "test_symbols": [4, 8, 16, 32],
    "test_seed": 1001,
    "utterances_per_batch": 16,
    "learning_rate": 5e-3,
    "steps": {"content": 2400, "location_aware": 1200},
    "threads": 1,
}
METRICS = {"error_rate": "errors", "weight_on_frames": "weight", "weight_near": "near"}


def content() -> Decoder:
    scorer = AdditiveScorer(SIZE, SIZE, ATTENTION_SIZE)
    return BahdanauDecoder(len(VOCAB), EMBEDDING_SIZE, SIZE, SIZE, scorer)


def location_aware() -> Decoder:
    return LocationAwareDecoder(len(VOCAB), EMBEDDING_SIZE, SIZE, SIZE, ATTENTION_SIZE)


MODELS = {"content": content, "location_aware": location_aware}


def build(name: str) -> Seq2Seq:
    """An untrained model by name; call ``torch.manual_seed`` first."""
    return Seq2Seq(FrameEncoder(FEATURES, EMBEDDING_SIZE, SIZE // 2), MODELS[name]())


def load_trained(name: str, folder: Path = RESULTS / "speech") -> Seq2Seq:
    """A trained model, in evaluation mode; its vocabulary is VOCAB."""
    return with_weights(build(name), folder / f"{name}.pt")


def draw_test_sets(settings: dict) -> dict[str, list[Utterance]]:
    """Utterances for each number of symbols; their noise is new, so none was trained on."""
    return {
        f"{count}": utterances(settings["test_utterances"], settings["test_seed"] + count, (count, count))
        for count in settings["test_symbols"]
    }


@torch.no_grad()
def evaluate(model: Seq2Seq, sets: dict[str, list[Utterance]]) -> dict[str, dict[str, float]]:
    """By number of symbols: errors and length of greedy decoding, and where the weights of forced decoding lie."""
    model.eval()
    scores: dict[str, dict[str, float]] = {name: {} for name in ("error_rate", "written", *list(METRICS)[1:])}
    for name, spoken in sets.items():
        batch = collate_utterances(spoken, VOCAB)
        ids, _ = greedy(model, batch.source, batch.source_lengths, max_length=2 * batch.target_in.size(1))
        written = [VOCAB.decode(row) for row in ids.tolist()]
        scores["error_rate"][name] = round(symbol_error_rate(written, [each.symbols for each in spoken]), 4)
        scores["written"][name] = round(sum(map(len, written)) / len(spoken), 2)
        _, weights = model(batch.source, batch.source_lengths, batch.target_in)
        assert weights is not None
        scores["weight_on_frames"][name] = round(weight_on_spans(weights, spoken), 4)
        scores["weight_near"][name] = round(weight_on_spans(weights, spoken, neighbours=1), 4)
    return scores


@torch.no_grad()
def place_error(encoder: FrameEncoder, fitted: Sequence[Utterance], tried: Sequence[Utterance]) -> float:
    """Whether the states know their place: how many frames a linear function of the states is off, on average.

    The function is fitted by least squares to the places in one set of utterances and tried on another set.
    """
    states, places = _states_and_places(encoder, fitted)
    line = torch.linalg.lstsq(states, places, driver="gelsd").solution
    states, places = _states_and_places(encoder, tried)
    return (states @ line - places).abs().mean().item()


def _states_and_places(encoder: FrameEncoder, spoken: Sequence[Utterance]) -> tuple[Tensor, Tensor]:
    """The states of all frames with a 1 behind each, (frames, SIZE + 1), and their places from 0, (frames, 1)."""
    batch = collate_utterances(spoken, VOCAB)
    states, _ = encoder(batch.source, batch.source_lengths)
    states = F.pad(states, (0, 1), value=1.0)[batch.source_mask]
    places = torch.arange(batch.source.size(1)).expand_as(batch.source_mask)[batch.source_mask]
    return states.double(), places.double().unsqueeze(1)


class Data(NamedTuple):
    training: list[Utterance]
    sets: dict[str, list[Utterance]]


def data(settings: dict, options: argparse.Namespace) -> Data:
    spoken = utterances(settings["training_utterances"], settings["training_seed"], tuple(settings["training_symbols"]))
    return Data(spoken, draw_test_sets(settings))


def run(name: str, seed: int, settings: dict, data: Data) -> tuple[Seq2Seq, dict]:
    """Train and test one model from one seed."""
    model, entries = train_model(
        lambda: build(name),
        lambda order: UtteranceBatches(data.training, VOCAB, settings["utterances_per_batch"], order),
        seed,
        settings,
        description=name,
        steps=settings["steps"][name],
    )
    started = time.process_time()
    scores = evaluate(model, data.sets)
    return model, entries | {"test_cpu_seconds": round(time.process_time() - started, 1)} | scores


def table(report: dict) -> str:
    """Means over the seeds, by number of symbols."""
    counts = report["models"]["content"][0]["error_rate"]
    columns = {f"{head}, {n}": mean(".3f", metric, n) for metric, head in METRICS.items() for n in counts}
    return tabulate(("model",), columns | PARAMETERS | CPU_SECONDS, report["models"])


SPEECH = Runs(
    name="speech",
    title=__doc__.splitlines()[0],
    settings=SETTINGS,
    quick={"training_utterances": 50, "test_utterances": 3, "steps": dict.fromkeys(MODELS, 3)},
    seeds=3,
    models=MODELS,
    data=data,
    run=run,
    record="model seed settings torch parameters cpu_seconds test_cpu_seconds training_loss",
    saved={name: f"speech/{name}.pt" for name in MODELS},
    table=table,
)
