"""The beam of a search, step by step, as a tree to draw."""

from typing import NamedTuple

import torch
from torch import Tensor

from seq2seq.beam.penalty import Penalty, no_penalty
from seq2seq.beam.search import search_record
from seq2seq.model import Seq2Seq
from seq2seq.vocab import BOS


class Node(NamedTuple):
    """A hypothesis that was in the beam, as its last word and the node that it continues."""

    token: int
    score: float  # log-probability up to this word
    parent: int | None  # its number in the list; None for the root, which is BOS
    step: int  # how many words it has; 0 for the root
    closed: bool  # it has ended with EOS or has reached the longest length


def beam_tree(
    model: Seq2Seq, source: Tensor, max_length: int, beam_size: int = 5, penalty: Penalty = no_penalty
) -> list[Node]:
    """Every hypothesis in the beam of a search for the best translation of a sentence; parents come first.

    Shape:
        source: (source_len,), ids, without padding
    """
    length = torch.tensor([source.size(0)], device=source.device)
    with torch.no_grad():
        record = search_record(model, source.unsqueeze(0), length, max_length, beam_size, 1, penalty)
    nodes = [Node(BOS, 0.0, None, 0, False)]
    before = [0]  # the number of the node in each place of the beam
    for step, slots in enumerate(zip(*(part[:, 0].tolist() for part in record), strict=True), start=1):
        numbers = []
        for token, parent, score, closed in zip(*slots, strict=True):
            numbers.append(len(nodes))
            if score > -torch.inf:
                nodes.append(Node(token, score, before[parent], step, closed))
        before = numbers
    return nodes
