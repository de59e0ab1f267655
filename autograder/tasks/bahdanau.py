"""The tasks of ``07_bahdanau``: the two readings, one step, the readout, the whole decoder, and its wires found out."""

import re
from collections.abc import Iterator
from itertools import permutations
from textwrap import dedent
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from autograder.checking.checker import Checker
from autograder.checking.draw import Draw
from autograder.checking.edits import AnyEdit, edit, start
from autograder.checking.task import Case, Mistake, Task, hidden, mistake, variant, visible
from autograder.checking.values import named
from autograder.checking.way import noted
from seq2seq.decoders.readout import MaxoutReadout
from seq2seq.encoders import join_directions, reverse_within_length
from seq2seq.exercises.bahdanau import BahdanauStep, ForcedDecoder, wires
from seq2seq.exercises.toy_steps import SpecimenStep, ToyReadout, ToyStep

SIZES = {"lengths": [4, 2, 5], "words": 0, "embedding_size": 3, "hidden_size": 4, "encoder_size": 6}
OTHER = hidden("other sizes", lengths=[7, 6, 1, 2], embedding_size=5, hidden_size=3, encoder_size=4, steps=9)
Tensors = dict[str, Tensor]


def padded_cases(*more: Case) -> list[Case]:
    """Sentences of many lengths, the longest not first."""
    return [
        visible(), hidden("a batch of one sentence", lengths=[6]), hidden("sentences of one word", lengths=[1, 1]),
        hidden("padding after every sentence", lengths=[1, 3, 2], words=8), hidden("float64", dtype=torch.float64),
        *more,
    ]


# More steps than a truncated gradient usually covers; in float32 the rounding of so many steps would add up.
LONG = hidden("a long target", lengths=[2, 3], steps=24, dtype=torch.float64)


def reversal(draw: Draw, lengths: list[int], words: int, encoder_size: int) -> Tensors:
    return {"values": draw.normal(len(lengths), words or max(lengths), encoder_size), "lengths": torch.tensor(lengths)}


def readings(draw: Draw, lengths: list[int], words: int, encoder_size: int) -> Tensors:
    shape = len(lengths), words or max(lengths), encoder_size // 2
    states = {f"{name}_states": draw.normal(*shape) for name in ("forward", "backward")}
    return {**states, "source_lengths": torch.tensor(lengths)}


def memory(draw: Draw, lengths: list[int], words: int, encoder_size: int) -> Tensors:
    """The last arguments of every decoder."""
    values = draw.normal(len(lengths), words or max(lengths), encoder_size)
    return {"values": values, "source_mask": draw.mask(lengths, words)}


def specimen(
    draw: Draw, lengths: list[int], words: int, embedding_size: int, hidden_size: int, encoder_size: int,
    empty: bool = False,
) -> Tensors:  # fmt: skip
    """``empty``: padding is 0, as an encoder returns it."""
    batch = len(lengths)
    before = {"embedded": draw.normal(batch, embedding_size), "state": draw.normal(batch, hidden_size)}
    fixed = memory(draw, lengths, words, encoder_size)
    fixed["values"] = fixed["values"] * (fixed["source_mask"].unsqueeze(-1) | (not empty))
    return {**before, **fixed}


def step_arguments(draw: Draw, attention_size: int, **sizes: Any) -> Tensors:
    given = specimen(draw, **{name: sizes[name] for name in SIZES})
    keys = draw.normal(*given["source_mask"].shape, attention_size)
    return {name: given.get(name, keys) for name in STEP_ARGUMENTS}


STEP_ARGUMENTS = ("embedded", "state", "projected_keys", "values", "source_mask")


def readout_parts(draw: Draw, axes: list[int], state_size: int, embedding_size: int, context_size: int) -> Tensors:
    sizes = {"state": state_size, "embedded": embedding_size, "context": context_size}
    return {name: draw.normal(*axes, size) for name, size in sizes.items()}


def whole_target(
    draw: Draw, lengths: list[int], words: int, steps: int, embedding_size: int, encoder_size: int
) -> Tensors:
    before = draw.normal(len(lengths), steps, embedding_size), draw.normal(len(lengths), encoder_size)
    return {"embedded": before[0], "final": before[1], **memory(draw, lengths, words, encoder_size)}


