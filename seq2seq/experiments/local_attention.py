"""Global against local attention, and what local-p needs to find the right words.

    python -m seq2seq.experiments local_attention    # 4 models × 3 seeds, 2 core-minutes each
    python -m seq2seq.experiments local_p            # 7 models × 3 seeds, 2 core-minutes each

The window reaches D words to each side of its centre.
The record of a run has the distance of the centre from the gold position, and the share of gold links within the
window: no score can reach a word outside it.

In ``local_p`` the same model is trained in different ways: ``plain`` is the paper's local-p with its half width of 10.
The others change the training, not the model: a tenth of the learning rate for W_p and v_p (``slow``), a half width
that falls from 40 to the model's own over half of the budget (``wide``), both, or a pull towards the diagonal that
fades out over the first 30 % of the budget (``monotone``; with half the window, ``monotone_5``).
``global`` scores every word.
"""

import torch
from torch import Tensor

from seq2seq.batch import collate
from seq2seq.corpora.pair import Pair
from seq2seq.decoders.local import LocalMonotonicDecoder, LocalPredictiveDecoder
from seq2seq.experiments.recipe import SCORERS, Build, attentive, luong_bilinear
from seq2seq.experiments.study import LENGTHS, Variant, study
from seq2seq.experiments.tables import Column, tabulate
from seq2seq.experiments.trained import Data
from seq2seq.losses.local import LocalLoss
from seq2seq.model import Seq2Seq

HALF_WIDTH = 5  # D
PAPERS_HALF_WIDTH = 10
POSITION_SIZE = 16  # at the learning rate of the studies, 128 rows saturate the sigmoid before anything is learned


def local_p(half_width: int) -> Build:
    """The model of `recipe.luong_bilinear` with a window around a predicted position."""
    kind, bilinear = LocalPredictiveDecoder, SCORERS["bilinear"]
    return attentive(kind, bilinear, half_width=half_width, position_size=POSITION_SIZE)


@torch.no_grad()
def centres(model: Seq2Seq, pairs: list[Pair], data: Data) -> Tensor | None:
    """The centres of a teacher-forced pass, (pairs, target_len), counted from 0; None for global attention."""
    batch = collate(pairs, *data.vocabularies)
    if isinstance(model.decoder, LocalPredictiveDecoder):
        memory, state = model.read(batch.source, batch.source_lengths)
        return model.decoder.centres(batch.target_in, state, memory)
    if isinstance(model.decoder, LocalMonotonicDecoder):
        return torch.arange(batch.target_in.size(1)).expand(batch.target_in.shape)
    return None


def gold_centres(pair: Pair) -> dict[int, float]:
    """For each target word that has a link, the mean position of the source words it is linked to."""
    linked: dict[int, list[int]] = {}
    for source, target in pair.links:
        linked.setdefault(target, []).append(source)
    return {target: sum(sources) / len(sources) for target, sources in linked.items()}


def distances(positions: Tensor, pairs: list[Pair], half_width: int) -> dict[str, float]:
    """The mean distance of the centres from the gold ones, in words, and the share of gold links within the window."""
    rows = positions.tolist()
    from_gold = [
        abs(row[target] - gold)
        for row, pair in zip(rows, pairs, strict=True)
        for target, gold in gold_centres(pair).items()
    ]
    from_links = [
        abs(row[target] - source) for row, pair in zip(rows, pairs, strict=True) for source, target in pair.links
    ]
    return {
        "mean_distance": round(sum(from_gold) / len(from_gold), 3),
        "links_in_window": round(sum(distance <= half_width for distance in from_links) / len(from_links), 4),
    }


def measure(model: Seq2Seq, data: Data) -> dict:
    """The entry "centres" of a record, by length; empty for global attention."""
    model.eval()
    decoder = model.decoder
    if not isinstance(decoder, LocalMonotonicDecoder | LocalPredictiveDecoder):
        return {}
    by_length = {}
    for name, pairs in data.sets.items():
        positions = centres(model, pairs, data)
        if positions is not None:
            by_length[name] = distances(positions, pairs, decoder.half_width)
    return {"half_width": decoder.half_width, "centres": by_length}


def centre(length: str) -> Column:
    """Distance of the centre from the gold one and links within the window, for the first seed."""

    def column(runs: list[dict]) -> str:
        row = runs[0]["centres"][length]
        return f"{row['mean_distance']:.1f}; {row['links_in_window']:.0%}"

    return column


def table(models: dict[str, list[dict]]) -> str:
    """The centres by length."""
    local = {(name, runs[0]["half_width"]): runs for name, runs in models.items() if "centres" in runs[0]}
    return tabulate(("model", "D"), {length: centre(length) for length in LENGTHS}, local) if local else ""


LOCAL_M = attentive(LocalMonotonicDecoder, SCORERS["bilinear"], half_width=HALF_WIDTH)  # around the target's own
SPEED = {"global": 3400, "local_p": 3150}  # steps per minute
PREDICTIVE = Variant("local_p", local_p(HALF_WIDTH), SPEED["local_p"])
LOCAL_ATTENTION = study(
    "local_attention",
    "Global against local attention: general scores over all words, around the target position, or a predicted one.",
    [
        Variant("global", luong_bilinear, SPEED["global"]),
        Variant("local_m", LOCAL_M, SPEED["global"]),
        PREDICTIVE,
        Variant("local_p_wide", local_p(PAPERS_HALF_WIDTH), SPEED["local_p"]),
    ],
    measure=measure,
    measured=table,
)

SLOW = {"rate_factors": {"decoder.predictor": 0.1}}
PULL, FIRST_HALF_WIDTH = 20.0, 40
NARROW = 5


def variant(name: str, loss: LocalLoss, overrides: dict | None = None) -> Variant:
    return Variant(name, local_p(loss.half_width), SPEED["local_p"], loss, overrides or {})


WIDE = LocalLoss(PAPERS_HALF_WIDTH, first_half_width=FIRST_HALF_WIDTH)
LOCAL_P = study(
    "local_p",
    "What local-p needs to find the right words: the same model trained in different ways, three seeds each.",
    [
        Variant("global", luong_bilinear, SPEED["global"]),
        variant("monotone", LocalLoss(PAPERS_HALF_WIDTH, PULL)),
        variant("plain", LocalLoss(PAPERS_HALF_WIDTH)),
        variant("slow_wide", WIDE, SLOW),
        variant("slow", LocalLoss(PAPERS_HALF_WIDTH), SLOW),
        variant("wide", WIDE),
        variant("monotone_5", LocalLoss(NARROW, PULL)),
    ],
    smoke=("monotone", "slow_wide"),
    measure=measure,
    measured=table,
)
