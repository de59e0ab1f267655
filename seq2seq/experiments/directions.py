"""An encoder that reads both ways against one that reads one way, both under Luong's decoder without input feeding.

    python -m seq2seq.experiments.directions            # 12 models, 2,500 steps each, some 12 core-minutes
    python -m seq2seq.experiments.directions --quick    # a smoke test of a few seconds, results in a temporary folder

The states are of one size, whether one direction makes them or two, so the scorers and the decoder are the same.
The settings are those of ``wirings``, which has one run of each; here are three seeds.
"""

from seq2seq.decoders.luong import LuongDecoder
from seq2seq.experiments.study import Study, Variant
from seq2seq.experiments.wirings import STEPS, luong_with, one_way

BUILDS = {
    "luong_bilinear": luong_with("bilinear"),
    "one_way_bilinear": one_way(LuongDecoder, "bilinear"),
    "luong_dot": luong_with("dot"),
    "one_way_dot": one_way(LuongDecoder, "dot"),
}
STUDY = Study(
    name="directions",
    title=__doc__.splitlines()[0],
    variants=[Variant(name, build, STEPS) for name, build in BUILDS.items()],
    seeds=3,
    minutes=1.0,  # of STEPS steps, for all alike
)


if __name__ == "__main__":
    STUDY.main()
