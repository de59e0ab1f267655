"""The tasks of ``02_encoder_decoder``: a step of a cell, whose cell it is, and a decoder forced, scored and let speak.

Every axis has a size of its own, but for one case in which input and state are equally long, so that matrices that
are exchanged still run and can be named. Greedy decoding gets weights and first states from which the sentences end
where the case wants them to; the best word has a share of less than all, so that whoever draws words is found out.
"""

from collections.abc import Iterator
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from autograder.checking.checker import Checker
from autograder.checking.draw import Draw
from autograder.checking.edits import body, edit, start
from autograder.checking.task import Case, Task, hidden, mistake, variant, visible
from autograder.tasks.batches import listed
from seq2seq.exercises.encoder_decoder import conventions, greedy_ids, log_probability
from seq2seq.exercises.plain_decoder import PlainDecoder
from seq2seq.layers.gru import gru_step
from seq2seq.training import masked_loss
from seq2seq.vocab import BOS, EOS, PAD, UNK

NEEDLESS = "needless steps of the decoder"
SIZES = {"batch": 3, "input_size": 4, "hidden_size": 5, "vocab_size": 8, "embedding_size": 6}


def cell(
    draw: Draw, batch: int, input_size: int, hidden_size: int, scale: float = 1, start: float = 1
) -> dict[str, Tensor]:
    gates = 3 * hidden_size
    return {
        "inputs": draw.normal(batch, input_size, scale=scale),
        "state": draw.normal(batch, hidden_size, scale=start),
        "input_weight": draw.normal(gates, input_size),
        "state_weight": draw.normal(gates, hidden_size),
        "input_bias": draw.normal(gates),
        "state_bias": draw.normal(gates),
    }


def unit_step(
    draw: Draw, batch: int, input_size: int, hidden_size: int, by: str, where: str, off: Any, start: float = 1
) -> dict[str, Tensor]:
    """A step of one of the units, kept in half precision; ``where`` makes two agree, ``off`` adds to small numbers."""
    given = cell(draw, batch, input_size, hidden_size, start=start)
    resets, updates, news = (slice(n * hidden_size, (n + 1) * hidden_size) for n in range(3))
    if "diagonal" in where:
        given["state_weight"][news] = given["state_weight"][news].diagonal().diag()
        given["state_bias"][news] = 0
    if "symmetric" in where:
        given["state_weight"][news] += given["state_weight"][news].mT.clone()
        given["state_bias"][news] = 0
    if "half" in where:
        for name in ("input_weight", "state_weight", "input_bias", "state_bias"):
            given[name][updates] = 0
    x, s, w, u, b, c = given.values()
    from_x, from_s = x @ w.T + b, s @ u.T + c
    r, z = (torch.sigmoid(from_x[:, gate] + from_s[:, gate]) for gate in (resets, updates))
    before = torch.tanh(from_x[:, news] + (r * s) @ u[news].T + c[news])
    after = torch.tanh(from_x[:, news] + r * from_s[:, news])
    steps = {
        "pytorch": (1 - z) * after + z * s,
        "cho": (1 - z) * before + z * s,
        "bahdanau": z * before + (1 - z) * s,
        "no tanh": (1 - z) * (from_x[:, news] + r * from_s[:, news]) + z * s,
    }
    following = steps["cho"].clone() if by == "two" else steps[by]
    if by == "two":
        sentence = (steps["pytorch"] - steps["cho"]).abs().sum(1).argmax()  # the sentence on which the two differ most
        following[sentence] = steps["pytorch"][sentence]
    following.view(-1)[following.abs().view(-1).argsort()[: len(off)]] += torch.tensor(off)
    return given | {"following": following if start > 1 else following.half().to(x.dtype)}


def targets(draw: Draw, lengths: list[int], vocab_size: int) -> dict[str, Tensor]:
    """Both sides of the target and their mask; the lengths count EOS."""
    mask = draw.mask(lengths)
    words = draw.whole(UNK, vocab_size, *mask.shape).masked_fill(~mask, PAD)
    spoken = words.scatter(1, torch.tensor(lengths).unsqueeze(1) - 1, EOS)
    heard = torch.cat([torch.full_like(words[:, :1], BOS), words[:, :-1]], 1).masked_fill(~mask, PAD)
    return {"target_in": heard, "target_out": spoken, "target_mask": mask}


def forced(draw: Draw, lengths: list[int], vocab_size: int, hidden_size: int, start: float = 1) -> dict[str, Tensor]:
    return targets(draw, lengths, vocab_size) | {"state": draw.normal(len(lengths), hidden_size, scale=start)}


