"""Beam searches for a few sentences with the fixed-vector model of the length curve, for the widget of chapter 11."""

from collections.abc import Sequence
from functools import cache

import torch

from seq2seq.beam.penalty import Penalty, gnmt_penalty, mean_penalty, no_penalty
from seq2seq.beam.tree import Node, beam_tree
from seq2seq.experiments.recipe import load_trained
from seq2seq.model import Seq2Seq
from seq2seq.vocab import Vocabulary

NAME = "every_step"
BEAM_SIZES = (1, 2, 3, 5, 10)
PENALTIES: dict[str, Penalty] = {"none": no_penalty, "α = 0.6": gnmt_penalty(0.6), "mean per word": mean_penalty}
SPARE = 5  # words that a translation may have beyond those of the source
# with the references of the grammar; tests/seq2seq/test_searches.py says what each of them shows
SENTENCES = {
    "she will drink some water .": "elle boira de l' eau .",
    "i will be hungry .": "j' aurai faim .",
    "the dog is going to sing .": "le chien va chanter .",
    "the girl never breaks any computers .": "la fille ne casse jamais d' ordinateurs .",
    "she will sleep if she begins to study some problems .": (
        "elle dormira si elle commence à étudier des problèmes ."
    ),
    "because i sometimes organised debates , paul ran yesterday .": (
        "parce que j' ai parfois organisé des débats , paul a couru hier ."
    ),
    "an agency of the old empty city organised a meeting .": (
        "une agence de la vieille ville vide a organisé une réunion ."
    ),
    "their sister in the german library is going to get up in two days .": (
        "leur sœur dans la bibliothèque allemande va se lever dans deux jours ."
    ),
}


@cache
def trained() -> tuple[Seq2Seq, Vocabulary, Vocabulary]:
    return load_trained(NAME)


def search(source: Sequence[str], beam_size: int, penalty: Penalty) -> list[Node]:
    """Everything that the beam held, as a tree."""
    model, source_vocab, _ = trained()
    ids = torch.tensor(source_vocab.encode(source))
    return beam_tree(model, ids, len(ids) + SPARE, beam_size, penalty)


def searches(source: str) -> dict[tuple[int, str], list[Node]]:
    """The tree of every search for a sentence, by beam size and penalty name."""
    words = source.split()
    return {(size, name): search(words, size, PENALTIES[name]) for size in BEAM_SIZES for name in PENALTIES}


def winner(nodes: Sequence[Node], penalty: Penalty) -> list[str]:
    """The words of the hypothesis with the best score, without EOS."""
    _, _, target_vocab = trained()

    def score(number: int) -> float:
        return nodes[number].score / penalty(torch.tensor([float(nodes[number].step)])).item()

    at: int | None = max((number for number, node in enumerate(nodes) if node.closed), key=score)
    ids: list[int] = []
    while at is not None:
        ids.insert(0, nodes[at].token)
        at = nodes[at].parent
    return target_vocab.decode(ids[1:])
