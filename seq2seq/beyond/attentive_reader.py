r"""Reading with attention: answering a question about a text (Hermann et al., 2015, section 3.2)."""

import torch
from torch import Tensor, nn

from seq2seq.attention import Attention
from seq2seq.batch import length_mask
from seq2seq.encoders import Encoder
from seq2seq.guards import check_ids, check_lengths_of
from seq2seq.model import initialise
from seq2seq.scorers import AdditiveScorer


class AttentiveReader(nn.Module):
    r"""The Attentive Reader: the question is the query, the words of the text are keys and values.

    $$s_t \propto \exp\left(w^\top \tanh(W_u u + W_y y_t)\right), \qquad r = \sum_t s_t y_t$$
    $$g = \tanh(W_r r + W_g u), \qquad p(a) = \mathrm{softmax}(W_a g)$$

    $y_t$ is the two-way state at word $t$ of the text, $u$ the last state of each direction over the question.
    There is one query and no target sequence: attention without a decoder.
    Text and question share the embedding here, because they share words.

    Shape:
        text: (batch, words), ids
        text_lengths: (batch,)
        question: (batch, question_words), ids
        question_lengths: (batch,)
        logits: (batch, vocab_size)
        weights: (batch, words)

    Raises:
        TypeError: ids or lengths are no tensors of integers.
        ValueError: an id is not in the vocabulary, or the lengths do not fit.
    """

    def __init__(self, vocab_size: int, embedding_size: int, hidden_size: int) -> None:
        super().__init__()
        self.text_encoder = Encoder(vocab_size, embedding_size, hidden_size, cell="lstm")
        self.question_encoder = Encoder(vocab_size, embedding_size, hidden_size, cell="lstm")
        self.question_encoder.embedding = self.text_encoder.embedding
        size = self.text_encoder.state_size
        self.attention = Attention(AdditiveScorer(size, size, size))
        self.text_layer = nn.Linear(size, size, bias=False)
        self.question_layer = nn.Linear(size, size)
        self.answer_layer = nn.Linear(size, vocab_size)
        initialise(self)

    def forward(
        self,
        text: Tensor,
        text_lengths: Tensor,
        question: Tensor,
        question_lengths: Tensor,
    ) -> tuple[Tensor, Tensor]:
        self._check("text", text, text_lengths)
        self._check("question", question, question_lengths)
        states, _ = self.text_encoder(text, text_lengths)
        _, query = self.question_encoder(question, question_lengths)
        text_mask = length_mask(text_lengths, text.size(1))
        keys = self.attention.scorer.project_keys(states)
        context, weights = self.attention(query, keys, states, text_mask)
        joint = torch.tanh(self.text_layer(context) + self.question_layer(query))
        return self.answer_layer(joint), weights

    def _check(self, name: str, ids: Tensor, lengths: Tensor) -> None:
        check_ids(name, ids, self.text_encoder.embedding)
        check_lengths_of(f"{name}_lengths", ids, lengths)
