"""The tasks of ``16_capstone``: the parts of a translation system, its wiring, its search, its training.

Parts that call others are tried with toy parts, which live where the answer lives.
"""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from autograder.checking.checker import Checker
from autograder.checking.draw import Draw
from autograder.checking.edits import edit, start
from autograder.checking.task import Task, hidden, mistake, visible
from autograder.checking.values import named
from autograder.checking.way import noted
from autograder.finding import CUT, CheckFailed
from autograder.vjp import pullback
from seq2seq.encoders import Encoder, reverse_within_length
from seq2seq.exercises import toy_parts
from seq2seq.exercises.capstone import ContextDecoder, Translator, batch_loss, greedy, sign_test, train
from seq2seq.vocab import EOS, PAD, UNK

Results = Iterator[tuple[str, Any]]
Inputs = dict[str, Any]

SQUEEZED = "a bare `.squeeze()` drops every axis of size 1, the batch too: name the axis that should go"


def ids_of(draw: Draw, lengths: list[int], last: int, longest: int = 0) -> tuple[Tensor, Tensor]:
    """Ids that are no marks, with PAD at the end, and the mask."""
    mask = draw.mask(lengths, longest or max(lengths))
    return draw.whole(4, last, *mask.shape) * mask, mask


# The encoder.


def read(draw: Draw, lengths: list[int], vocab_size: int, longest: int) -> Inputs:
    return {"source": ids_of(draw, lengths, vocab_size, longest)[0], "source_lengths": torch.tensor(lengths)}


TURNED = "reverse_within_length(embedded, source_lengths)"
TURNED_BACK = "reverse_within_length(from_last_to_first, source_lengths)"
STATES, FINALS = "torch.cat([states, backward_states], dim=-1)", "torch.cat([final, backward_states[:, 0]], dim=-1)"
END = "states.gather(1, last.expand(-1, -1, states.size(-1))).squeeze(1)"
BACKWARD = {  # how the backward direction is read, and how its states are turned back
    "from_padding": (
        "the backward direction begins in the padding: a whole row is reversed, so shorter sentences start with <pad>; "
        "reverse each within its own length",
        "embedded.flip(1)",
        "from_last_to_first.flip(1)",
    ),
    "not_turned_back": (
        "the backward states are left in reading order, from last word to first; turn them back, so that both halves "
        "of a state belong to one word", TURNED,
        "from_last_to_first",
    ),
    "both_forward": ("both directions read from first to last: the backward layer needs its sentence reversed",
                     "embedded", "from_last_to_first"),
    "row_not_turned_back": (
        "the backward direction reads whole rows, padding first, and its states are left in reading order",
        "embedded.flip(1)", "from_last_to_first",
    ),
    "row_turned_back": ("the backward states are turned over the whole row, padding too", TURNED,
                        "from_last_to_first.flip(1)"),
}
ENDS = {  # where the forward half of `final` comes from
    "last_column": ("the forward half comes from the last column, which is padding for shorter sentences",
                    "states[:, -1]"),
    "last_column_masked": ("the forward half comes from the last column, where the states of shorter sentences are 0",
                           "(states * source_mask.unsqueeze(-1))[:, -1]"),
    "word_before": ("the forward half comes from the word before the last",
                    "states.gather(1, (last - 1).clamp(0).expand(-1, -1, states.size(-1))).squeeze(1)"),
    "last_of_0": ("the forward half comes from the place where sentence 0 ends, in every sentence",
                  "states[:, int(source_lengths[0]) - 1]"),
}
OF_FINAL = {  # what is returned as `final`
    "at_last_word": (
        "the backward half is its state at the last word, where it has read that word alone; it has read the whole "
        "sentence at word 1", END,
    ),
    "at_first_word": ("both halves come from word 1, where the forward direction has read that word alone",
                      "states[:, 0]"),
    "at_last_column": (
        "both halves come from the last column: padding for shorter sentences, and for the backward direction the "
        "place where it begins",
        "(states * source_mask.unsqueeze(-1))[:, -1]",
    ),
    "mean": ("this is the mean of the states; final is what each direction holds at its end",
             "(states * source_mask.unsqueeze(-1)).sum(1) / source_lengths.unsqueeze(1)"),
    "layers_axis": ("the axis of layers, which PyTorch puts first, is still there", "final.unsqueeze(0)"),
}

# The decoder.


def decoder_step(
    draw: Draw, batch: int, vocab_size: int, hidden_size: int, encoder_size: int, marks: bool = False
) -> Inputs:
    final, previous = draw.normal(batch, encoder_size), draw.whole(4, vocab_size, batch)
    state, context = draw.normal(batch, hidden_size).tanh(), draw.normal(batch, encoder_size)
    previous = torch.arange(batch) if marks else previous
    return {"final": final, "previous": previous, "state": state, "context": context}


def decoded(answer: Any, given: SimpleNamespace) -> Results:
    decoder = answer()
    yield "first state", decoder.start(given.final)
    logits, state = (
        part for _, part in named(decoder.step(given.previous, given.state, given.context), "logits", "state")
    )
    yield "state", state
    yield "logits", logits


