"""Step-by-step translations of a few sentences by the trained models of the length curve, for the player."""

from collections.abc import Sequence
from functools import cache

from seq2seq.experiments.recipe import load_trained
from seq2seq.model import Seq2Seq
from seq2seq.vocab import Vocabulary
from seq2seq.widgets.playback import ByMask, Playback, play

NAMES = {
    "Bahdanau, additive score": "bahdanau",
    "Luong, bilinear score": "luong_bilinear",
    "Luong, bilinear score, input feeding": "luong_bilinear_feeding",
}
SENTENCES = (  # of the grammar; tests/seq2seq/test_playback.py compares translations and weights with its links
    "the french cars were sold by julie .",
    "the music teacher is sleepy .",
    "i never visited the shops .",
    "he will help the american tourist in vienna tomorrow .",
    "the committee is more independent than the french company .",
    "soon , several conferences will be prepared by this independent company .",
)


@cache
def _trained(name: str) -> tuple[Seq2Seq, Vocabulary, Vocabulary]:
    return load_trained(NAMES[name])


def translate(name: str, words: Sequence[str]) -> Playback:
    """One sentence, decoded by the model of that name."""
    model, source_vocab, target_vocab = _trained(name)
    return play(ByMask(model), words, source_vocab, target_vocab)


def playbacks() -> dict[str, list[Playback]]:
    """The playbacks of the sentences, by model name."""
    return {name: [translate(name, sentence.split()) for sentence in SENTENCES] for name in NAMES}