def forced(answer: Any, given: SimpleNamespace, step: Any, readout: Any) -> Iterator[tuple[str, object]]:
    step, readout = step(), readout()
    projections, runs = noted(step, "project_keys"), noted(readout, "forward")
    results = answer()(step, readout, given.embedded, given.final, given.values, given.source_mask)
    yield from named(results, "logits", "weights")
    yield "projections of the keys", len(projections)
    yield "runs of the readout", len(runs)


def wires_of(answer: Any, given: SimpleNamespace, step: Any) -> Iterator[tuple[str, object]]:
    specimen = step()

    class Step:
        """What can be done with it, and nothing that tells how it is made."""

        def __call__(self, *parts: Any) -> Any:
            return specimen(*parts)

        def project_keys(self, values: Tensor) -> Tensor:
            return specimen.project_keys(values)

    names = answer(Step(), given.embedded, given.state, given.values, given.source_mask)
    yield "the names", sorted(map(str, names)) if isinstance(names, dict) else names
    yield from ((name, names[name]) for name in WIRES)


def swaps(find: str, table: str, shared: str = "{}") -> list[Mistake]:
    """Mistakes in one place: in each line ``id: why => what stands there``; a line that is indented goes on."""
    rows = [row.partition(": ") for row in re.split(r"\n(?=\S)", dedent(table).strip())]
    parts = [(id, *re.sub(r"\s+", " ", row).split(" => ")) for id, _, row in rows]
    return [mistake(id, why, edit(find, put.replace("…", shared))) for id, why, put in parts]


def starts(table: dict[str, tuple[str, str]]) -> list[Mistake]:
    """Mistakes that something is done to the arguments first."""
    return [mistake(id, why, start(code, "forward")) for id, (why, code) in table.items()]


def both(id: str, why: str, *pairs: tuple[str, str]) -> Mistake:
    """A mistake in several places: pairs of what is found and what stands there."""
    return mistake(id, why, *(edit(*pair) for pair in pairs))


INDEX, MIRRORED = "torch.where(mirrored >= 0, mirrored, positions)", "lengths.unsqueeze(1) - 1 - positions"
TURNED = swaps(
    "return {x}",
    """
    flip: the whole row is reversed, so that padding moves in front of the words => return values.flip(1)
    nothing: nothing is reversed: these are the values as given => return values
    sentences: the order of the sentences is reversed, not that of the words => return values.flip(0)
    features: the features are reversed, not the words => return values.flip(2)
    features_too: the features of each word are reversed too; only the order of the words should be
        => return torch.where((mirrored >= 0).unsqueeze(-1), ({x}).flip(2), {x})
    padding_zeroed: the padding is replaced by 0: leave it as it is
        => return ({x}) * (mirrored >= 0).unsqueeze(-1)
    padding_in_front: the padding moves in front of the words, as 0
        => return (values * (mirrored >= 0).unsqueeze(-1)).flip(1)
    only_sentence_0: only sentence 0 of the batch is reversed => return torch.cat([({x})[:1], values[1:]])
    """,
) + swaps(
    INDEX,
    """
    padding_turned: the padding is reversed too: leave it as it is => mirrored % values.size(1)
    padding_word_1: the padding is overwritten with word 1: leave it as it is => mirrored.clamp(min=0)
    ends_exchanged: only the first and the last word are exchanged
        => torch.where((positions == 0) | (mirrored == 0), mirrored, positions)
    moved_round: the words are rotated, not reversed => (positions + lengths.unsqueeze(1) - 1) % values.size(1)
    """,
)
TURNED += [
    both(
        "one_too_early",
        "a word is missing: the last word of a sentence has the index length − 1",
        (MIRRORED, "lengths.unsqueeze(1) - 2 - positions"), (INDEX, "mirrored.clamp(min=0)"),
    ),
    both(
        "one_too_late",
        "padding ends up among the words: the last word of a sentence has the index length − 1",
        (MIRRORED, "lengths.unsqueeze(1) - positions"), (INDEX, "mirrored.clamp(0, values.size(1) - 1)"),
    ),
    both(
        "from_length",
        "each word comes from one position too late: the last word of a sentence has the index length − 1",
        (MIRRORED, "(lengths.unsqueeze(1) - positions).clamp(max=values.size(1) - 1)"),
        ("mirrored >= 0", "mirrored > 0"),
    ),
    both(
        "from_length_and_padding",
        "each word comes from one position too late: the last word of a sentence has the index length − 1",
        (MIRRORED, "(lengths.unsqueeze(1) - positions).clamp(max=values.size(1) - 1)"),
    ),
    mistake(
        "length_of_sentence_0", "all sentences get the length of sentence 0",
        start("lengths = 0 * lengths + lengths[0]"),
    ),
]

