"""Answers to one step of the Bahdanau decoder."""

TASK = "bahdanau_step"

SCORES = "scores = self.scorer.score(state, projected_keys)"
ATTEND = "context, weights = attend(scores, values, source_mask)"
MOVE = "state = self.cell(torch.cat([embedded, context], dim=-1), state)"
RETURN = "return state, context, weights"


def step(*lines: str) -> str:
    body = "".join(f"        {line}\n" for line in lines)
    return f"""\
class BahdanauStep(nn.Module):
    def __init__(self, embedding_size: int, hidden_size: int, encoder_size: int, attention_size: int) -> None:
        super().__init__()
        self.scorer = AdditiveScorer(hidden_size, encoder_size, attention_size)
        self.cell = nn.GRUCell(embedding_size + encoder_size, hidden_size)  # takes the word first, then the context

    def project_keys(self, values: Tensor) -> Tensor:
        return self.scorer.project_keys(values)

    def forward(
        self, embedded: Tensor, state: Tensor, projected_keys: Tensor, values: Tensor, source_mask: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
{body}"""


def moved(move: str) -> str:
    return step(SCORES, ATTEND, move, RETURN)


WRONG = [
    ("context alone", "raised.RuntimeError", moved("state = self.cell(context, state)")),
    ("order of the results", "results_order", step(SCORES, ATTEND, MOVE, "return context, weights, state")),
    ("the first mask of its size", "remembers",
     step("if getattr(self, 'mask', source_mask[:0]).shape != source_mask.shape:", "    self.mask = source_mask",
          SCORES, ATTEND.replace("source_mask", "self.mask"), MOVE, RETURN)),
    ("state alone", "results", step(SCORES, ATTEND, MOVE, "return state")),
    ("bare squeeze", "hidden: squeezed",
     step(SCORES, ATTEND, MOVE, "return state.squeeze(), context.squeeze(), weights.squeeze()")),
]

RIGHT = [
    ("three lines", step(SCORES, ATTEND, MOVE, RETURN)),
    ("attention spelled out",
        step(
            SCORES, "weights = torch.softmax(scores.masked_fill(~source_mask, float('-inf')), dim=-1)",
            "context = torch.bmm(weights.unsqueeze(1), values).squeeze(1)", MOVE, RETURN,
        )),
    ("a list", step(SCORES, ATTEND, MOVE, "return [state, context, weights]")),
]
