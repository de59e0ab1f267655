r"""A summariser without recurrence: a feed-forward language model that sees the source (Rush et al., 2015).

The paper has three encoders; each is a choice of one class on either side:

* bag of words: :class:`WordEncoder` and :class:`FeedForwardDecoder`;
* convolutional: :class:`ConvolutionalEncoder` and :class:`FeedForwardDecoder`;
* attention-based: :class:`WordEncoder` and :class:`AttentiveFeedForwardDecoder`.

``Seq2Seq(encoder, decoder)`` trains and searches with them as with any other model, beam search included, which is the
paper's own way to a summary (section 4).
The paper asks for summaries of a given length; here they end with EOS, as everywhere in this library.
"""

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from seq2seq.attention import Attention
from seq2seq.batch import length_mask
from seq2seq.beyond.feed_forward_attention import Mean
from seq2seq.decoders.decoder import Decoder, Memory
from seq2seq.encoders import check_lengths
from seq2seq.guards import check_at_least
from seq2seq.scorers import BilinearScorer
from seq2seq.vocab import BOS


class WordEncoder(nn.Module):
    r"""The embedded words, and their mean: the bag-of-words encoder (Rush et al., 2015, section 3.2).

    $$\tilde x = [F x_1, \ldots, F x_M], \qquad \mathrm{enc}_1(x, y_c) = p^\top \tilde x, \qquad
      p = [1/M, \ldots, 1/M]$$

    Shape:
        source: (batch, source_len), ids
        source_lengths: (batch,), each at least 1
        states: (batch, source_len, state_size), $\tilde x$; 0 at padding
        final: (batch, state_size), $\mathrm{enc}_1$

    Raises:
        ValueError: the lengths do not fit the source.
    """

    def __init__(self, vocab_size: int, state_size: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, state_size)  # F
        self.mean = Mean()

    @property
    def state_size(self) -> int:
        return self.embedding.embedding_dim

    def forward(self, source: Tensor, source_lengths: Tensor) -> tuple[Tensor, Tensor]:
        check_lengths(source, source_lengths)
        source_mask = length_mask(source_lengths, source.size(1))
        states = self.embedding(source).masked_fill(~source_mask.unsqueeze(-1), 0.0)
        return states, self.summary(states, source_lengths)

    def summary(self, states: Tensor, source_lengths: Tensor) -> Tensor:
        """One vector for the whole source: (batch, source_len, state_size) → (batch, state_size)."""
        mean, _ = self.mean(states, length_mask(source_lengths, states.size(1)))
        return mean


class ConvolutionalEncoder(WordEncoder):
    r"""Layers of convolution and pooling, then the maximum of each feature (Rush et al., 2015, section 3.2).

    $$\bar x_i^l = Q^l\, [\tilde x_{i-Q}^{l-1}, \ldots, \tilde x_{i+Q}^{l-1}], \qquad
      \tilde x_i^l = \tanh(\max(\bar x_{2i-1}^l, \bar x_{2i}^l)), \qquad
      \mathrm{enc}_2(x, y_c) = \max_i \tilde x_i^L$$

    with $\tilde x^0 = [F x_1, \ldots, F x_M]$; all maxima are taken feature by feature.
    Words beyond the sentence count as 0 in a convolution, and in no maximum.

    Shape: as :class:`WordEncoder`; final is $\mathrm{enc}_2$.

    Raises:
        ValueError: there is no layer, the half width $Q$ is below 0, or the lengths do not fit the source.
    """

    def __init__(self, vocab_size: int, state_size: int, layers: int = 2, half_width: int = 2) -> None:
        super().__init__(vocab_size, state_size)
        check_at_least("layers", layers, 1, "; none would read the order of words")
        _check_half_width(half_width)
        width = 2 * half_width + 1
        self.convolutions = nn.ModuleList(  # Q^l
            nn.Conv1d(state_size, state_size, width, padding=half_width) for _ in range(layers)
        )

    def summary(self, states: Tensor, source_lengths: Tensor) -> Tensor:
        features, lengths = states.transpose(1, 2), source_lengths  # (batch, state_size, source_len)
        for convolution in self.convolutions:
            real = length_mask(lengths, features.size(2)).unsqueeze(1)
            convolved = convolution(features.masked_fill(~real, 0.0)).masked_fill(~real, -torch.inf)
            features = torch.tanh(F.max_pool1d(convolved, 2, ceil_mode=True))
            lengths = (lengths + 1) // 2
        real = length_mask(lengths, features.size(2)).unsqueeze(1)
        return features.masked_fill(~real, -torch.inf).amax(dim=-1)