JOINED, MASKED = "torch.cat([forward_states, backward_states], dim=-1)", "states * source_mask.unsqueeze(-1)"
FINAL = "torch.cat([forward_end, backward_states[:, 0]], dim=-1)"
AHEAD, BACK = "forward_states[rows, source_lengths - 1]", "backward_states[:, 0]"
JOINS = [
    *swaps(
        BACK,
        """
        back_last_position: ←h is taken at the last position; it should be taken at the first word, where it ends
            => backward_states[:, -1]
        back_last_word: ←h is taken at the last word, where it has only begun; it should be taken where it ends
            => backward_states[rows, source_lengths - 1]
        back_masked: ←h is taken at the last position, as 0 where that is padding; it should be taken where it ends
            => (backward_states * source_mask.unsqueeze(-1))[:, -1]
        """,
    ),
    *swaps(
        AHEAD,
        """
        ahead_last_position: →h is taken at the last position, which is padding in shorter sentences
            => forward_states[:, -1]
        ahead_masked: →h is taken at the last position, as 0 where that is padding
            => (forward_states * source_mask.unsqueeze(-1))[:, -1]
        ahead_first_word: →h is taken at the first word, where it has only begun => forward_states[:, 0]
        ahead_too_early: →h is taken one word too early: the last word has the index length − 1
            => forward_states[rows, (source_lengths - 2).clamp(min=0)]
        ahead_too_late: →h is taken one word too late: the last word has the index length − 1
            => forward_states[rows, source_lengths.clamp(max=forward_states.size(1) - 1)]
        ahead_of_sentence_0: →h is taken at the last word of sentence 0 in every sentence
            => forward_states[:, int(source_lengths[0]) - 1]
        """,
    ),
    *swaps(
        FINAL,
        """
        order: the order of the ends is [→h; ←h] => torch.cat([backward_states[:, 0], forward_end], -1)
        both_at_the_end: →h and ←h are taken at the last position: padding for the one, a beginning for the other
            => states[:, -1]
        backward_end_alone: →h is left out: both ends are wanted => backward_states[:, 0]
        """,
    ),
    *swaps(
        JOINED,
        """
        order_in_states: the order is [→h; ←h] in each state => torch.cat([backward_states, forward_states], -1)
        alternating: the numbers of the two directions alternate; one direction should come after the other
            => torch.stack([forward_states, backward_states], -1).flatten(-2)
        added: the two directions are added; they should be joined side by side => forward_states + backward_states
        flipped_back: the backward states are flipped, though they are in the order of the words already
            => torch.cat([forward_states, backward_states.flip(1)], -1)
        reversed_again: the backward states are reversed once more, though they are in the order of the words already
            => torch.cat([forward_states, reverse_within_length(backward_states, source_lengths)], -1)
        """,
    ),
    *swaps(
        MASKED,
        """
        padding_kept: the padding is not set to 0 => states
        mask_turned: the words are set to 0, not the padding => states * ~source_mask.unsqueeze(-1)
        masked_ahead: the padding is set to 0 in the forward half only
            => torch.cat([forward_states * source_mask.unsqueeze(-1), backward_states], -1)
        along_the_words: the directions are joined along the words; they should be joined along the features
            => torch.cat([forward_states, backward_states], dim=1)
        """,
    ),
    both("every_pair", "the last words of all sentences are taken in each: index rows and positions together",
         (AHEAD, "forward_states[:, source_lengths - 1]"),
         (FINAL, "torch.cat([forward_end, backward_states[:, :1].expand(-1, len(rows), -1)], -1)")),
]

