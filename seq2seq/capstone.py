"""What the capstone's trained model consists of: its sizes, its words, the weights of each part, its test sentences.

:mod:`seq2seq.experiments.capstone` trains it.
"""

import json

from torch import Tensor

from seq2seq import checkpoints
from seq2seq.corpora.pair import Pair
from seq2seq.vocab import Vocabulary

NAME = "capstone"
EMBEDDING_SIZE, HALF, SIZE, ATTENTION_SIZE = 32, 32, 64, 32  # HALF: one direction of the encoder; SIZE: the decoder too


def part(name: str) -> dict[str, Tensor]:
    """The trained weights of one part, for its ``load_state_dict``: "encoder", "scorer" or "decoder"."""
    return {key.partition(".")[2]: value for key, value in checkpoints.load(NAME).items() if key.startswith(name + ".")}


def words() -> tuple[Vocabulary, Vocabulary]:
    """The English words that the model knows, and the French ones."""
    read = _read()
    return Vocabulary(read["source"]), Vocabulary(read["target"])


def unseen_pairs() -> list[Pair]:
    """Sentences that the model has not been trained on, without links."""
    return [Pair(tuple(source.split()), tuple(target.split()), frozenset()) for source, target in _read()["test"]]


def _read() -> dict:
    return json.loads((checkpoints.DIRECTORY / f"{NAME}.json").read_text(encoding="utf-8"))