HALF, STARTED = "final[:, final.size(1) // 2:]", "torch.tanh(self.bridge(backward_at_first_word))"
CELL = "self.cell(torch.cat([embedded, context], dim=-1), state)"
READ = "self.readout(state, embedded, context)"
FIRST = {
    "relu": ("there is a ReLU in place of the tanh", "torch.relu(self.bridge(backward_at_first_word))"),
    "tanh_inside": ("the tanh is applied before the bridge; it should be applied after it",
                    "self.bridge(backward_at_first_word.tanh())"),
    "no_bridge": ("the bridge is not used", "backward_at_first_word"),
    "from_zeros": ("the decoder starts from zeros, and so learns nothing of what the encoder has read",
                   "final.new_zeros(len(final), self.cell.hidden_size)"),
    "layers_axis": ("the axis of layers is one too many: the cell takes (batch, hidden_size)",
                    f"{STARTED}.unsqueeze(0)"),
}
HALVES = {
    "forward_half": (
        "this is made of the forward half; the first state comes from the backward one, which has just read word 1",
        "final[:, : final.size(1) // 2]",
    ),
    "odd_places": ("every second number is taken; the backward half is the second half", "final[:, 1::2]"),
    "averaged": ("the two halves are averaged; only the backward one is asked for",
                 "(final[:, : final.size(1) // 2] + final[:, final.size(1) // 2 :]) / 2"),
    "added": ("the two halves are added; only the backward one is asked for",
              "final[:, : final.size(1) // 2] + final[:, final.size(1) // 2 :]"),
}
CELLS = {
    "exchanged": ("context and word are exchanged in what the cell reads: the word comes first",
                  "self.cell(torch.cat([context, embedded], dim=-1), state)"),
    "no_context": ("the cell does not read the context: attention would reach the word, but never the state",
                   "self.cell(torch.cat([embedded, torch.zeros_like(context)], dim=-1), state)"),
    "no_word": ("the cell does not read the previous word; the context stands beside it, not in its place",
                "self.cell(torch.cat([torch.zeros_like(embedded), context], dim=-1), state)"),
    "no_state": ("the cell starts from zeros at every step: the state that came in is not used",
                 "self.cell(torch.cat([embedded, context], dim=-1))"),
    "state_added": ("the state that came in is added once more; the GRU has mixed it in already", f"{CELL} + state"),
    "tanh": ("there is one more tanh around the state", f"{CELL}.tanh()"),
    "twice": ("the cell runs twice", f"self.cell(torch.cat([embedded, context], dim=-1), {CELL})"),
}
READOUTS = {
    "no_context": ("the readout does not get the context", "self.readout(state, embedded, torch.zeros_like(context))"),
    "no_word": ("the readout does not get the previous word",
                "self.readout(state, torch.zeros_like(embedded), context)"),
    "no_state": ("the readout does not get the state", "self.readout(torch.zeros_like(state), embedded, context)"),
    "reversed": ("the readout gets its parts in reverse order", "self.readout(context, embedded, state)"),
    "tanh": ("there is one more tanh in front of the output layer; the readout takes maxima already", f"{READ}.tanh()"),
}
OF_LOGITS = {
    "softmax": ("a softmax is applied: logits are raw, loss and search do the rest", "({x}).softmax(-1)"),
    "log_softmax": ("a log-softmax is applied: logits are raw, loss and search do the rest", "({x}).log_softmax(-1)"),
    "chosen": ("these are chosen words; the search will choose among the logits of all words", "({x}).argmax(-1)"),
    "relu": ("a ReLU is around the logits", "({x}).relu()"),
    "no_bias": ("the bias of the output layer is left out", "{x} - self.output_layer.bias"),
}

# The wiring.


def wired(draw: Draw, lengths: list[int], longest: int) -> Inputs:
    """What is read, and, for the steps, a memory that nothing but the one handed over can give."""
    source, mask = ids_of(draw, lengths, toy_parts.WORDS, longest)
    size, batch = toy_parts.SIZE, len(lengths)
    memory = {"keys": draw.normal(*mask.shape, size), "states": draw.normal(*mask.shape, size)}
    arguments = {"previous": draw.whole(4, toy_parts.WORDS, batch), "state": draw.normal(batch, size)}
    memory["real"] = mask.flip(0)  # not the source's own mask
    return {"seed": draw.integer(0, 10_000), "source": source, "source_mask": mask, **memory, **arguments}


def used(answer: Any, given: SimpleNamespace, parts: Any) -> Results:
    translator = answer(*parts(given.seed))
    memory, first = (part for _, part in named(translator.read(given.source, given.source_mask), "memory", "state"))
    yield from named(memory, "projected keys", "states", "source mask")
    yield "first state", first
    state = given.state
    for _ in range(2):
        got = translator.step(given.previous, state, (given.keys, given.states, given.real))
        logits, weights, state = (part for _, part in named(got, "logits", "weights", "state"))
        yield "weights", weights
        yield "state", state
        yield "logits", logits
    leaves = [tensor.clone().requires_grad_() for tensor in (given.state, given.keys, given.states)]
    with torch.enable_grad():
        got = translator.step(given.previous, leaves[0], (*leaves[1:], given.real))
        for name, result in zip(SLOPES, got, strict=True):
            if not result.requires_grad:
                raise CheckFailed(name, "none: cut off from autograd", "one", CUT, "no_gradient")
            reached = pullback([result], leaves, [torch.ones_like(result).cumsum(-1)])
            whole = [like * 0.0 if slope is None else slope for slope, like in zip(reached, leaves, strict=True)]
            yield name, torch.cat([slope.detach().flatten() for slope in whole])


