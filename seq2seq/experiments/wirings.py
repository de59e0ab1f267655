"""Score, wiring and encoder are choices apart: models that differ in one of them, and in the order of their steps.

    python -m seq2seq.experiments wirings       # 14 models × 3 seeds, 2,500 steps each, about an hour of a core
    python -m seq2seq.experiments orders        # 5 models × 3 seeds, 2 core-minutes each
    python -m seq2seq.experiments directions    # 12 models, 2,500 steps each, about 12 core-minutes
    python -m seq2seq.experiments stochastic    # 3 models × 3 seeds, 2,500 steps each, about 10 core-minutes

All get the same number of steps, so that the seconds show what each costs.
The last two of ``wirings`` have a unidirectional encoder, as in Luong et al. (2015); all others a bidirectional one.

``orders`` has additive scores and the budget of ``length_curve``; all but the last two have as many steps as its
Bahdanau.
``update_first`` is the body of the paper (look, update, generate), also used by Nematus (Sennrich et al., 2017).
``generate_first`` is the authors' code, GroundHog (look, generate, update).
``early_readout`` has the body's update and the appendix's readout, both taken literally.
``update_first_appendix_cell`` and ``authors`` are the first two with the appendix's gated unit; it is slower, so they
have half as many steps.

``directions`` compares the two encoders; the states have the same size with one direction or two, so the scorers and
the decoder are the same.

``stochastic`` has dot scores, with which some seeds align badly at this budget.
The penalty pushes the weights of each source word to sum to 1 (Xu et al., 2015, section 4.2.1); a name ends with the
weight of the penalty.
"""

from collections.abc import Callable
from functools import partial

from seq2seq.beyond.captioning import DoublyStochasticLoss
from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.luong import InputFeedingDecoder, LuongDecoder
from seq2seq.decoders.orders import AppendixDecoder, AuthorsDecoder, EarlyReadoutDecoder, LookGenerateUpdateDecoder
from seq2seq.experiments.recipe import ATTENTION_SIZE, EMBEDDING_SIZE, ENCODER_SIZE, HIDDEN_SIZE, encoder, luong
from seq2seq.experiments.study import BUCKETS, LENGTHS, Variant, study
from seq2seq.experiments.tables import count, mean, tabulate
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


def bahdanau_with(scorer: str, kind: type[BahdanauDecoder] = BahdanauDecoder) -> Callable[[int, int], Seq2Seq]:
    def build(source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
        sizes = target_vocab_size, EMBEDDING_SIZE, HIDDEN_SIZE, ENCODER_SIZE
        return Seq2Seq(encoder(source_vocab_size), kind(*sizes, SCORERS[scorer]()))

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
MINUTE = 1.0  # of STEPS steps for every variant
WIRINGS = study(
    "wirings",
    "Score and wiring are two choices: every scorer in Bahdanau's wiring and in Luong's, with input feeding or not.",
    [Variant(name, build, STEPS) for name, build in BUILDS.items()],
    minutes=MINUTE,
)

ORDERS = {  # with the steps per minute
    "update_first": (BahdanauDecoder, 2100),
    "generate_first": (LookGenerateUpdateDecoder, 2100),
    "early_readout": (EarlyReadoutDecoder, 2100),
    "update_first_appendix_cell": (AppendixDecoder, 1050),
    "authors": (AuthorsDecoder, 1050),
}
BY_ORDER = study(
    "orders",
    "Look, update and generate in different orders: Bahdanau's decoder by its paper's body, appendix and code.",
    [Variant(name, bahdanau_with("additive", kind), steps) for name, (kind, steps) in ORDERS.items()],
    smoke=("generate_first", "early_readout"),
    measured=partial(
        tabulate,
        ("perplexity",),
        {"seeds": count} | {length: mean(".3f", "perplexity", length) for length in LENGTHS},
    ),
)

BY_DIRECTION = {
    "luong_bilinear": luong_with("bilinear"),
    "one_way_bilinear": one_way(LuongDecoder, "bilinear"),
    "luong_dot": luong_with("dot"),
    "one_way_dot": one_way(LuongDecoder, "dot"),
}
DIRECTIONS = study(
    "directions",
    "A bidirectional encoder against a unidirectional one, both with Luong's decoder without input feeding.",
    [Variant(name, build, STEPS) for name, build in BY_DIRECTION.items()],
    minutes=MINUTE,
)

WEIGHTS = (0.1, 1.0)
STOCHASTIC = study(
    "stochastic",
    "The doubly stochastic penalty where its assumption is nearly true: about one target word for each source word.",
    [
        Variant("no_penalty", luong_with("dot"), STEPS),
        *(Variant(f"penalty_{weight:g}", luong_with("dot"), STEPS, DoublyStochasticLoss(weight)) for weight in WEIGHTS),
    ],
    minutes=MINUTE,
    smoke=("penalty_1",),
)
