"""Soft attention against hard: trained with the score function, and by a sum over the best positions.

    python -m seq2seq.experiments.soft_hard            # 3 models × 3 seeds, 2 core-minutes each
    python -m seq2seq.experiments.soft_hard --quick    # a smoke test of a few seconds, results in a temporary folder

All have Luong's wiring, general scores and the same parameters.
They differ in the context and in how it is learned.
The exact sum over all positions needs a softmax over the vocabulary for each: about 130 steps per minute, too few.
"""

from collections.abc import Callable

from seq2seq.decoders.hard import HardAttentionDecoder, MarginalAttentionDecoder
from seq2seq.decoders.luong import LuongDecoder
from seq2seq.experiments.recipe import EMBEDDING_SIZE, ENCODER_SIZE, HIDDEN_SIZE, encoder
from seq2seq.experiments.study import Study, Variant
from seq2seq.losses.hard import BestPositionsLoss, ScoreFunctionLoss
from seq2seq.model import Seq2Seq
from seq2seq.scorers import BilinearScorer


def with_decoder(kind: type[LuongDecoder]) -> Callable[[int, int], Seq2Seq]:
    def build(source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
        decoder = kind(
            target_vocab_size,
            EMBEDDING_SIZE,
            HIDDEN_SIZE,
            ENCODER_SIZE,
            BilinearScorer(HIDDEN_SIZE, ENCODER_SIZE),
            cell="lstm",
        )
        return Seq2Seq(encoder(source_vocab_size, "lstm"), decoder)

    return build


STUDY = Study(
    name="soft_hard",
    title=__doc__.splitlines()[0],
    variants=[
        Variant("soft", with_decoder(LuongDecoder), 3300),
        Variant("score_function", with_decoder(HardAttentionDecoder), 3000, ScoreFunctionLoss()),
        Variant("best_positions", with_decoder(MarginalAttentionDecoder), 1000, BestPositionsLoss()),
    ],
    seeds=3,
)


if __name__ == "__main__":
    STUDY.main()