ATTEND = "context, weights = attend({s}, {v}, {m})"
CELL = "self.cell(torch.cat([embedded, context], dim=-1), state)"
LOOKED = [  # the mistakes of every step that calls `attend`, those of Luong's model too
    *swaps(
        ATTEND,
        """
        softmax_batch: the softmax runs over the batch, not the words => weights = ({s}).softmax(0); …
        masked_softmax_batch: the softmax runs over the batch, not the words of each sentence
            => weights = ({s}).masked_fill(~source_mask, -1e9).softmax(0); …
        mask_after: the mask comes after the softmax: the weights of the real words sum to less than 1
            => weights = ({s}).softmax(-1) * source_mask; …
        uniform: the real words share the weight equally: the scores are not used
            => weights = source_mask.to(values.dtype) / source_mask.sum(-1, keepdim=True); …
        no_softmax: these are the scores: the softmax is missing => weights = {s}; …
        """,
        "context = (weights.unsqueeze(-1) * values).sum(1)",
    ),
    *swaps(
        ATTEND,
        """
        averaged: the values are averaged, padding too; the weights are not used => …; context = values.mean(1)
        averaged_words: the values of the real words are averaged; the weights are not used
            => …; context = (values * source_mask.unsqueeze(-1)).sum(1) / source_mask.sum(-1, keepdim=True)
        last_value: this is the last encoder state, the same at every step => …; context = values[:, -1]
        """,
        ATTEND,
    ),
    *swaps(
        "self.scorer.score(state, {k})",
        """
        query_of_sentence_0: every sentence's query is the state of sentence 0
            => self.scorer.score(state[:1].expand_as(state), {k})
        """,
    ),
    *starts(
        {
            "no_mask": ("the mask is not used: padding gets weight", "source_mask = source_mask | True"),
            "mask_turned": ("the mask is inverted: True means a real word", "source_mask = ~source_mask"),
        }
    ),
]
STEPS = [
    *swaps(
        "self.scorer.score(state, {k})",
        """
        asks_with_zeros: the query is a state of zeros: the same at every step => self.scorer.score(0 * state, {k})
        asks_with_word: the query has already read the word: the paper's query is s_{i-1} itself
            => self.scorer.score(self.cell(torch.cat([embedded, 0 * values[:, 0]], dim=-1), state), {k})
        projected_twice: the keys are projected once more, though they come in projected
            => self.scorer.score(state, self.project_keys(values))
        """,
    ),
    *swaps(
        f"state = {CELL}",
        """
        context_again: the context is computed again with s_i; it should be the one that entered the cell
            => …; context, _ = attend(self.scorer.score(state, projected_keys), values, source_mask)
        asks_after: the query is s_i, the state after the step: the paper's is s_{i-1}, before the cell
            => …; context, weights = attend(self.scorer.score(state, projected_keys), values, source_mask)
        """,
        f"state = {CELL}",
    ),
    mistake("cell_first", "the query is the state after a cell that got no context: first attend, then run the cell",
            start("state = self.cell(torch.cat([embedded, 0 * values[:, 0]], dim=-1), state)"),
            edit(f"state = {CELL}", "pass")),
    *swaps("return state, context, weights",
           "results_order: the order is (new state, context, weights) => return context, weights, state"),
    *swaps(
        "[embedded, context]",
        """
        no_context: the context does not enter the cell => [embedded, 0 * context]
        no_word: the previous word does not enter the cell => [0 * embedded, context]
        context_first: the cell gets the context first, then the word; `__init__` says in which order it takes them
            => [context, embedded]
        """,
    ),
    *swaps("self.cell({x}, state)",
           "from_zeros: s_{i-1} does not enter the cell: it starts from zeros at every step => self.cell({x})"),
    *swaps(
        CELL,
        """
        old_state: this is s_{i-1} as given: the cell's result is not returned => state
        residual: the old state is added to the new one; the cell's own gates do that => state + …
        tanh: a tanh is applied to the cell's result, which already contains one => torch.tanh(…)
        twice: the cell runs twice => self.cell(torch.cat([embedded, context], dim=-1), …)
        mean_in_cell: the cell gets another context than the one returned: the values are averaged
            => self.cell(torch.cat([embedded, values.mean(1)], dim=-1), state)
        """,
        CELL,
    ),
    *LOOKED,
]

