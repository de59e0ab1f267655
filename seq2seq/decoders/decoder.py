r"""What all decoders share: the interface, their first state, their memory of the source and how they look at it."""

from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from seq2seq.attention import Attention
from seq2seq.layers.recurrent import RecurrentState
from seq2seq.scorer import Scorer


class Memory(NamedTuple):
    """The source sentence as a decoder with attention sees it, the same at every step.

    Shape:
        projected_keys: (batch, source_len, ...), from the scorer's ``project_keys``: computed once per sentence
        values: (batch, source_len, encoder_size), the encoder states
        source_mask: (batch, source_len), bool, True = real token
    """

    projected_keys: Tensor
    values: Tensor
    source_mask: Tensor


class Decoder(nn.Module):
    r"""The decoder interface: ``start`` once per sentence, then ``step`` once per word, or ``unroll`` for all.

    ``unroll`` takes the true previous words (teacher forcing) and returns what a loop over steps would, faster.
    Memory and state are opaque: a caller only passes them back to the decoder that made them.

    Shape:
        states: (batch, source_len, encoder_size), from the encoder
        final: (batch, encoder_size), from the encoder
        source_mask: (batch, source_len), bool, True = real token
        previous: (batch,), ids, the word before the one to predict
        target_in: (batch, target_len), ids, BOS first
        logits: (batch, target_vocab_size) from a step, (batch, target_len, target_vocab_size) from unroll
        weights: (batch, source_len) from a step, (batch, target_len, source_len) from unroll; None without attention
    """

    needs_both_directions = False  # True if the decoder uses the backward half of the encoder's states
    shares_memory = False  # True if step accepts several states per row of the memory, those of a row adjacent
    gives_logits = True  # False if step and unroll give the parts of a mixture instead

    def __init__(self, encoder_size: int | None = None) -> None:
        super().__init__()
        self.encoder_size = encoder_size  # of the states that it reads; None: of any

    def start(self, states: Tensor, final: Tensor, source_mask: Tensor) -> tuple[Any, Any]:
        """The memory of the source sentence and the decoder state before the first word."""
        raise NotImplementedError

    def step(self, previous: Tensor, state: Any, memory: Any) -> tuple[Tensor, Tensor | None, Any]:
        """One word: (logits, weights, next state)."""
        raise NotImplementedError

    def unroll(self, target_in: Tensor, state: Any, memory: Any) -> tuple[Tensor, Tensor | None]:
        """Every word of the target, teacher-forced: (logits, weights)."""
        raise NotImplementedError


class Bridge(nn.Module):
    r"""From a summary of the source to the decoder's first state.

    $$s_0 = \tanh(W_s h)$$

    The decoder chooses $h$: the backward state at word 1 for Bahdanau et al. (2015, appendix A.2.2), the fixed
    vector for Cho et al. (2014).
    An LSTM's memory cell starts the same way, with its own matrix.
    A bridge lets encoder and decoder differ in size; papers that copy the state need them equal.

    Shape:
        summary: (batch, summary_size)
        state: (1, batch, hidden_size), layer first as ``nn.GRU`` expects; with cell="lstm" a pair of these
    """

    def __init__(self, summary_size: int, hidden_size: int, cell: str = "gru") -> None:
        super().__init__()
        self.hidden_layer = nn.Linear(summary_size, hidden_size)  # W_s
        self.memory_layer = nn.Linear(summary_size, hidden_size) if cell == "lstm" else None

    def forward(self, summary: Tensor) -> RecurrentState:
        hidden = torch.tanh(self.hidden_layer(summary)).unsqueeze(0)
        if self.memory_layer is None:
            return hidden
        return hidden, torch.tanh(self.memory_layer(summary)).unsqueeze(0)


def attention_by(scorer: Scorer, query_size: int, key_size: int) -> Attention:
    """Attention by a scorer that takes queries and keys of these sizes.

    Raises:
        TypeError: the scorer is none: a class, a name, None.
        ValueError: it takes queries or keys of other sizes.
    """
    if not isinstance(scorer, Scorer):
        raise TypeError(f"scorer: got {scorer!r}, expected an object of a Scorer's class, such as DotScorer().")
    like = next(scorer.parameters(), torch.empty(0))
    try:
        with torch.no_grad():
            scorer(like.new_zeros(1, query_size), like.new_zeros(1, 1, key_size))
    except NotImplementedError:  # the interface alone
        pass
    except RuntimeError as error:
        raise ValueError(
            f"scorer: got a {type(scorer).__name__} for queries or keys of other sizes, expected one for "
            f"query_size={query_size}, the decoder's hidden_size, and key_size={key_size}, its encoder_size; "
            f"a dot product needs both equal. PyTorch says: {error}"
        ) from None
    return Attention(scorer)


def attend_by_sentence(attention: Attention, query: Tensor, memory: Memory) -> tuple[Tensor, Tensor]:
    """Attention where a sentence of the memory may have several queries, as a beam has hypotheses.

    The queries of a sentence are then scored in one product, and the keys are not repeated.

    Shape:
        query: (batch × queries, query_size), all queries of a sentence adjacent
        context: (batch × queries, value_size)
        weights: (batch × queries, keys)
    """
    queries = max(1, query.size(0) // max(1, memory.values.size(0)))
    if queries == 1:
        return attention(query, *memory)
    context, weights = attention.forward_all(query.unflatten(0, (-1, queries)), *memory)
    return context.flatten(0, 1), weights.flatten(0, 1)


def computes_as_written(module: nn.Module, kinds: type | tuple[type, ...], *parameters: str) -> bool:
    """Whether a loop that bypasses the module may stand for it: it is exactly of one of these classes, unchanged.

    `parameters` are all that it has itself; its parts are asked for on their own.
    A module with hooks, or with a method set on the instance, is run as it is: a hook that is never called, or weights
    that an altered method never made, would be silent errors.
    """
    hooks = module._forward_hooks, module._forward_pre_hooks, module._backward_hooks, module._backward_pre_hooks
    changed = any(hooks) or any(map(callable, vars(module).values()))
    present = {name for name, parameter in module._parameters.items() if parameter is not None}
    known = kinds if isinstance(kinds, tuple) else (kinds,)
    return type(module) in known and present == {*parameters} and not changed


def has_methods_of(kind: type, module: nn.Module, *names: str) -> bool:
    """Whether these methods, which a loop bypasses, are those of the class: not overridden, nor set on the instance."""
    return all(getattr(getattr(module, name), "__func__", None) is getattr(kind, name) for name in names)
