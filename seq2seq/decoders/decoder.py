r"""The base class of all decoders; the decoders are in the other modules of this package."""

from typing import Any, NamedTuple

from torch import Tensor, nn

from seq2seq.attention import Attention


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

    def start(self, states: Tensor, final: Tensor, source_mask: Tensor) -> tuple[Any, Any]:
        """The memory of the source sentence and the decoder state before the first word."""
        raise NotImplementedError

    def step(self, previous: Tensor, state: Any, memory: Any) -> tuple[Tensor, Tensor | None, Any]:
        """One word: (logits, weights, next state)."""
        raise NotImplementedError

    def unroll(self, target_in: Tensor, state: Any, memory: Any) -> tuple[Tensor, Tensor | None]:
        """Every word of the target, teacher-forced: (logits, weights)."""
        raise NotImplementedError


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
