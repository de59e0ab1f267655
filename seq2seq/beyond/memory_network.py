r"""End-to-end memory networks: a question attends to the sentences of a story several times."""

import itertools
from collections.abc import Callable, Sequence
from typing import cast

import torch
from torch import Tensor, nn

from seq2seq.attention import attend, weighted_sum
from seq2seq.guards import check_at_least, check_ids
from seq2seq.vocab import PAD

Look = Callable[[Tensor, Tensor, Tensor, Tensor], tuple[Tensor, Tensor]]  # hop or linear_hop


def word_positions(words: Tensor, size: int, dtype: torch.dtype = torch.float32) -> Tensor:
    r"""The position encoding of Sukhbaatar et al. (2015, section 4.1): a weight for each word and each feature.

    $$l_{kj} = \left(1 - \frac{j}{J}\right) - \frac{k}{d} \left(1 - \frac{2j}{J}\right)$$

    with $j$ from 1 to $J$, the number of words of the sentence, and $k$ from 1 to $d$, the size.
    This makes the features of a sentence depend on the order of its words.

    Shape:
        words: (..., words), ids, PAD after the end
        weights: (..., words, size), 0 at padding
    """
    real = words != PAD
    lengths = real.sum(dim=-1, keepdim=True).clamp(min=1)  # a sentence without words would divide by 0
    share = (torch.arange(1, words.size(-1) + 1, dtype=dtype, device=words.device) / lengths).unsqueeze(-1)  # j / J
    feature = torch.arange(1, size + 1, dtype=dtype, device=words.device) / size  # k / d
    return ((1 - share) - feature * (1 - 2 * share)) * real.unsqueeze(-1)


class SentenceEmbedding(nn.Module):
    r"""A sentence as the sum of its words' embeddings, each times its position encoding.

    $$m = \sum_j l_j \circ A x_j$$

    Shape:
        words: (..., words), ids, PAD after the end
        vectors: (..., size), 0 for a sentence of padding alone

    Raises:
        TypeError: the ids are no tensor of integers.
        ValueError: an id is not in the vocabulary, or the ids are on another device.
    """

    def __init__(self, vocab_size: int, size: int) -> None:
        super().__init__()
        self.words = nn.Embedding(vocab_size, size)  # A, one row for each word
        nn.init.normal_(self.words.weight, std=0.1)

    def forward(self, words: Tensor) -> Tensor:
        check_ids("words", words, self.words)
        embedded = self.words(words)
        return (embedded * word_positions(words, embedded.size(-1), embedded.dtype)).sum(dim=-2)


class StoryEmbedding(nn.Module):
    r"""The sentences of a story as vectors that encode their age (section 4.1, "temporal encoding").

    $$m_i = \sum_j l_j \circ A x_{ij} + T(i)$$

    $T$ is learned; $i$ counts back from the question, so that $i = 0$ is the last sentence of the story.

    Shape:
        story: (batch, sentences, words), ids, PAD after the end of a sentence, sentences of PAD after the last
        vectors: (batch, sentences, size)

    Raises:
        ValueError: the story is longer than the memory.
    """

    def __init__(self, vocab_size: int, size: int, memory_size: int) -> None:
        super().__init__()
        self.sentence = SentenceEmbedding(vocab_size, size)
        self.times = nn.Embedding(memory_size, size)  # T
        nn.init.normal_(self.times.weight, std=0.1)

    def forward(self, story: Tensor) -> Tensor:
        memory_size = self.times.num_embeddings
        if story.size(1) > memory_size:
            raise ValueError(
                f"story, axis 1: got {story.size(1)} sentences, expected at most {memory_size}, because each has a "
                "learned vector of its age; build the network with a larger memory_size, or keep the last sentences."
            )
        lengths = sentence_mask(story).sum(dim=1, keepdim=True)
        ages = (lengths - 1 - torch.arange(story.size(1), device=story.device)).clamp(min=0)  # 0 at padding, masked
        return self.sentence(story) + self.times(ages)


def sentence_mask(story: Tensor) -> Tensor:
    """(batch, sentences, words) → (batch, sentences), bool, True = a sentence that has a word."""
    return (story != PAD).any(dim=-1)


