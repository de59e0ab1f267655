r"""Models from the parameters of a paper, under the paper's own names.

A matrix is given as the paper writes it, for column vectors: $W$ in $W x$ is (rows of the result, size of x).
So an embedding matrix $E$ is (embedding_size, vocab_size), one word per column; ``nn.Embedding`` keeps words in rows.
The papers omit biases from their equations; here they are set to 0.
"""

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from seq2seq.decoders.luong import LuongDecoder
from seq2seq.decoders.orders import AppendixDecoder
from seq2seq.decoders.readout import MaxoutReadout
from seq2seq.encoders import Encoder
from seq2seq.layers.paper_gru import PaperGru
from seq2seq.model import Seq2Seq
from seq2seq.scorers import AdditiveScorer, BilinearScorer, DotScorer, LocationScorer, ScaledDotScorer

GATES = ("", "_z", "_r")
# The shape of each matrix, in the letters of the paper; the first that has a letter tells its size.
ENCODER_SHAPES = {f"{name}{gate}": axes for name, axes in (("U", "n_e n_e"), ("W", "n_e m")) for gate in GATES}
DECODER_SHAPES = {
    "E": "m' vocab_size",
    **{f"{name}{gate}": axes for name, axes in (("U", "n n"), ("W", "n m'"), ("C", "n n_e+n_e")) for gate in GATES},
    **{"v_a": "n'", "W_a": "n' n", "U_a": "n' n_e+n_e", "W_s": "n n_e"},
    **{"U_o": "l+l n", "V_o": "l+l m'", "C_o": "l+l n_e+n_e", "W_o": "vocab_size l"},
}


def bahdanau_from_paper(
    source_embedding: Tensor,
    forward: Mapping[str, Tensor],
    backward: Mapping[str, Tensor],
    decoder: Mapping[str, Tensor],
) -> Seq2Seq:
    r"""The model of Bahdanau et al. (2015, appendix A) with the given parameters; sizes are read from their shapes.

    Every name of the appendix is used, and the results are those of its equations, with the reading
    $\tilde t_i = U_o s_i + \ldots$ (equation 4; the appendix prints $s_{i-1}$).
    The cells are :class:`~seq2seq.layers.paper_gru.PaperGru`, because PyTorch's cannot replace them in general; where
    it can, :func:`pytorch_gru` gives the weights.
    Not representable: a readout of another size than $l = n / 2$, rounded down; the paper has 1000 and 500.

    Shape:
        source_embedding: (m, source_vocab_size), $E$ of the encoder, shared by both directions
        forward, backward: W, W_z, W_r (n_e, m) and U, U_z, U_r (n_e, n_e)
        decoder: E (m', vocab_size); W, W_z, W_r (n, m'); U, U_z, U_r (n, n); C, C_z, C_r (n, 2 n_e); W_a (n', n);
            U_a (n', 2 n_e); v_a (n',); W_s (n, n_e); U_o (2l, n); V_o (2l, m'); C_o (2l, 2 n_e); W_o (vocab_size, l)

    Raises:
        ValueError: a name is missing or unknown, or a shape does not fit the others.
    """
    sizes: dict[str, int] = {}
    _check_shapes("source_embedding", {"E": source_embedding}, {"E": "m source_vocab_size"}, sizes)
    _check_shapes("forward", forward, ENCODER_SHAPES, sizes)
    _check_shapes("backward", backward, ENCODER_SHAPES, sizes)
    _check_shapes("decoder", decoder, DECODER_SHAPES, sizes)
    source_size, source_vocab_size, half = sizes["m"], sizes["source_vocab_size"], sizes["n_e"]
    embedding_size, vocab_size, hidden_size = sizes["m'"], sizes["vocab_size"], sizes["n"]
    scorer = AdditiveScorer(hidden_size, 2 * half, sizes["n'"])
    encoder = Encoder(source_vocab_size, source_size, half, cell="paper_gru")
    ours = AppendixDecoder(vocab_size, embedding_size, hidden_size, 2 * half, scorer)
    model = Seq2Seq(encoder, ours).to(source_embedding)
    _clear_biases(model)

    _fill(encoder.embedding.weight, source_embedding.T)
    for layer, parameters in ((encoder.forward_rnn, forward), (encoder.backward_rnn, backward)):
        assert isinstance(layer, PaperGru)
        _fill(layer.cell.weight_ih, _stack(parameters, "W"))
        _fill(layer.cell.weight_hh, _stack(parameters, "U"))

    from_input = torch.cat([_stack(decoder, "W"), _stack(decoder, "C")], dim=1)  # the cell reads [E y; c]
    readout = torch.cat([decoder["U_o"], decoder["V_o"], decoder["C_o"]], dim=1)
    _fill(ours.embedding.weight, decoder["E"].T)
    _fill(ours.cell.weight_ih, from_input)
    _fill(ours.cell.weight_hh, _stack(decoder, "U"))
    _fill(scorer.query_layer.weight, decoder["W_a"])
    _fill(scorer.key_layer.weight, decoder["U_a"])
    _fill(scorer.energy_layer.weight, decoder["v_a"].unsqueeze(0))
    _fill(ours.bridge.hidden_layer.weight, decoder["W_s"])
    assert isinstance(ours.readout, MaxoutReadout)
    _fill(ours.readout.layer.weight, readout)
    _fill(ours.output_layer.weight, decoder["W_o"])
    return model


