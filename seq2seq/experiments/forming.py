"""How an alignment forms: the Bahdanau model of the length curve, asked on the way what it looks at and says.

    python -m seq2seq.experiments forming    # 3 minutes on one core

The weights are those of forced decoding: before each word of the reference, what the model looks at.
Asking changes nothing in the training: after the last step it is the model of the length curve with the same seed.
"""

import argparse
from typing import Any

import torch
from torch import Tensor

from seq2seq.batch import Batch
from seq2seq.corpora.pair import Pair
from seq2seq.dropout import without_dropout
from seq2seq.experiments.evaluation import forced_weights, translate
from seq2seq.experiments.experiment import Measurement
from seq2seq.experiments.recipe import bahdanau
from seq2seq.experiments.study import QUICK, SETTINGS, Variant, prepare, run
from seq2seq.experiments.trained import Data
from seq2seq.metrics import bleu
from seq2seq.model import Seq2Seq
from seq2seq.training import forced_loss

SEED = 0
STEPS = (0, 100, 200, 300, 400, 500, 600, 800, 1000, 1400, 2000, 3000, 4200)  # after so many the model is asked
SENTENCES = (  # of the test set of short ones: an order that turns round, a negation in two words, a genitive
    "the sad american hero is going to walk .",
    "he never wrote this strange poem .",
    "anna 's dogs did not arrive yesterday .",
)
BUCKET = "4-10"


def asked(model: Seq2Seq, step: int, pairs: list[Pair], data: Data) -> dict[str, Any]:
    """What the model looks at and says after so many steps, and its BLEU on all unseen sentences of their length."""
    vocabularies = data.source_vocab, data.target_vocab
    with without_dropout(model), torch.no_grad():
        hypotheses = translate(model, data.sets[BUCKET], *vocabularies)
        weights = forced_weights(model, pairs, *vocabularies)
        assert weights is not None
        return {
            "step": step,
            "bleu": round(bleu(hypotheses, [pair.target for pair in data.sets[BUCKET]]), 1),
            "says": [" ".join(words) for words in translate(model, pairs, *vocabularies)],
            "weights": [[[round(weight, 3) for weight in row] for row in rows.tolist()] for rows in weights],
        }


def chosen(data: Data, sentences: tuple[str, ...] = SENTENCES) -> list[Pair]:
    """The test pairs of these sentences.

    Raises:
        ValueError: a sentence is not in the test set.
    """
    by_source = {" ".join(pair.source): pair for pair in data.sets[BUCKET]}
    if missing := [sentence for sentence in sentences if sentence not in by_source]:
        raise ValueError(f"sentences: got {missing}, which are not among the test sentences of {BUCKET} words.")
    return [by_source[sentence] for sentence in sentences]


def form(settings: dict, data: Data, pairs: list[Pair], steps: tuple[int, ...]) -> dict[str, Any]:
    """Train, ask after each of ``steps``, the last of which ends the training; returns the report."""
    answers: list[dict[str, Any]] = []
    taken = 0

    def watched(model: Seq2Seq, batch: Batch, progress: float) -> Tensor:
        nonlocal taken
        if taken in steps:
            answers.append(asked(model, taken, pairs, data))
        taken += 1
        return forced_loss(model, batch, progress)

    variant = Variant("bahdanau", bahdanau, steps_per_minute=steps[-1], loss=watched)
    model, _ = run(variant, SEED, settings | {"minutes": 1}, data)
    answers.append(asked(model, taken, pairs, data))
    return {
        "settings": settings,
        "seed": SEED,
        "torch": torch.__version__,
        "sentences": [{"source": pair.source, "target": pair.target, "links": sorted(pair.links)} for pair in pairs],
        "after": answers,
    }


def measure(settings: dict, options: argparse.Namespace) -> dict:
    data = prepare(settings)
    if options.quick:
        return form(settings, data, data.sets[BUCKET], (0, 1, 2))
    return form(settings, data, chosen(data), STEPS)


FORMING = Measurement(
    name="forming",
    title=__doc__.splitlines()[0],
    settings=SETTINGS,
    quick=QUICK,
    measure=measure,
    table=lambda report: "\n".join(
        f"{answer['step']:5}: BLEU {answer['bleu']:5.1f}   {answer['says'][0]}" for answer in report["after"]
    ),
)
