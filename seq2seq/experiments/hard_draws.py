"""Hard attention trained by draws: the effect of the score function's baseline.

    python -m seq2seq.experiments.hard_draws            # 5 models × 3 seeds, 4 core-minutes each
    python -m seq2seq.experiments.hard_draws --quick    # a smoke test of seconds, results in a temporary folder

All have Luong's wiring, general scores and the same parameters, as in ``soft_hard``, and twice its budget.
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
from seq2seq.decoders.hard import HardAttentionDecoder
from seq2seq.decoders.luong import LuongDecoder
from seq2seq.experiments.soft_hard import with_decoder
from seq2seq.experiments.study import Data, Study, Variant
from seq2seq.hard.variance import leave_one_out_variance, one_draw_variance
from seq2seq.losses.hard import GumbelLoss, LeaveOneOutLoss, ScoreFunctionLoss, SoftBaselineLoss
from seq2seq.model import Seq2Seq

DRAWS = 4
MEASURED = {"4-10": 20, "11-20": 10}  # sentences, by length
build_hard = with_decoder(HardAttentionDecoder)


@torch.no_grad()
def variances(model: Seq2Seq, pairs: list[Pair], data: Data) -> dict[str, float]:
    """The variance of the estimate of one word's gradient at the scores, mean over all words, by baseline."""
    batch = collate(pairs, data.source_vocab, data.target_vocab)
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
    found: dict[str, Tensor] = {
        "no_baseline": one_draw_variance(weights, likelihoods),
        "mean_of_all_words": one_draw_variance(weights, likelihoods, (weights * likelihoods).sum(-1).mean()),
        "soft_look": one_draw_variance(weights, likelihoods, soft),
        f"leave_one_out_{DRAWS}": leave_one_out_variance(weights, likelihoods, DRAWS),
        "squared_gradient": exact.square().sum(-1),
    }
    return {name: round(values.mean().item(), 6) for name, values in found.items()}


def measure(model: Seq2Seq, data: Data) -> dict:
    """The entry "variance" of a record, before and after training; empty for soft attention."""
    if not isinstance(model.decoder, HardAttentionDecoder):
        return {}
    torch.manual_seed(0)
    fresh = build_hard(len(data.source_vocab), len(data.target_vocab)).eval()
    pairs = [pair for length, count in MEASURED.items() for pair in data.sets[length][:count]]
    return {"variance": {"before": variances(fresh, pairs, data), "after": variances(model.eval(), pairs, data)}}


def table(models: dict[str, list[dict]]) -> str:
    """The variances, means over seeds."""
    drawn = {name: runs for name, runs in models.items() if "variance" in runs[0]}
    if not drawn:
        return ""
    entries = list(next(iter(drawn.values()))[0]["variance"]["after"])
    lines = ["| model | when | " + " | ".join(entries) + " |", "|---" * (2 + len(entries)) + "|"]
    for name, runs in drawn.items():
        for when in ("before", "after"):
            means = [sum(run["variance"][when][entry] for run in runs) / len(runs) for entry in entries]
            lines.append(f"| {name} | {when} | " + " | ".join(f"{mean:.4f}" for mean in means) + " |")
    return "\n".join(lines)


STUDY = Study(
    name="hard_draws",
    title=__doc__.splitlines()[0],
    variants=[
        Variant("soft", with_decoder(LuongDecoder), 3300),
        Variant("moving_average", build_hard, 3000, ScoreFunctionLoss()),
        Variant("leave_one_out", build_hard, 1300, LeaveOneOutLoss(DRAWS)),
        Variant("soft_baseline", build_hard, 2400, SoftBaselineLoss()),
        Variant("gumbel", build_hard, 2700, GumbelLoss()),
    ],
    seeds=3,
    minutes=4.0,
    smoke=("leave_one_out", "soft_baseline"),
    measure=measure,
    measured=table,
)


if __name__ == "__main__":
    STUDY.main()
