r"""A recurrent network with stacks: a memory accessed at one end only, which can count up to its depth."""

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from seq2seq.guards import check_at_least, check_ids

EMPTY = -1.0  # the value below the lowest element
PUSH, POP = 0, 1


def push_and_pop(stack: Tensor, value: Tensor, actions: Tensor) -> Tensor:
    r"""One step of a stack whose actions are shares rather than choices (Joulin & Mikolov, 2015, section 3.2).

    $$s_t[0] = a_t[\mathrm{PUSH}] \, v_t + a_t[\mathrm{POP}] \, s_{t-1}[1]$$
    $$s_t[i] = a_t[\mathrm{PUSH}] \, s_{t-1}[i-1] + a_t[\mathrm{POP}] \, s_{t-1}[i+1]$$

    The result is the weighted mean of the stack pushed and the stack popped, so gradients flow through both.
    Index 0 is the top; below the lowest element is -1, and what is pushed out at the bottom is lost.

    Shape:
        stack: (batch, stacks, depth)
        value: (batch, stacks), $v_t$
        actions: (batch, stacks, 2), the shares of PUSH and POP, which sum to 1
        result: (batch, stacks, depth)
    """
    pushed = torch.cat([value.unsqueeze(-1), stack[..., :-1]], dim=-1)
    popped = F.pad(stack[..., 1:], (0, 1), value=EMPTY)
    return actions[..., PUSH, None] * pushed + actions[..., POP, None] * popped


class StackRNN(nn.Module):
    r"""A simple recurrent network with stacks of numbers, as a language model (Joulin & Mikolov, 2015, section 3.2).

    $$h_t = \sigma(U x_t + R h_{t-1} + P s^k_{t-1}), \qquad a_t = \mathrm{softmax}(A h_t), \qquad v_t = \sigma(D h_t)$$
    $$s_t = \mathrm{step}(s_{t-1}, v_t, a_t), \qquad y_t = \mathrm{softmax}(V h_t)$$

    $s^k$ are the `top` uppermost elements of every stack, and the step is :func:`push_and_pop`.
    Each stack has its own actions and values.
    The stacks are as deep as the sequence is long, so that none overflows; they start empty.

    Shape:
        ids: (batch, steps)
        logits: (batch, steps, vocab_size), of the next symbol
        actions: (batch, steps, stacks, 2), the shares of PUSH and POP

    Raises:
        ValueError: stacks or top is below 1, an id is not in the vocabulary, or the ids are on another device.
        TypeError: the ids are no tensor of integers.
    """

    def __init__(self, vocab_size: int, hidden_size: int, stacks: int = 1, top: int = 2) -> None:
        super().__init__()
        for name, number in (("stacks", stacks), ("top", top)):
            check_at_least(name, number, 1, "; without a stack use nn.RNN")
        self.hidden_size, self.stacks, self.top = hidden_size, stacks, top
        self.input_table = nn.Embedding(vocab_size, hidden_size)  # U, one column for each symbol
        self.recurrent = nn.Linear(hidden_size, hidden_size, bias=False)  # R
        self.from_stack = nn.Linear(stacks * top, hidden_size)  # P
        self.action_layer = nn.Linear(hidden_size, stacks * 2)  # A
        self.value_layer = nn.Linear(hidden_size, stacks)  # D
        self.output_layer = nn.Linear(hidden_size, vocab_size)  # V

    def forward(self, ids: Tensor) -> tuple[Tensor, Tensor]:
        return self._read(ids, lambda shares: shares)

    def rounded(self, ids: Tensor) -> tuple[Tensor, Tensor]:
        """The same with only the larger action, for a trained network: small shares no longer accumulate.

        No gradient flows through the choice.
        """
        return self._read(ids, lambda shares: F.one_hot(shares.argmax(dim=-1), 2).to(shares.dtype))

    def _read(self, ids: Tensor, decide: Callable[[Tensor], Tensor]) -> tuple[Tensor, Tensor]:
        check_ids("ids", ids, self.input_table)
        batch, steps = ids.shape
        inputs = self.input_table(ids)
        hidden = inputs.new_zeros(batch, self.hidden_size)
        stack = inputs.new_full((batch, self.stacks, steps + self.top), EMPTY)
        states, actions = [], []
        for entry in inputs.unbind(dim=1):
            top = stack[..., : self.top].flatten(1)  # (batch, stacks × top)
            hidden = torch.sigmoid(entry + self.recurrent(hidden) + self.from_stack(top))
            shares = decide(torch.softmax(self.action_layer(hidden).view(batch, self.stacks, 2), dim=-1))
            stack = push_and_pop(stack, torch.sigmoid(self.value_layer(hidden)), shares)
            states.append(hidden)
            actions.append(shares)
        return self.output_layer(torch.stack(states, dim=1)), torch.stack(actions, dim=1)