SLOPES = ("gradient of the logits", "gradient of the weights", "gradient of the state")  # at state, keys, states
SUM_OF_MASK, PROJECTED = "source_mask.sum(dim=1)", "self.scorer.project_keys(states)"
SCORE, ATTEND = "self.scorer.score(state, projected_keys)", "self.attend(scores, states, source_mask)"
STEP = "self.decoder.step(previous, state, context)"
AROUND = "logits, state = self.decoder.step(previous, state, context)"
RETURNED = "return logits, weights, state"
READS = {
    "full_lengths": ("the encoder is told that every sentence fills its row; the mask tells how many words each has",
                     SUM_OF_MASK, "torch.full((len(source),), source.size(1))"),
    "longest_length": ("the encoder is told the length of the longest sentence for all of them", SUM_OF_MASK,
                       "source_mask.sum(dim=1).max().expand(len(source))"),
    "not_projected": ("these are the encoder states as they came: `project_keys` is done here, once per sentence",
                      PROJECTED, "states"),
    "projected_twice": ("the keys are projected twice", PROJECTED, f"self.scorer.project_keys({PROJECTED})"),
    "values_projected": (
        "these are the projected keys; what is summed to the context are the encoder states themselves",
        f"({PROJECTED}, states, source_mask)", f"({PROJECTED}, {PROJECTED}, source_mask)",
    ),
    "mask_turned": ("the mask is turned round: True means a real token", f"({PROJECTED}, states, source_mask)",
                    f"({PROJECTED}, states, ~source_mask)"),
    "mask_ones": ("the mask that is handed on takes padding for words", f"({PROJECTED}, states, source_mask)",
                  f"({PROJECTED}, states, torch.ones_like(source_mask))"),
    "started_at_mean": ("the first state is made of the mean of the states; it should be made of what the encoder "
                        "calls final",
                        "self.decoder.start(final)", "self.decoder.start(states.mean(1))"),
    "not_started": ("this is what the encoder calls final; `decoder.start` makes the first state of it",
                    "self.decoder.start(final)", "final"),
    "started_at_word_1": ("the first state is made of the state of word 1; it should be made of what the encoder calls "
                          "final",
                          "self.decoder.start(final)", "self.decoder.start(states[:, 0])"),
}
STEPS = {
    "projected_again": ("the keys are projected once more at this step; `read` has done it", SCORE,
                        "self.scorer.score(state, self.scorer.project_keys(projected_keys))"),
    "projected_here": ("the encoder states are projected at every step; the projected keys wait in the memory", SCORE,
                       "self.scorer.score(state, self.scorer.project_keys(states))"),
    "states_scored": ("the encoder states are scored as they are; the projected keys wait in the memory", SCORE,
                      "self.scorer.score(state, states)"),
    "keys_summed": ("the context is a sum of projected keys; it should be a sum of the encoder states", ATTEND,
                    "self.attend(scores, projected_keys, source_mask)"),
    "no_mask": ("the mask is not used", ATTEND, "self.attend(scores, states, torch.ones_like(source_mask))"),
    "attention_after": ("attention is asked with the new state, after the step; the query is the state before it",
                        AROUND, f"{AROUND}\ncontext, weights = self.attend({SCORE}, states, source_mask)"),
    "luong": ("the step comes first, without a context, and attention after it; here it lies before the step",
              f"scores = {SCORE}",
              f"_, state = self.decoder.step(previous, state, torch.zeros_like(states[:, 0]))\nscores = {SCORE}"),
    "no_context": ("the decoder gets no context", STEP,
                   "self.decoder.step(previous, state, torch.zeros_like(context))"),
    "state_replaced": ("the decoder's state is replaced by the context; it gets the context besides", STEP,
                       "self.decoder.step(previous, context, context)"),
    "scores_returned": ("these are scores, not weights; `attend` returns (context, weights)", RETURNED,
                        "return logits, scores, state"),
    "old_state": ("the state is returned as it came; the decoder's step gives the next one", AROUND,
                  AROUND.replace("logits, state", "logits, _")),
    "context_as_state": ("the context is returned as the state; the decoder's step gives the next one", RETURNED,
                         "return logits, weights, context"),
    "context_as_weights": ("this is the context; `attend` returns (context, weights)", RETURNED,
                           "return logits, context, state"),
    "softmax": ("a softmax is applied: logits are passed on as the decoder gives them", RETURNED,
                "return logits.softmax(-1), weights, state"),
}

# The search.


def asked(draw: Draw, lengths: list[int], max_length: int, marks: bool = False) -> Inputs:
    """``marks``: the translator says <bos>, <unk> and once <pad>, each an id above the source's, as any word."""
    source, mask = ids_of(draw, lengths, toy_parts.WORDS - 5)
    if marks:
        source = (source % 2) * 2
        source[0, 1] = PAD - 1
    return {"seed": draw.integer(0, 10_000), "source": source, "source_mask": mask, "max_length": max_length}


def searched(answer: Any, given: SimpleNamespace, translator: Any) -> Results:
    """What attention does after a sentence's EOS is nobody's concern."""
    speaker = translator(given.seed)
    read = noted(speaker, "read")
    got = answer(speaker, given.source, given.source_mask, given.max_length)
    ids, weights = (part for _, part in named(got, "ids", "weights"))
    yield "ids", ids
    fits = all(isinstance(part, Tensor) for part in (ids, weights)) and ids.shape == weights.shape[:2]
    yield "weights", weights * (ids != PAD).unsqueeze(-1) if fits else weights
    yield "sentences read", sum(read)


