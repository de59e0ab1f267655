"""Answers to one step of the Bahdanau decoder."""

TASK, CHECKS, PARTS = "bahdanau_step", "bahdanau", ("BahdanauStep",)

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


NOTHING = "nothing = values.new_zeros(len(values), values.size(2))"
SOFTMAX = "scores = scores.masked_fill(~source_mask, -1e9)"

WRONG = [
    (
        "asks with s_i",
        "visible",
        "the query is s_i, the state after the step",
        step(
            SCORES,
            "first, _ = attend(scores, values, source_mask)",
            "state = self.cell(torch.cat([embedded, first], dim=-1), state)",
            "context, weights = attend(self.scorer.score(state, projected_keys), values, source_mask)",
            RETURN,
        ),
    ),
    (
        "cell before attention",
        "visible",
        "after a cell that got no context",
        step(NOTHING, "state = self.cell(torch.cat([embedded, nothing], dim=-1), state)", SCORES, ATTEND, RETURN),
    ),
    (
        "no context in the cell",
        "visible",
        "the context does not enter the cell",
        step(SCORES, ATTEND, NOTHING, MOVE.replace("context", "nothing"), RETURN),
    ),
    (
        "no word in the cell",
        "visible",
        "the previous word does not enter the cell",
        moved("state = self.cell(torch.cat([torch.zeros_like(embedded), context], dim=-1), state)"),
    ),
    (
        "context alone",
        "visible",
        ("raised RuntimeError", "at your line"),
        moved("state = self.cell(context, state)"),
    ),
    (
        "context before word",
        "visible",
        "the context first, then the word",
        moved("state = self.cell(torch.cat([context, embedded], dim=-1), state)"),
    ),
    (
        "state not handed in",
        "visible",
        "it starts from zeros",
        moved("state = self.cell(torch.cat([embedded, context], dim=-1))"),
    ),
    (
        "old state returned",
        "visible",
        "this is s_{i-1} as it came",
        moved("new = self.cell(torch.cat([embedded, context], dim=-1), state)"),
    ),
    (
        "state added",
        "visible",
        "the cell's own gates do that",
        moved("state = state + self.cell(torch.cat([embedded, context], dim=-1), state)"),
    ),
    (
        "softmax over the batch",
        "visible",
        "the softmax runs over the batch",
        step(
            SCORES,
            "weights = torch.softmax(scores, dim=0)",
            "context = (weights.unsqueeze(-1) * values).sum(1)",
            MOVE,
            RETURN,
        ),
    ),
    (
        "masked softmax over the batch",
        "visible",
        "the softmax runs over the batch",
        step(
            SCORES,
            SOFTMAX,
            "weights = torch.softmax(scores, dim=0)",
            "context = (weights.unsqueeze(-1) * values).sum(1)",
            MOVE,
            RETURN,
        ),
    ),
    (
        "no mask",
        "visible",
        "the mask is not used",
        step(SCORES, "context, weights = attend(scores, values, torch.ones_like(source_mask))", MOVE, RETURN),
    ),
    (
        "mask turned round",
        "visible",
        "the mask is turned round",
        step(SCORES, "context, weights = attend(scores, values, ~source_mask)", MOVE, RETURN),
    ),
    (
        "asks with zeros",
        "visible",
        "the query is a state of zeros",
        step("scores = self.scorer.score(torch.zeros_like(state), projected_keys)", ATTEND, MOVE, RETURN),
    ),
    (
        "keys projected again",
        "visible",
        "raised RuntimeError",
        step("scores = self.scorer(state, projected_keys)", ATTEND, MOVE, RETURN),
    ),
    (
        "average",
        "visible",
        "the values are averaged",
        step(SCORES, "_, weights = attend(scores, values, source_mask)", "context = values.mean(1)", MOVE, RETURN),
    ),
    (
        "attend's pair turned round",
        "visible",
        "raised RuntimeError",
        step(SCORES, "weights, context = attend(scores, values, source_mask)", MOVE, RETURN),
    ),
    (
        "order of the results",
        "visible",
        ("(context, weights, new state)", "the order is another"),
        step(SCORES, ATTEND, MOVE, "return context, weights, state"),
    ),
    ("state alone", "visible", "the caller needs all of them", step(SCORES, ATTEND, MOVE, "return state")),
    (
        "detached context",
        "visible",
        "gradient",
        moved("state = self.cell(torch.cat([embedded, context.detach()], dim=-1), state)"),
    ),
    (
        "bare squeeze",
        "hidden",
        "a bare `.squeeze()`",
        step(SCORES, ATTEND, MOVE, "return state.squeeze(), context.squeeze(), weights.squeeze()"),
    ),
]

RIGHT = [
    ("three lines", step(SCORES, ATTEND, MOVE, RETURN)),
    (
        "attention spelled out",
        step(
            SCORES,
            "weights = torch.softmax(scores.masked_fill(~source_mask, float('-inf')), dim=-1)",
            "context = torch.bmm(weights.unsqueeze(1), values).squeeze(1)",
            MOVE,
            RETURN,
        ),
    ),
    (
        "scores spelled out",
        step(
            "asked = self.scorer.query_layer(state)[:, None]",
            "scores = self.scorer.energy_layer(torch.tanh(asked + projected_keys))[..., 0]",
            "weights = torch.where(source_mask, scores, -1e9).softmax(-1)",
            "context = torch.einsum('bk,bkd->bd', weights, values)",
            "state = self.cell(torch.hstack([embedded, context]), state)",
            RETURN,
        ),
    ),
    (
        "gates spelled out",
        step(
            SCORES,
            ATTEND,
            "cell = self.cell",
            "given = F.linear(torch.cat([embedded, context], 1), cell.weight_ih, cell.bias_ih).chunk(3, 1)",
            "own = F.linear(state, cell.weight_hh, cell.bias_hh).chunk(3, 1)",
            "reset, update = (torch.sigmoid(given[n] + own[n]) for n in (0, 1))",
            "new = torch.tanh(given[2] + reset * own[2])",
            "state = (1 - update) * new + update * state",
            RETURN,
        ),
    ),
    ("a list", step(SCORES, ATTEND, MOVE, "return [state, context, weights]")),
]
