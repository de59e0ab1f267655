"""A Transformer against recurrence with attention, at equal time and of about equal size.

    python -m seq2seq.experiments.self_attention            # 2 models, 2 minutes on one core each
    python -m seq2seq.experiments.self_attention --quick    # a smoke test of a few seconds, into a temporary folder

Training sentences have at most 50 words; those of 51 to 60 words have positions that the Transformer has not seen.
"""

from seq2seq.experiments.recipe import luong_bilinear
from seq2seq.experiments.study import Study, Variant
from seq2seq.model import Seq2Seq
from seq2seq.transformer.model import TransformerDecoder, TransformerEncoder

SIZE, HEADS, INNER_SIZE, LAYERS = 96, 4, 192, 1


def transformer(source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
    encoder = TransformerEncoder(source_vocab_size, SIZE, HEADS, INNER_SIZE, LAYERS)
    return Seq2Seq(encoder, TransformerDecoder(target_vocab_size, SIZE, SIZE, HEADS, INNER_SIZE, LAYERS))


STEPS_PER_MINUTE = {"luong_bilinear": 3700, "transformer": 3400}
BUILDS = {"luong_bilinear": luong_bilinear, "transformer": transformer}
STUDY = Study(
    name="self_attention",
    title=__doc__.splitlines()[0],
    variants=[Variant(name, build, STEPS_PER_MINUTE[name]) for name, build in BUILDS.items()],
    seeds=1,
)


if __name__ == "__main__":
    STUDY.main()
