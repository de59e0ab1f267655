"""Parameters under the papers' names give the numbers of the papers' equations, computed in plain Python."""

import math
import random

import pytest
import torch

from seq2seq.decoders.luong import LuongDecoder
from seq2seq.layers.paper_gru import PaperGru
from seq2seq.layers.paper_names import bahdanau_from_paper, load_luong, pytorch_gru
from seq2seq.layers.recurrent import recurrent_layer
from seq2seq.scorers import AdditiveScorer, BilinearScorer, DotScorer, LocationScorer

SOURCE_WORDS, TARGET_WORDS, M, M_TARGET, HALF, N, MAXOUT, N_ATTENTION = 9, 10, 6, 5, 11, 8, 4, 7
SOURCE, TARGET_IN = [3, 8], [1, 6, 4]
EXACT = {"atol": 1e-10, "rtol": 0}


def drawn(seed, *shape):
    rng = random.Random(seed)
    if len(shape) == 1:
        return [rng.gauss(0, 0.6) for _ in range(shape[0])]
    return [[rng.gauss(0, 0.6) for _ in range(shape[1])] for _ in range(shape[0])]


def direction(seed):
    shapes = {"W": (HALF, M), "U": (HALF, HALF)}
    return {
        letter + gate: drawn(f"{seed} {letter}{gate}", *shapes[letter]) for letter in "WU" for gate in ("", "_z", "_r")
    }


FORWARD, BACKWARD, SOURCE_EMBEDDING = direction("forward"), direction("backward"), drawn("E", M, SOURCE_WORDS)
SHAPES = {"E": (M_TARGET, TARGET_WORDS), "W_a": (N_ATTENTION, N), "U_a": (N_ATTENTION, 2 * HALF), "v_a": (N_ATTENTION,)}
SHAPES |= {"W" + gate: (N, M_TARGET) for gate in ("", "_z", "_r")}
SHAPES |= {"U" + gate: (N, N) for gate in ("", "_z", "_r")}
SHAPES |= {"C" + gate: (N, 2 * HALF) for gate in ("", "_z", "_r")}
SHAPES |= {"W_s": (N, HALF), "U_o": (2 * MAXOUT, N), "V_o": (2 * MAXOUT, M_TARGET), "C_o": (2 * MAXOUT, 2 * HALF)}
SHAPES |= {"W_o": (TARGET_WORDS, MAXOUT)}
DECODER = {name: drawn(name, *shape) for name, shape in SHAPES.items()}


def tensors(parameters):
    return {name: torch.tensor(values, dtype=torch.float64) for name, values in parameters.items()}


def apply(matrix, vector):
    return [sum(entry * number for entry, number in zip(row, vector, strict=True)) for row in matrix]


def add(*vectors):
    return [sum(entries) for entries in zip(*vectors, strict=True)]


def times(one, other):
    return [a * b for a, b in zip(one, other, strict=True)]


def sigmoid(vector):
    return [1 / (1 + math.exp(-x)) for x in vector]


def tanh(vector):
    return [math.tanh(x) for x in vector]


def softmax(vector):
    total = sum(math.exp(x) for x in vector)
    return [math.exp(x) / total for x in vector]


def column(matrix, word):
    return [row[word] for row in matrix]


def mixture(weights, vectors):
    return add(*([weight * entry for entry in vector] for weight, vector in zip(weights, vectors, strict=True)))


def unit(p, state, *inputs):
    """Appendix A.1.1 (inputs: W's) and A.2.2 (inputs: W's and C's)."""

    def from_inputs(gate):
        return add(*(apply(p[letter + gate], vector) for letter, vector in zip("WC", inputs, strict=False)))

    z = sigmoid(add(from_inputs("_z"), apply(p["U_z"], state)))
    r = sigmoid(add(from_inputs("_r"), apply(p["U_r"], state)))
    new = tanh(add(from_inputs(""), apply(p["U"], times(r, state))))
    return [(1 - z[i]) * state[i] + z[i] * new[i] for i in range(len(state))]


