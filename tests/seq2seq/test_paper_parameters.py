"""Parameters under the papers' names give the numbers of the papers' equations, one sentence and one word at a time."""

import pytest
import torch
from equations import mixture, softmax

from seq2seq.decoders.luong import LuongDecoder
from seq2seq.layers.paper_gru import PaperGru
from seq2seq.layers.recurrent import recurrent_layer
from seq2seq.paper_names import bahdanau_from_paper, load_luong, pytorch_gru
from seq2seq.scorers import AdditiveScorer, BilinearScorer, DotScorer, LocationScorer

SOURCE_WORDS, TARGET_WORDS, M, M_TARGET, HALF, N, MAXOUT, N_ATTENTION = 9, 10, 6, 5, 11, 8, 4, 7
SOURCE, TARGET_IN = [3, 8], [1, 6, 4]
EXACT = {"atol": 1e-10, "rtol": 0}
DRAW = torch.Generator().manual_seed(7)


def drawn(*shape):
    return 0.6 * torch.randn(shape, dtype=torch.float64, generator=DRAW)


def direction():
    shapes = {"W": (HALF, M), "U": (HALF, HALF)}
    return {letter + gate: drawn(*shapes[letter]) for letter in "WU" for gate in ("", "_z", "_r")}


FORWARD, BACKWARD, SOURCE_EMBEDDING = direction(), direction(), drawn(M, SOURCE_WORDS)
SHAPES = {"E": (M_TARGET, TARGET_WORDS), "W_a": (N_ATTENTION, N), "U_a": (N_ATTENTION, 2 * HALF), "v_a": (N_ATTENTION,)}
SHAPES |= {"W" + gate: (N, M_TARGET) for gate in ("", "_z", "_r")}
SHAPES |= {"U" + gate: (N, N) for gate in ("", "_z", "_r")}
SHAPES |= {"C" + gate: (N, 2 * HALF) for gate in ("", "_z", "_r")}
SHAPES |= {"W_s": (N, HALF), "U_o": (2 * MAXOUT, N), "V_o": (2 * MAXOUT, M_TARGET), "C_o": (2 * MAXOUT, 2 * HALF)}
SHAPES |= {"W_o": (TARGET_WORDS, MAXOUT)}
DECODER = {name: drawn(*shape) for name, shape in SHAPES.items()}


def unit(p, state, *inputs):
    """Appendix A.1.1 (inputs: W's) and A.2.2 (inputs: W's and C's)."""

    def from_inputs(gate):
        return sum(p[letter + gate] @ vector for letter, vector in zip("WC", inputs, strict=False))

    z, r = (torch.sigmoid(from_inputs(gate) + p["U" + gate] @ state) for gate in ("_z", "_r"))
    return (1 - z) * state + z * torch.tanh(from_inputs("") + p["U"] @ (r * state))


def read(p, words):
    states, state = [], torch.zeros(HALF, dtype=torch.float64)
    for word in words:
        state = unit(p, state, SOURCE_EMBEDDING[:, word])
        states.append(state)
    return states


def appendix(source, target_in):
    """Appendix A on one sentence: probabilities, weights and states of every step."""
    forwards, backwards = read(FORWARD, source), read(BACKWARD, source[::-1])[::-1]
    annotations = [torch.cat(both) for both in zip(forwards, backwards, strict=True)]
    p, state, steps = DECODER, torch.tanh(DECODER["W_s"] @ backwards[0]), []
    for word in target_in:
        embedded = p["E"][:, word]
        weights = softmax([p["v_a"] @ torch.tanh(p["W_a"] @ state + p["U_a"] @ h) for h in annotations])
        context = mixture(weights, annotations)
        state = unit(p, state, embedded, context)
        pairs = p["U_o"] @ state + p["V_o"] @ embedded + p["C_o"] @ context
        readout = torch.maximum(pairs[0::2], pairs[1::2])
        steps.append((torch.softmax(p["W_o"] @ readout, 0), torch.tensor(weights, dtype=torch.float64), state))
    return [torch.stack(parts) for parts in zip(*steps, strict=True)]


def loaded(decoder):
    return bahdanau_from_paper(SOURCE_EMBEDDING, FORWARD, BACKWARD, decoder)


def test_bahdanaus_names_give_the_probabilities_weights_and_states_of_his_appendix_and_none_goes_unused():
    model, given = loaded(DECODER), (torch.tensor([SOURCE]), torch.tensor([2]), torch.tensor([TARGET_IN]))
    logits, weights = model(*given)
    memory, state = model.read(*given[:2])
    states = []
    for word in TARGET_IN:
        _, _, state = model.decoder.step(torch.tensor([word]), state, memory)
        states.append(state[0])
    ours = logits[0].softmax(-1), weights[0], torch.stack(states)
    for part, expected in zip(ours, appendix(SOURCE, TARGET_IN), strict=True):
        torch.testing.assert_close(part, expected, **EXACT)
    for name in DECODER:
        after, _ = loaded(DECODER | {name: 1.1 * DECODER[name]})(*given)
        assert not torch.allclose(after, logits, rtol=0, atol=1e-9), name


