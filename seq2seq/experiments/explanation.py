"""Do the weights matter? A trained model with permuted or uniform weights, and a model trained with uniform ones.

    python -m seq2seq.experiments explanation    # 3 models × 3 seeds, about 20 core-minutes

Jain & Wallace (2019) ask how far a trained model's output moves when its weights are permuted.
Wiegreffe & Pinter (2019) ask what a model can still learn when its weights are fixed to be uniform.
"""

import torch
from torch import Tensor

from seq2seq.attention import Attention
from seq2seq.batch import collate
from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.luong import LuongDecoder
from seq2seq.demos.altered_attention import PermutedAttention, UniformAttention
from seq2seq.experiments.evaluation import translate
from seq2seq.experiments.length_curve import STEPS_PER_MINUTE
from seq2seq.experiments.recipe import bahdanau, luong_bilinear
from seq2seq.experiments.study import Variant, study
from seq2seq.experiments.tables import mean, tabulate
from seq2seq.experiments.trained import Data
from seq2seq.metrics import bleu
from seq2seq.model import Seq2Seq

SETS = ("11-20", "41-50")
SEED = 0


def luong_uniform(source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
    """A Luong model that gets the mean of the encoder states at every step, in training too."""
    model = luong_bilinear(source_vocab_size, target_vocab_size)
    assert isinstance(model.decoder, LuongDecoder)
    model.decoder.attention = UniformAttention(model.decoder.attention.scorer)
    return model


def alterations(attention: Attention) -> dict[str, Attention]:
    generator = torch.Generator().manual_seed(SEED)
    return {
        "as_trained": attention,
        "permuted": PermutedAttention(attention.scorer, generator),
        "uniform": UniformAttention(attention.scorer),
    }


@torch.no_grad()
def altered(model: Seq2Seq, data: Data) -> dict:
    """BLEU of the same model under each alteration, and how far the next word's distribution moves.

    The distance is the total variation, $\\frac{1}{2} \\sum_y |p(y) - q(y)|$, in forced decoding: 0 where the
    alteration changes nothing, 1 where the two distributions share no word; it is averaged over target words.
    """
    assert isinstance(model.decoder, BahdanauDecoder | LuongDecoder)
    plain = model.decoder.attention
    record: dict = {"altered_bleu": {}, "total_variation": {}}
    for name in SETS:
        pairs = data.sets[name]
        batch = collate(pairs, *data.vocabularies)
        distributions: dict[str, Tensor] = {}
        for alteration, attention in alterations(plain).items():
            model.decoder.attention = attention
            hypotheses = translate(model, pairs, *data.vocabularies)
            score = bleu(hypotheses, [pair.target for pair in pairs])
            record["altered_bleu"].setdefault(alteration, {})[name] = round(score, 2)
            logits, _ = model(batch.source, batch.source_lengths, batch.target_in)
            distributions[alteration] = logits[batch.target_mask].softmax(-1)  # (words, vocab)
            moved = (distributions[alteration] - distributions["as_trained"]).abs().sum(-1) / 2
            record["total_variation"].setdefault(alteration, {})[name] = round(moved.mean().item(), 4)
    model.decoder.attention = plain
    return record


COLUMNS = {
    f"{head}, {length}": mean(form, entry, length)
    for length in SETS
    for head, form, entry in (("BLEU", ".1f", "altered_bleu"), ("total variation", ".3f", "total_variation"))
}


def table(models: dict[str, list[dict]]) -> str:
    measured = ("altered_bleu", "total_variation")
    rows = {
        (model, alteration): [{entry: run[entry][alteration] for entry in measured} for run in runs]
        for model, runs in models.items()
        for alteration in runs[0]["altered_bleu"]
    }
    return tabulate(("model", "weights"), COLUMNS, rows)


EXPLANATION = study(
    "explanation",
    __doc__.splitlines()[0],
    [
        Variant("bahdanau", bahdanau, STEPS_PER_MINUTE["bahdanau"]),
        Variant("luong_bilinear", luong_bilinear, STEPS_PER_MINUTE["luong_bilinear"]),
        Variant("luong_uniform", luong_uniform, STEPS_PER_MINUTE["luong_bilinear"]),
    ],
    measure=altered,
    measured=table,
)
