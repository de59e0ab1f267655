"""Answers to one step of the Luong decoder."""

TASK, CHECKS, PARTS = "luong_step", "luong", ("LuongStep",)

MOVE = "state = self.cell(embedded, state)"
ATTEND = "context, weights = attend(self.scorer.score(state, projected_keys), values, source_mask)"
JOIN = "attentional = torch.tanh(self.attentional_layer(torch.cat([context, state], dim=-1)))"
RETURN = "return attentional, weights, state"


def step(*lines: str) -> str:
    body = "".join(f"        {line}\n" for line in lines)
    return f"""\
class LuongStep(nn.Module):
    def __init__(self, embedding_size: int, hidden_size: int, encoder_size: int) -> None:
        super().__init__()
        self.cell = nn.GRUCell(embedding_size, hidden_size)
        self.scorer = BilinearScorer(hidden_size, encoder_size)
        self.attentional_layer = nn.Linear(encoder_size + hidden_size, hidden_size, bias=False)  # W_c

    def project_keys(self, values: Tensor) -> Tensor:
        return self.scorer.project_keys(values)

    def forward(
        self, embedded: Tensor, state: Tensor, projected_keys: Tensor, values: Tensor, source_mask: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
{body}"""


def softmax(line: str) -> str:
    return step(
        MOVE,
        "scores = self.scorer.score(state, projected_keys)",
        line,
        "context = (weights.unsqueeze(-1) * values).sum(1)",
        JOIN,
        RETURN,
    )


WRONG = [
    (
        "asks with h_{t-1}",
        "visible",
        "the query is h_{t-1}, the state before the step",
        step(ATTEND, MOVE, JOIN, RETURN),
    ),
    (
        "no tanh",
        "visible",
        "the tanh is missing",
        step(MOVE, ATTEND, "attentional = self.attentional_layer(torch.cat([context, state], dim=-1))", RETURN),
    ),
    (
        "order in W_c",
        "visible",
        "W_c takes [c; h]",
        step(MOVE, ATTEND, JOIN.replace("context, state", "state, context"), RETURN),
    ),
    (
        "h_{t-1} in W_c",
        "visible",
        "h_{t-1} enters W_c",
        step("before = state", MOVE, ATTEND, JOIN.replace("context, state", "context, before"), RETURN),
    ),
    (
        "attentional state handed on",
        "visible",
        "h_t is kept beside it",
        step(MOVE, ATTEND, JOIN, "return attentional, weights, attentional"),
    ),
    (
        "old state returned",
        "visible",
        "this is h_{t-1} as it came",
        step("before = state", MOVE, ATTEND, JOIN, "return attentional, weights, before"),
    ),
    (
        "state returned for both",
        "visible",
        "this is h as it came",
        step(MOVE, ATTEND, "return state, weights, state"),
    ),
    (
        "no state in the cell",
        "visible",
        "it starts from zeros",
        step("state = self.cell(embedded)", ATTEND, JOIN, RETURN),
    ),
    (
        "no context",
        "visible",
        "the context does not enter",
        step(MOVE, ATTEND, "context = torch.zeros_like(context)", JOIN, RETURN),
    ),
    ("softmax over the batch", "visible", "the softmax runs over the batch", softmax("weights = scores.softmax(0)")),
    ("no mask", "visible", "the mask is not used", softmax("weights = scores.softmax(-1)")),
    (
        "mask after the softmax",
        "visible",
        "the mask comes after the softmax",
        softmax("weights = scores.softmax(-1) * source_mask"),
    ),
    (
        "mask turned round",
        "visible",
        "the mask is turned round",
        step(MOVE, ATTEND.replace("source_mask", "~source_mask"), JOIN, RETURN),
    ),
    (
        "average",
        "visible",
        "another context enters than that of the weights: the values are averaged",
        step(MOVE, ATTEND, "context = values.mean(1)", JOIN, RETURN),
    ),
    (
        "order of the results",
        "visible",
        "the order is another",
        step(MOVE, ATTEND, JOIN, "return weights, attentional, state"),
    ),
    (
        "states exchanged",
        "visible",
        "this is the attentional state",
        step(MOVE, ATTEND, JOIN, "return state, weights, attentional"),
    ),
    ("attentional alone", "visible", "the caller needs all of them", step(MOVE, ATTEND, JOIN, "return attentional")),
    ("cell runs twice", "visible", "the cell runs twice", step(MOVE, MOVE, ATTEND, JOIN, RETURN)),
    (
        "keys projected again",
        "visible",
        "raised RuntimeError",
        step(MOVE, ATTEND.replace("self.scorer.score(", "self.scorer("), JOIN, RETURN),
    ),
    (
        "context cut off",
        "visible",
        "gradient",
        step(MOVE, ATTEND, JOIN.replace("context, state", "context.detach(), state"), RETURN),
    ),
    (
        "bare squeeze",
        "hidden",
        "a bare `.squeeze()`",
        step(MOVE, ATTEND, JOIN, "return attentional.squeeze(), weights.squeeze(), state.squeeze()"),
    ),
]

RIGHT = [
    ("as it is read", step(MOVE, ATTEND, JOIN, RETURN)),
    (
        "attention spelled out",
        step(
            MOVE,
            "scores = torch.einsum('bd,bkd->bk', state, projected_keys)",
            "weights = torch.softmax(scores.masked_fill(~source_mask, float('-inf')), dim=-1)",
            "context = torch.bmm(weights.unsqueeze(1), values).squeeze(1)",
            JOIN,
            RETURN,
        ),
    ),
    (
        "gates spelled out",
        step(
            "cell = self.cell",
            "given = F.linear(embedded, cell.weight_ih, cell.bias_ih).chunk(3, 1)",
            "own = F.linear(state, cell.weight_hh, cell.bias_hh).chunk(3, 1)",
            "reset, update = (torch.sigmoid(given[n] + own[n]) for n in (0, 1))",
            "state = (1 - update) * torch.tanh(given[2] + reset * own[2]) + update * state",
            ATTEND,
            JOIN,
            RETURN,
        ),
    ),
    (
        "sentence by sentence",
        step(
            MOVE,
            "rows = []",
            "for query, keys, mask in zip(state, projected_keys, source_mask):",
            "    row = torch.zeros_like(keys[:, 0])",
            "    row = row.masked_scatter(mask, torch.softmax((keys @ query)[mask], 0))",
            "    rows.append(row)",
            "weights = torch.stack(rows)",
            "context = torch.stack([row @ value for row, value in zip(weights, values)])",
            JOIN,
            "return [attentional, weights, state]",
        ),
    ),
]
