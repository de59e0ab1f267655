"""Soft attention against hard: how hard attention is trained, and what the score function's baseline does.

    python -m seq2seq.experiments soft_hard     # 3 models × 3 seeds, 2 core-minutes each
    python -m seq2seq.experiments hard_draws    # 5 models × 3 seeds, 4 core-minutes each

All have Luong's wiring, general scores and the same parameters.
They differ in the context and in how it is learned.
The exact sum over all positions needs a softmax over the vocabulary for each: about 130 steps per minute, too few.

``hard_draws`` has twice the budget.
``moving_average`` is the recipe of Xu et al. (2015): one baseline for all words, half of the sentences soft.
``leave_one_out`` draws four positions for each word, each with the other three as baseline, never soft attention.
``soft_baseline`` makes one draw, with soft attention's log-likelihood as baseline, and starts with soft attention.
``gumbel`` has no score function: it draws in the forward pass and uses the Gumbel softmax in the backward pass.
All but ``soft`` translate from the one position with the largest weight.
The record of a run has the variance of the score-function estimate of one word, before and after training.
"""

import torch
from torch import Tensor

from seq2seq.batch import collate
from seq2seq.corpora.pair import Pair
from seq2seq.decoders.hard import HardAttentionDecoder, MarginalAttentionDecoder
from seq2seq.experiments.recipe import SCORERS, attentive, luong_bilinear
from seq2seq.experiments.study import Variant, study
from seq2seq.experiments.tables import mean, tabulate
from seq2seq.experiments.trained import Data
from seq2seq.hard.variance import leave_one_out_variance, one_draw_variance
from seq2seq.losses.hard import BestPositionsLoss, GumbelLoss, LeaveOneOutLoss, ScoreFunctionLoss, SoftBaselineLoss
from seq2seq.model import Seq2Seq

HARD = attentive(HardAttentionDecoder, SCORERS["bilinear"])
SOFT_HARD = study(
    "soft_hard",
    "Soft attention against hard: trained with the score function, and by a sum over the best positions.",
    [
        Variant("soft", luong_bilinear, 3300),
        Variant("score_function", HARD, 3000, ScoreFunctionLoss()),
        Variant("best_positions", attentive(MarginalAttentionDecoder, SCORERS["bilinear"]), 1000, BestPositionsLoss()),
    ],
)

DRAWS = 4
MEASURED = {"4-10": 20, "11-20": 10}  # sentences, by length
BASELINES = ("no_baseline", "mean_of_all_words", "soft_look", f"leave_one_out_{DRAWS}", "squared_gradient")


@torch.no_grad()
def variances(model: Seq2Seq, pairs: list[Pair], data: Data) -> dict[str, float]:
    """The variance of the estimate of one word's gradient at the scores, mean over all words, by baseline."""
    batch = collate(pairs, *data.vocabularies)
    memory, state = model.read(batch.source, batch.source_lengths)
    decoder = model.decoder
    assert isinstance(decoder, HardAttentionDecoder)
    hidden, log_weights = decoder.decide(batch.target_in, state, memory)
    real = batch.target_mask
    weights = log_weights.exp()
    positions = decoder.every_position(hidden, memory)[real]
    likelihoods = decoder.log_likelihoods(positions, batch.target_out[real])
    soft_logits = decoder.look(weights, hidden, memory)[real]
    soft = torch.log_softmax(soft_logits, -1).gather(-1, batch.target_out[real].unsqueeze(-1)).squeeze(-1)
    weights = weights[real]
    exact = weights * (likelihoods - (weights * likelihoods).sum(-1, keepdim=True))
    measures: list[Tensor] = [
        one_draw_variance(weights, likelihoods),
        one_draw_variance(weights, likelihoods, (weights * likelihoods).sum(-1).mean()),
        one_draw_variance(weights, likelihoods, soft),
        leave_one_out_variance(weights, likelihoods, DRAWS),
        exact.square().sum(-1),
    ]
    return {name: round(values.mean().item(), 6) for name, values in zip(BASELINES, measures, strict=True)}


def measure(model: Seq2Seq, data: Data) -> dict:
    """The entry "variance" of a record, before and after training; empty for soft attention."""
    if not isinstance(model.decoder, HardAttentionDecoder):
        return {}
    torch.manual_seed(0)
    fresh = HARD(len(data.source_vocab), len(data.target_vocab)).eval()
    pairs = [pair for length, count in MEASURED.items() for pair in data.sets[length][:count]]
    return {"variance": {"before": variances(fresh, pairs, data), "after": variances(model.eval(), pairs, data)}}


def table(models: dict[str, list[dict]]) -> str:
    """The variances, means over seeds."""
    drawn = {name: [run["variance"] for run in runs] for name, runs in models.items() if "variance" in runs[0]}
    rows = {(name, when): [each[when] for each in runs] for name, runs in drawn.items() for when in ("before", "after")}
    return tabulate(("model", "when"), {name: mean(".4f", name) for name in BASELINES}, rows) if rows else ""


HARD_DRAWS = study(
    "hard_draws",
    "Hard attention trained by draws: the effect of the score function's baseline.",
    [
        Variant("soft", luong_bilinear, 3300),
        Variant("moving_average", HARD, 3000, ScoreFunctionLoss()),
        Variant("leave_one_out", HARD, 1300, LeaveOneOutLoss(DRAWS)),
        Variant("soft_baseline", HARD, 2400, SoftBaselineLoss()),
        Variant("gumbel", HARD, 2700, GumbelLoss()),
    ],
    minutes=4.0,
    smoke=("leave_one_out", "soft_baseline"),
    measure=measure,
    measured=table,
)