def pytorch_gru(parameters: Mapping[str, Tensor]) -> tuple[Tensor, Tensor]:
    r"""(weight_ih, weight_hh) with which PyTorch's GRU, all biases 0, equals the paper's unit, if there are any.

    The polarity of the update gate is a matter of sign: $1 - \sigma(x) = \sigma(-x)$, so $W_z$ and $U_z$ are negated.
    The reset gate's placement is not: $U [r \circ s] = r \circ (U s)$ for every $s$ only where $U$ is diagonal, or $r$
    has equal entries, which without biases holds for every input only where $W_r$ and $U_r$ are 0 ($r = 1/2$) or their
    rows are equal.

    Shape:
        parameters: W, W_z, W_r (size, input_size), U, U_z, U_r (size, size), of the appendix
        weight_ih: (3 × size, input_size), weight_hh: (3 × size, size), reset, update and new gate

    Raises:
        ValueError: a name is missing or unknown, a shape does not fit the others, or no weights of PyTorch's GRU give
            the same numbers.
    """
    _check_shapes("parameters", parameters, ENCODER_SHAPES, {})
    recurrent = parameters["U"]
    diagonal = torch.equal(recurrent, torch.diag(recurrent.diagonal()))
    equal_rows = all(
        torch.equal(parameters[name], parameters[name][:1].expand_as(parameters[name])) for name in ("W_r", "U_r")
    )
    if not (diagonal or equal_rows):
        raise ValueError(
            "parameters: U is not diagonal and the rows of W_r and U_r differ, so no weights of PyTorch's GRU give the "
            "same numbers: its reset gate multiplies U s, the paper's multiplies s; use PaperGru."
        )
    input_weight, state_weight = (
        torch.cat([parameters[f"{letter}_r"], -parameters[f"{letter}_z"], parameters[letter]]) for letter in "WU"
    )
    return input_weight, state_weight


