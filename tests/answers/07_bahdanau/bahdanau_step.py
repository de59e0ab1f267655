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
    (
        "keys projected again",
        "raised.RuntimeError",
        step("scores = self.scorer(state, projected_keys)", ATTEND, MOVE, RETURN),
    ),
    (
        "attend's pair turned round",
        "raised.RuntimeError",
        step(SCORES, "weights, context = attend(scores, values, source_mask)", MOVE, RETURN),
    ),
    ("order of the results", "results_order", step(SCORES, ATTEND, MOVE, "return context, weights, state")),
    ("state alone", "results", step(SCORES, ATTEND, MOVE, "return state")),
    (
        "detached context",
        "gradient",
        moved("state = self.cell(torch.cat([embedded, context.detach()], dim=-1), state)"),
    ),
    (
        "bare squeeze",
        "hidden: squeezed",
        step(SCORES, ATTEND, MOVE, "return state.squeeze(), context.squeeze(), weights.squeeze()"),
    ),
    (
        "new word asks",
        "values",
        step(
            "moved = self.cell(torch.cat([embedded, 0 * values[:, 0]], -1), state) + state",
            "scores = self.scorer.score(moved, projected_keys)",
            ATTEND,
            MOVE,
            RETURN,
        ),
    ),
    (
        "keys kept from the first call",
        "remembers",
        step(
            "self.kept = getattr(self, 'kept', projected_keys)",
            "scores = self.scorer.score(state, self.kept)",
            ATTEND,
            MOVE,
            RETURN,
        ),
    ),
    (
        "mask multiplied into the scores",
        "values | no_distribution | padding_counts",
        step(
            "weights = (self.scorer.score(state, projected_keys) * source_mask).softmax(-1)",
            "context = torch.einsum('bk,bkd->bd', weights, values)",
            MOVE,
            RETURN,
        ),
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