PAIRS, PARTS = "torch.maximum(*pairs.unbind(-1))", ("state", "embedded", "context")
HALVES = "torch.maximum(*pairs.flatten(-2).chunk(2, dim=-1))"
MAXIMA = [
    mistake("axes_joined", "the axes between first and last are lost; only the last axis should be cut into pairs",
            edit(PAIRS, "torch.maximum(*pairs.flatten(1, -2).unbind(-1))"), caught="hidden"),
    *swaps(
        PAIRS,
        """
        halves: numbers of the two halves are compared; a pair should be two neighbours
            => torch.maximum(*pairs.flatten(-2).chunk(2, dim=-1))
        no_maximum: no maximum is taken: all numbers are still there, not one of each pair => pairs.flatten(-2)
        pairs_left: these are the pairs: take the larger of each => pairs
        over_the_pairs: the maximum is taken over all pairs; it should be taken within each pair => pairs.amax(-2)
        overlapping: the pairs overlap; each number is in one pair
            => torch.maximum(pairs.flatten(-2)[..., :-1], pairs.flatten(-2)[..., 1:])
        one_maximum: this is one maximum over all numbers => pairs.flatten(-2).amax(-1)
        smaller: this is the smaller of each pair => pairs.amin(-1)
        sum: the numbers of a pair are added => pairs.sum(-1)
        mean: the numbers of a pair are averaged => pairs.mean(-1)
        first_of_each: only the first of each pair is kept => pairs[..., 0]
        second_of_each: only the second of each pair is kept => pairs[..., 1]
        """,
    ),
    *swaps(
        "return {x}",
        """
        tanh: a tanh is applied after the maximum; nothing should come after it => return torch.tanh({x})
        relu: a ReLU is applied after the maximum; nothing should come after it => return torch.relu({x})
        """,
    ),
    *(
        both(f"order_{'_'.join(parts)}",
             f"the parts are in the order {', '.join(parts)}; the matrices are in the order state, word, context",
             ("[state, embedded, context]", f"[{', '.join(parts)}]"))
        for parts in permutations(PARTS)
        if parts != PARTS
    ),
    *swaps("self.layer(joined)", "no_bias: the bias of the layer is left out => joined @ self.layer.weight.T"),
    *starts({f"no_{part}": (f"{part} is replaced by zeros", f"{part} = 0 * {part}") for part in PARTS}),
]