def load_luong(decoder: LuongDecoder, parameters: Mapping[str, Tensor]) -> None:
    r"""Fill attention and output layers of a Luong decoder from Luong et al.'s names (2015, equations 5 to 8).

    $$\tilde h_t = \tanh(W_c [c_t; h_t]), \qquad p = \mathrm{softmax}(W_s \tilde h_t)$$

    Which further names there are depends on the decoder's scorer: none for dot; W_a for general,
    $h_t^\top W_a \bar h_s$, and location, $W_a h_t$; W_a and v_a for concat, $v_a^\top \tanh(W_a [h_t; \bar h_s])$,
    whose $W_a$ is split into the columns for $h_t$ and those for $\bar h_s$.
    The paper does not name the weights of its recurrent layers; these are left unchanged.
    A model that is built of the decoder afterwards draws all anew, unless with fresh=False.

    Shape:
        W_c: (hidden_size, encoder_size + hidden_size), and W_s: (vocab_size, hidden_size)
        W_a: (hidden_size, encoder_size) general; (max_keys, hidden_size) location; (attention_size, hidden_size +
            encoder_size) concat, with v_a: (attention_size,)

    Raises:
        TypeError: the scorer is not one of the paper's.
        ValueError: a name is missing or unknown, or a shape does not fit the decoder.
    """
    scorer = decoder.attention.scorer
    vocab_size, hidden_size = decoder.output_layer.weight.shape
    encoder_size = decoder.attentional_layer.in_features - hidden_size
    sizes = {"vocab_size": vocab_size, "hidden_size": hidden_size, "encoder_size": encoder_size}
    shapes = {"W_c": "hidden_size encoder_size+hidden_size", "W_s": "vocab_size hidden_size"}
    match scorer:
        case DotScorer() | ScaledDotScorer():
            pass
        case BilinearScorer():
            shapes["W_a"] = "hidden_size encoder_size"
        case LocationScorer():
            shapes["W_a"] = "max_keys hidden_size"
            sizes["max_keys"] = scorer.position_layer.out_features
        case AdditiveScorer():
            shapes |= {"W_a": "attention_size hidden_size+encoder_size", "v_a": "attention_size"}
            sizes["attention_size"] = scorer.energy_layer.in_features
        case _:
            raise TypeError(f"decoder: its scorer is {type(scorer).__name__}, expected one of Luong et al.'s.")
    _check_shapes("parameters", parameters, shapes, sizes)
    match scorer:
        case BilinearScorer():
            _fill(scorer.key_layer.weight, parameters["W_a"])
        case LocationScorer():
            _fill(scorer.position_layer.weight, parameters["W_a"])
        case AdditiveScorer():
            _fill(scorer.query_layer.weight, parameters["W_a"][:, :hidden_size])
            _fill(scorer.key_layer.weight, parameters["W_a"][:, hidden_size:])
            _fill(scorer.energy_layer.weight, parameters["v_a"].unsqueeze(0))
    _fill(decoder.attentional_layer.weight, parameters["W_c"])
    _fill(decoder.output_layer.weight, parameters["W_s"])
    _clear_biases(decoder.output_layer)


def _stack(parameters: Mapping[str, Tensor], letter: str) -> Tensor:
    """Reset gate, update gate and candidate, stacked."""
    return torch.cat([parameters[f"{letter}_r"], parameters[f"{letter}_z"], parameters[letter]])


def _check_shapes(
    which: str, parameters: Mapping[str, Tensor], shapes: Mapping[str, str], sizes: dict[str, int]
) -> None:
    """Refuse other names than those of the shapes, and shapes that do not fit; fills in the sizes of the letters."""
    missing, unknown = sorted(set(shapes) - set(parameters)), sorted(set(parameters) - set(shapes))
    if missing or unknown:
        raise ValueError(f"{which}: missing {missing}, unknown {unknown}; expected exactly {', '.join(shapes)}.")
    for name, letters in shapes.items():
        got, axes = tuple(parameters[name].shape), letters.split()
        for axis, size in zip(axes, got, strict=False):
            if "+" not in axis:
                sizes.setdefault(axis, size)
        if "n" in sizes:
            sizes["l"] = sizes["n"] // 2  # of the maxout layer
        expected = tuple(sum(sizes[letter] for letter in axis.split("+")) for axis in axes if len(axes) == len(got))
        if got != expected:
            raise ValueError(
                f"{which}: {name}: shape {got}, expected {expected or tuple(axes)} by the shapes of the others; "
                "is a matrix transposed?"
            )


def _fill(weight: Tensor, matrix: Tensor) -> None:
    with torch.no_grad():
        weight.copy_(matrix)


def _clear_biases(module: nn.Module) -> None:
    for name, parameter in module.named_parameters():
        if "bias" in name.rpartition(".")[2]:
            nn.init.zeros_(parameter)
