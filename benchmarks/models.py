"""The models whose speed is measured, with the sizes of the experiments."""

from seq2seq.decoders.luong import LuongDecoder
from seq2seq.experiments import recipe

MODELS: dict[str, recipe.Build] = {
    "luong_general": recipe.luong_bilinear,
    "luong_additive": recipe.attentive(LuongDecoder, recipe.SCORERS["additive"]),
    "luong_general_feeding": recipe.MODELS["luong_bilinear_feeding"],
    "bahdanau": recipe.bahdanau,
    "fixed": recipe.every_step,
}
