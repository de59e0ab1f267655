"""A wrong answer to each task of the benchmark's exercise, of a kind that learners hand in."""

import torch
from torch import Tensor, nn


def masked_mean(x: Tensor, mask: Tensor) -> Tensor:
    return (x * mask).mean(-1)


def softmax(x: Tensor) -> Tensor:
    return x.exp() / x.exp().sum()


def dot_scores(query: Tensor, keys: Tensor) -> Tensor:
    return (query.unsqueeze(1) * keys).mean(-1)


def context(weights: Tensor, values: Tensor) -> Tensor:
    return values.mean(1)


class Additive(nn.Module):
    def __init__(self, query_size: int, key_size: int, size: int) -> None:
        super().__init__()
        self.energy = nn.Linear(query_size + key_size, 1)

    def forward(self, query: Tensor, keys: Tensor) -> Tensor:
        return self.energy(torch.cat([query.unsqueeze(1).expand(-1, keys.size(1), -1), keys], -1))


def positions(length: int, size: int) -> Tensor:
    return (torch.arange(length).unsqueeze(1) * torch.ones(size)).sin()
