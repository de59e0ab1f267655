"""The tasks of ``08_luong``: steps and loops with and without input feeding, the target at once, and runs compared."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from autograder.checking.checker import Checker
from autograder.checking.draw import Draw
from autograder.checking.edits import edit, start
from autograder.checking.task import Mistake, Task, hidden, mistake, variant, visible
from autograder.checking.values import named
from autograder.checking.way import cost, noted
from autograder.tasks.bahdanau import LONG, LOOKED, OTHER, SIZES, both, memory, padded_cases, swaps
from seq2seq.exercises.luong import (
    InputFeedingStep,
    LuongStep,
    LuongUnroll,
    told_apart,
    unroll_feeding,
    unroll_unfinished,
)
from seq2seq.exercises.toy_steps import FeedingToyStep

SCALED = {**SIZES, "scale": 1.0}  # of the keys of real words: where a score is too large for exp, it is theirs
# In float32 the rounding of the state could decide between two nearly equal scores.
LARGE = hidden("very large scores", lengths=[1, 2, 4, *[1] * 7], words=6, scale=1e5, dtype=torch.float64)
SINGLE_WORD = hidden("a target of one word", steps=1)
UNROLLED = {"attentional states": "batch target_len hidden_size", "weights": "batch target_len source_len"}
STEPPED = {"attentional state": "batch hidden_size", "weights": "batch source_len", "new state": "batch hidden_size"}
Tensors = dict[str, Tensor]
SCALED_SCORES = "the scores are divided by the root of the state's size: here they are not scaled"


def commonest(ids: str, mistakes: list[Mistake]) -> list[Mistake]:
    """Those of ``ids`` first: an answer may have two mistakes, and the first of a list are tried with all others."""
    return sorted(mistakes, key=lambda mistake: mistake.id not in ids.split())


def luong_step(draw: Draw, lengths: list[int], words: int, encoder_size: int, scale: float, **sizes: Any) -> Tensors:
    batch, hidden_size, fixed = len(lengths), sizes["hidden_size"], memory(draw, lengths, words, encoder_size)
    before = {"embedded": draw.normal(batch, sizes["embedding_size"]), "state": draw.normal(batch, hidden_size)}
    keys = draw.normal(*fixed["source_mask"].shape, hidden_size)
    return {**before, "projected_keys": keys * torch.where(fixed["source_mask"].unsqueeze(-1), scale, 1.0), **fixed}


def feeding_step(draw: Draw, **sizes: Any) -> Tensors:
    given = luong_step(draw, **sizes)
    return {"embedded": given.pop("embedded"), "fed": draw.normal(*given["state"].shape), **given}


def whole_target(draw: Draw, lengths: list[int], words: int, encoder_size: int, scale: float, **sizes: Any) -> Tensors:
    fixed = memory(draw, lengths, words, encoder_size)
    embedded = len(lengths), sizes["steps"], sizes["embedding_size"]
    before = {"embedded": draw.normal(*embedded), "state": draw.normal(len(lengths), sizes["hidden_size"])}
    fixed["values"] = fixed["values"] * torch.where(fixed["source_mask"].unsqueeze(-1), scale, 1.0)
    return {**before, **fixed}


def ragged_targets(draw: Draw, targets: list[int], **sizes: Any) -> Tensors:
    return {**whole_target(draw, **sizes), "target_lengths": torch.tensor(targets)}


LOOPED = "a loop over the words, or over pieces of them"


def fed(answer: Any, given: SimpleNamespace, step: Any) -> Iterator[tuple[str, object]]:
    step = step()
    projections, rows = noted(step, "project_keys"), noted(step, "forward")
    yield from named(answer(step, *vars(given).values()), *UNROLLED)
    yield "projections of the keys", len(projections)
    yield "rows that were computed", sum(max(count, 1) for count in rows)  # a step without rows is not free either


def at_once(answer: Any, given: SimpleNamespace) -> Iterator[tuple[str, object]]:
    module, first = answer(), {**vars(given), "embedded": given.embedded[:, :2]}
    runs = noted(module.rnn, "forward")
    short = cost(module, *first.values())
    whole = cost(module, *vars(given).values())
    yield from named(whole.result, *UNROLLED)
    yield LOOPED, whole.operations > short.operations or len(runs) > 2


MOVE, FEED = "state = self.cell(embedded, state)", "state = self.cell(torch.cat([embedded, fed], dim=-1), state)"
RETURN = "return attentional, weights, state"


def attentional(context: str, state: str) -> list[Mistake]:
    """Mistakes in the attentional state."""
    joined, layer = f"torch.cat([{context}, {state}], dim=-1)", "torch.tanh(self.attentional_layer({x}))"
    return [
        *swaps(
            layer,
            f"""
            no_tanh: the tanh is missing => self.attentional_layer({{x}})
            sigmoid: there is a sigmoid in place of the tanh => torch.sigmoid(self.attentional_layer({{x}}))
            relu: there is a ReLU in place of the tanh => torch.relu(self.attentional_layer({{x}}))
            softmax: a softmax stands in place of the tanh => torch.softmax(self.attentional_layer({{x}}), -1)
            tanh_twice: there are two tanh, one within the other => torch.tanh(…)
            tanh_inside: the tanh is applied before W_c; it should be applied after it
                => self.attentional_layer(torch.tanh({{x}}))
            state_alone: this is h itself: context and W_c are missing => {state}
            state_added: the state is added on top: it already enters through W_c => … + {state}
            """,
            layer,
        ),
        *swaps(
            joined,
            f"""
            order: the state comes first, then the context; W_c takes [c; h] => torch.cat([{state}, {context}], dim=-1)
            no_context: the context does not enter W_c => torch.cat([0 * {context}, {state}], dim=-1)
            no_state: the state does not enter W_c => torch.cat([{context}, 0 * {state}], dim=-1)
            """,
        ),
    ]


def of_step(move: str, cell: str) -> list[Mistake]:
    """Mistakes of both steps; ``move`` is the line of the cell, ``cell`` what it takes."""
    return [
        *attentional("context", "state"),
        *swaps(
            move,
            f"""
            from_zeros: h_{{t-1}} does not enter the cell: it starts from zeros => state = self.cell({cell})
            twice: the cell runs twice => …; …
            residual: the old state is added to the new one; the cell's own gates do that => before = state; …;
                state = state + before
            no_word: the previous word does not enter the cell => embedded = 0 * embedded; …
            """,
            move,
        ),
        mistake(
            "asks_before",
            "the query is h_{t-1}, the state before the step: Luong et al. use h_t", start("before = state"),
            edit("self.scorer.score(state, {k})", "self.scorer.score(before, {k})"),
        ),
        mistake("old_state_in_w_c", "h_{t-1} enters W_c: it should be h_t", start("before = state"),
                edit("context, weights = {x}", "context, weights = {x}; after, state = state, before"),
                edit(RETURN, "return attentional, weights, after")),
        mistake("old_state", "h_{t-1} is returned as given: the new state goes to the next step",
                start("before = state"), edit(RETURN, "return attentional, weights, before")),
        mistake("scaled", SCALED_SCORES,
                edit("self.scorer.score({q}, {k})", "self.scorer.score({q}, {k}) / state.size(-1) ** 0.5")),
        *swaps(
            RETURN,
            """
            attentional_handed_on: the attentional state is returned as the new state: that should be h_t
                => return attentional, weights, attentional
            states_exchanged: attentional state and new state are exchanged => return state, weights, attentional
            """,
        ),
        *LOOKED,
    ]


FIRST_FED, KEEP = "fed = torch.zeros_like(state)", "attentionals.append(fed); weights.append(step_weights)"
CALL = "fed, step_weights, state = step(word, fed, state, projected_keys, values, source_mask)"
FED_LOOP = [
    *swaps(
        FIRST_FED,
        """
        first_fed_state: the first step is fed h_0: there is no attentional state yet => fed = state
        first_fed_ones: the first step is fed ones => fed = torch.ones_like(state)
        """,
    ),
    *swaps(
        CALL,
        """
        zeros_each_step: every step is fed zeros: that is only right at the first => fed = torch.zeros_like(state); …
        attentional_as_state: the attentional state replaces h_{t-1}: both are passed on => …; state = fed
        exchanged: fed and state are exchanged in the call
            => fed, step_weights, state = step(word, state, fed, projected_keys, values, source_mask)
        results_exchanged: first and last of the results are exchanged: a step returns (attentional, weights, state)
            => state, step_weights, fed = step(word, fed, state, projected_keys, values, source_mask)
        always_from_h_0: every step starts from the first state: pass the new one on
            => fed, step_weights, _ = step(word, fed, state, projected_keys, values, source_mask)
        """,
        CALL,
    ),
    both("projected_again", "the keys do not change: project them once, before the first step",
         ("projected_keys = step.project_keys(values)", "pass"),
         ("step({x}, {y}, {z}, projected_keys, {v}, {m})", "step({x}, {y}, {z}, step.project_keys(values), {v}, {m})")),
    both("state_fed", "h_t is fed instead of the attentional state", (KEEP, f"{KEEP}; fed = state")),
    both("states_returned", "the recurrent states are returned, not the attentional ones",
         (KEEP, KEEP.replace("fed", "state"))),
    both("first_fed_again", "every step is fed the attentional state of the first: pass on that of the previous step",
         (KEEP, f"{KEEP}; fed = attentionals[0]")),
    *swaps(
        "embedded.unbind(1)",
        """
        words_reversed: the words are in reverse order => embedded.flip(1).unbind(1)
        words_early: the words are one position early => embedded.roll(-1, 1).unbind(1)
        words_late: the words are one position late => embedded.roll(1, 1).unbind(1)
        first_word: every step gets the first word => [embedded[:, 0]] * embedded.size(1)
        one_missing: one step is missing: every previous word has a step, BOS too => embedded[:, 1:].unbind(1)
        """,
    ),
    mistake("from_zeros", "the first state is not used", start("state = 0 * state")),
    mistake("no_mask", "the mask is not used: padding gets weight", start("source_mask = source_mask | True")),
    *swaps(
        "return {a}, {b}",
        """
        last_step: this is one step; all steps are wanted => return ({a})[:, -1], ({b})[:, -1]
        steps_first: the steps are on axis 0; batch comes first => return ({a}).transpose(0, 1), ({b}).transpose(0, 1)
        joined: the steps are joined along an existing axis; they should get an axis of their own
            => return ({a}).flatten(1), ({b}).flatten(1)
        """,
    ),
]

RUN, SCORES = "hidden, _ = self.rnn(embedded, state.unsqueeze(0))", "hidden @ self.scorer.project_keys(values).mT"
WEIGHTS = "masked_softmax(scores, source_mask.unsqueeze(1))"
BEFORE = "torch.cat([state.unsqueeze(1), hidden[:, :-1]], 1)"
AT_ONCE = [
    *attentional("contexts", "hidden"),
    *swaps(
        RUN,
        """
        from_zeros: the recurrent layer starts from zeros: h_0 is not used => hidden, _ = self.rnn(embedded)
        always_from_h_0: every step starts from the first state: let the layer run over the whole target
            => hidden = torch.cat([self.rnn(word, state.unsqueeze(0))[0] for word in embedded.split(1, 1)], 1)
        words_reversed: the words are in reverse order => hidden, _ = self.rnn(embedded.flip(1), state.unsqueeze(0))
        """,
    ),
    both(
        "loop",
        "something is computed word by word: one call of the recurrent layer, and one product each for the scores and "
        "the contexts, are enough for the whole target",
        (
            RUN, "steps, last = [], state.unsqueeze(0)\nfor word in embedded.split(1, 1):\n"
            "    one, last = self.rnn(word, last)\n    steps.append(one)\nhidden = torch.cat(steps, 1)",
        ),
    ),
    *swaps(
        SCORES,
        f"""
        asks_before: the queries are the states before the steps; Luong et al. use h_t
            => {BEFORE} @ self.scorer.project_keys(values).mT
        last_asks: every query is the last state; each step has its own
            => hidden[:, -1:].expand_as(hidden) @ self.scorer.project_keys(values).mT
        scaled: {SCALED_SCORES} => {SCORES} / state.size(-1) ** 0.5
        """,
    ),
    *swaps(
        WEIGHTS,
        """
        no_mask: the mask is not used: padding takes part in the softmax => scores.softmax(-1)
        mask_turned: the mask is inverted: True means a real word
            => masked_softmax(scores, ~source_mask.unsqueeze(1))
        mask_after: the mask comes after the softmax: the weights of the real words sum to less than 1
            => scores.softmax(-1) * source_mask.unsqueeze(1)
        over_the_target: the softmax runs over the target words; it should run over the source words
            => scores.softmax(1)
        masked_over_the_target: the softmax runs over the target words, masked; it should run over the source words
            => scores.masked_fill(~source_mask.unsqueeze(1), -1e9).softmax(1)
        real_over_the_target: the softmax runs over the target words of each real source word;
            it should run over the source words => masked_softmax(scores.mT, source_mask.unsqueeze(2)).mT
        softmax_batch: the softmax runs over the batch => scores.softmax(0)
        masked_softmax_batch: the softmax runs over the batch, masked
            => scores.masked_fill(~source_mask.unsqueeze(1), -1e9).softmax(0)
        no_softmax: these are the scores: the softmax is missing => scores
        """,
    ),
    *swaps(
        "weights @ values",
        """
        averaged: the values are averaged; the weights are not used
            => weights @ values * 0 + values.mean(1, keepdim=True)
        first_context: every step gets the context of the first
            => (weights @ values)[:, :1].expand(-1, hidden.size(1), -1)
        last_context: every step gets the context of the last
            => (weights @ values)[:, -1:].expand(-1, hidden.size(1), -1)
        """,
    ),
    both("old_states_in_w_c", "the states before the steps enter W_c", ("[contexts, hidden]", f"[contexts, {BEFORE}]")),
    both("weights_turned", "the axes of the weights are exchanged", ("return {a}, weights", "return {a}, weights.mT")),
    both("one_step", "this is one step; all are wanted",
         ("return {a}, weights", "return ({a})[:, -1], weights[:, -1]")),
]

GOING, NARROW = "going = target_lengths[rows] > t", "rows, fed, state = rows[going], fed[going], state[going]"
KEYS = "projected_keys, values, source_mask = projected_keys[going], values[going], source_mask[going]"
RAGGED_CALL = "fed, row, state = step(embedded[rows, t], fed, state, projected_keys, values, source_mask)"
SORTED = """
target_lengths, order = target_lengths.sort(descending=True)
embedded, state, values, source_mask = embedded[order], state[order], values[order], source_mask[order]
"""
RAGGED = [
    *swaps(
        GOING,
        """
        one_too_short: the last word of each target is left out => going = target_lengths[rows] > t + 1
        one_too_long: each sentence gets a step after its end => going = target_lengths[rows] >= t
        by_position: the lengths of the first sentences are used, not of those that are left
            => going = target_lengths[: len(rows)] > t
        as_if_sorted: the first rows go on, as if the targets were sorted by length
            => going = torch.arange(len(rows)) < (target_lengths > t).sum()
        """,
    ),
    mistake("left_sorted", "the results are in the order of the target lengths, not of the batch", start(SORTED)),
    mistake("put_back_wrongly", "sorted rows are put back by the sorting order itself, which is not its own inverse",
            start(SORTED), edit("return {a}, {b}", "return {a}[order], {b}[order]")),
    both(
        "weights_not_cleared",
        "the weights are not 0 after the end of a target, and finished sentences are still computed",
        (GOING, "going = target_lengths[rows] > -1"),
        (
            "return {a}, {b}",
            "over = (torch.arange(embedded.size(1)) >= target_lengths.unsqueeze(1)).unsqueeze(-1)\n"
            "return ({a}).masked_fill(over, 0), {b}",
        ),
    ),
    both(
        "all_computed",
        "every sentence is computed to the end and cleared afterwards: a finished one costs as much as the others",
        (GOING, "going = target_lengths[rows] > -1"),
        (
            "return {a}, {b}",
            "over = (torch.arange(embedded.size(1)) >= target_lengths.unsqueeze(1)).unsqueeze(-1)\n"
            "return ({a}).masked_fill(over, 0), ({b}).masked_fill(over, 0)",
        ),
    ),
    both("not_cleared", "sentences go on after their end: attentional states and weights should be 0 there",
         (GOING, "going = target_lengths[rows] > -1")),
    both("keys_of_others", "keys, values and mask are cut to the first sentences, not to those that are left",
         (KEYS, KEYS.replace("[going]", "[: len(rows)]"))),
    both("words_of_others", "the words of the first sentences are passed in, not of those that are left",
         ("embedded[rows, t]", "embedded[: len(rows), t]")),
    both("states_of_others", "fed and state are cut to the first sentences, not to those that are left",
         (NARROW, "rows = rows[going]; fed, state = fed[: len(rows)], state[: len(rows)]")),
    both(
        "written_to_others",
        "the results are written to the first rows, not to those of the sentences that are left",
        ("attentionals[rows, t], weights[rows, t] = fed, row",
         "attentionals[: len(rows), t], weights[: len(rows), t] = fed, row"),
    ),
    *swaps(
        RAGGED_CALL,
        """
        zeros_each_step: every step is fed zeros: that is only right at the first => fed = torch.zeros_like(state); …
        attentional_as_state: the attentional state replaces h_{t-1} => …; state = fed
        always_from_h_0: every step starts from the first state: pass the new one on
            => fed, row, _ = step(embedded[rows, t], fed, state, projected_keys, values, source_mask)
        projected_again: the keys are projected at every step: once is enough
            => projected_keys = step.project_keys(values); …
        """,
        RAGGED_CALL,
    ),
    mistake("no_mask", "the mask is not used: padding gets weight", start("source_mask = source_mask | True")),
    mistake("first_fed_state", "the first step is fed h_0: there is no attentional state yet",
            edit("torch.zeros_like(state)", "state")),
]

RUNS = {"k": [30.5, 31.0, 32.5, 29.0], "h": [12.5, 29.5, 30.0], "x": [33.0, 32.0, 34.5], "e": [31.0, 30.0]}
# Of the 252 ways to divide five runs and five, 63 are as good for u against v, a chance of 0.25, and 64 against w. Not
# more runs: what a right answer with `torch.combinations` stores is the number of all runs to the power of the first's.
U, V, W = [27.75, 22.5, 25.25, 28.25, 22.5], [22.5, 21.5, 24.25, 26.75, 25.75], [25.75, 23.5, 18.25, 25.25, 26.5]
SHARE = "sum(total >= observed for total in sums) / len(sums)"
SUM_OF = "observed = sum(runs[better])"
APART = [
    *swaps(
        f"{SHARE} <= level",
        f"""
        by_the_mean: only the means are compared: the difference may well be chance
            => sum(runs[better]) / len(runs[better]) > sum(runs[worse]) / len(runs[worse])
        gap: the difference of the means is compared with the level; the chance should be
            => sum(runs[better]) / len(runs[better]) - sum(runs[worse]) / len(runs[worse]) > level
        no_overlap: every run of one has to beat every run of the other: that is stricter than the level
            => min(runs[better]) > max(runs[worse])
        first_run: only the first runs are compared => runs[better][0] > runs[worse][0]
        lower_tail: the splits that are at most as good are counted
            => sum(total <= observed for total in sums) / len(sums) <= level
        chance_kept: these are the pairs whose difference may be chance => {SHARE} > level
        strictly_above: splits that are just as good as the runs count too, the runs' own among them
            => sum(total > observed for total in sums) / len(sums) <= level
        below_the_level: a chance that is just the level is low enough => {SHARE} < level
        number: the number of splits is compared with the level, not their share
            => sum(total >= observed for total in sums) <= level
        """,
    ),
    *swaps(
        "combinations(runs[better] + runs[worse], len(runs[better]))",
        """
        size_of_the_other: the splits have the size of the other model's runs
            => combinations(runs[better] + runs[worse], len(runs[worse]))
        halves: the splits are halves; the first model should get as many scores as it has runs
            => combinations(runs[better] + runs[worse], len(runs[better] + runs[worse]) // 2)
        distinct: splits with equal scores count once; every way to choose the runs should count
            => {tuple(sorted(group)) for group in combinations(runs[better] + runs[worse], len(runs[better]))}
        """,
    ),
    *(mistake(id, "differences of either sign are counted; only a lead of the first model should be",
              edit(SUM_OF, f"{SUM_OF}; middle = sum(runs[better] + runs[worse]) * len(runs[better]) / "
                           "len(runs[better] + runs[worse])"),
              edit(f"{SHARE} <= level", "sum(abs(total - middle) >= abs(observed - middle) - 1e-9 for total in sums) "
                                        f"/ len(sums) <= level{more}"))
      for id, more in (("two_sided", ""), ("two_sided_ahead", " and observed > middle"))),
    mistake("worse_first", "the pair is the wrong way round: the better one comes first",
            edit("pairs.append((better, worse))", "pairs.append((worse, better))")),
    mistake("one_direction", "each pair is tried in only one order",
            edit("permutations(runs, 2)", "combinations(runs, 2)")),
]

check = Checker(
    __name__,
    {
        "luong_step": Task(
            LuongStep, "Luong step: the cell first, then attention with the new state, then the attentional state",
            padded_cases(OTHER, LARGE), luong_step, SCALED, STEPPED, answers=("forward",),
            mistakes=commonest("order asks_before old_state_in_w_c no_tanh", of_step(MOVE, "embedded")),
            variants=[
                variant("state_first", edit("[context, state]", "[state, context]"),
                        text={r"\tilde h_t = \tanh(W_c [c_t; h_t])": r"\tilde h_t = \tanh(W_c [h_t; c_t])"})
            ],
        ),
        "input_feeding_step": Task(
            InputFeedingStep,
            "input feeding: the word and the last attentional state enter the cell, and the state is kept beside them",
            padded_cases(OTHER, LARGE), feeding_step, SCALED, STEPPED, answers=("forward",),
            mistakes=commonest("fed_first order asks_before old_state_in_w_c no_tanh", [
                *swaps(
                    FEED,
                    """
                    nothing_fed: what is fed does not enter the cell => fed = 0 * fed; …
                    state_fed: h_{t-1} is fed in place of the last attentional state => fed = state; …
                    fed_as_state: what is fed takes the place of h_{t-1}: both enter the cell => state = fed; …
                    exchanged: fed and h_{t-1} are exchanged => fed, state = state, fed; …
                    fed_added: what is fed is added to the state; it should stand beside the word
                        => state = state + fed; …
                    """,
                    FEED,
                ),
                mistake("fed_first", "the cell gets what is fed first, then the word; `__init__` says in which order",
                        edit("[embedded, fed]", "[fed, embedded]")),
                both("fed_asks", "what was fed is the query; it should be h_t",
                     ("self.scorer.score(state, {k})", "self.scorer.score(fed, {k})")),
                both("fed_in_w_c", "what was fed enters W_c; h_t should", ("[context, state]", "[context, fed]")),
                *of_step(FEED, "torch.cat([embedded, fed], dim=-1)"),
            ]),
            variants=[
                variant(
                    "fed_first", edit("[embedded, fed]", "[fed, embedded]"),
                    text={
                        r"[E y_{t-1}; \tilde h_{t-1}], h_{t-1}": r"[\tilde h_{t-1}; E y_{t-1}], h_{t-1}",
                        "takes the word first, then what is fed": "takes what is fed first, then the word",
                    },
                )
            ],
        ),
        "unroll_feeding": Task(
            unroll_feeding,
            "input feeding over a target: each step gets the attentional state of the one before; the first gets zeros",
            padded_cases(OTHER, SINGLE_WORD, LONG), whole_target, SCALED | {"steps": 7},
            {**UNROLLED, "projections of the keys": "", "rows that were computed": ""}, fed,
            tools=(FeedingToyStep,),
            mistakes=commonest("first_fed_state projected_again zeros_each_step states_returned", FED_LOOP),
            variants=[
                variant(
                    "first_fed_state", edit(FIRST_FED, "fed = state"),
                    text={
                        r"h_{t-1}, \bar h), \qquad \tilde h_0 = 0": r"h_{t-1}, \bar h), \qquad \tilde h_0 = h_0",
                        "zeros stand in for it.": "here the first state stands in for it.",
                    },
                )
            ],
        ),
        "luong_unroll": Task(
            LuongUnroll,
            "the target at once: every state, then every row of weights, then every attentional state, without a loop",
            padded_cases(
                OTHER, SINGLE_WORD, LARGE, LONG, hidden("targets as long as the sources", lengths=[5, 2, 4], steps=5),
                hidden("as many sentences as words, each way", lengths=[2, 1, 3], steps=3),
            ),
            whole_target, SCALED | {"steps": 7}, {**UNROLLED, LOOPED: ""}, at_once,
            answers=("forward",),
            words={LOOPED: "the recurrent layer processes a whole target in one call, without a loop over the words"},
            mistakes=commonest("from_zeros order asks_before no_tanh", AT_ONCE),
            variants=[
                variant(
                    "asks_before", edit(SCORES, f"{BEFORE} @ self.scorer.project_keys(values).mT"),
                    text={
                        r"A = \mathrm{softmax}(H (W_a \bar H)^\top)": r"A = \mathrm{softmax}(H' (W_a \bar H)^\top)",
                        "The result equals the loop over task 1, number for number.": (
                            "$H'$ holds the states *before* the steps, $h_0, \\ldots, h_{T-1}$, as queries."
                        ),
                    },
                )
            ],
        ),
        "unroll_unfinished": Task(
            unroll_unfinished, "targets of different lengths: a step is run for the sentences that still have a word",
            [
                visible(), hidden("targets of one word", targets=[1, 1, 1]),
                hidden("targets that end together", lengths=[3, 5, 2, 4, 1], targets=[2, 2, 5, 3, 3]),
                hidden("one long target", targets=[2, 7, 1], steps=7),
                hidden("rows longer than any target", targets=[3, 5, 4], steps=8),
                hidden("long targets", lengths=[2, 3], targets=[21, 24], steps=24, dtype=torch.float64),
                hidden("one sentence", lengths=[4], targets=[5], steps=6), hidden("float64", dtype=torch.float64),
            ],
            ragged_targets, SCALED | {"steps": 6, "targets": [5, 1, 6]},
            {**UNROLLED, "projections of the keys": "", "rows that were computed": ""}, fed,
            tools=(FeedingToyStep,),
            words={
                "projections of the keys": "the keys do not change: project them once, before the first step",
                "rows that were computed": "a sentence whose target is over takes no further step",
            },
            mistakes=RAGGED,
        ),
        "told_apart": Task(
            told_apart, "runs compared: pairs of models that differ by more than the chance of the seed",
            [
                visible(runs=RUNS, level=0.16), visible("a looser level", runs=RUNS, level=0.27),
                visible("a level that few reach", runs=RUNS, level=0.04),
                visible("a level that all reach, each pair both ways round", runs=RUNS, level=1.0),
                hidden("other runs", runs={"x": [1.0, 2.0, 4.5], "y": [3.5, 4.0, 4.5, 5.0], "z": [9.0]}, level=0.22),
                hidden("a chance that is just the level", runs={"x": [3.0], "y": [1.0, 2.0, 2.5]}, level=0.25),
                hidden("a chance just above the level", runs={"x": [3.0], "y": [1.0, 2.0, 2.5]}, level=0.249999),
                hidden("a chance that is just the level", runs={"d": [4], "c": [0.5], "b": [-1], "a": [-3]}, level=0.5),
                hidden("one run far above the others", runs={"u": [8.0, 9.0, 10.0], "t": [30.0, 6.0, 5.0]}, level=0.52),
                hidden("runs that tie", runs={"x": [2.0, 2.0], "y": [2.0, 1.0, 2.0]}, level=0.35),
                hidden("one model", runs={"x": [2.0, 3.0]}, level=0.5),
                hidden("models that are alike", runs={"x": [2.0, 2.0], "y": [2.0, 2.0]}, level=0.4),
                hidden("252 ways and a chance that is just the level", runs={"u": U, "v": V}, level=0.25),
                hidden("252 ways and a chance just below the level", runs={"u": U, "w": W}, level=0.254),
                hidden("252 ways and a chance just above the level", runs={"u": U, "w": W}, level=0.2539),
            ],
            results={"pairs": ""}, gradients=False, coarse=True, again=False, mistakes=APART,
        ),
    },
)