BEGIN = "source.new_full((source.size(0),), BOS)"
TAKE = "logits, step_weights, state = translator.step(previous, state, memory)"
BEST = "logits.argmax(dim=-1).masked_fill(finished, PAD)"
WHILE, DONE = "len(ids) < max_length and not finished.all()", "finished = finished | (previous == EOS)"
LAST = "return torch.stack(ids, dim=1), torch.stack(weights, dim=1)"
SEARCHES = {
    "first_pad": ("the first step hears <pad>; the sentence begins with <bos>", BEGIN, BEGIN.replace("BOS", "PAD")),
    "first_eos": ("the first step hears <eos>; the sentence begins with <bos>", BEGIN, BEGIN.replace("BOS", "EOS")),
    "hears_bos": ("every step hears <bos>: the word said has to be handed to the next step", TAKE,
                  TAKE.replace("previous", BEGIN)),
    "hears_source": ("the decoder hears the words of the source; it has to hear its own", TAKE,
                     TAKE.replace("previous", f"source[:, min(len(ids), source.size(1)) - 1] if ids else {BEGIN}")),
    "read_again": ("the source is read again for every word; once is enough", TAKE,
                   f"memory, _ = translator.read(source, source_mask)\n{TAKE}"),
    "state_kept": ("the state of the first step is used at every step: the next one has to take its place", TAKE,
                   TAKE.replace("step_weights, state", "step_weights, _")),
    "ends_first": ("the search ends with the first sentence that is done; the others have more to say", WHILE,
                   "len(ids) < max_length and not finished.any()"),
    "ends_with_0": ("the search ends with sentence 0; the others may have more to say", WHILE,
                    "len(ids) < max_length and not finished[0]"),
    "goes_on": ("a sentence goes on after its <eos>; it should get <pad> from there on", BEST, "logits.argmax(dim=-1)"),
    "never_ends": ("the search runs to `max_length`, though every sentence has said <eos>", WHILE,
                   "len(ids) < max_length"),
    "eos_again": ("a sentence that is done gets <eos> again and again; it should get <pad>", BEST,
                  BEST.replace("PAD", "EOS")),
    "forgets": ("a sentence counts as finished for one step alone; once finished, it stays so", DONE,
                "finished = previous == EOS"),
    "too_many": ("there is a word too many: `max_length` is the most that a row may have", WHILE,
                 WHILE.replace("<", "<=")),
    "too_few": ("there is a word too few: `max_length` words may be said", WHILE,
                WHILE.replace("max_length", "max_length - 1")),
    "no_eos": ("<eos> is replaced by <pad>; it belongs to the ids, so that one sees where a sentence ends",
               "ids.append(previous)", "ids.append(previous.masked_fill(previous == EOS, PAD))"),
    "ends_unsaid": ("the last step is missing where all sentences are done: a sentence's <eos> belongs to its ids",
                    f"ids.append(previous)\nweights.append(step_weights)\n{DONE}",
                    f"{DONE}\nif finished.all():\n    break\nids.append(previous)\nweights.append(step_weights)"),
    "bos_in_front": ("<bos> stands in front; ids are the words that were said", LAST,
                     f"return torch.stack([{BEGIN}, *ids], dim=1), torch.stack(weights, dim=1)"),
    "steps_first": ("the batch comes first: one row per sentence", LAST,
                    "return torch.stack(ids), torch.stack(weights)"),
    "no_mask": ("the source is read with a mask that takes padding for words", "translator.read(source, source_mask)",
                "translator.read(source, torch.ones_like(source_mask))"),
    "last_weights": ("these are the weights of one step; all steps are asked for", LAST,
                     "return torch.stack(ids, dim=1), step_weights"),
    "weights_backwards": ("the weights of the steps stand in reverse order", LAST,
                          "return torch.stack(ids, dim=1), torch.stack(weights[::-1], dim=1)"),
}

# Loss, training, and what a change is worth.


def teaching(draw: Draw, lengths: list[int], targets: list[int], longest: int = 0, sure: bool = False) -> Inputs:
    """``sure``: of a system that is sure of itself, right or wrong; and some words are <unk>."""
    source, mask = ids_of(draw, lengths, toy_parts.WORDS)
    target, _ = ids_of(draw, targets, toy_parts.WORDS, longest)
    target[:, 0] = UNK if sure else target[:, 0]
    target[torch.arange(len(targets)), torch.tensor(targets) - 1] = EOS
    seed = -1 - draw.integer(0, 10_000) if sure else draw.integer(0, 10_000)
    return {"seed": seed, "source": source, "source_mask": mask, "target": target}


def taught(answer: Any, given: SimpleNamespace, system: Any) -> Results:
    """The loss, and what it tells the system's table of words."""
    taught = system(given.seed)
    with torch.enable_grad():
        loss = answer(taught, given.source, given.source_mask, given.target)
        yield "loss", loss
        if not loss.requires_grad:
            raise CheckFailed("loss", "cut off from autograd", "a loss that gradients flow from", CUT, "no_gradient")
        table = dict(taught.named_parameters())["table"]
        yield "gradient at the table of words", pullback([loss], [table], [torch.ones(loss.shape)])[0]


