"""Score and wiring are two choices: every scorer in Bahdanau's wiring and in Luong's, with and without input feeding.

    python -m seq2seq.experiments.wirings            # 14 models × 3 seeds, 2,500 steps each, about an hour of a core
    python -m seq2seq.experiments.wirings --quick    # a smoke test of a few seconds, results in a temporary folder

All get the same number of steps, so that the seconds show what each costs.
The last two have a unidirectional encoder, as in Luong et al. (2015); all others a bidirectional one.
"""

from collections.abc import Callable

from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.luong import InputFeedingDecoder, LuongDecoder
from seq2seq.experiments.recipe import ATTENTION_SIZE, EMBEDDING_SIZE, ENCODER_SIZE, HIDDEN_SIZE, encoder, luong
from seq2seq.experiments.study import BUCKETS, Study, Variant
from seq2seq.model import Seq2Seq
from seq2seq.scorer import Scorer
from seq2seq.scorers import AdditiveScorer, BilinearScorer, DotScorer, LocationScorer, ScaledDotScorer

STEPS = 2500
SCORERS: dict[str, Callable[[], Scorer]] = {
    "dot": DotScorer,
    "scaled_dot": ScaledDotScorer,
    "bilinear": lambda: BilinearScorer(HIDDEN_SIZE, ENCODER_SIZE),
    "additive": lambda: AdditiveScorer(HIDDEN_SIZE, ENCODER_SIZE, ATTENTION_SIZE),
    "location": lambda: LocationScorer(HIDDEN_SIZE, BUCKETS[-1][1]),
}


def bahdanau_with(scorer: str) -> Callable[[int, int], Seq2Seq]:
    def build(source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
        sizes = target_vocab_size, EMBEDDING_SIZE, HIDDEN_SIZE, ENCODER_SIZE
        return Seq2Seq(encoder(source_vocab_size), BahdanauDecoder(*sizes, SCORERS[scorer]()))

    return build


def luong_with(scorer: str, fed: bool = False) -> Callable[[int, int], Seq2Seq]:
    def build(source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
        return luong(source_vocab_size, target_vocab_size, SCORERS[scorer](), fed)

    return build


def one_way(kind: type[LuongDecoder] | type[InputFeedingDecoder], scorer: str) -> Callable[[int, int], Seq2Seq]:
    def build(source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
        decoder = kind(target_vocab_size, EMBEDDING_SIZE, HIDDEN_SIZE, ENCODER_SIZE, SCORERS[scorer](), cell="lstm")
        return Seq2Seq(encoder(source_vocab_size, "lstm", bidirectional=False), decoder)

    return build


BUILDS = (
    {f"luong_{scorer}": luong_with(scorer) for scorer in SCORERS}
    | {f"bahdanau_{scorer}": bahdanau_with(scorer) for scorer in ("dot", "bilinear", "additive", "location")}
    | {f"feeding_{scorer}": luong_with(scorer, fed=True) for scorer in ("dot", "bilinear", "additive")}
    | {"one_way_dot": one_way(LuongDecoder, "dot"), "one_way_feeding_dot": one_way(InputFeedingDecoder, "dot")}
)
STUDY = Study(
    name="wirings",
    title=__doc__.splitlines()[0],
    variants=[Variant(name, build, STEPS) for name, build in BUILDS.items()],
    seeds=3,
    minutes=1.0,  # of STEPS steps for every variant
)


if __name__ == "__main__":
    STUDY.main()
