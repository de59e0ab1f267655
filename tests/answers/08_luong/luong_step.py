"""Answers to one step of the Luong decoder."""

TASK = "luong_step"

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


AGAIN = ATTEND.replace("self.scorer.score(", "self.scorer(")
WRONG = [
    ("state returned for both", "state_alone", step(MOVE, ATTEND, "return state, weights, state")),
    ("the order of Bahdanau's step", "another_result", step(MOVE, ATTEND, "return state, context, weights")),
    ("exp by hand", "hidden: not_finite",
     step(MOVE, "raw = self.scorer.score(state, projected_keys).exp() * source_mask",
          "weights = raw / raw.sum(1)[:, None]", "context = (weights.unsqueeze(-1) * values).sum(1)", JOIN, RETURN)),
    ("keys projected again", "raised.RuntimeError", step(MOVE, AGAIN, JOIN, RETURN)),
    ("bare squeeze", "hidden: squeezed",
     step(MOVE, ATTEND, JOIN, "return attentional.squeeze(), weights.squeeze(), state.squeeze()")),
]

RIGHT = [
    ("as it is read", step(MOVE, ATTEND, JOIN, RETURN)),
    ("attention spelled out, two products",
        step(
            MOVE, "scores = torch.einsum('bd,bkd->bk', state, projected_keys)",
            "weights = torch.softmax(scores.masked_fill(~source_mask, float('-inf')), dim=-1)",
            "context = torch.bmm(weights.unsqueeze(1), values).squeeze(1)",
            "matrix, size = self.attentional_layer.weight, context.size(1)",
            "return (context @ matrix[:, :size].T + state @ matrix[:, size:].T).tanh(), weights, state",
        )),
    ("gates spelled out, the tanh by a change",
        step("cell = self.cell", "given = F.linear(embedded, cell.weight_ih, cell.bias_ih).chunk(3, 1)",
             "own = F.linear(state, cell.weight_hh, cell.bias_hh).chunk(3, 1)",
             "reset, update = (torch.sigmoid(given[n] + own[n]) for n in (0, 1))",
             "state = (1 - update) * torch.tanh(given[2] + reset * own[2]) + update * state", ATTEND,
             "joined = torch.cat([context, state], dim=-1)",
             "attentional = 2 * torch.sigmoid(2 * self.attentional_layer(joined)) - 1", RETURN)),
]