HEAR = "logits, _, state = translator.step(previous, state, memory)"
CROSS = 'functional.cross_entropy(logits, words, ignore_index=PAD, reduction="sum")'
DIVIDED, COUNT = "total / (target != PAD).sum()", "(target != PAD).sum()"
LOSSES = {
    "padding_counts": ("the padding of the target takes part in the loss; it should not count", CROSS,
                       CROSS.replace("ignore_index=PAD, ", "")),
    "divided_by_source": ("the loss is divided by the number of the source's words, not of the target's", COUNT,
                          "source_mask.sum()"),
    "divided_by_all": ("the loss is divided by all places, padding too; the words alone are counted", COUNT,
                       "target.numel()"),
    "not_divided": ("this is the sum over the words; their mean is asked for", DIVIDED, "total"),
    "softmax_first": ("the logits have been through a softmax: the loss applies its own to them", CROSS,
                      CROSS.replace("logits", "logits.softmax(-1)")),
    "per_sentence": ("the loss is divided by the number of sentences, not of words", COUNT, "len(target)"),
    "mean_of_means": (
        "this is a mean of means over the steps: a step at which few sentences still speak counts as much as the first",
        f"total = total + {CROSS}",
        "total = total + functional.cross_entropy(logits, words, ignore_index=PAD) * (target != PAD).sum() / "
        "target.size(1) if (words != PAD).any() else total",
    ),
    "hears_itself": ("the decoder hears its own words; under teacher forcing it hears those of the target",
                     "previous = words", "previous = logits.argmax(-1)"),
    "hears_answer": ("each step hears the word that it should predict; it hears the word before", HEAR,
                     HEAR.replace("previous", "words")),
    "hears_bos": ("every step hears <bos>: the next one has to hear the word before", "previous = words", "pass"),
    "state_kept": ("the state of the first step is used at every step: the next one has to take its place", HEAR,
                   HEAR.replace("_, state", "_, _")),
    "no_eos": ("<eos> does not count: then nobody learns where to end", CROSS,
               CROSS.replace("words, ", "words.masked_fill(words == EOS, PAD), ")),
    "no_mask": ("the source is read with a mask that takes padding for words", "translator.read(source, source_mask)",
                "translator.read(source, torch.ones_like(source_mask))"),
}


def lessons(
    draw: Draw, batches: int, batch: int, learning_rate: float, largest_norm: float, scale: float = 1.0
) -> Inputs:
    size = toy_parts.SIZE
    pairs = [(scale * draw.normal(batch, size), 3 * scale * draw.normal(batch, 1)) for _ in range(batches)]
    rates = {"learning_rate": learning_rate, "largest_norm": largest_norm}
    return {"seed": draw.integer(0, 10_000), "batches": pairs, **rates}


def learnt(answer: Any, given: SimpleNamespace, model: Any) -> Results:
    """The losses on the way, that of the first batch afterwards, and those of a second training at another rate."""
    learner = model(given.seed)
    learner.eval()
    with torch.enable_grad():
        learner(*given.batches[-1]).backward()  # as a trial run leaves a gradient
        losses = answer(learner, given.batches, given.learning_rate, given.largest_norm)
    kept = losses if isinstance(losses, list | tuple) else [losses]
    if any(isinstance(loss, Tensor) and loss.requires_grad for loss in kept):
        why = "each keeps all that its batch went through, and memory fills up"
        raise CheckFailed("losses", "tensors from which gradients flow", "numbers", why, "graphs")
    yield "losses", losses
    learner.train()
    with torch.no_grad():
        yield "loss afterwards", learner(*given.batches[0])
    learner.part.eval()  # while the model as a whole is in training mode
    with torch.enable_grad():
        again = answer(learner, given.batches[:3], 0.3 * given.learning_rate, given.largest_norm)
        yield "losses of a second training", again


CLIP, ZERO, ADAM = ("nn.utils.clip_grad_norm_(model.parameters(), largest_norm)", "optimizer.zero_grad()",
                    "torch.optim.Adam({x}, lr=learning_rate)")
TRAININGS = {
    "adds_up": ("the gradients of earlier batches add up: they are never set back to 0", ZERO, "None"),
    "cleared_after": ("the gradient is set to 0 only after a step; what it held before the call enters the first one",
                      f"{ZERO}\nloss.backward()\n{CLIP}\noptimizer.step()",
                      f"loss.backward()\n{CLIP}\noptimizer.step()\n{ZERO}"),
    "not_clipped": ("the gradient that the step uses is not clipped", CLIP, "None"),
    "each_clipped": (
        "each number of the gradient is clipped by itself; its norm is asked for, that of all parameters together",
        CLIP, "nn.utils.clip_grad_value_(model.parameters(), largest_norm)"),
    "each_parameter": ("each parameter's gradient is clipped by itself; the norm is that of all parameters together",
                       CLIP, "[nn.utils.clip_grad_norm_(one, largest_norm) for one in model.parameters()]"),
    "norms_summed": (
        "the norms of the parameters' gradients are summed; the norm is that of all numbers together",
        f"{CLIP}\noptimizer.step()",
        "norms = sum(one.grad.norm() for one in model.parameters())\n"
        "for one in model.parameters():\n    one.grad.mul_((largest_norm / norms).clamp(max=1.0))\n"
        "optimizer.step()",
    ),
    "always_scaled": (
        "every gradient is made as long as the largest norm; a shorter one stays as it is", f"{CLIP}\noptimizer.step()",
        "norm = nn.utils.get_total_norm([one.grad for one in model.parameters()])\n"
        "for one in model.parameters():\n    one.grad.mul_(largest_norm / norm)\n"
        "optimizer.step()",
    ),
    "fixed_norm": ("the gradient is clipped to a norm of 1, whatever the largest norm is to be", CLIP,
                   CLIP.replace("largest_norm", "1.0")),
    "no_step": ("no step is made, or one with a gradient of 0: nothing is learnt", "optimizer.step()", "None"),
    "sgd": ("this is plain gradient descent; Adam is asked for", ADAM, "torch.optim.SGD({x}, lr=learning_rate)"),
    "adamw": ("AdamW also shrinks the parameters at each step; plain Adam is asked for", ADAM,
              "torch.optim.AdamW({x}, lr=learning_rate)"),
    "usual_rate": ("Adam's own learning rate is used, not the one handed over", ADAM, "torch.optim.Adam({x})"),
    "new_adam": ("a new Adam is made at each step: it has forgotten all that it knew of earlier gradients",
                 "loss = model(*batch)",
                 "optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate)\nloss = model(*batch)"),
    "evaluating": ("the model is not set to training", "model.train()", "None"),
    "part_evaluating": ("a part of the model is not set to training: its mode may differ from that of the whole",
                        "model.train()", "model.training or model.train()"),
    "loss_after": ("these are losses after the step; the loss of a batch before its step is asked for",
                   "losses.append(loss.item())", "losses.append(model(*batch).item())"),
}


