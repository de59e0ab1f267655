r"""The smallest decoder: an embedding, a GRU cell and an output layer, one word at a time."""

from torch import Tensor, nn


class PlainDecoder(nn.Module):
    r"""A language model whose first state is set from outside (Sutskever et al., 2014, section 2).

    $$s_i = \mathrm{GRU}(E y_{i-1}, s_{i-1}), \qquad p(y_i) = \mathrm{softmax}(W_o s_i)$$

    All that it knows about a source sentence is in its first state.

    Shape:
        previous: (batch,), ids, the word before the one to predict
        state: (batch, hidden_size)
        logits: (batch, vocab_size), before the softmax
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        hidden_size: int,
    ) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_size)  # E
        self.cell = nn.GRUCell(embedding_size, hidden_size)
        self.output_layer = nn.Linear(hidden_size, vocab_size)  # W_o

    def step(self, previous: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """One word: (logits, next state)."""
        state = self.cell(self.embedding(previous), state)
        return self.output_layer(state), state