HALF, FIRST = "final[:, final.size(1) // 2 :]", "torch.tanh(self.first_layer(backward))"
STEP = "state, context, row = step(word, state, projected_keys, values, source_mask)"
WORDS, DONE, READ = "embedded.unbind(1)", "(state, context, row)", "readout(states, embedded, contexts)"
BEFORE: tuple[AnyEdit, ...] = (  # the readout gets the states before the steps
    edit(STEP, f"before = state; {STEP}"), edit(f"done.append({DONE})", "done.append((before, context, row))"),
)
LOOPS = [
    *swaps(
        HALF,
        """
        forward_half: s_0 is made of the forward half, →h_T => final[:, : final.size(1) // 2]
        interleaved: every second number is taken: the halves lie one after the other => final[:, 1::2]
        halves_added: the two halves are added; s_0 is made of one => final.unflatten(1, (2, -1)).sum(1)
        first_of_sentence_0: every sentence starts from the final state of sentence 0
            => final[:1, final.size(1) // 2 :].expand(len(final), -1)
        """,
    ),
    *swaps(
        FIRST,
        """
        no_tanh: the tanh of s_0 is missing => self.first_layer(backward)
        tanh_inside: the tanh of s_0 is taken before W_s => self.first_layer(torch.tanh(backward))
        relu: there is a ReLU instead of the tanh of s_0 => torch.relu(self.first_layer(backward))
        sigmoid: there is a sigmoid instead of the tanh of s_0 => torch.sigmoid(self.first_layer(backward))
        no_bias: the bias of W_s is left out => torch.tanh(backward @ self.first_layer.weight.T)
        from_zeros: the loop starts from zeros: s_0 is not used => 0 * self.first_layer(backward)
        """,
    ),
    *swaps(
        WORDS,
        """
        words_reversed: the words are in reverse order => embedded.flip(1).unbind(1)
        words_early: the words are one position early: step 1 gets the word that it should predict
            => embedded.roll(-1, 1).unbind(1)
        words_late: the words are one position late => embedded.roll(1, 1).unbind(1)
        words_shifted: the words are shifted by one position, with zeros in front; they already begin with BOS
            => [torch.zeros_like(embedded[:, 0]), *embedded[:, :-1].unbind(1)]
        first_word: every step gets the first word => [embedded[:, 0]] * embedded.size(1)
        """,
    ),
    *swaps(
        f"self.output_layer({READ})",
        """
        no_output_layer: these are the readouts: the output layer is missing => readout(states, embedded, contexts)
        no_output_bias: the bias of W_o is left out
            => readout(states, embedded, contexts) @ self.output_layer.weight.T
        softmax: a softmax is applied: logits are raw, the loss does the rest => ….softmax(-1)
        log_softmax: a log-softmax is applied: logits are raw => ….log_softmax(-1)
        last_context: the readout gets the last context at every step
            => self.output_layer(readout(states, embedded, contexts[:, -1:].expand_as(contexts)))
        """,
        f"self.output_layer({READ})",
    ),
    *swaps(
        STEP,
        """
        projected_again: the keys are projected again at each step;
            they do not change, so once, before the loop, is enough => projected_keys = step.project_keys(values); …
        """,
        STEP,
    ),
    both("always_from_s_0", "every step starts from the first state: pass the new state on to the next step",
         (STEP, STEP.replace("state, context", "new, context")),
         (f"done.append({DONE})", "done.append((new, context, row))")),
    both("projected_each_step", "the keys are projected at every step: they do not change, so once is enough",
         (STEP, STEP.replace("projected_keys", "step.project_keys(values)")),
         ("projected_keys = step.project_keys(values)", "pass")),
    both("readout_each_step", "the readout runs at every step: nothing in the loop needs it", (READ, "states"),
         (f"done.append({DONE})", "done.append((readout(state, word, context), context, row))")),
    mistake("states_before", "the readout gets the states before the steps, s_{i-1}", *BEFORE),
    *starts(
        {
            "no_mask": ("the mask is not used: padding gets weight", "source_mask = source_mask | True"),
            "words_shifted_for_all": (
                "the words are shifted by one position, with zeros in front; they already begin with BOS",
                "embedded = torch.cat([torch.zeros_like(embedded[:, :1]), embedded[:, :-1]], 1)",
            ),
        }
    ),
    *swaps(
        "return {a}, {b}",
        """
        last_step: this is one step; all steps are wanted => return ({a})[:, -1], ({b})[:, -1]
        steps_first: the steps are on axis 0; batch comes first => return ({a}).transpose(0, 1), ({b}).transpose(0, 1)
        """,
    ),
]

