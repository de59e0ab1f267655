"""The models whose speed is measured, with the sizes of the experiments."""

from collections.abc import Callable

from seq2seq.experiments.recipe import (
    ATTENTION_SIZE,
    ENCODER_SIZE,
    HIDDEN_SIZE,
    bahdanau,
    every_step,
    luong,
    luong_bilinear,
    luong_bilinear_feeding,
)
from seq2seq.model import Seq2Seq
from seq2seq.scorers import AdditiveScorer


def luong_additive(source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
    return luong(source_vocab_size, target_vocab_size, AdditiveScorer(HIDDEN_SIZE, ENCODER_SIZE, ATTENTION_SIZE))


MODELS: dict[str, Callable[[int, int], Seq2Seq]] = {
    "luong_general": luong_bilinear,
    "luong_additive": luong_additive,
    "luong_general_feeding": luong_bilinear_feeding,
    "bahdanau": bahdanau,
    "fixed": every_step,
}
