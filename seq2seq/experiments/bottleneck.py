"""What a larger vector and longer training gain for fixed-vector models, and what they do not.

    python -m seq2seq.experiments bottleneck    # 24 models, 2 to 30 core-minutes each: about 17 hours
    python -m seq2seq.experiments bottleneck --models every_step_64_2 attention_64_2    # some of them

Both fixed-vector decoders and Bahdanau's decoder, all with GRU cells and a bidirectional encoder.
Vector, decoder state and encoder state have the same size, because the smallest of them is the bottleneck.
A name ends with the size and the budget in minutes of one core; each budget is a separate run, whose learning rate
falls to 0 at its end.
The smallest and the largest vector with the shortest and the longest budget get three seeds, and so do the two models
that the front page compares; all others get one.
"""

import math
from statistics import fmean

from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.decoder import Decoder
from seq2seq.decoders.fixed import EveryStepDecoder, InitialStateDecoder
from seq2seq.encoders import Encoder
from seq2seq.experiments.recipe import ATTENTION_SIZE, EMBEDDING_SIZE, Build
from seq2seq.experiments.study import Variant, study
from seq2seq.experiments.tables import Column, count, first, mean, tabulate
from seq2seq.model import Seq2Seq
from seq2seq.scorers import AdditiveScorer

MINUTES = (2, 8, 30)
STEPS_PER_MINUTE = {
    "initial_state": {64: 3400, 256: 1350, 1024: 145},
    "every_step": {64: 3200, 256: 1230, 1024: 110},
    "attention": {64: 2200, 256: 870},
}
LEARNING_RATES = {64: 5e-3, 256: 3e-3, 1024: 1.5e-3}  # larger states need smaller steps
REPEATED = {f"{wiring}_{size}_{minutes}" for wiring in STEPS_PER_MINUTE for size in (64, 1024) for minutes in (2, 30)}
REPEATED |= {"every_step_256_8", "attention_256_8"}


def with_size(wiring: str, size: int) -> Build:
    def build(source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
        encoder = Encoder(source_vocab_size, EMBEDDING_SIZE, size // 2)
        sizes = target_vocab_size, EMBEDDING_SIZE, size, size
        decoder: Decoder
        if wiring == "initial_state":
            decoder = InitialStateDecoder(*sizes)
        elif wiring == "every_step":
            decoder = EveryStepDecoder(*sizes)
        else:
            decoder = BahdanauDecoder(*sizes, AdditiveScorer(size, size, ATTENTION_SIZE))
        return Seq2Seq(encoder, decoder)

    return build


def loss(length: str) -> Column:
    return lambda runs: f"{fmean(math.log(run['perplexity'][length]) for run in runs):.3f}"


def losses(models: dict[str, list[dict]]) -> str:
    """Exact match and loss per token at short, medium and long trained lengths, means over seeds."""
    lengths = ("4-10", "21-30", "41-50")
    columns = {"seeds": count, "steps": first(",", "steps")}
    columns |= {f"exact match, {length}": mean(".1%", "exact_match", length) for length in lengths}
    return tabulate(("model",), columns | {f"loss, {length}": loss(length) for length in lengths}, models)


BOTTLENECK = study(
    "bottleneck",
    __doc__.splitlines()[0],
    [
        Variant(
            f"{wiring}_{size}_{minutes}",
            with_size(wiring, size),
            steps,
            overrides={"minutes": minutes, "learning_rate": LEARNING_RATES[size]},
            seeds=None if f"{wiring}_{size}_{minutes}" in REPEATED else 1,
        )
        for minutes in MINUTES
        for wiring, speeds in STEPS_PER_MINUTE.items()
        for size, steps in speeds.items()
    ],
    smoke=("initial_state_64_2", "every_step_64_8", "attention_64_2"),
    measured=losses,
)
