"""Look, update and generate in different orders: Bahdanau's decoder according to its paper's body, appendix and code.

    python -m seq2seq.experiments.orders            # 5 models × 3 seeds, 2 core-minutes each
    python -m seq2seq.experiments.orders --quick    # a smoke test of a few seconds, results in a temporary folder

All have additive scores and the sizes of ``length_curve``; all but the last two have as many steps as its Bahdanau.
``update_first`` is the body of the paper (look, update, generate), also used by Nematus (Sennrich et al., 2017).
``generate_first`` is the authors' code, GroundHog (look, generate, update).
``early_readout`` has the body's update and the appendix's readout, both taken literally.
``update_first_appendix_cell`` and ``authors`` are the first two with the appendix's gated unit; it is slower, so they
have half as many steps.
"""

from collections.abc import Callable

from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.orders import AppendixDecoder, AuthorsDecoder, EarlyReadoutDecoder, LookGenerateUpdateDecoder
from seq2seq.experiments.recipe import ATTENTION_SIZE, EMBEDDING_SIZE, ENCODER_SIZE, HIDDEN_SIZE, encoder
from seq2seq.experiments.study import Study, Variant
from seq2seq.model import Seq2Seq
from seq2seq.scorers import AdditiveScorer

STEPS_PER_MINUTE = 2100


def with_order(kind: type[BahdanauDecoder]) -> Callable[[int, int], Seq2Seq]:
    def build(source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
        scorer = AdditiveScorer(HIDDEN_SIZE, ENCODER_SIZE, ATTENTION_SIZE)
        sizes = target_vocab_size, EMBEDDING_SIZE, HIDDEN_SIZE, ENCODER_SIZE
        return Seq2Seq(encoder(source_vocab_size), kind(*sizes, scorer))

    return build


def perplexities(models: dict[str, list[dict]]) -> str:
    """Perplexity by length, means over seeds."""
    names = list(next(iter(models.values()))[0]["perplexity"])
    lines = ["| perplexity | seeds | " + " | ".join(names) + " |", "|---" * (2 + len(names)) + "|"]
    for model, runs in models.items():
        means = [sum(run["perplexity"][name] for run in runs) / len(runs) for name in names]
        lines.append(f"| {model} | {len(runs)} | " + " | ".join(f"{mean:.3f}" for mean in means) + " |")
    return "\n".join(lines)


STUDY = Study(
    name="orders",
    title=__doc__.splitlines()[0],
    variants=[
        Variant("update_first", with_order(BahdanauDecoder), STEPS_PER_MINUTE),
        Variant("generate_first", with_order(LookGenerateUpdateDecoder), STEPS_PER_MINUTE),
        Variant("early_readout", with_order(EarlyReadoutDecoder), STEPS_PER_MINUTE),
        Variant("update_first_appendix_cell", with_order(AppendixDecoder), STEPS_PER_MINUTE // 2),
        Variant("authors", with_order(AuthorsDecoder), STEPS_PER_MINUTE // 2),
    ],
    seeds=3,
    smoke=("generate_first", "early_readout"),
    measured=perplexities,
)


if __name__ == "__main__":
    STUDY.main()
