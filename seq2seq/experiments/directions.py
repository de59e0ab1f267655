"""A bidirectional encoder against a unidirectional one, both with Luong's decoder without input feeding.

    python -m seq2seq.experiments.directions            # 12 models, 2,500 steps each, about 12 core-minutes
    python -m seq2seq.experiments.directions --quick    # a smoke test of a few seconds, results in a temporary folder

The states have the same size with one direction or two, so the scorers and the decoder are the same.
The settings are those of ``wirings``.
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
    minutes=1.0,  # of STEPS steps for every variant
)


if __name__ == "__main__":
    STUDY.main()
