"""A small trained decoder, and the vectors from which it translates a few sentences it has not been trained on.

The vectors come from the encoder trained with it, and are all that the decoder knows of a source sentence.
``python -m seq2seq.experiments fixed_vector`` writes the files.
"""

import json
from typing import NamedTuple

from torch import Tensor

from seq2seq import checkpoints
from seq2seq.exercises.plain_decoder import PlainDecoder

NAME = "fixed_vector"
EMBEDDING_SIZE, SIZE = 48, 96


class Trained(NamedTuple):
    """The decoder, the words of its ids, and sentences from short to long with their first states.

    Shape:
        states: (sentences, hidden_size), the decoder state before the first word
    """

    decoder: PlainDecoder
    tokens: list[str]
    sources: list[list[str]]
    targets: list[list[str]]
    states: Tensor


def trained() -> Trained:
    """The contents of the two files of the checkpoint."""
    state = checkpoints.load(NAME)
    words = json.loads((checkpoints.DIRECTORY / f"{NAME}.json").read_text(encoding="utf-8"))
    decoder = PlainDecoder(len(words["tokens"]), EMBEDDING_SIZE, SIZE)
    states = state.pop("states")
    decoder.load_state_dict(state)
    return Trained(decoder.eval(), words["tokens"], words["sources"], words["targets"], states)
