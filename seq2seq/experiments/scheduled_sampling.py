"""Teacher forcing against scheduled sampling, with the linear schedule of Bengio et al. (2015), at equal time.

    python -m seq2seq.experiments scheduled_sampling    # 3 models × 3 seeds, 2 core-minutes each

A step of scheduled sampling costs more than twice a teacher-forced one, because the model first generates its input.
At equal time it gets fewer steps; "teacher_forcing_same_steps" gets as few, to separate the two effects.
Besides BLEU of free-running translation, the record of a run shows how much harder it is to continue from the model's
own words than from gold words: "own_words_accuracy" and "gold_words_accuracy", the shares of gold words that the model
ranks first.
"""

from functools import partial

import torch

from seq2seq.batch import token_batches
from seq2seq.experiments.recipe import MODELS
from seq2seq.experiments.study import Variant, study
from seq2seq.experiments.tables import mean, tabulate
from seq2seq.experiments.trained import Data
from seq2seq.losses.scheduled_sampling import ScheduledSampling, best, linear, mixed_inputs
from seq2seq.model import Seq2Seq

FEEDING = MODELS["luong_bilinear_feeding"]
STEPS_PER_MINUTE = {"teacher_forcing": 2000, "scheduled_sampling": 900}
LINEAR = ScheduledSampling(partial(linear, slope=0.75))  # down to a quarter of gold words


@torch.no_grad()
def measure(model: Seq2Seq, data: Data) -> dict[str, dict[str, float]]:
    """The share of gold words that the model ranks first, after gold words and after its own, by length."""
    model.eval()
    shares: dict[str, dict[str, float]] = {"gold_words_accuracy": {}, "own_words_accuracy": {}}
    for name, pairs in data.sets.items():
        hits, words = dict.fromkeys(shares, 0), 0
        for batch in token_batches(pairs, data.source_vocab, data.target_vocab, 4000):
            words += batch.target_tokens
            free = mixed_inputs(model, batch, 0.0, best)
            for entry, read in (("gold_words_accuracy", batch.target_in), ("own_words_accuracy", free)):
                logits, _ = model(batch.source, batch.source_lengths, read)
                hits[entry] += int((logits.argmax(-1) == batch.target_out)[batch.target_mask].sum())
        for entry, count in hits.items():
            shares[entry][name] = round(count / words, 4)
    return shares


COLUMNS = {
    "after gold words": mean(".3f", "gold_words_accuracy", "*"),
    "after its own words": mean(".3f", "own_words_accuracy", "*"),
}
SCHEDULED_SAMPLING = study(
    "scheduled_sampling",
    __doc__.splitlines()[0],
    [
        Variant("teacher_forcing", FEEDING, STEPS_PER_MINUTE["teacher_forcing"]),
        Variant("teacher_forcing_same_steps", FEEDING, STEPS_PER_MINUTE["scheduled_sampling"]),
        Variant("linear", FEEDING, STEPS_PER_MINUTE["scheduled_sampling"], LINEAR),
    ],
    measure=measure,
    measured=partial(tabulate, ("model",), COLUMNS),
)