@pytest.mark.parametrize(("change", "message"), [
    (lambda p: p.pop("C_z"), r"decoder: missing \['C_z'\], unknown \[\]"),
    (lambda p: p.update(b=p["W"]), r"missing \[\], unknown \['b'\]"),
    (lambda p: p.update(W_s=p["W_s"].T), r"decoder: W_s: shape \(11, 8\), expected \(8, 11\).*transposed"),
    *((lambda p, name=name: p.update({name: p[name][:, :2]}), rf"decoder: {name}: shape \(.*, 2\), expected")
      for name in sorted(DECODER.keys() - {"E", "v_a"})),
    (lambda p: p.update(U=p["U"][0]), r"decoder: U: shape \(8,\), expected \('n', 'n'\)"),
    (lambda p: p.update(W_o=p["W_o"][:, :3]), r"decoder: W_o: shape \(10, 3\), expected \(10, 4\)"),
])  # fmt: skip
def test_names_and_shapes_that_do_not_fit_are_refused(change, message):
    decoder = dict(DECODER)
    change(decoder)
    with pytest.raises(ValueError, match=message):
        loaded(decoder)


@pytest.mark.parametrize(
    "change",
    [
        {"U": torch.diag(FORWARD["U"].diagonal())},
        {name: FORWARD[name][:1].expand_as(FORWARD[name]) for name in ("W_r", "U_r")},  # rows of the reset gate alike
    ],
)
def test_where_pytorchs_gru_can_it_gives_the_papers_numbers_and_elsewhere_it_is_refused(change):
    parameters = FORWARD | change
    theirs = recurrent_layer("gru", M, HALF).double()
    ours = PaperGru(M, HALF).double()
    with torch.no_grad():
        for parameter in theirs.parameters():
            parameter.zero_()
        for weight, matrix in zip((theirs.weight_ih_l0, theirs.weight_hh_l0), pytorch_gru(parameters), strict=True):
            weight.copy_(matrix)
        ours.cell.weight_ih.copy_(torch.cat([parameters["W_r"], parameters["W_z"], parameters["W"]]))
        ours.cell.weight_hh.copy_(torch.cat([parameters["U_r"], parameters["U_z"], parameters["U"]]))
    inputs = torch.randn(2, 4, M, dtype=torch.float64)
    torch.testing.assert_close(theirs(inputs)[0], ours(inputs)[0], **EXACT)
    with pytest.raises(ValueError, match="no weights of PyTorch's GRU give the same numbers"):
        pytorch_gru(FORWARD)
    with pytest.raises(ValueError, match=r"parameters: W_r: shape \(2, 6\), expected \(11, 6\)"):
        pytorch_gru(FORWARD | {"W_r": FORWARD["W_r"][:2]})


H, SIZE, WORDS, KEYS, ROWS = 3, 5, 7, 2, 4  # encoder size, hidden size, target words, source words, of concat's W_a
STATES = drawn(KEYS, H)
SCORERS = {  # equation 8
    "dot": (DotScorer, {}, lambda p, h, s: h @ s),
    "general": (lambda: BilinearScorer(SIZE, H), {"W_a": (SIZE, H)}, lambda p, h, s: h @ p["W_a"] @ s),
    "concat": (
        lambda: AdditiveScorer(SIZE, H, ROWS),
        {"W_a": (ROWS, SIZE + H), "v_a": (ROWS,)},
        lambda p, h, s: p["v_a"] @ torch.tanh(p["W_a"] @ torch.cat([h, s])),
    ),
    "location": (
        lambda: LocationScorer(SIZE, 6),
        {"W_a": (6, SIZE)},
        lambda p, h, s: (p["W_a"] @ h)[STATES.tolist().index(s.tolist())],
    ),
}


@pytest.mark.parametrize("name", SCORERS)
def test_luongs_matrices_that_do_not_fit_are_refused(name):
    scorer, shapes, _ = SCORERS[name]
    size = SIZE if name != "dot" else H
    shapes = shapes | {"W_c": (size, H + size), "W_s": (WORDS, size)}
    for wrong in shapes:
        parameters = {key: drawn(*shape, *[2] * (key == wrong)) for key, shape in shapes.items()}
        with pytest.raises(ValueError, match=f"parameters: {wrong}: shape"):
            load_luong(LuongDecoder(WORDS, 2, size, H, scorer()).double(), parameters)


@pytest.mark.parametrize("name", SCORERS)
@torch.no_grad()
def test_luongs_names_give_equations_5_to_8(name):
    scorer, shapes, score = SCORERS[name]
    size = SIZE if name != "dot" else H  # dot needs equal sizes
    shapes = shapes | {"W_c": (size, H + size), "W_s": (WORDS, size)}
    parameters = {key: drawn(*shape) for key, shape in shapes.items()}
    decoder = LuongDecoder(WORDS, 2, size, H, scorer()).double()
    torch.nn.init.normal_(decoder.output_layer.bias)  # the paper has none: loading must clear it
    load_luong(decoder, parameters)

    memory, state = decoder.start(STATES[None], STATES[None, 0], torch.ones(1, KEYS, dtype=torch.bool))
    logits, weights, state = decoder.step(torch.tensor([3]), state, memory)
    hidden = state[0, 0]  # h_t: the paper does not name the weights of its recurrence
    expected_weights = softmax([score(parameters, hidden, source) for source in STATES])  # equation 7
    attentional = torch.tanh(parameters["W_c"] @ torch.cat([mixture(expected_weights, STATES), hidden]))  # equation 5
    probabilities = torch.softmax(parameters["W_s"] @ attentional, 0)  # equation 6
    torch.testing.assert_close(weights[0], torch.tensor(expected_weights, dtype=torch.float64), **EXACT)
    torch.testing.assert_close(logits[0].softmax(-1), probabilities, **EXACT)
