"""Step-by-step translations of a few sentences by the trained models of the length curve, for the player."""

from collections.abc import Sequence
from functools import cache

from seq2seq.demos.playback import ByMask, Playback, play
from seq2seq.experiments.recipe import load_trained
from seq2seq.model import Seq2Seq
from seq2seq.vocab import Vocabulary

NAMES = {
    "Bahdanau, additive score": "bahdanau",
    "Luong, bilinear score": "luong_bilinear",
    "Luong, bilinear score, input feeding": "luong_bilinear_feeding",
}
SENTENCES = (
    "the french cars were sold by julie .",
    "the beautiful lawyer played .",
    "this mother did not have owls .",
    "anna financed projects , but she could sleep .",
    "anna 's strange letter will be bought by the european farmer in rome .",
    "we do not answer the farmer near these houses near the shop because the minister can hide letters .",
)


@cache
def _trained(name: str) -> tuple[Seq2Seq, Vocabulary, Vocabulary]:
    return load_trained(NAMES[name])


def translate(name: str, words: Sequence[str]) -> Playback:
    """One sentence, decoded by the model of that name."""
    model, source_vocab, target_vocab = _trained(name)
    return play(ByMask(model), words, source_vocab, target_vocab)


def playbacks(sentences: Sequence[str] = SENTENCES, names: Sequence[str] = tuple(NAMES)) -> dict[str, list[Playback]]:
    """The playbacks of the sentences, by model name."""
    return {name: [translate(name, sentence.split()) for sentence in sentences] for name in names}
