r"""The attention of two trained models during forced decoding of a few sentences.

Usable without the models: it has their weights, and what is needed to compute the next words of Luong's model from
other weights.
Written by :mod:`seq2seq.experiments.forced_decoding`.
"""

import json
from dataclasses import dataclass

import torch
from torch import Tensor

from seq2seq import checkpoints

NAME = "forced_decoding"
MODELS = ("bahdanau", "luong")


@dataclass(frozen=True)
class ForcedDecoding:
    r"""Sentences with gold links, and two models' weights on them.

    Each sentence has a last step for the end of the sentence, which has no gold link.

    Shape:
        source_mask: (batch, source_len), bool, True = real token
        word_mask: (batch, target_len), bool, True = real word, without the end
        step_mask: (batch, target_len), the same with the end
        gold: (batch, target_len, source_len), bool, True = linked
        weights: for each model (batch, target_len, source_len)
        values: (batch, source_len, size), $W_{cc} \bar h_s$, of Luong's model
        states: (batch, target_len, size), $W_{ch} h_t$
        output_weight, output_bias: (words, size) and (words,), $W_s$ for the words of these sentences alone
    """

    sources: list[list[str]]
    targets: list[list[str]]
    source_mask: Tensor
    word_mask: Tensor
    step_mask: Tensor
    gold: Tensor
    weights: dict[str, Tensor]
    values: Tensor
    states: Tensor
    output_weight: Tensor
    output_bias: Tensor

    def next_words(self, weights: Tensor) -> Tensor:
        r"""What Luong's model predicts with these weights, over the words of these sentences.

        $$p(y_t) = \mathrm{softmax}(W_s \tanh(W_c [c_t; h_t])), \qquad W_c [c; h] = W_{cc} c + W_{ch} h$$

        Shape:
            weights: (batch, target_len, source_len)
            probabilities: (batch, target_len, words)
        """
        attentional = torch.tanh(torch.bmm(weights, self.values) + self.states)
        return torch.softmax(attentional @ self.output_weight.T + self.output_bias, dim=-1)


def load() -> ForcedDecoding:
    words = json.loads((checkpoints.DIRECTORY / f"{NAME}.json").read_text(encoding="utf-8"))
    arrays = checkpoints.load(NAME)
    batch, target_len, source_len = arrays["luong"].shape
    source_lengths, target_lengths = (
        torch.tensor([len(sentence) for sentence in words[side]]).unsqueeze(1) for side in ("sources", "targets")
    )
    gold = torch.zeros(batch, target_len, source_len, dtype=torch.bool)
    for row, links in enumerate(words["links"]):
        for source, target in links:
            gold[row, target, source] = True
    steps = torch.arange(target_len)
    return ForcedDecoding(
        sources=words["sources"],
        targets=words["targets"],
        source_mask=torch.arange(source_len) < source_lengths,
        word_mask=steps < target_lengths,
        step_mask=steps < target_lengths + 1,
        gold=gold,
        weights={name: arrays[name] for name in MODELS},
        **{name: arrays[name] for name in ("values", "states", "output_weight", "output_bias")},
    )