def read(p, words):
    states, state = [], [0.0] * HALF
    for word in words:
        state = unit(p, state, column(SOURCE_EMBEDDING, word))
        states.append(state)
    return states


def appendix(source, target_in):
    """Appendix A on one sentence: probabilities, weights and states of every step."""
    forwards, backwards = read(FORWARD, source), read(BACKWARD, source[::-1])[::-1]
    annotations = [one + other for one, other in zip(forwards, backwards, strict=True)]
    p, state, steps = DECODER, tanh(apply(DECODER["W_s"], backwards[0])), []
    for word in target_in:
        embedded = column(p["E"], word)
        energies = [sum(times(p["v_a"], tanh(add(apply(p["W_a"], state), apply(p["U_a"], h))))) for h in annotations]
        weights = softmax(energies)
        context = mixture(weights, annotations)
        state = unit(p, state, embedded, context)
        pairs = add(apply(p["U_o"], state), apply(p["V_o"], embedded), apply(p["C_o"], context))
        readout = [max(pairs[2 * j], pairs[2 * j + 1]) for j in range(MAXOUT)]
        steps.append((softmax(apply(p["W_o"], readout)), weights, state))
    return steps


@pytest.fixture
def model():
    embedding = torch.tensor(SOURCE_EMBEDDING, dtype=torch.float64)
    return bahdanau_from_paper(embedding, tensors(FORWARD), tensors(BACKWARD), tensors(DECODER))


def test_bahdanaus_names_give_the_probabilities_and_weights_of_his_appendix(model):
    logits, weights = model(torch.tensor([SOURCE]), torch.tensor([2]), torch.tensor([TARGET_IN]))
    for i, (probabilities, expected_weights, _) in enumerate(appendix(SOURCE, TARGET_IN)):
        expected = torch.tensor(probabilities, dtype=torch.float64)
        torch.testing.assert_close(logits[0, i].softmax(-1), expected, **EXACT)
        torch.testing.assert_close(weights[0, i], torch.tensor(expected_weights, dtype=torch.float64), **EXACT)


def test_bahdanaus_names_give_the_states_of_his_appendix(model):
    memory, state = model.read(torch.tensor([SOURCE]), torch.tensor([2]))
    for word, (_, _, expected) in zip(TARGET_IN, appendix(SOURCE, TARGET_IN), strict=True):
        _, _, state = model.decoder.step(torch.tensor([word]), state, memory)
        torch.testing.assert_close(state[0], torch.tensor(expected, dtype=torch.float64), **EXACT)


def test_no_parameter_of_the_appendix_goes_unused(model):
    before, _ = model(torch.tensor([SOURCE]), torch.tensor([2]), torch.tensor([TARGET_IN]))
    embedding = torch.tensor(SOURCE_EMBEDDING, dtype=torch.float64)
    for name in DECODER:
        changed = tensors(DECODER)
        changed[name] = changed[name] * 1.1
        other = bahdanau_from_paper(embedding, tensors(FORWARD), tensors(BACKWARD), changed)
        after, _ = other(torch.tensor([SOURCE]), torch.tensor([2]), torch.tensor([TARGET_IN]))
        assert not torch.allclose(after, before, rtol=0, atol=1e-9), name


@pytest.mark.parametrize(("change", "message"), [
    (lambda p: p.pop("C_z"), r"decoder: missing \['C_z'\], unknown \[\]"),
    (lambda p: p.update(b=p["W"]), r"missing \[\], unknown \['b'\]"),
    (lambda p: p.update(W_s=p["W_s"].T), r"decoder: W_s: shape \(11, 8\), expected \(8, 11\).*transposed"),
    (lambda p: p.update(W_o=p["W_o"][:, :3]), r"decoder: W_o: shape \(10, 3\), expected \(10, 4\)"),
])  # fmt: skip
def test_names_and_shapes_that_do_not_fit_are_refused(change, message):
    decoder = tensors(DECODER)
    change(decoder)
    embedding = torch.tensor(SOURCE_EMBEDDING, dtype=torch.float64)
    with pytest.raises(ValueError, match=message):
        bahdanau_from_paper(embedding, tensors(FORWARD), tensors(BACKWARD), decoder)