def compared(draw: Draw, won: int, lost: int, both: int = 0, neither: int = 0) -> Inputs:
    pairs = [(False, True)] * won + [(True, False)] * lost + [(True, True)] * both + [(False, False)] * neither
    before, after = ([pairs[i][side] for i in order] for order in [draw.order(len(pairs))] for side in (0, 1))
    return {"before": before, "after": after}


def judged(answer: Any, given: SimpleNamespace) -> Results:
    yield from named(answer(given.before, given.after), "won", "lost", "p")


TAIL, P = "sum((math.comb(count, k) for k in range(min(won, lost) + 1))) / 2 ** count", "min(1.0, 2 * tail)"
PROBABILITIES = {
    "one_sided": ("this asks for a lead in one direction only; a change may also make things worse", P, "tail"),
    "never_1": ("where they agree everywhere p is 1; here it is 0", P, "min(1.0, 2 * tail) if count else 0.0"),
    "over_1": ("a probability is at most 1", P, "2 * tail"),
    "exactly": (
        "this is the probability of exactly this lead; a larger one is as surprising, so all of them are added up",
        TAIL, "math.comb(count, min(won, lost)) / 2**count"),
    "larger_count": ("the sum goes up to the larger of the two counts; it should end at the smaller one",
                     "min(won, lost)", "max(won, lost)"),
    "other_tail": ("this adds up the other tail", "min(won, lost)", "max(won, lost) - 1"),
    "all_sentences": ("the sentences on which both agree are counted; they say nothing about which is better",
                      "won + lost", "len(before)"),
}

