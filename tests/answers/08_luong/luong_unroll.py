"""Answers to the whole target at once."""

TASK, CHECKS, PARTS = "luong_unroll", "luong_unroll", ("LuongUnroll",)

RUN = "hidden, _ = self.rnn(embedded, state.unsqueeze(0))"
SCORE = "scores = hidden @ self.scorer.project_keys(values).mT"
WEIGH = "weights = masked_softmax(scores, source_mask.unsqueeze(1))"
SUM = "contexts = weights @ values"
JOIN = "attentionals = torch.tanh(self.attentional_layer(torch.cat([contexts, hidden], dim=-1)))"
RETURN = "return attentionals, weights"


def unroll(*lines: str) -> str:
    body = "".join(f"        {line}\n" for line in lines)
    return f"""\
class LuongUnroll(nn.Module):
    def __init__(self, embedding_size: int, hidden_size: int, encoder_size: int) -> None:
        super().__init__()
        self.rnn = nn.GRU(embedding_size, hidden_size, batch_first=True)  # wants the state as (1, batch, hidden_size)
        self.scorer = BilinearScorer(hidden_size, encoder_size)
        self.attentional_layer = nn.Linear(encoder_size + hidden_size, hidden_size, bias=False)  # W_c

    def forward(
        self, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor
    ) -> tuple[Tensor, Tensor]:
{body}"""


def weighed(line: str) -> str:
    return unroll(RUN, SCORE, line, SUM, JOIN, RETURN)


WRONG = [
    (
        "from zeros",
        "visible",
        "the recurrent layer starts from zeros",
        unroll("hidden, _ = self.rnn(embedded)", SCORE, WEIGH, SUM, JOIN, RETURN),
    ),
    (
        "every step from h_0",
        "visible",
        "every step starts from the first state",
        unroll(
            "first = state.unsqueeze(0)",
            "hidden = torch.cat([self.rnn(word, first)[0] for word in embedded.split(1, dim=1)], dim=1)",
            SCORE,
            WEIGH,
            SUM,
            JOIN,
            RETURN,
        ),
    ),
    (
        "states before the steps",
        "visible",
        "the queries are the states before each step",
        unroll(
            RUN,
            "before = torch.cat([state.unsqueeze(1), hidden[:, :-1]], dim=1)",
            SCORE.replace("hidden", "before"),
            WEIGH,
            SUM,
            JOIN,
            RETURN,
        ),
    ),
    (
        "last state asks",
        "visible",
        "every query is the last state",
        unroll(RUN, SCORE.replace("hidden", "hidden[:, -1:].expand_as(hidden)"), WEIGH, SUM, JOIN, RETURN),
    ),
    (
        "state without its axis",
        "visible",
        "raised RuntimeError",
        unroll(RUN.replace(".unsqueeze(0)", ""), SCORE, WEIGH, SUM, JOIN, RETURN),
    ),
    ("no mask", "visible", "the mask is not used", weighed("weights = scores.softmax(-1)")),
    (
        "mask after the softmax",
        "visible",
        "the mask comes after the softmax",
        weighed("weights = scores.softmax(-1) * source_mask.unsqueeze(1)"),
    ),
    (
        "softmax over the target",
        "visible",
        "the softmax runs over the target words",
        weighed("weights = scores.masked_fill(~source_mask.unsqueeze(1), -3.4028234663852886e38).softmax(1)"),
    ),
    (
        "unmasked softmax over the target",
        "visible",
        "runs over the target words",
        weighed("weights = scores.softmax(1)"),
    ),
    ("softmax over the batch", "visible", "runs over the batch", weighed("weights = scores.softmax(0)")),
    ("no softmax", "visible", "the softmax is missing", weighed("weights = scores")),
    (
        "mask without its axis",
        "visible",
        ("raised RuntimeError", "at your line"),
        weighed("weights = masked_softmax(scores, source_mask)"),
    ),
    (
        "mask turned round",
        "visible",
        "the mask is turned round",
        weighed("weights = masked_softmax(scores, ~source_mask.unsqueeze(1))"),
    ),
    (
        "keys not projected",
        "visible",
        "raised RuntimeError",
        unroll(RUN, "scores = hidden @ values.mT", WEIGH, SUM, JOIN, RETURN),
    ),
    (
        "no tanh",
        "visible",
        "the tanh is missing",
        unroll(
            RUN,
            SCORE,
            WEIGH,
            SUM,
            "attentionals = self.attentional_layer(torch.cat([contexts, hidden], dim=-1))",
            RETURN,
        ),
    ),
    (
        "order in W_c",
        "visible",
        "W_c takes [c; h]",
        unroll(RUN, SCORE, WEIGH, SUM, JOIN.replace("contexts, hidden", "hidden, contexts"), RETURN),
    ),
    (
        "one context for all",
        "visible",
        "another context enters",
        unroll(RUN, SCORE, WEIGH, "contexts = (weights @ values)[:, -1:].expand(-1, hidden.size(1), -1)", JOIN, RETURN),
    ),
    (
        "keys ask",
        "visible",
        "keys and queries are exchanged",
        unroll(RUN, SCORE, WEIGH, SUM, JOIN, "return attentionals, weights.mT"),
    ),
    (
        "one step",
        "visible",
        "this is one step",
        unroll(RUN, SCORE, WEIGH, SUM, JOIN, "return attentionals[:, -1], weights[:, -1]"),
    ),
    ("order", "visible", "the order is another", unroll(RUN, SCORE, WEIGH, SUM, JOIN, "return weights, attentionals")),
    (
        "values cut off",
        "visible",
        "gradient",
        unroll(RUN, SCORE, WEIGH, "contexts = weights @ values.detach()", JOIN, RETURN),
    ),
    (
        "bare squeeze",
        "hidden",
        "a bare `.squeeze()`",
        unroll(RUN, SCORE, WEIGH, SUM, JOIN, "return attentionals.squeeze(), weights.squeeze()"),
    ),
]

RIGHT = [
    ("as it is read", unroll(RUN, SCORE, WEIGH, SUM, JOIN, RETURN)),
    (
        "bmm",
        unroll(
            RUN,
            "keys = self.scorer.key_layer(values)",
            "scores = torch.bmm(hidden, keys.transpose(1, 2)).masked_fill(~source_mask[:, None], float('-inf'))",
            "weights = F.softmax(scores, dim=2)",
            "contexts = torch.bmm(weights, values)",
            JOIN,
            RETURN,
        ),
    ),
    (
        "einsum",
        unroll(
            RUN,
            "scores = torch.einsum('btd,bsd->bts', hidden, self.scorer.project_keys(values))",
            WEIGH,
            "contexts = torch.einsum('bts,bse->bte', weights, values)",
            JOIN,
            RETURN,
        ),
    ),
    (
        "SDPA for the contexts",
        unroll(
            RUN,
            "keys, mask = self.scorer.project_keys(values), source_mask.unsqueeze(1)",
            "contexts = F.scaled_dot_product_attention(hidden, keys, values, attn_mask=mask, scale=1.0)",
            "weights = masked_softmax(hidden @ keys.mT, mask)",
            JOIN,
            RETURN,
        ),
    ),
    (
        "loop over the steps",
        unroll(
            RUN,
            "keys, contexts, weights = self.scorer.project_keys(values), [], []",
            "for query in hidden.unbind(1):",
            "    context, row = attend(self.scorer.score(query, keys), values, source_mask)",
            "    contexts.append(context)",
            "    weights.append(row)",
            "contexts, weights = torch.stack(contexts, 1), torch.stack(weights, 1)",
            JOIN,
            RETURN,
        ),
    ),
]