@pytest.mark.parametrize("kind", ["diagonal U", "rows of the reset gate alike"])
def test_where_pytorchs_gru_can_it_gives_the_papers_numbers(kind):
    parameters = tensors(FORWARD)
    if kind == "diagonal U":
        parameters["U"] = torch.diag(parameters["U"].diagonal())
    else:
        parameters |= {name: parameters[name][:1].expand_as(parameters[name]) for name in ("W_r", "U_r")}
    theirs = recurrent_layer("gru", M, HALF).double()
    ours = PaperGru(M, HALF).double()
    with torch.no_grad():
        for parameter in theirs.parameters():
            parameter.zero_()
        for place, matrix in zip((theirs.weight_ih_l0, theirs.weight_hh_l0), pytorch_gru(parameters), strict=True):
            place.copy_(matrix)
        ours.cell.weight_ih.copy_(torch.cat([parameters["W_r"], parameters["W_z"], parameters["W"]]))
        ours.cell.weight_hh.copy_(torch.cat([parameters["U_r"], parameters["U_z"], parameters["U"]]))
    inputs = torch.randn(2, 4, M, dtype=torch.float64)
    torch.testing.assert_close(theirs(inputs)[0], ours(inputs)[0], **EXACT)


def test_where_pytorchs_gru_cannot_it_is_refused():
    with pytest.raises(ValueError, match="no weights of PyTorch's GRU give the same numbers"):
        pytorch_gru(tensors(FORWARD))


H, SIZE, WORDS, KEYS, ROWS = 3, 5, 7, 2, 4  # encoder size, hidden size, target words, source words, of concat's W_a
STATES = drawn("states", KEYS, H)
SCORERS = {
    "dot": (DotScorer, {}, lambda p, h, s: sum(times(h, s))),
    "general": (
        lambda: BilinearScorer(SIZE, H),
        {"W_a": (SIZE, H)},
        lambda p, h, s: sum(times(h, apply(p["W_a"], s))),
    ),
    "concat": (
        lambda: AdditiveScorer(SIZE, H, ROWS),
        {"W_a": (ROWS, SIZE + H), "v_a": (ROWS,)},
        lambda p, h, s: sum(times(p["v_a"], tanh(apply(p["W_a"], h + s)))),
    ),
    "location": (
        lambda: LocationScorer(SIZE, 6),
        {"W_a": (6, SIZE)},
        lambda p, h, s: apply(p["W_a"], h)[STATES.index(s)],
    ),
}


@pytest.mark.parametrize("name", SCORERS)
@torch.no_grad()
def test_luongs_names_give_equations_5_to_8(name):
    scorer, shapes, score = SCORERS[name]
    size = SIZE if name != "dot" else H  # dot needs equal sizes
    shapes = shapes | {"W_c": (size, H + size), "W_s": (WORDS, size)}
    parameters = {key: drawn(f"Luong {key}", *shape) for key, shape in shapes.items()}
    decoder = LuongDecoder(WORDS, 2, size, H, scorer()).double()
    torch.nn.init.normal_(decoder.output_layer.bias)  # the paper has none: loading must clear it
    load_luong(decoder, tensors(parameters))

    states = torch.tensor([STATES], dtype=torch.float64)
    memory, state = decoder.start(states, states[:, 0], torch.ones(1, KEYS, dtype=torch.bool))
    logits, weights, state = decoder.step(torch.tensor([3]), state, memory)
    hidden = state[0, 0].tolist()  # h_t: the paper does not name the weights of its recurrence
    expected_weights = softmax([score(parameters, hidden, source) for source in STATES])  # equations 7 and 8
    context = mixture(expected_weights, STATES)
    attentional = tanh(apply(parameters["W_c"], context + hidden))  # equation 5
    probabilities = softmax(apply(parameters["W_s"], attentional))  # equation 6
    torch.testing.assert_close(weights[0], torch.tensor(expected_weights, dtype=torch.float64), **EXACT)
    torch.testing.assert_close(logits[0].softmax(-1), torch.tensor(probabilities, dtype=torch.float64), **EXACT)