WIRES = ["state asks", "word asks", "state enters", "word enters", "context enters", "padding counts"]
WIRES += ["context is the weighted sum"]
ALONE, WHOLE = "alone, _, _ = run(embedded, state, first, real)", "run(embedded, state, values, source_mask)[0]"
CHANGED = {"state": "embedded, -state", "word": "-embedded, state"}
CONFUSED = [
    *(
        both(
            f"{name}_by_the_question",
            f"the {name} also reaches the new state through the query and the context: block that path first",
            (ALONE, f"{ALONE}\nwhole = {WHOLE}"),
            (f"allclose(run({given}, first, real)[0], alone)",
             f"allclose(run({given}, values, source_mask)[0], whole)"),
        )
        for name, given in CHANGED.items()
    ),
    both(
        "both_by_the_question",
        "state and word also reach the new state through the query and the context: block that path first",
        (ALONE, f"{ALONE}\nwhole = {WHOLE}"),
        *(
            (f"allclose(run({given}, first, real)[0], alone)",
             f"allclose(run({given}, values, source_mask)[0], whole)")
            for given in CHANGED.values()
        ),
    ),
    *swaps(
        "allclose(run(embedded, state, padded, source_mask)[2], weights)",
        """
        padding_has_weight: this says whether padding has weight; it should say whether padding changes the weights
            => allclose(weights * source_mask, weights)
        """,
    ),
    *(
        both(f"{name}_asks_by_the_new_state",
             f"see what asks from the weights; the new state changes with the {name} for other reasons too",
             (f"allclose(run({given}, {{v}}, {{m}})[2], weights)", f"allclose(run({given}, {{v}}, {{m}})[0], {WHOLE})"))
        for name, given in CHANGED.items()
    ),
    *swaps(
        "torch.where(source_mask.unsqueeze(-1), values, values + 1)",
        """
        all_words_changed: all words are changed, not only the padding => -values
        no_padding: no changed padding reaches the keys, so that its effect cannot be seen => values
        stays_0: padding that is 0 already stays so if it is set to 0, or negated; give it another value
            => values * source_mask.unsqueeze(-1)
        """,
    ),
    *swaps(
        "torch.allclose",
        """
        all_there: everything is reported as changed => lambda one, other: False
        nothing_there: nothing is reported as changed => lambda one, other: True
        exact: tensors that agree up to rounding have not changed; this compares every bit => torch.equal
        """,
    ),
    mistake("turned", "True and False are exchanged", edit("not {x}", "{x}", "all")),
    mistake("same_state", "the state stays as it is, so that nothing can change", edit("-state", "state", "all")),
    mistake("same_word", "the word stays as it is, so that nothing can change", edit("-embedded", "embedded", "all")),
    *swaps(
        "(weights.unsqueeze(1) @ values).squeeze(1)",
        "mean: the context is compared with the mean of the values, not with their weighted sum => values.mean(1)",
    ),
]
SPECIMENS = [
    hidden("other wirings", wiring="no word", words=9),
    hidden("other wirings", wiring="no state, no word, no context"),
    hidden("other wirings", wiring="fixed context, word asks", lengths=[7, 3]),
    hidden("several cuts in one step", wiring="word asks, no word, no state, no mask", hidden_size=7, lengths=[5, 2]),
    hidden("several cuts in one step", wiring="fixed context, no mask, no context"),
    hidden("several cuts in one step", wiring="nobody asks, no state", lengths=[2, 5, 3, 6]),
    hidden("one sentence", wiring="word asks", lengths=[3], words=5),
    hidden("a mask at another place", wiring="late mask", words=6),
]

