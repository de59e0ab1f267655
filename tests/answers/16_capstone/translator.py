"""Answers to the wiring."""

TASK = "translator"

SETUP = """\
class Frame:
    def __init__(self, encoder, scorer, attend, decoder):
        super().__init__()
        self.encoder, self.scorer, self.attend, self.decoder = encoder, scorer, attend, decoder
"""

READ = ("states, final = self.encoder(source, source_mask.sum(dim=1))",
        "return (self.scorer.project_keys(states), states, source_mask), self.decoder.start(final)")
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


def steps(*lines: str) -> str:
    return translator(step=lines)


def reads(lengths: str = "source_mask.sum(dim=1)", gives: str = READ[1]) -> str:
    return translator(read=(f"states, final = self.encoder(source, {lengths})", gives))


WRONG = [
    ("the mask of the last source that was read", "values", translator(
        ("self.mask = source_mask", *READ), ("projected_keys, states, _ = memory", SCORE,
         ATTEND.replace("source_mask", "self.mask"), STEP, RETURN))),
    ("state cut off", "no_gradient", steps(OPEN, SCORE, ATTEND, STEP, "return logits, weights, state.detach()")),
    ("two results", "results", steps(OPEN, SCORE, ATTEND, STEP, "return logits, state")),
    ("order of attend", "raised.RuntimeError",
     steps(OPEN, SCORE, "weights, context = self.attend(scores, states, source_mask)", STEP, RETURN)),
    ("keys projected at every step, from the states", "step_projected_here",
        steps("_, states, source_mask = memory", "projected_keys = self.scorer.project_keys(states)", SCORE, ATTEND,
              STEP, RETURN)),
]

RIGHT = [
    ("as in the library", translator()),
    ("a list as memory",
     reads(gives="return [self.scorer.project_keys(states), states, source_mask], self.decoder.start(final)")),
    ("lengths counted otherwise", reads("torch.count_nonzero(source_mask, dim=1)")),
    ("a module", translator().replace("(Frame)", "(Frame, nn.Module)")),
]
