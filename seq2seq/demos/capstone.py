"""The capstone's trained model: its sizes, its vocabularies, the weights of each part, its test sentences.

:mod:`seq2seq.experiments.frequent_words` trains it.
"""

import json

import torch
from torch import Tensor

from seq2seq import checkpoints
from seq2seq.batch import length_mask, pad
from seq2seq.corpora import grammar
from seq2seq.corpora.pair import Pair
from seq2seq.vocab import EOS, Vocabulary

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


def lessons(batches: int, pairs: int = 64, seed: int = 1) -> list[tuple[Tensor, Tensor, Tensor]]:
    """Training batches of sentences that are not in the test set, shorter and longer ones mixed.

    Shape:
        source: (pairs, source_len), ids
        source_mask: (pairs, source_len), bool, True = real token
        target: (pairs, target_len), ids with EOS, then PAD; no BOS
    """
    english, french = words()
    tested = {pair.source for pair in unseen_pairs()}
    known = set(english.tokens)
    drawn = (pair for pair in grammar.corpus(3 * batches * pairs, seed, (4, 10)) if known.issuperset(pair.source))
    by_length = sorted((pair for pair in drawn if pair.source not in tested), key=lambda pair: len(pair.source))
    groups = [by_length[start : start + pairs] for start in range(0, len(by_length) - pairs + 1, pairs)]
    order = torch.randperm(len(groups), generator=torch.Generator().manual_seed(seed)).tolist()
    return [_lesson(groups[group], english, french) for group in order[:batches]]


def _lesson(pairs: list[Pair], english: Vocabulary, french: Vocabulary) -> tuple[Tensor, Tensor, Tensor]:
    source = pad([english.encode(pair.source) for pair in pairs])
    source_mask = length_mask(torch.tensor([len(pair.source) for pair in pairs]), source.size(1))
    return source, source_mask, pad([[*french.encode(pair.target), EOS] for pair in pairs])


def _read() -> dict:
    return json.loads((checkpoints.DIRECTORY / f"{NAME}.json").read_text(encoding="utf-8"))
