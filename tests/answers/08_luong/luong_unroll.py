"""Answers to the whole target at once."""

TASK = "luong_unroll"

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
        self.rnn = CountedGRU(embedding_size, hidden_size)  # wants the state as (1, batch, hidden_size)
        self.scorer = BilinearScorer(hidden_size, encoder_size)
        self.attentional_layer = nn.Linear(encoder_size + hidden_size, hidden_size, bias=False)  # W_c

    def forward(self, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor) -> tuple[Tensor, Tensor]:
{body}"""


def weighed(line: str) -> str:
    return unroll(RUN, SCORE, line, SUM, JOIN, RETURN)


WRONG = [
    (
        "state without its axis",
        "raised.RuntimeError",
        unroll(RUN.replace(".unsqueeze(0)", ""), SCORE, WEIGH, SUM, JOIN, RETURN),
    ),
    ("mask without its axis", "raised.RuntimeError", weighed("weights = masked_softmax(scores, source_mask)")),
    ("keys not projected", "raised.RuntimeError", unroll(RUN, "scores = hidden @ values.mT", WEIGH, SUM, JOIN, RETURN)),
    ("order", "change | shape", unroll(RUN, SCORE, WEIGH, SUM, JOIN, "return weights, attentionals")),
    ("values cut off", "gradient", unroll(RUN, SCORE, WEIGH, "contexts = weights @ values.detach()", JOIN, RETURN)),
    (
        "bare squeeze",
        "hidden: squeezed",
        unroll(RUN, SCORE, WEIGH, SUM, JOIN, "return attentionals.squeeze(), weights.squeeze()"),
    ),
    (
        "word by word",
        "loop",
        unroll(
            "hidden, last = [], state.unsqueeze(0)",
            "for word in embedded.unbind(1):",
            "    one, last = self.rnn(word.unsqueeze(1), last)",
            "    hidden.append(one)",
            "hidden = torch.cat(hidden, dim=1)",
            SCORE,
            WEIGH,
            SUM,
            JOIN,
            RETURN,
        ),
    ),
    (
        "weights without the scale of the contexts",
        "values",
        unroll(
            RUN,
            "keys, mask = self.scorer.project_keys(values), source_mask.unsqueeze(1)",
            "contexts = F.scaled_dot_product_attention(hidden, keys, values, attn_mask=mask)",
            "weights = masked_softmax(hidden @ keys.mT, mask)",
            JOIN,
            RETURN,
        ),
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
        "SDPA for the contexts",
        unroll(
            RUN,
            "keys, mask = self.scorer.project_keys(values), source_mask.unsqueeze(1)",
            "contexts = F.scaled_dot_product_attention(hidden, keys, values, attn_mask=mask, scale=1.0)",
            "weights = masked_softmax(torch.einsum('btd,bsd->bts', hidden, keys), mask)",
            JOIN,
            RETURN,
        ),
    ),
    (
        "attention step by step",
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
