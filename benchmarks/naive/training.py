"""The naive loss and the naive batches."""

import random
from collections.abc import Iterator, Sequence

from torch import Tensor
from torch.nn import functional as F

from benchmarks.naive.model import NaiveModel
from seq2seq.batch import Batch, collate
from seq2seq.corpora.pair import Pair
from seq2seq.vocab import PAD, Vocabulary


def loss(model: NaiveModel, batch: Batch) -> Tensor:
    """Mean negative log-likelihood per real target token; step, logits and loss are computed word by word."""
    states, final = model.encode(batch.source, batch.source_lengths)
    state = model.first_state(final)
    total = 0.0
    for t in range(batch.target_in.size(1)):
        logits, state = model.step(batch.target_in[:, t], state, states, final, batch.source_mask)
        total = total + F.cross_entropy(logits, batch.target_out[:, t], ignore_index=PAD, reduction="sum")
    return total / batch.target_tokens


def random_batches(
    pairs: Sequence[Pair], source_vocab: Vocabulary, target_vocab: Vocabulary, sentences: int, seed: int
) -> Iterator[Batch]:
    """Endless batches of ``sentences`` random pairs, padded to the longest."""
    generator = random.Random(seed)
    while True:
        yield collate(generator.sample(pairs, sentences), source_vocab, target_vocab)