def judged(draw: Draw, lengths: list[int], vocab_size: int, scale: float = 1) -> dict[str, Tensor]:
    """From a scale of 1000 on, the first word of the first sentence is certain: its loss is 0."""
    sides = targets(draw, lengths, vocab_size)
    logits = draw.normal(*sides.pop("target_in").shape, vocab_size, scale=scale)
    logits[0, 0, sides["target_out"][0, 0]] += 9 * scale * (scale >= 1000)
    return {"logits": logits} | sides


def with_decoder(answer: Any, given: SimpleNamespace, decoder: Any) -> Any:
    return answer(decoder(), given.target_in, given.target_out, given.target_mask, given.state)


def speaking(draw: Draw, ends: list[tuple[int, int]], max_length: int, vocab_size: int) -> dict[str, Any]:
    weights, states = _ending(draw.generator.initial_seed(), tuple(ends), max_length, vocab_size)
    weights = {name: value.to(draw.dtype) for name, value in weights.items()}
    return {"weights": weights, "state": states.to(draw.dtype), "max_length": max_length}


def greedily(answer: Any, given: SimpleNamespace, decoder: Any) -> Iterator[tuple[str, Any]]:
    counting, rows = decoder(), [0]
    counting.load_state_dict(given.weights)
    step = counting.step

    def counted(previous: Tensor, state: Tensor) -> Any:
        rows[0] += previous.numel()  # one sentence at a time is right too, and takes no more of them
        return step(previous, state)

    counting.step = counted
    ids = answer(counting, given.state, given.max_length)
    yield "ids", ids
    needless = rows[0] - ids.numel() if isinstance(ids, Tensor) else 0
    yield NEEDLESS, max(0, -(-needless // len(given.state)))


@lru_cache(maxsize=256)
def _ending(
    seed: int, ends: tuple[tuple[int, int], ...], max_length: int, vocab_size: int
) -> tuple[dict[str, Tensor], Tensor]:
    """Weights, and first states from which each sentence says EOS between two places; at ``max_length``: not at all."""
    random = torch.Generator().manual_seed(seed)
    decoder = PlainDecoder(vocab_size, SIZES["embedding_size"], SIZES["hidden_size"]).requires_grad_(False)
    for _ in range(500):
        weights = {name: torch.randn(old.shape, generator=random) for name, old in decoder.state_dict().items()}
        decoder.load_state_dict(weights)
        states = 2 * torch.randn(300, SIZES["hidden_size"], generator=random)
        over = greedy_ids(decoder, states, max_length) == EOS
        places = torch.where(over.any(1), over.int().argmax(1), max_length).tolist()
        rows = [[row for row, index in enumerate(places) if low <= index <= high] for low, high in ends]
        if all(len(candidates) > len(ends) for candidates in rows):
            chosen: list[int] = []
            for candidates in rows:
                chosen.append(next(row for row in candidates if row not in chosen))
            return weights, states[chosen]
    raise LookupError(f"no decoder was found whose sentences end at {ends}.")


# fmt: off
NEW, NEXT = "torch.tanh(input_new + reset * state_new)", "(1 - update) * new + update * state"
CHO = "F.linear(reset * state, state_weight.chunk(3)[2], state_bias.chunk(3)[2])"
GATE = "a gate lies between 0 and 1, which is what a sigmoid gives"
GRU = {
    "turned_round": ("the update gate is the wrong way round: here z is the share of the old state",
                     NEXT, "update * new + (1 - update) * state"),
    "before_matrix": ("the reset gate multiplies the state before the matrix; in this convention it comes after",
                      "reset * state_new", CHO),
    "bias_outside": ("the bias c_n stands outside the reset gate; in this convention it is reset too",
                     "reset * state_new", "reset * (state_new - state_bias.chunk(3)[2]) + state_bias.chunk(3)[2]"),
    "no_reset": ("the reset gate is not used: it scales the state's part of n", "reset * state_new", "state_new"),
    "reset_of_both": ("the reset gate scales the input's part too", NEW, "torch.tanh(reset * (input_new + state_new))"),
    "reset_of_input": ("the reset gate scales the input's part, not the state's",
                       NEW, "torch.tanh(reset * input_new + state_new)"),
    "relu": ("there is a ReLU in place of the tanh", "torch.tanh({x})", "torch.relu({x})"),
    "sigmoid_new": ("there is a sigmoid in place of the tanh: n can be negative",
                    "torch.tanh({x})", "torch.sigmoid({x})"),
    "update_raw": (f"the update gate has no sigmoid: {GATE}", "update = torch.sigmoid({x})", "update = {x}"),
    "proposal": ("this is the proposal n; the update gate has yet to mix it with the old state", NEXT, "new"),
    "old_lost": ("the old state is left out: the update gate keeps a share of it", NEXT, "(1 - update) * new"),
    "new_whole": ("the new state's share is not scaled by 1 - z: the two shares make 1", NEXT, "new + update * state"),
    "no_gates": ("this is the simple network without gates", NEXT, "torch.tanh(input_new + state_new)"),
    "reset_for_update": ("the reset gate is used where the update gate belongs",
                         NEXT, "(1 - reset) * new + reset * state"),
    "tanh_again": ("a tanh is applied to the next state once more", "return torch.tanh({x})"),
    "not_cut": ("the three gates still stand side by side", "return from_input"),
    "no_input_bias": ("the bias of the input is left out",
                      "F.linear(inputs, input_weight, input_bias)", "F.linear(inputs, input_weight)"),
    "no_state_bias": ("the bias of the state is left out",
                      "F.linear(state, state_weight, state_bias)", "F.linear(state, state_weight)"),
}
PLACED = {
    "before_no_bias": ("the reset gate multiplies the state before the matrix, and c_n is left out",
                       "reset * state_new", CHO.replace(", state_bias.chunk(3)[2]", "")),
    "no_matrix": ("U_n and c_n are missing: the reset gate scales the state itself",
                  "reset * state_new", "reset * state"),
}
STACKED = "input_weight, state_weight, input_bias, state_bias"
ORDERS = {
    "gates_exchanged": ("reset and update gate are exchanged", (1, 0, 2)),
    "new_first": ("they are taken in the order new, reset, update", (1, 2, 0)),
    "update_new_reset": ("they are taken in the order update, new, reset", (2, 0, 1)),
}
NAIVE = [
    ("naive_sigmoid", "torch.sigmoid({x})", "torch.exp({x}) / (1 + torch.exp({x}))"),
    ("naive_tanh", "torch.tanh({x})", "(torch.exp({x}) - torch.exp(-({x}))) / (torch.exp({x}) + torch.exp(-({x})))"),
]
NOT_BIASES = (edit("reset * state_new", "reset * state_new"),)  # not in the variant that only adds both biases
EXCHANGED = {
    "biases_exchanged": ("the biases are exchanged: input_bias goes with the input",
                         "input_bias, state_bias = state_bias, input_bias"),
    "matrices_exchanged": ("the matrices are exchanged: input_weight goes with the input",
                           "input_weight, state_weight = state_weight, input_weight"),
    "first_input": ("the state goes with the first sentence's input", "inputs = inputs[:1].expand_as(inputs)"),
}

FITS = "(step - following).abs().max() < 0.002"
WHOSE = {
    "to_the_bit": ("none ever fits: the comparison is too strict, or the steps are wrong",
                   FITS, FITS.replace("0.002", "1e-7")),
    "coarse": ("numbers that differ by as much as 0.5 count as equal; only rounding should be allowed",
               FITS, FITS.replace("0.002", "0.5")),
    "any_number": ("one number that fits is taken as enough; all numbers have to fit",
                   FITS, FITS.replace("max", "min")),
    "any_sentence": ("one sentence that fits is taken as enough; all sentences have to fit",
                     FITS, FITS.replace("max()", "amax(1).min()")),
    "first_row": ("only the first sentence is compared", FITS, FITS.replace(".abs()", "[:1].abs()")),
    "contrary": ("these are the ones that do not fit", FITS, FITS.replace("<", ">=")),
    "first_alone": ("only the first that fits is named; all that fit are wanted", "return {x}[:1]"),
    "text": ("this is a single string; a list is wanted, since none or several may fit",
             "return {x}[0] if {x} else 'none'"),
    "none_named": ("something is named where none fits; the list should then be empty", "return {x} or ['none']"),
    "sorted": ("the names should be in the order of the text", "return sorted({x})"),
    "z_exchanged": ("z and 1 - z are exchanged: see the equations in the text",
                    "reset, update = {r}, {u}", "reset, update = {r}, 1 - {u}"),
    "new_of_pytorch": ("the n of “bahdanau” is that of “pytorch”; it should be that of “cho”",
                       "update * before", "update * after"),
    "one_place": ("the reset gate is in the same place for all three",
                  "F.linear(reset * state, weight, bias)", "reset * state_new"),
    "no_bias": ("where the reset gate comes first, c_n is forgotten or U_n is not transposed",
                "F.linear(reset * state, weight, bias)", "F.linear(reset * state, weight)"),
    "gate_after_matrix": ("where the reset gate should come first, it comes after U_n",
                          "F.linear(reset * state, weight, bias)", "reset * F.linear(state, weight) + bias"),
}

STEP, CHOSEN = "logits, state = {x}", "logits.log_softmax(dim=-1).gather(1, word.unsqueeze(1)).squeeze(1)"
READ = "decoder.step(previous, state)"
SCORED = {
    "not_carried": ("the state is not passed on: every step begins from the first one", STEP, "logits, _ = {x}"),
    "always_bos": ("every step reads <bos>", READ, "decoder.step(target_in[:, 0], state)"),
    "word_after": ("every step reads the word that it should predict", READ, "decoder.step(word, state)"),
    "padding_counts": ("padding is counted: m is 0 there", "chosen * real", "chosen"),
    "padding_alone": ("the mask is inverted: this is the padding's sum", "chosen * real", "chosen * ~real"),
    "eos_left_out": ("<eos> is left out; its probability counts too",
                     "chosen * real", f"chosen * (real & (word != {EOS}))"),
    "word_read": ("the word that is read is scored, not the one to be predicted",
                  CHOSEN, CHOSEN.replace("word", "previous")),
    "best_word": ("the best word is scored, whatever the true one is", CHOSEN, "logits.log_softmax(dim=-1).amax(-1)"),
    "over_batch": ("the softmax runs over the batch; the words of the vocabulary compete",
                   CHOSEN, CHOSEN.replace("dim=-1", "dim=0")),
    "no_softmax": ("these are sums of logits: the softmax is missing",
                   CHOSEN, CHOSEN.replace("log_softmax(dim=-1).", "")),
    "probabilities": ("probabilities are added; add their logarithms", CHOSEN, CHOSEN.replace("log_", "")),
    "probability": ("this is the probability; its logarithm is wanted", "return ({x}).exp()"),
    "per_word": ("these are means over the words; the sum is wanted", "return {x} / target_mask.sum(1)"),
    "last_word": ("this is the last word's logarithm alone; they should be summed",
                  "total + chosen * real", "torch.where(real, chosen, total)"),
}
LOG_OF_0 = "the probability of a hardly probable word is rounded to 0 before its logarithm: take `log_softmax`"
BEFORE = {
    "one_bos_too_many": ("`target_in` already begins with <bos>",
                         "target_in = torch.cat([target_in[:, :1], target_in[:, :-1]], 1)"),
    "from_right": ("the words are read from right to left", "target_in = target_in.flip(1)"),
    "read_ahead": ("every step reads the word after it", "target_in = F.pad(target_in[:, 1:], (0, 1))"),
    "from_nothing": ("the first state is 0: `state` is all that is known about the source",
                     "state = torch.zeros_like(state)"),
    "state_of_first": ("every sentence begins from the state of the first", "state = state[:1].expand_as(state)"),
    "first_left_out": ("the first word is left out",
                       "target_in, target_out, target_mask = target_in[:, 1:], target_out[:, 1:], target_mask[:, 1:]"),
}
FREE = """\
total, previous = 0.0, target_in[:, 0]
for word, real in zip(target_out.unbind(1), target_mask.unbind(1)):
    logits, state = decoder.step(previous, state)
    previous = logits.argmax(-1)
    total = total + logits.log_softmax(-1).gather(1, word.unsqueeze(1)).squeeze(1) * real
return total"""

LOSSES = "losses, real = -logits.log_softmax(-1).gather(-1, target_out.unsqueeze(-1)).squeeze(-1), target_mask\n"
MEAN = "losses[real].mean()"
SHUFFLED = (
    "F.cross_entropy(logits.reshape(len(logits), logits.size(2), -1), target_out, reduction='none')[real].mean()"
)
TWICE = "F.cross_entropy(logits.softmax(-1).transpose(1, 2), target_out, reduction='none')"
LOSS = {
    "padding_counts": ("padding is counted: the model would be rewarded for saying <pad>", "losses.mean()"),
    "turned": ("the mask is inverted: this is the loss of the padding", "losses[~real].mean()"),
    "all_places": ("padding is left out of the sum, but counted in the divisor", "(losses * real).mean()"),
    "sum": ("this is the sum over the real tokens; their mean is wanted", "losses[real].sum()"),
    "by_sentences": ("the sum is divided by the number of sentences", "losses[real].sum() / len(losses)"),
    "of_sentences": ("each sentence is averaged first", "((losses * real).sum(1) / real.sum(1)).mean()"),
    "of_steps": ("each step is averaged first", "((losses * real).sum(0) / real.sum(0)).mean()"),
    "sign": ("the minus sign is missing", "-losses[real].mean()"),
    "probabilities": ("the probabilities are averaged; average their logarithms", "-(-losses).exp()[real].mean()"),
    "no_softmax": ("the softmax is missing", "-logits.gather(-1, target_out.unsqueeze(-1)).squeeze(-1)[real].mean()"),
    "twice": ("a softmax is applied twice: `cross_entropy` takes logits",
              "F.cross_entropy(logits.softmax(-1)[real], target_out[real])"),
    "twice_padding": ("a softmax is applied twice, and padding is counted",
                      "F.cross_entropy(logits.softmax(-1).transpose(1, 2), target_out)"),
    "twice_all_places": ("a softmax is applied twice, and padding is counted in the divisor",
                         f"({TWICE} * real).mean()"),
    "padding_in_sum": ("padding is left out of the divisor, but not of the sum", "losses.sum() / real.sum()"),
    "bits": ("these are logarithms to base 2: bits", "losses[real].mean() / math.log(2)"),
    "perplexity": ("this is the perplexity, the exponential of the loss", "losses[real].mean().exp()"),
    "eos_left_out": ("<eos> is left out: the model has to learn to stop",
                     f"losses[real & (target_out != {EOS})].mean()"),
    "shifted": ("the target is shifted once more",
                "F.cross_entropy(logits[:, :-1][real[:, 1:]], target_out[:, 1:][real[:, 1:]])"),
    "first_left_out": ("the first word is left out: there is no <bos> in it", "losses[:, 1:][real[:, 1:]].mean()"),
    "each_place": ("this is one loss for each position; their mean is wanted", "losses * real"),
    "each_sentence": ("this is one loss for each sentence", "(losses * real).sum(1) / real.sum(1)"),
    "logits_masked": ("the logits are masked, and padding counts: all-zero logits have a loss too",
                      "F.cross_entropy((logits * real.unsqueeze(-1)).flatten(0, 1), target_out.flatten())"),
    "reshaped": ("`reshape` shuffles the logits: to exchange two axes, `transpose` them", SHUFFLED),
}

SAY = "logits.argmax(dim=-1).masked_fill(finished, PAD)"
SPOKEN = {
    "on_after_end": ("a sentence goes on after its <eos>: from there on it gets <pad>", SAY, "logits.argmax(dim=-1)"),
    "eos_again": ("<eos> is repeated after the end", SAY, SAY.replace("PAD", "EOS")),
    "bos_after": ("<bos> is written after the end", SAY, SAY.replace("PAD", "BOS")),
    "second": ("this takes the second-best word", SAY, "logits.topk(2).indices[:, 1].masked_fill(finished, PAD)"),
    "begins_again": ("a sentence that has ended goes on; once it has said <eos>, it should stay finished",
                     "finished | (previous == EOS)", "previous == EOS"),
    "first_to_end": ("it stops when the first sentence has ended", "finished.all()", "finished.any()"),
    "never_stops": ("it goes on to `max_length` though every sentence has ended", "finished.all()", "False"),
    "one_short": ("it stops one step before `max_length`", "range(max_length)", "range(max_length - 1)"),
    "last_lost": ("the last <eos> is left out; it belongs to the ids",
                  "ids.append(previous)\nfinished = {f}\nif {c}:\n    break",
                  "finished = {f}\nif {c}:\n    break\nids.append(previous)"),
    "eos_padded": ("<eos> itself is replaced by <pad>",
                   "ids.append(previous)", "ids.append(previous.masked_fill(previous == EOS, PAD))"),
    "bos_shown": ("<bos> is among the ids: it was given, not said", "ids = []", "ids = [previous]"),
    "not_carried": ("the state is not passed on", STEP, "logits, _ = {x}"),
    "not_fed": ("the word is not fed back: every step reads <bos>",
                READ, "decoder.step(torch.full_like(previous, BOS), state)"),
    "begins_with_pad": ("the first word read is <pad>",
                        "torch.full({x}, BOS, device={d})", "torch.full({x}, PAD)"),
    "begins_with_eos": ("the first word read is <eos>",
                        "torch.full({x}, BOS, device={d})", "torch.full({x}, EOS)"),
    "first_lost": ("the first word is lost", "return {x}[:, 1:]"),
    "steps_first": ("the steps are on the first axis, where the batch should be", "return torch.stack(ids)"),
    "last_alone": ("this is one step; all words are wanted", "return ids[-1]"),
}
ENDED = {
    "said_pad_ends": ("a predicted <pad> ends the sentence; only <eos> should",
                      "previous == EOS", "(previous == EOS) | (previous == PAD)"),
    "said_pad_stays": ("a predicted <pad> ends the sentence, which then never says <eos>; only <eos> should end it",
                       SAY, "logits.argmax(dim=-1).masked_fill(finished | (previous == PAD), PAD)"),
    "one_more": ("it stops one step too late, after a step of nothing but <pad>",
                 "finished.all()", "(previous == PAD).all()"),
}
FORBIDDEN = {
    "marks_forbidden": ("<pad>, <bos> and <unk> are", f"[PAD, BOS, {UNK}]"),
    "pad_and_bos_forbidden": ("<pad> and <bos> are", "[PAD, BOS]"),
    "pad_forbidden": ("<pad> is", "[PAD]"),
}
FROM = {
    "state_of_first": ("every sentence begins from the state of the first", "state = state[:1].expand_as(state)"),
    "from_nothing": ("the first state is 0", "state = torch.zeros_like(state)"),
}

N, N_SHORT = r"\tanh\big(W_n x + b_n + r \circ (U_n s + c_n)\big)", r"r \circ (U_n s + c_n)), \qquad"
MIX, MIXED = r"s' = (1 - z) \circ n + z \circ s$$", r"s' = z \circ n + (1 - z) \circ s$$"
CONVENTION = "in PyTorch's convention ("
SCORE = r"\log p(y \mid x) = \sum_i m_i \log"
ITS_LOG = "The logarithm of the probability that the decoder gives to each sentence."
L = r"L = -\frac{1}{\sum_i m_i} \sum_i m_i \log p(y_i \mid y_1, \ldots, y_{i-1}, x)"
ANY_WORD = r"Any word may be said at any step, `PAD` and `BOS` too: none is left out of the $\arg\max$."
SOME = "The batch has at least one real token."
NO_END = "(logits if len(ids) > 1 else logits.index_fill(1, torch.tensor([EOS]), -torch.inf)).argmax(dim=-1)"
VARIANTS = {
    "gru_step": [
        variant("cho", edit("reset * state_new", CHO), text={
            N: r"\tanh\big(W_n x + b_n + U_n (r \circ s) + c_n\big)", N_SHORT: r"U_n (r \circ s) + c_n), \qquad",
            CONVENTION: "in Cho et al.'s convention ("}),
        variant("z_exchanged", edit(NEXT, "update * new + (1 - update) * state"),
                text={MIX: MIXED, CONVENTION: "in PyTorch's convention, but for the last line ("}),
    ],
    "log_probability": [
        variant("per_word", edit("return total", "return total / target_mask.sum(1)"), text={
            SCORE: r"\ell(y \mid x) = \frac{1}{\sum_i m_i} \sum_i m_i \log", ITS_LOG: "The mean over the words."}),
        variant("weakest", edit("total + chosen * real", "torch.minimum(total, chosen * real)"), text={
            SCORE: r"\ell(y \mid x) = \min_i m_i \log", ITS_LOG: "How probable the least probable word is."}),
    ],
    "masked_loss": [
        variant("smoothed", edit("F.cross_entropy({a}, {b}, ignore_index={c})",
                                 "F.cross_entropy({a}, {b}, ignore_index={c}, label_smoothing=0.1)"), text={
            L: r"L = -\frac{1}{\sum_i m_i} \sum_i m_i \Bigl(0.9 \log p(y_i) + \frac{0.1}{V} \sum_v \log p(v)\Bigr)",
            SOME: f"{SOME} $v$ runs over the vocabulary, which has $V$ words."}),
        variant("focal", body(f"{LOSSES}return ((1 - (-losses).exp()) * losses)[real].mean()"),
                text={L: r"L = -\frac{1}{\sum_i m_i} \sum_i m_i \bigl(1 - p(y_i)\bigr) \log p(y_i)"}),
    ],
    "greedy_ids": [
        variant("three_at_least", edit("logits.argmax(dim=-1)", NO_END),
                text={ANY_WORD: "`EOS` may not be said in the first two steps; the best of the others is."}),
        variant("no_repetition", edit("logits.argmax", "logits.scatter(1, previous.unsqueeze(1), -torch.inf).argmax"),
                text={ANY_WORD: "A step may not say the word that it has read; the best of the others is said."}),
    ],
}


def sized(**more: Any) -> list[Case]:
    return [
        hidden("other sizes", batch=6, input_size=9, hidden_size=7, **more),
        hidden("a batch of one sentence", batch=1, input_size=4, hidden_size=3, **more),
    ]


check = Checker(
    __name__,
    {
        "gru_step": Task(
            gru_step, "GRU step: two gates, the proposed state, and the mean of old and new that z weights",
            [
                visible(input_size=4, hidden_size=4), visible(), *sized(),
                hidden("a state of size one", hidden_size=1), hidden("float64", input_size=3, dtype=torch.float64),
                hidden("a state of 0", batch=2, start=0), hidden("numbers near ±1000", batch=4, scale=1000),
            ], cell, {**SIZES, "scale": 1, "start": 1}, {"next state": "batch hidden_size"},
            mistakes=[
                *listed(GRU),
                *(mistake(id, f"{why}: the rows are stacked in the order reset, update, new",
                          start(f"{STACKED} = (torch.cat([p.chunk(3)[n] for n in {order}]) for p in ({STACKED}))"))
                  for id, (why, order) in ORDERS.items()),
                *(mistake(id, why, start(code), *NOT_BIASES) for id, (why, code) in EXCHANGED.items()),
                mistake("gates_tanh", f"the gates go through a tanh; {GATE}",
                        edit("torch.sigmoid({x})", "torch.tanh({x})", "all")),
                mistake("no_biases", "both biases are left out",
                        edit("F.linear({x}, {w}, {b})", "F.linear({x}, {w})", "all")),
                mistake("gates_raw", f"the gates have no sigmoid: {GATE}", edit("torch.sigmoid({x})", "{x}", "all")),
                *(mistake(id, "∞/∞: use `torch.sigmoid` and `torch.tanh`, which can take any number",
                          edit(find, put, "all"), caught="hidden") for id, find, put in NAIVE),
                *listed(PLACED),
                mistake("gates_of_input", "the gates use only the input; the state should enter them too",
                        edit("input_reset + state_reset", "input_reset"),
                        edit("input_update + state_update", "input_update")),
            ], variants=VARIANTS["gru_step"],
        ),
        "conventions": Task(
            conventions, "conventions: which GRU made the step, as far as the numbers tell",
            [
                *(visible(by, by=by) for by in ("pytorch", "cho", "bahdanau", "no tanh")),
                visible("one sentence by pytorch, the others by cho", by="two"),
                visible("a diagonal matrix", by="cho", where="diagonal"),
                visible("a symmetric matrix and no bias", by="cho", where="symmetric"),
                visible("one number off by 0.1", by="cho", off=[0.1]), *sized(by="bahdanau"),
                hidden("update gates at one half", by="bahdanau", where="half"),
                hidden("a diagonal matrix, gates at one half", by="pytorch", where="diagonal half"),
                hidden("three numbers off by 0.0018", by="cho", off=[0.0018, -0.0018, 0.0018]),
                *(hidden("one number off by 0.0022", by="pytorch", off=[off], batch=batch)
                  for off, batch in ((0.0022, 3), (-0.0022, 50))),
                hidden("one large number off by 0.0033", by="bahdanau", off=[*[0.0] * 14, 0.0033]),
                hidden("a number near 1000 off by 0.004", by="cho", off=[*[0.0] * 14, 0.004], start=1000,
                       dtype=torch.float64),
            ],
            unit_step, {**SIZES, "where": "", "off": []}, {"names": ""}, gradients=False, coarse=True,
            mistakes=[
                *listed(WHOSE),
                mistake("mean", "the mean of the differences is compared; the largest of all decides",
                        edit(FITS, FITS.replace("max", "mean")), caught="hidden"),
                *(mistake(id, "the limit grows with the numbers, as in `torch.allclose` by itself; it is 0.002 for all "
                              "of them",
                          edit(FITS, f"torch.allclose(step, following, atol=0.002{more})"), caught="hidden")
                  for id, more in (("relative", ""), ("relative_more", ", rtol=0.002"))),
            ],
        ),
        "log_probability": Task(
            log_probability, "log probability: of each sentence, by the true words before each word, without padding",
            [
                visible(lengths=[3, 5, 1, 4]), visible(lengths=[2, 4, 4], vocab_size=10),
                visible("a long sentence", lengths=[3, 60]),
                hidden("other sizes", lengths=[9, 2, 7, 3, 11], vocab_size=13),
                hidden("a batch of one sentence", lengths=[6]), hidden("sentences of <eos> alone", lengths=[1, 1, 1]),
                hidden("as many steps as sentences", lengths=[4, 2, 3, 1]),
                hidden("words hardly probable", lengths=[2, 3, 1], start=300),
                hidden("float64", lengths=[2, 3], dtype=torch.float64),
            ], forced, SIZES, {"log probabilities": "batch"}, with_decoder, tools=(PlainDecoder,),
            mistakes=[
                *listed(SCORED), *(mistake(id, why, start(code)) for id, (why, code) in BEFORE.items()),
                *(mistake(id, LOG_OF_0, edit(CHOSEN, CHOSEN.replace("log_", "") + ".log()"),
                          edit("chosen * real", put), caught="hidden")
                  for id, put in (("log_of_0", "torch.where(real, chosen, 0.0)"), ("log_of_0_too", "chosen * real"))),
                *(mistake(f"clamped_{digits}",
                          "a tiny number in the logarithm makes improbable words more probable; take `log_softmax`",
                          edit(CHOSEN, CHOSEN.replace("log_softmax(dim=-1)",
                                                      f"softmax(dim=-1).clamp_min(1e-{digits}).log()")),
                          caught="hidden") for digits in (8, 9, 10, 12)),
                mistake("log_of_product",
                        "the probabilities are multiplied, and a long sentence's product is rounded to 0 before its "
                        "logarithm: add logarithms",
                        edit("state.new_zeros(state.size(0))", "state.new_ones(state.size(0))"),
                        edit(CHOSEN, CHOSEN.replace("log_", "")),
                        edit("total + chosen * real", "total * torch.where(real, chosen, 1.0)"),
                        edit("return total", "return total.log()")),
                mistake("own_words", "every step reads the decoder's own best word; it should read the true one",
                        body(FREE)),
                mistake("own_words_mean", "every step reads the decoder's own best word, and the sum is made a mean",
                        body(FREE.replace("return total", "return total / target_mask.sum(1)"))),
            ], variants=VARIANTS["log_probability"],
        ),
        "masked_loss": Task(
            masked_loss, "masked loss: per real token, <eos> among them, padding in neither sum nor count",
            [
                visible(lengths=[3, 6, 2, 4]), visible(lengths=[2, 5, 4], vocab_size=10),
                hidden("other sizes", lengths=[7, 2, 9, 4, 1], vocab_size=13),
                hidden("a batch of one sentence", lengths=[4]), hidden("one token each", lengths=[1, 1, 1]),
                hidden("logits near ±1000, one word certain", lengths=[3, 5, 2], scale=1000),
                hidden("mostly padding", lengths=[1, 2, 20]), hidden("float64", lengths=[2, 4], dtype=torch.float64),
            ], judged, {**SIZES, "scale": 1}, {"loss": ""},
            mistakes=[
                *(mistake(id, why, body(f"{LOSSES}return {put}")) for id, (why, put) in LOSS.items()),
                *(mistake(f"over_{name}", f"the softmax runs over the {name}; the words of the vocabulary compete",
                          body(LOSSES.replace("log_softmax(-1)", f"log_softmax({axis})") + f"return {MEAN}"))
                  for axis, name in enumerate(("batch", "steps"))),
                *(mistake(id, "log(0): take the logarithm and the softmax in one",
                          body(LOSSES.replace("log_softmax(-1)", "softmax(-1).log()") + f"return {mean}"),
                          caught="hidden")
                  for id, mean in (("log_of_softmax", MEAN), ("log_times_mask", "(losses * real).sum() / real.sum()"))),
                mistake("clamped", "a tiny number in the logarithm changes large losses",
                        body(LOSSES.replace("log_softmax(-1)", "softmax(-1).clamp_min(1e-9).log()") + f"return {MEAN}"),
                        caught="hidden"),
            ], variants=VARIANTS["masked_loss"],
        ),
        "greedy_ids": Task(
            greedy_ids,
            "greedy decoding: the best word fed back, <pad> after <eos>, a stop when all sentences have ended",
            [
                visible(ends=[(4, 8), (1, 2), (6, 9), (3, 5)], max_length=14),
                visible(ends=[(1, 3), (6, 6), (6, 6), (2, 5), (6, 6)], max_length=6),
                hidden("other sizes", ends=[(3, 6), (0, 2), (8, 14), (5, 20), (1, 4)], max_length=25, vocab_size=11),
                hidden("a batch of one sentence", ends=[(3, 9)], max_length=12),
                hidden("max_length of 1", ends=[(1, 1), (0, 0), (1, 1)], max_length=1),
                hidden("sentences that end at once", ends=[(0, 0), (0, 0), (0, 0)], max_length=5),
                hidden("the last <eos> at the limit", ends=[(7, 7), (2, 4), (1, 5)], max_length=8),
                hidden("no sentence ends", ends=[(5, 5), (5, 5), (5, 5)], max_length=5),
                hidden("float64", ends=[(4, 8), (1, 2), (6, 9)], max_length=14, dtype=torch.float64),
            ], speaking, SIZES, {"ids": "batch steps", NEEDLESS: ""}, greedily,
            tools=(PlainDecoder,), gradients=False,
            words={NEEDLESS: "stop as soon as every sentence has said <eos>, and make no further step"},
            mistakes=[
                mistake("cut_afterwards", "all `max_length` steps are made, and the superfluous ones cut off later",
                        edit("finished.all()", "False"),
                        edit("return {x}", "return ({x})[:, : 1 + int(({x} != PAD).any(0).nonzero().max())]")),
                *listed(SPOKEN), *(mistake(id, why, start(code)) for id, (why, code) in FROM.items()),
                mistake("neither", "neither word nor state is passed on: every step is the first again",
                        *(edit(*SPOKEN[id][1:]) for id in ("not_carried", "not_fed"))),
                mistake("on_and_on", "a sentence goes on after its <eos>, and the batch goes on to `max_length`",
                        *(edit(*SPOKEN[id][1:]) for id in ("on_after_end", "never_stops"))),
                mistake("squeezed", "a bare `.squeeze()` drops every axis of size 1, the batch too",
                        edit("return {x}", "return {x}.squeeze()"), caught="hidden"), *listed(ENDED),
                *(mistake(id, f"{which} kept from being said; any word may be said at any step",
                          edit("logits.argmax", f"logits.index_fill(1, torch.tensor({marks}), -torch.inf).argmax"))
                  for id, (which, marks) in FORBIDDEN.items()),
            ], variants=VARIANTS["greedy_ids"],
        ),
    },
)