class FeedForwardDecoder(Decoder):
    r"""A feed-forward language model with a view of the source (Rush et al., 2015, section 3.1).

    $$\tilde y_c = [E y_{i-C+1}, \ldots, E y_i], \qquad h = \tanh(U \tilde y_c), \qquad
      p(y_{i+1} \mid y_c, x) = \mathrm{softmax}(V h + W\, \mathrm{enc}(x, y_c))$$

    It remembers the last $C$ words and nothing else; before the headline these are BOS.
    The source is the encoder's one vector, the same for every word: enc does not use $y_c$ here.
    All words of a known target are predicted at once, because no state has to be carried from one to the next.

    Shape:
        state: (batch, words), ids, the last C words before the previous one is added
        memory: (batch, encoder_size), the vector of the source
        the rest as :class:`~seq2seq.decoders.decoder.Decoder`; there are no weights

    Raises:
        ValueError: C is below 1.
    """

    def __init__(self, vocab_size: int, embedding_size: int, hidden_size: int, encoder_size: int, words: int) -> None:
        super().__init__(encoder_size)
        check_at_least("words", words, 1, "; the next word follows from the last ones")
        self.words = words  # C
        self.embedding = nn.Embedding(vocab_size, embedding_size)  # E
        self.hidden_layer = nn.Linear(words * embedding_size, hidden_size)  # U
        self.output_layer = nn.Linear(hidden_size, vocab_size)  # V
        self.source_layer = nn.Linear(encoder_size, vocab_size, bias=False)  # W

    def start(self, states: Tensor, final: Tensor, source_mask: Tensor) -> tuple[Any, Tensor]:
        memory = self.remember(states, final, source_mask)
        return memory, torch.full((final.size(0), self.words), BOS, device=final.device)

    def step(self, previous: Tensor, state: Tensor, memory: Any) -> tuple[Tensor, Tensor | None, Tensor]:
        state = torch.cat([state[:, 1:], previous.unsqueeze(1)], dim=1)
        logits, weights = self._predict(state.unsqueeze(1), memory)
        return logits.squeeze(1), None if weights is None else weights.squeeze(1), state

    def unroll(self, target_in: Tensor, state: Tensor, memory: Any) -> tuple[Tensor, Tensor | None]:
        written = torch.cat([state[:, 1:], target_in], dim=1)
        return self._predict(written.unfold(1, self.words, 1), memory)  # (batch, target_len, words)

    def remember(self, states: Tensor, final: Tensor, source_mask: Tensor) -> Any:
        """What is kept of the source."""
        return final

    def look(self, last: Tensor, memory: Any) -> tuple[Tensor, Tensor | None]:
        r"""The source as each word sees it, $\mathrm{enc}(x, y_c)$.

        Shape:
            last: (batch, target_len, words), ids, $y_c$
            contexts: broadcastable to (batch, target_len, encoder_size)
            weights: (batch, target_len, source_len), or None
        """
        return memory.unsqueeze(1), None

    def _predict(self, last: Tensor, memory: Any) -> tuple[Tensor, Tensor | None]:
        hidden = torch.tanh(self.hidden_layer(self.embedding(last).flatten(2)))
        contexts, weights = self.look(last, memory)
        return self.output_layer(hidden) + self.source_layer(contexts), weights


class AttentiveFeedForwardDecoder(FeedForwardDecoder):
    r"""The same with the attention-based encoder (Rush et al., 2015, section 3.2).

    $$\tilde y_c' = [G y_{i-C+1}, \ldots, G y_i], \qquad p \propto \exp(\tilde x P \tilde y_c'), \qquad
      \mathrm{enc}_3(x, y_c) = p^\top \bar x$$

    The query is the last $C$ words, in an embedding of their own; the keys are the embedded source words $\tilde x$,
    the values $\bar x$ are these, smoothed by :func:`smooth`.
    The score is bilinear, with $W = P^\top$ in :class:`~seq2seq.scorers.BilinearScorer`.

    Shape:
        memory: :class:`~seq2seq.decoders.decoder.Memory`
        the rest as :class:`FeedForwardDecoder`, with weights

    Raises:
        ValueError: C is below 1, or the half width $Q$ is below 0.
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        hidden_size: int,
        encoder_size: int,
        words: int,
        half_width: int = 2,
    ) -> None:
        super().__init__(vocab_size, embedding_size, hidden_size, encoder_size, words)
        _check_half_width(half_width)
        self.half_width = half_width  # Q
        self.query_embedding = nn.Embedding(vocab_size, embedding_size)  # G
        self.attention = Attention(BilinearScorer(words * embedding_size, encoder_size))  # P

    def remember(self, states: Tensor, final: Tensor, source_mask: Tensor) -> Memory:
        return Memory(
            self.attention.scorer.project_keys(states),
            smooth(states, source_mask, self.half_width),
            source_mask,
        )

    def look(self, last: Tensor, memory: Memory) -> tuple[Tensor, Tensor]:
        return self.attention.forward_all(self.query_embedding(last).flatten(2), *memory)


def smooth(states: Tensor, source_mask: Tensor, half_width: int) -> Tensor:
    r"""The mean of each state and its neighbours, $Q$ on each side (Rush et al., 2015, section 3.2).

    $$\bar x_i = \frac{1}{2Q + 1} \sum_{q=i-Q}^{i+Q} \tilde x_q$$

    In print the terms are $\tilde x_i / Q$, the same for every $q$; this is what the authors' program computes, up to
    a factor that it learns.
    Beyond the ends of a sentence there are zeros, there as here, so the first and the last word get a shorter vector.

    Shape:
        states: (batch, source_len, size), $\tilde x$
        source_mask: (batch, source_len), bool, True = real token; padding counts as beyond the end
        smoothed: (batch, source_len, size), $\bar x$; at padding, anything finite

    Raises:
        ValueError: the half width $Q$ is below 0.
    """
    _check_half_width(half_width)
    real = states.masked_fill(~source_mask.unsqueeze(-1), 0.0)
    width = 2 * half_width + 1
    means = F.avg_pool1d(real.transpose(1, 2), width, stride=1, padding=half_width)
    return means.transpose(1, 2)


def _check_half_width(half_width: int) -> None:
    check_at_least("half_width", half_width, 0, ": the words on each side, 0 for the word alone")
