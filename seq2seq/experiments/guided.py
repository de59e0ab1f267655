"""Guided alignment: the effect of given links on the alignment error rate and on the translation.

    python -m seq2seq.experiments guided    # 6 models × 3 seeds, 2 core-minutes each

The models, steps and seeds are those of ``length_curve``, where the same two models are trained without guidance.
``gold``: the grammar's own links of every training sentence.
``few``: the links of a thousand of them, as a person might annotate by hand.
``aligner``: the links that a statistical word aligner finds in 10,000 pairs, both directions combined; no annotation.
The record of a run also has the aligner's own error rates on the test sentences.
"""

from collections.abc import Callable
from dataclasses import replace

from seq2seq.alignment import aer
from seq2seq.corpora.pair import Pair
from seq2seq.evaluation.word_aligner import WordAligner, turned, union_links
from seq2seq.experiments.length_curve import STEPS_PER_MINUTE
from seq2seq.experiments.recipe import MODELS
from seq2seq.experiments.study import Variant, study
from seq2seq.experiments.tables import markdown, mean
from seq2seq.experiments.trained import Data
from seq2seq.losses.guided import GuidedLoss
from seq2seq.model import Seq2Seq

WEIGHT = 1.0
FEW, ALIGNED = 1_000, 10_000


def aligners(data: Data) -> tuple[WordAligner, WordAligner]:
    pairs = data.training[:ALIGNED]
    forwards = WordAligner(pairs, *data.vocabularies)
    return forwards, WordAligner([turned(pair) for pair in pairs], data.target_vocab, data.source_vocab)


def aligned(data: Data) -> list[Pair]:
    both = aligners(data)
    return [replace(pair, links=union_links(*both, pair)) for pair in data.training[:ALIGNED]]


def guided_by(linked: Callable[[Data], list[Pair]]) -> Callable[[Data], GuidedLoss]:
    return lambda data: GuidedLoss(linked(data), *data.vocabularies, WEIGHT)


GUIDES: dict[str, Callable[[Data], list[Pair]]] = {  # the pairs whose links guide
    "gold": lambda data: data.training,
    "few": lambda data: data.training[:FEW],
    "aligner": aligned,
}
MODELS_GUIDED = ("luong_bilinear", "bahdanau")


def measure(model: Seq2Seq, data: Data) -> dict[str, dict[str, float]]:
    """The error rates of the aligner itself on the test sentences, in one direction and combined."""
    forwards, backwards = aligners(data)
    errors: dict[str, dict[str, float]] = {"aligner_aer": {}, "both_aligners_aer": {}}
    for name, pairs in data.sets.items():
        links = [pair.links for pair in pairs]
        errors["aligner_aer"][name] = round(aer([forwards.links(pair) for pair in pairs], links), 4)
        both = [union_links(forwards, backwards, pair) for pair in pairs]
        errors["both_aligners_aer"][name] = round(aer(both, links), 4)
    return errors


def table(models: dict[str, list[dict]]) -> str:
    """The aligner's own error rates, the same in every run."""
    first_run = next(iter(models.values()))[:1]
    rows = [(name, mean(".3f", name, "*")(first_run)) for name in ("aligner_aer", "both_aligners_aer")]
    return markdown(("the aligner itself", "AER"), rows)


GUIDED = study(
    "guided",
    __doc__.splitlines()[0],
    [
        Variant(f"{model}_{guide}", MODELS[model], STEPS_PER_MINUTE[model], loss_of=guided_by(linked))
        for guide, linked in GUIDES.items()
        for model in MODELS_GUIDED
    ],
    saved=("bahdanau_gold",),
    smoke=("luong_bilinear_few", "bahdanau_aligner"),
    measure=measure,
    measured=table,
)