check = Checker(
    __name__,
    {
        "encoder": Task(
            Encoder,
            "encoder: a state of both directions for each word, the final states of both; padding changes nothing",
            [
                visible(lengths=[5, 3, 1, 4]), visible("a column of padding", lengths=[3, 4, 4], longest=5),
                hidden("a batch of one sentence", lengths=[6]), hidden("sentences of one word", lengths=[1, 1, 1]),
                hidden("columns of nothing but padding", lengths=[2, 3, 1], longest=9, gradients=True),
                hidden("other sizes", lengths=[2, 5, 7], vocab_size=8, embedding_size=3, hidden_size=5),
                hidden("float64", lengths=[3, 6, 2], dtype=torch.float64),
            ], read, {"vocab_size": 11, "embedding_size": 4, "hidden_size": 3, "longest": 0},
            {"states": "batch source_len state_size", "final": "batch state_size"}, answers=("forward",),
            uses=(reverse_within_length,),
            mistakes=[
                *(mistake(id, why, edit(TURNED, turned), edit(TURNED_BACK, back))
                  for id, (why, turned, back) in BACKWARD.items()),
                *(mistake(f"final_{id}", why, edit(END, put)) for id, (why, put) in ENDS.items()),
                *(mistake(f"final_{id}", why, edit("return {a}, final", f"return {{a}}, {put}"))
                  for id, (why, put) in OF_FINAL.items()),
                mistake("final_backward_late",
                        "the backward half of `final` is taken at the last position; it ends at the first word",
                        edit(FINALS, "torch.cat([final, backward_states[:, -1]], dim=-1)")),
                mistake("final_after_padding",
                        "the backward half of `final` is the layer's last state: in shorter sentences, padding",
                        edit(FINALS, "torch.cat([final, from_last_to_first[:, -1]], dim=-1)")),
                mistake("one_layer",
                        "the backward direction goes through the forward layer; each has weights of its own",
                        edit("self.backward_rnn({x})", "self.forward_rnn({x})")),
                mistake("exchanged", "the halves of the states are exchanged: forward first",
                        edit(STATES, "torch.cat([backward_states, states], dim=-1)")),
                mistake("both_exchanged", "the backward half comes first, in `states` and in `final`: forward first",
                        edit(STATES, "torch.cat([backward_states, states], dim=-1)"),
                        edit(FINALS, "torch.cat([backward_states[:, 0], final], dim=-1)")),
                mistake("final_exchanged", "the halves of `final` are exchanged: forward first",
                        edit(FINALS, "torch.cat([backward_states[:, 0], final], dim=-1)")),
                mistake("padding_has_states",
                        "a state at padding is no state of a word; set it to 0, so that no one takes it for one",
                        edit("return {a}, final", "return states, final")),
                mistake("added", "there is one direction's size only: the states of both stand side by side",
                        edit(STATES, "states + backward_states")),
                mistake("columns_cut", "the columns of padding are gone: as many states as the source has columns",
                        edit("return {a}, final", "return ({a})[:, :int(source_lengths.max())], final")),
                mistake("squeezed", SQUEEZED, edit("return {a}, final", "return {a}, final.squeeze()"),
                        caught="hidden"),
            ],
        ),
        "context_decoder": Task(
            ContextDecoder,
            "decoder: the first state from the backward half; a step reads word, context and state, and gives logits",
            [
                visible(), visible(embedding_size=6, hidden_size=6, encoder_size=12, batch=2),
                hidden("a batch of one sentence", batch=1),
                hidden("previous words that are marks, as <bos>", batch=4, marks=True),
                hidden("other sizes", vocab_size=7, embedding_size=3, hidden_size=8, encoder_size=10),
                hidden("float64", hidden_size=8, encoder_size=10, dtype=torch.float64),
            ], decoder_step, {"batch": 3, "vocab_size": 9, "embedding_size": 5, "hidden_size": 4, "encoder_size": 6},
            {"first state": "batch hidden_size", "state": "batch hidden_size", "logits": "batch vocab_size"}, decoded,
            answers=("start", "step"),
            mistakes=[
                *(mistake(f"start_{id}", why, edit(STARTED, put)) for id, (why, put) in FIRST.items()),
                *(mistake(f"start_{id}", why, edit(HALF, put)) for id, (why, put) in HALVES.items()),
                *(mistake(f"cell_{id}", why, edit(CELL, put)) for id, (why, put) in CELLS.items()),
                *(mistake(f"readout_{id}", why, edit(READ, put)) for id, (why, put) in READOUTS.items()),
                *(mistake(f"logits_{id}", why, edit("return {x}, state", f"return {put}, state"))
                  for id, (why, put) in OF_LOGITS.items()),
                mistake("old_state", "this is the state as it came: the cell's new one is to be returned",
                        edit(f"state = {CELL}", f"new = {CELL}"), edit(READ, "self.readout(new, embedded, context)")),
                mistake(
                    "readout_old_state",
                    "the readout is made of the state before the step; the word that is to come hangs on the new one",
                    edit(f"state = {CELL}", f"new = {CELL}"), edit("return {x}, state", "return {x}, new"),
                ),
                mistake("squeezed", SQUEEZED, edit("return {x}, state", "return ({x}).squeeze(), state"),
                        caught="hidden"),
            ],
        ),
        "translator": Task(
            Translator,
            "translator: the source is read once; at each word attention comes first, with the state before the step",
            [
                visible(lengths=[4, 2, 1, 3, 2]), visible("a column of padding", lengths=[3, 3], longest=4),
                hidden("a batch of one sentence", lengths=[5]), hidden("sentences of one word", lengths=[1, 1]),
                hidden("columns of nothing but padding", lengths=[2, 4, 1], longest=7),
            ], wired, {"longest": 0},
            {
                "projected keys": "batch source_len size", "states": "batch source_len size",
                "source mask": "batch source_len", "first state": "batch hidden_size", "weights": "batch source_len",
                "state": "batch hidden_size", "logits": "batch vocab_size", **dict.fromkeys(SLOPES, ""),
            },
            used, answers=("read", "step"), tools=(toy_parts.parts,), gradients=False,
            words=dict.fromkeys(SLOPES, CUT),
            mistakes=[
                *(mistake(id, why, edit(find, put, of="read")) for id, (why, find, put) in READS.items()),
                *(mistake(f"step_{id}", why, edit(find, put, of="step")) for id, (why, find, put) in STEPS.items()),
                mistake("memory_order",
                        "the states stand first in the memory; the projected keys should stand before them",
                        edit("return ({a}, {b}, {c}), {d}", "return ({b}, {a}, {c}), {d}", of="read"),
                        edit("projected_keys, states, source_mask = memory",
                             "states, projected_keys, source_mask = memory", of="step")),
                mistake("own_memory", "the memory is kept on `self` and used there, whatever memory comes in",
                        edit("return ({a}, {b}, {c}), {d}", "self.memory = ({a}, {b}, {c})\nreturn self.memory, {d}",
                             of="read"),
                        edit("{a} = memory", "{a} = self.memory", of="step")),
            ],
        ),
        "greedy": Task(
            greedy, "greedy: each word said is heard at the next step; EOS ends a sentence, and all of them the search",
            [
                visible(lengths=[2, 1, 5], max_length=9), visible("cut at max_length", lengths=[3, 5], max_length=3),
                hidden("a batch of one sentence", lengths=[4], max_length=10),
                hidden("sentences of one word", lengths=[1, 1, 1], max_length=6),
                hidden("a single step", lengths=[2, 3], max_length=1),
                hidden("a sentence that says <eos> at once", lengths=[0, 3, 2], max_length=8),
                hidden("the last EOS at the last step allowed", lengths=[4, 2, 3], max_length=5),
                hidden("some sentences end, some are cut", lengths=[2, 5, 1, 3], max_length=4),
                hidden("marks that are said like words", lengths=[4, 3, 5], max_length=8, marks=True),
            ], asked, play=searched, tools=(toy_parts.translator,), gradients=False,
            results={"ids": "batch steps", "weights": "batch steps source_len", "sentences read": ""},
            mistakes=[
                *(mistake(id, why, edit(find, put)) for id, (why, find, put) in SEARCHES.items()),
                mistake("one_step_late", "the search makes one step more after the last sentence has ended",
                        edit(WHILE, WHILE.replace("finished", "before")),
                        edit("finished = torch.zeros_like(previous, dtype=torch.bool)",
                             "finished = before = torch.zeros_like(previous, dtype=torch.bool)"),
                        edit(DONE, f"before = finished\n{DONE}")),
                mistake("one_pad", "a sentence that is done gets one <pad> and speaks on; once finished, it stays so",
                        edit(WHILE, WHILE.replace("finished", "ended")),
                        edit("finished = torch.zeros_like(previous, dtype=torch.bool)",
                             "finished = ended = torch.zeros_like(previous, dtype=torch.bool)"),
                        edit(DONE, "finished = previous == EOS\nended = ended | finished")),
            ],
        ),
        "batch_loss": Task(
            batch_loss, "loss: minus the mean log-probability of the target's words, each heard by the step after it",
            [
                visible(lengths=[4, 2, 3], targets=[3, 5, 1]),
                hidden("a batch of one sentence", lengths=[3], targets=[40]),
                hidden("a target of EOS alone", lengths=[2, 1], targets=[1, 1]),
                hidden("words of probability 1 and near 0, and <unk>", lengths=[3] * 12, targets=[6] * 12, sure=True),
                hidden("columns of nothing but padding", lengths=[1, 4, 2, 3], targets=[2, 4, 1, 3], longest=7),
            ], teaching, results={"loss": "", "gradient at the table of words": "words size"}, play=taught,
            tools=(toy_parts.system,), gradients=False,
            mistakes=[
                mistake(id, why, start("from seq2seq.vocab import EOS"), edit(find, put))
                for id, (why, find, put) in LOSSES.items()
            ]
            + [
                mistake("eos_nowhere", "<eos> is neither summed nor counted: then nobody learns where to end",
                        start("from seq2seq.vocab import EOS"), edit(*LOSSES["no_eos"][1:]),
                        edit(COUNT, "((target != PAD) & (target != EOS)).sum().clamp(min=1)")),
                mistake("no_bos", "the first word is heard and never predicted: it should be said after <bos>",
                        edit("previous = target.new_full((target.size(0),), BOS)", "previous = target[:, 0]"),
                        edit("target.unbind(1)", "target[:, 1:].unbind(1)"),
                        edit(COUNT, "(target[:, 1:] != PAD).sum()")),
                mistake("first_unpaid", "the first word is heard and never predicted: it should be said after <bos>",
                        edit("previous = target.new_full((target.size(0),), BOS)", "previous = target[:, 0]"),
                        edit("target.unbind(1)", "target[:, 1:].unbind(1)")),
                mistake("mean_of_sentences", "each sentence's mean comes first: a word of a short one counts more",
                        edit("torch.zeros(())", "torch.zeros(len(target))"), edit(CROSS, CROSS.replace("sum", "none")),
                        edit(DIVIDED, "(total / (target != PAD).sum(1)).mean()")),
                mistake("steps_first",
                        "the logits lie step by step and the words sentence by sentence: most meet another's word",
                        edit("total = torch.zeros(())", "rows = []"),
                        edit(f"total = total + {CROSS}", "rows = [*rows, logits]"),
                        edit(DIVIDED, "functional.cross_entropy(torch.cat(rows), target.flatten(), ignore_index=PAD)")),
            ],
        ),
        "train": Task(
            train,
            "training: one step of Adam for each batch, the gradient set to 0 before and clipped after it is made",
            [
                visible(), visible("gradients below the largest norm", largest_norm=1e3, learning_rate=0.1),
                visible("short gradients, and a small norm", scale=0.3, largest_norm=0.3),
                hidden("other sizes", batches=7, batch=6, learning_rate=0.03),
                hidden("gradients below the largest norm", batches=3, largest_norm=500.0),
                hidden("one batch", batches=1), hidden("every gradient above the largest norm", largest_norm=0.7),
                hidden("many batches", batches=40, learning_rate=0.05),
            ], lessons, {"batches": 6, "batch": 5, "learning_rate": 0.2, "largest_norm": 4.0},
            {"losses": "", "loss afterwards": "", "losses of a second training": ""}, learnt, tools=(toy_parts.model,),
            gradients=False, tolerance=1e-3,
            mistakes=[mistake(id, why, edit(find, put)) for id, (why, find, put) in TRAININGS.items()],
        ),
        "sign_test": Task(
            sign_test,
            "sign test: how many sentences were won and lost, and how likely such a lead is without any cause",
            [
                visible(won=10, lost=3, both=7, neither=4),
                visible("as many won as lost", won=6, lost=6, both=12),
                visible("the same translations", won=0, lost=0, both=4, neither=2),
                hidden("275 sentences", won=145, lost=115, both=10, neither=5),
                hidden("a change for the worse", won=2, lost=14, both=4, neither=20),
                hidden("five sentences, all of them won", won=5, lost=0), hidden("one sentence", won=1, lost=0),
                hidden("hardly a lead", won=5, lost=8, both=3), hidden("no difference", won=0, lost=0, both=25),
                hidden("600 sentences", won=320, lost=280), hidden("2240 sentences", won=2000, lost=240),
            ], compared, results={"won": "", "lost": "", "p": ""}, play=judged, gradients=False,
            mistakes=[
                *(mistake(id, why, edit(find, put)) for id, (why, find, put) in PROBABILITIES.items()),
                mistake("all_but_none", PROBABILITIES["all_sentences"][0], edit("won + lost", "len(before)"),
                        edit(P, f"{P} if won + lost else 1.0")),
                mistake("no_float", "a whole number may be too large for a float: add and divide whole numbers",
                        edit(TAIL, "sum(math.comb(count, k) * 0.5**count for k in range(min(won, lost) + 1))"),
                        caught="hidden"),
                mistake("last_term", "the sum ends one term too soon: the smaller count belongs to it",
                        edit("range({x} + 1)", "range({x})"), edit(P, f"1.0 if won == lost else {P}")),
                mistake("last_term_but_none", "the sum ends one term too soon: the smaller count belongs to it",
                        edit("range({x} + 1)", "range({x})"), edit(P, f"{P} if count else 1.0")),
                mistake("all_but_level", PROBABILITIES["all_sentences"][0], edit("won + lost", "len(before)"),
                        edit(P, f"1.0 if won == lost else {P}")),
                mistake("exchanged", "won and lost are exchanged: won is right after the change and wrong before it",
                        start("before, after = after, before")),
                mistake("totals", "these are all sentences that each has right, those on which both agree too",
                        edit("won = {x}", "won = sum(after)"), edit("lost = {x}", "lost = sum(before)")),
            ],
        ),
    },
)
