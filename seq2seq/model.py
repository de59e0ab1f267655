r"""A sequence-to-sequence model: an encoder and a decoder, trained jointly."""

from typing import Any, TypeVar

from torch import Tensor, nn

from seq2seq.batch import length_mask
from seq2seq.decoders.decoder import Decoder
from seq2seq.encoders import check_lengths
from seq2seq.guards import check_ids, check_lengths_of

NORMS = (nn.LayerNorm, nn.RMSNorm, nn.GroupNorm, nn.modules.batchnorm._NormBase)  # the last: by batch, by instance
AnyDecoder = TypeVar("AnyDecoder", bound=Decoder)


class Seq2Seq(nn.Module):
    r"""A conditional language model (Sutskever et al., 2014, equation 1).

    $$p(y \mid x) = \prod_i p(y_i \mid y_1, \ldots, y_{i-1}, x)$$

    ``model(source, source_lengths, target_in)`` is the teacher-forced pass that training and forced decoding need;
    free-running decoding is in :mod:`seq2seq.search`.

    To build a model is to draw all of its weights anew (:func:`initialise`): what its parts have learned or loaded
    before is lost. With `fresh=False` they stay as they are, for an encoder that is trained already, or shared.

    Shape:
        source: (batch, source_len), ids
        source_lengths: (batch,)
        target_in: (batch, target_len), ids, BOS first
        logits: (batch, target_len, target_vocab_size)
        weights: (batch, target_len, source_len), or None where the decoder has no attention

    Raises:
        ValueError: the decoder needs the backward states of a unidirectional encoder, or states of another size than
            the encoder's; or an id is not in the vocabulary, the source has no sentence, the target no word, the shapes
            do not fit, or the device is not the model's.
        TypeError: the decoder is none; or ids or lengths are not integers.
    """

    def __init__(self, encoder: nn.Module, decoder: Decoder, *, fresh: bool = True) -> None:
        super().__init__()
        if not isinstance(decoder, Decoder):
            raise TypeError(
                f"decoder: got {type(decoder).__name__}, expected a Decoder, after the encoder; are the two swapped?"
            )
        if decoder.needs_both_directions and getattr(encoder, "backward_rnn", None) is None:
            raise ValueError(
                f"encoder: one-way, but {type(decoder).__name__} starts from the backward state at word 1; "
                "build the encoder with bidirectional=True; one of your own shows that it is two-way by a backward_rnn."
            )
        reads, given = decoder.encoder_size, getattr(encoder, "state_size", None)
        if None not in (reads, given) and reads != given:
            raise ValueError(
                f"decoder: got encoder_size={reads}, expected {given}, the size of the encoder's states; those of a "
                "two-way encoder are twice as large as its hidden_size."
            )
        self.encoder = encoder
        self.decoder = decoder
        if fresh:
            initialise(self)

    def read(self, source: Tensor, source_lengths: Tensor) -> tuple[Any, Any]:
        """Encode the source: the decoder's memory of it, and its state before the first word."""
        self._check_source(source, source_lengths)
        states, final = self.encoder(source, source_lengths)
        source_mask = length_mask(source_lengths, source.size(1))
        return self.decoder.start(states, final, source_mask)

    def forward(self, source: Tensor, source_lengths: Tensor, target_in: Tensor) -> tuple[Tensor, Tensor | None]:
        memory, state = self.read(source, source_lengths)
        self._check_target(target_in, source)
        return self.decoder.unroll(target_in, state, memory)

    def check(self, source: Tensor, source_lengths: Tensor, target_in: Tensor) -> None:
        """Refuse what the model would refuse, without computing anything."""
        self._check_source(source, source_lengths)
        check_lengths(source, source_lengths)
        self._check_target(target_in, source)

    def _check_source(self, source: Tensor, source_lengths: Tensor) -> None:
        self._check("source", source, self.encoder)
        check_lengths_of("source_lengths", source, source_lengths)

    def _check_target(self, target_in: Tensor, source: Tensor) -> None:
        self._check("target_in", target_in, self.decoder)
        if target_in.dim() != 2 or target_in.size(0) != source.size(0) or target_in.size(1) == 0:
            raise ValueError(
                f"target_in: shape {tuple(target_in.shape)}, expected (batch={source.size(0)}, target_len), "
                "one row per row of source, and at least one word in each, BOS."
            )

    def _check(self, name: str, ids: Tensor, part: nn.Module) -> None:
        """Ids that the part's table of words has; a part that reads pictures or sounds has none."""
        if isinstance(table := getattr(part, "embedding", None), nn.Embedding):
            check_ids(name, ids, table)


def decoder_of(model: Any, kind: type[AnyDecoder] | None = None, why: str = "") -> AnyDecoder:
    """The decoder of a model: one that gives logits, or if asked for one of a kind.

    Raises:
        TypeError: the model has none, as one that something wraps, or another; `why` ends the message.
    """
    decoder = getattr(model, "decoder", None)
    if decoder is None:
        raise TypeError(
            f"model: got {type(model).__name__}, expected a Seq2Seq, with a decoder; of DataParallel, `model.module`."
        )
    if kind is None and not getattr(decoder, "gives_logits", True):
        raise TypeError(
            f"model: its decoder is a {type(decoder).__name__}, which gives the parts of a mixture, expected one that "
            "gives logits; for this one use copying_loss and greedy_copying of seq2seq.beyond.copying."
        )
    if kind is not None and not isinstance(decoder, kind):
        raise TypeError(f"model: its decoder is a {type(decoder).__name__}, expected a {kind.__name__}{why}.")
    return decoder


def initialise(model: nn.Module) -> None:
    r"""Initial weights: recurrent matrices orthogonal, others by Glorot, biases 0, gains 1, embeddings $N(0, 0.1)$.

    Other vectors and numbers, such as a parameter of a scorer's own, stay as their modules made them.

    A recurrent layer stacks the matrices of its gates in one parameter; each gate is drawn separately.
    The bias of an LSTM's forget gate starts at 1, so that it remembers at first (Jozefowicz et al., 2015).
    Orthogonal recurrent matrices are the choice of Bahdanau et al. (2015, appendix B.1).
    The variance of an embedding is 0.1, so that word and state enter the cell on a similar scale.
    """
    for module in model.modules():
        for name, parameter in module.named_parameters(recurse=False):
            if isinstance(module, nn.Embedding):
                nn.init.normal_(parameter, std=0.1**0.5)
            elif isinstance(module, NORMS):
                (nn.init.zeros_ if "bias" in name else nn.init.ones_)(parameter)
            elif parameter.dim() < 2 and "bias" in name:
                nn.init.zeros_(parameter)
                if isinstance(module, nn.LSTM) and name.startswith("bias_ih"):
                    nn.init.ones_(parameter.data.chunk(4)[1])  # input, forget, cell and output gate
            elif parameter.dim() >= 2:
                draw = nn.init.orthogonal_ if name.startswith("weight_hh") else nn.init.xavier_uniform_
                for gate in parameter.data.split(getattr(module, "hidden_size", parameter.size(0))):
                    draw(gate)
