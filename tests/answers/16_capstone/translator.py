"""Answers to the wiring."""

TASK, CHECKS, PARTS = "translator", "translator", ("Translator", "rehearsal_parts")

SETUP = """\
class Frame:
    def __init__(self, encoder, scorer, attend, decoder):
        self.encoder, self.scorer, self.attend, self.decoder = encoder, scorer, attend, decoder
"""

READ = (
    "states, final = self.encoder(source, source_mask.sum(dim=1))",
    "return (self.scorer.project_keys(states), states, source_mask), self.decoder.start(final)",
)
OPEN = "projected_keys, states, source_mask = memory"
SCORE = "scores = self.scorer.score(state, projected_keys)"
ATTEND = "context, weights = self.attend(scores, states, source_mask)"
STEP = "logits, state = self.decoder.step(previous, state, context)"
RETURN = "return logits, weights, state"


def translator(read: tuple[str, ...] = READ, step: tuple[str, ...] = (OPEN, SCORE, ATTEND, STEP, RETURN)) -> str:
    bodies = ["".join(f"        {line}\n" for line in lines) for lines in (read, step)]
    return (
        f"class Translator(Frame):\n    def read(self, source, source_mask):\n{bodies[0]}\n"
        f"    def step(self, previous, state, memory):\n{bodies[1]}"
    )


def reads(lengths: str = "source_mask.sum(dim=1)", gives: str = READ[1]) -> str:
    return translator(read=(f"states, final = self.encoder(source, {lengths})", gives))


def steps(*lines: str) -> str:
    return translator(step=lines)


WRONG = [
    (
        "full lengths",
        "visible",
        ("the first state", "every sentence fills its row"),
        reads("torch.full((len(source),), source.size(1))"),
    ),
    ("longest length", "visible", "the first state", reads("source_mask.sum(1).max().expand(len(source))")),
    ("lengths of columns", "visible", "raised", reads("source_mask.sum(dim=0)")),
    (
        "keys not projected",
        "visible",
        ("projected_keys", "once per sentence"),
        reads(gives="return (states, states, source_mask), self.decoder.start(final)"),
    ),
    (
        "projected values",
        "visible",
        ("states", "what is summed to the context"),
        reads(
            gives="keys = self.scorer.project_keys(states); return (keys, keys, source_mask), self.decoder.start(final)"
        ),
    ),
    (
        "memory in another order",
        "visible",
        "projected_keys",
        reads(gives="return (states, self.scorer.project_keys(states), source_mask), self.decoder.start(final)"),
    ),
    (
        "mask turned round",
        "visible",
        ("source_mask", "turned round"),
        reads(gives="return (self.scorer.project_keys(states), states, ~source_mask), self.decoder.start(final)"),
    ),
    (
        "decoder not started",
        "visible",
        ("the first state", "`decoder.start`"),
        reads(gives="return (self.scorer.project_keys(states), states, source_mask), final"),
    ),
    (
        "state of word 1",
        "visible",
        "the state of word 1",
        reads(gives="return (self.scorer.project_keys(states), states, source_mask), self.decoder.start(states[:, 0])"),
    ),
    (
        "state first",
        "visible",
        ("(projected_keys, states, source_mask)", "in this order"),
        reads(gives="return self.decoder.start(final), (self.scorer.project_keys(states), states, source_mask)"),
    ),
    (
        "keys projected at every step",
        "visible",
        "projected once more",
        steps(
            OPEN, "scores = self.scorer.score(state, self.scorer.project_keys(projected_keys))", ATTEND, STEP, RETURN
        ),
    ),
    (
        "states scored",
        "visible",
        "the projected keys wait in the memory",
        steps(OPEN, "scores = self.scorer.score(state, states)", ATTEND, STEP, RETURN),
    ),
    (
        "keys summed",
        "visible",
        "a sum of projected keys",
        steps(OPEN, SCORE, ATTEND.replace("states", "projected_keys"), STEP, RETURN),
    ),
    (
        "no mask",
        "visible",
        "the mask is not used",
        steps(OPEN, SCORE, ATTEND.replace("source_mask", "torch.ones_like(source_mask)"), STEP, RETURN),
    ),
    (
        "attention after the step",
        "visible",
        ("weights", "the query is the state before it"),
        steps(
            OPEN,
            SCORE,
            ATTEND,
            STEP,
            "context, weights = self.attend(self.scorer.score(state, projected_keys), states, source_mask)",
            RETURN,
        ),
    ),
    (
        "Luong's order",
        "visible",
        "attention after it",
        steps(
            OPEN,
            "_, state = self.decoder.step(previous, state, torch.zeros_like(states[:, 0]))",
            SCORE,
            ATTEND,
            STEP,
            RETURN,
        ),
    ),
    (
        "state replaced by the context",
        "visible",
        "replaced by the context",
        steps(OPEN, SCORE, ATTEND, "logits, state = self.decoder.step(previous, context, context)", RETURN),
    ),
    (
        "no context",
        "visible",
        "the decoder gets no context",
        steps(OPEN, SCORE, ATTEND, STEP.replace("context)", "torch.zeros_like(context))"), RETURN),
    ),
    (
        "scores returned",
        "visible",
        "these are scores",
        steps(OPEN, SCORE, ATTEND, STEP, "return logits, scores, state"),
    ),
    (
        "old state returned",
        "visible",
        ("state", "returned as it came"),
        steps(OPEN, SCORE, ATTEND, "logits, new = self.decoder.step(previous, state, context)", RETURN),
    ),
    (
        "order of attend",
        "visible",
        ("step 1: raised RuntimeError", "self.decoder.step"),
        steps(OPEN, SCORE, "weights, context = self.attend(scores, states, source_mask)", STEP, RETURN),
    ),
    (
        "order of the results",
        "visible",
        "weights",
        steps(OPEN, SCORE, ATTEND, STEP, "return weights, logits, state"),
    ),
    (
        "two results",
        "visible",
        ("(logits, weights, state)", "return all of them"),
        steps(OPEN, SCORE, ATTEND, STEP, "return logits, state"),
    ),
    (
        "state kept on self",
        "visible",
        "state",
        steps(
            OPEN,
            "self.state = state if not hasattr(self, 'state') else self.state",
            "scores = self.scorer.score(self.state, projected_keys)",
            ATTEND,
            "logits, _ = self.decoder.step(previous, self.state, context)",
            "return logits, weights, self.state",
        ),
    ),
]

RIGHT = [
    ("as in the library", translator()),
    (
        "a list as memory",
        reads(gives="return [self.scorer.project_keys(states), states, source_mask], self.decoder.start(final)"),
    ),
    (
        "lengths counted otherwise",
        reads("torch.count_nonzero(source_mask, dim=1)"),
    ),
    (
        "in one line",
        steps(
            "context, weights = self.attend(self.scorer.score(state, memory[0]), memory[1], memory[2])",
            "logits, new = self.decoder.step(previous, state, context)",
            "return (logits, weights, new)",
        ),
    ),
]