def hop(
    query: Tensor,
    keys: Tensor,
    values: Tensor,
    mask: Tensor,
) -> tuple[Tensor, Tensor]:
    r"""One read of the memory: attention by dot scores, with separate embeddings for keys and values (section 2.1).

    $$p_i = \mathrm{softmax}(u^\top m_i), \qquad o = \sum_i p_i c_i$$

    Shape:
        query: (batch, size), $u$
        keys: (batch, sentences, size), $m_i$
        values: (batch, sentences, size), $c_i$
        mask: (batch, sentences), bool, True = real sentence
        output: (batch, size), $o$
        weights: (batch, sentences), $p$
    """
    return attend((keys @ query.unsqueeze(-1)).squeeze(-1), values, mask)


def linear_hop(query: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    r"""A hop without its softmax, for the first part of a training run (section 4.2, "linear start").

    $$o = \sum_i (u^\top m_i) \, c_i$$

    With only the answer's softmax left nonlinear, training does not commit to one sentence too early.

    Shape:
        as :func:`hop`; the weights are scores, 0 at padding, and do not sum to 1
    """
    scores = (keys @ query.unsqueeze(-1)).squeeze(-1).masked_fill(~mask, 0.0)
    return weighted_sum(scores, values), scores


class AdjacentMemoryNetwork(nn.Module):
    r"""Adjacent hops share an embedding: the values of one are the keys of the next (section 2.2, "adjacent").

    $$u^1 = B q, \qquad u^{k+1} = u^k + o^k, \qquad \hat a = \mathrm{softmax}(W u^{K+1})$$
    $$A^{k+1} = C^k, \qquad B = A^1, \qquad W^\top = C^K$$

    Each hop is a :func:`hop`, or for a linear start a :func:`linear_hop`.

    Shape:
        story: (batch, sentences, words), ids, PAD after the end of a sentence, sentences of PAD after the last
        question: (batch, words), ids, PAD after the end
        logits: (batch, vocab_size), of the answer, one word
        weights: (batch, hops, sentences)

    Raises:
        ValueError: hops is below 1, or the story is longer than the memory.
    """

    def __init__(self, vocab_size: int, size: int, hops: int, memory_size: int = 50) -> None:
        super().__init__()
        _check_hops(hops)
        self.stories = nn.ModuleList(StoryEmbedding(vocab_size, size, memory_size) for _ in range(hops + 1))

    def forward(self, story: Tensor, question: Tensor, look: Look = hop) -> tuple[Tensor, Tensor]:
        mask = sentence_mask(story)
        embeddings = cast(Sequence[StoryEmbedding], self.stories)  # A^1, C^1 = A^2, …, C^K
        memories = [embedding(story) for embedding in embeddings]
        query = embeddings[0].sentence(question)
        weights = []
        for keys, values in itertools.pairwise(memories):
            output, looked = look(query, keys, values, mask)
            query = query + output
            weights.append(looked)
        logits = query @ embeddings[-1].sentence.words.weight.T
        return logits, torch.stack(weights, dim=1)


class LayerwiseMemoryNetwork(nn.Module):
    r"""Hops that are all the same, with a linear map between them (section 2.2, "layer-wise").

    $$u^1 = B q, \qquad u^{k+1} = H u^k + o^k, \qquad \hat a = \mathrm{softmax}(W u^{K+1})$$
    $$A^1 = \dots = A^K, \qquad C^1 = \dots = C^K$$

    It is a recurrent network that reads the memory at every step.

    Shape and errors are those of :class:`AdjacentMemoryNetwork`.
    """

    def __init__(self, vocab_size: int, size: int, hops: int, memory_size: int = 50) -> None:
        super().__init__()
        _check_hops(hops)
        self.hops = hops
        self.keys = StoryEmbedding(vocab_size, size, memory_size)  # A
        self.values = StoryEmbedding(vocab_size, size, memory_size)  # C
        self.question = SentenceEmbedding(vocab_size, size)  # B
        self.between = nn.Linear(size, size, bias=False)  # H
        self.output_layer = nn.Linear(size, vocab_size, bias=False)  # W
        for layer in (self.between, self.output_layer):
            nn.init.normal_(layer.weight, std=0.1)

    def forward(self, story: Tensor, question: Tensor, look: Look = hop) -> tuple[Tensor, Tensor]:
        mask = sentence_mask(story)
        keys, values = self.keys(story), self.values(story)
        query = self.question(question)
        weights = []
        for _ in range(self.hops):
            output, looked = look(query, keys, values, mask)
            query = self.between(query) + output
            weights.append(looked)
        return self.output_layer(query), torch.stack(weights, dim=1)


def _check_hops(hops: int) -> None:
    check_at_least("hops", hops, 1, ", because without one the story is not read")
