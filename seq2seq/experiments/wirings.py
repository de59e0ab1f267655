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

from functools import partial

from seq2seq.beyond.captioning import DoublyStochasticLoss
from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.luong import InputFeedingDecoder, LuongDecoder
from seq2seq.decoders.orders import AppendixDecoder, AuthorsDecoder, EarlyReadoutDecoder, LookGenerateUpdateDecoder
from seq2seq.experiments import recipe
from seq2seq.experiments.recipe import HIDDEN_SIZE, attentive
from seq2seq.experiments.study import BUCKETS, LENGTHS, Variant, study
from seq2seq.experiments.tables import count, mean, tabulate
from seq2seq.scorers import DotScorer, LocationScorer

STEPS = 2500
SCORERS = recipe.SCORERS | {"location": lambda: LocationScorer(HIDDEN_SIZE, BUCKETS[-1][1])}
BAHDANAU_SCORERS = ("dot", "bilinear", "additive", "location")
FEEDING_SCORERS = ("dot", "bilinear", "additive")
BUILDS = (
    {f"luong_{name}": attentive(LuongDecoder, scorer) for name, scorer in SCORERS.items()}
    | {f"bahdanau_{name}": attentive(BahdanauDecoder, SCORERS[name]) for name in BAHDANAU_SCORERS}
    | {f"feeding_{name}": attentive(InputFeedingDecoder, SCORERS[name]) for name in FEEDING_SCORERS}
    | {
        "one_way_dot": attentive(LuongDecoder, DotScorer, bidirectional=False),
        "one_way_feeding_dot": attentive(InputFeedingDecoder, DotScorer, bidirectional=False),
    }
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
    [Variant(name, attentive(kind, SCORERS["additive"]), steps) for name, (kind, steps) in ORDERS.items()],
    smoke=("generate_first", "early_readout"),
    measured=partial(
        tabulate,
        ("perplexity",),
        {"seeds": count} | {length: mean(".3f", "perplexity", length) for length in LENGTHS},
    ),
)

BY_DIRECTION = {
    "luong_bilinear": BUILDS["luong_bilinear"],
    "one_way_bilinear": attentive(LuongDecoder, SCORERS["bilinear"], bidirectional=False),
    "luong_dot": BUILDS["luong_dot"],
    "one_way_dot": BUILDS["one_way_dot"],
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
        Variant("no_penalty", BUILDS["luong_dot"], STEPS),
        *(Variant(f"penalty_{each:g}", BUILDS["luong_dot"], STEPS, DoublyStochasticLoss(each)) for each in WEIGHTS),
    ],
    minutes=MINUTE,
    smoke=("penalty_1",),
)