check = Checker(
    __name__,
    {
        "reverse_within_length": Task(
            reverse_within_length, "reversal: the words of each sentence in reverse, the padding where it was",
            padded_cases(OTHER, hidden("no padding", lengths=[5, 5])), reversal, SIZES,
            {"reversed values": "batch source_len size"}, mistakes=TURNED,
        ),
        "join_directions": Task(
            join_directions, "both readings: a state per word, 0 at padding; →h at the last word, ←h at the first",
            padded_cases(OTHER), readings, SIZES,
            {"states": "batch source_len directions", "final": "batch directions"}, mistakes=JOINS,
            variants=[
                variant(
                    "backward_first", edit(JOINED, "torch.cat([backward_states, forward_states], dim=-1)"),
                    edit(FINAL, "torch.cat([backward_states[:, 0], forward_end], dim=-1)"),
                    text={
                        r"[\overrightarrow h_j; \overleftarrow h_j]": r"[\overleftarrow h_j; \overrightarrow h_j]",
                        r"[\overrightarrow h_T; \overleftarrow h_1]": r"[\overleftarrow h_1; \overrightarrow h_T]",
                    },
                )
            ],
        ),
        "bahdanau_step": Task(
            BahdanauStep,
            "Bahdanau step: attend with the state before the step, then the cell takes word, context and that state",
            padded_cases(OTHER, hidden("scores far from 0", lengths=[2] * 6, attention_size=40_000)),
            step_arguments, SIZES | {"attention_size": 7},
            {"new state": "batch hidden_size", "context": "batch encoder_size", "weights": "batch source_len"},
            answers=("forward",), mistakes=STEPS,
            variants=[
                variant(
                    "context_first", edit(CELL, CELL.replace("embedded, context", "context, embedded")),
                    text={
                        r"\mathrm{GRU}([E y_{i-1}; c_i], s_{i-1})": r"\mathrm{GRU}([c_i; E y_{i-1}], s_{i-1})",
                        "takes the word first, then the context": "takes the context first, then the word",
                    },
                )
            ],
        ),
        "maxout_readout": Task(
            MaxoutReadout,
            "maxout readout: state, word and context through one layer, then the larger of each pair of neighbours",
            [
                visible(), *(hidden("all steps of a target at once", axes=axes) for axes in ([3, 5], [2, 1], [1, 5])),
                hidden("other sizes", axes=[4], state_size=3, embedding_size=5, context_size=2, readout_size=7),
                hidden("a batch of one sentence", axes=[1]), hidden("a readout of size 1", readout_size=1),
                hidden("float64", dtype=torch.float64),
            ], readout_parts, {"axes": [5], "state_size": 4, "embedding_size": 3, "context_size": 6, "readout_size": 8},
            {"readout": "batch readout_size"}, answers=("forward",), mistakes=MAXIMA,
            variants=[
                variant(
                    "halves", edit(PAIRS, HALVES),
                    text={
                        r"\max(\tilde t_{i,2j-1}, \tilde t_{i,2j})": r"\max(\tilde t_{i,j}, \tilde t_{i,l+j})",
                        "A pair consists of two *neighbours*.":
                        "A pair consists of the $j$-th numbers of the two *halves*.",
                    },
                ),
                variant(
                    "smaller", edit(PAIRS, "torch.minimum(*pairs.unbind(-1))"),
                    text={r"\max(\tilde t_{i,2j-1}, \tilde t_{i,2j})": r"\min(\tilde t_{i,2j-1}, \tilde t_{i,2j})"},
                ),
            ],
        ),
        "forced_decoder": Task(
            ForcedDecoder,
            "whole decoder: the first state, the keys once, a step for each word, and all logits at the end",
            padded_cases(OTHER, hidden("a target of one word", steps=1), LONG), whole_target,
            SIZES | {"steps": 7, "hidden_size": 6, "encoder_size": 8, "readout_size": 5, "vocab_size": 9},
            {
                "logits": "batch target_len vocab_size",
                "weights": "batch target_len source_len",
                "projections of the keys": "",
                "runs of the readout": "",
            },
            forced, answers=("forward",), tools=(ToyStep, ToyReadout), mistakes=LOOPS,
            variants=[
                variant(
                    "both_halves", edit(HALF, "final.unflatten(1, (2, -1)).sum(1)"),
                    text={r"\tanh(W_s \overleftarrow h_1)": r"\tanh(W_s [\overrightarrow h_T + \overleftarrow h_1])"},
                ),
                variant("states_before", *BEFORE, text={r"t(s_i, E y_{i-1}, c_i)": r"t(s_{i-1}, E y_{i-1}, c_i)"}),
            ],
        ),
        "wires": Task(
            wires, "wires: what asks and what enters, found by changing one thing at a time",
            [
                visible("a step as the paper has it"),
                *(
                    visible(f"a step with {wiring}", wiring=wiring)
                    for wiring in ("word asks, no word", "no state", "nobody asks, no mask", "no context, mean context")
                ),
                visible("a step in which padding has a score of 0", wiring="zero scores", words=6),
                visible("a step without a mask, 0 at the padding", wiring="no mask", empty=True), *SPECIMENS,
            ], specimen, SIZES | {"wiring": ""}, {"the names": "", **dict.fromkeys(WIRES, "")}, wires_of,
            tools=(SpecimenStep,), gradients=False, coarse=True, again=False, mistakes=CONFUSED,
        ),
    },
)
