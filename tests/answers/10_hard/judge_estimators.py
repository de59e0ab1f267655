"""Answers to the judge of estimators."""

TASK = "judge_estimators"


def judge(
    biases: str = "(means - exact).abs().amax((1, 2))",
    variances: str = "(weights.unsqueeze(-1) * (tables - exact.unsqueeze(-2)) ** 2).sum((2, 3)).mean(1)",
    taken: str = "min(fair, key=lambda c: float(variances[c]), default=-1)",
    means: str = "(weights.unsqueeze(-1) * tables).sum(-2)",
) -> str:
    return f"""\
def judge_estimators(tables: Tensor, weights: Tensor, log_likelihoods: Tensor) -> tuple[Tensor, Tensor, int]:
    average = (weights * log_likelihoods).sum(-1, keepdim=True)
    exact = weights * (log_likelihoods - average)
    means = {means}
    biases = {biases}
    variances = {variances}
    fair = [c for c in range(len(tables)) if float(biases[c]) < 1e-4]
    return biases, variances, {taken}
"""


WRONG = [
    ("a large number", "hidden: large_number",
     judge(taken="(variances + 1e9 * (biases >= 1e-4)).argmin() if fair else -1")),
    ("second moment", "change", judge(variances="(weights.unsqueeze(-1) * tables**2).sum((2, 3)).mean(1)")),
    ("an error where there is none", "hidden: raised.ValueError",
     judge(taken="min(fair, key=lambda c: float(variances[c]))")),
    ("mean square less squared mean", "hidden: multiplied_out | values",
     judge(variances="((weights.unsqueeze(-1) * tables**2).sum((2, 3)) - 2 * (means * exact).sum(-1)"
                     " + exact.square().sum(-1)).mean(1)")),
    ("the mean standard deviation", "hidden: off_-1 | off_1 | values",
     judge(taken="min(fair, key=lambda c: float((weights.unsqueeze(-1) * (tables[c] - exact.unsqueeze(-2)) ** 2)"
                 ".sum((1, 2)).sqrt().mean()), default=-1)")),
    ("the number alone", "results | raised.TypeError | missing",
     judge().replace("return biases, variances, ", "return ")),
]
RIGHT = [
    ("a list of the fair", judge()),
    ("einsum",
        judge(
            means="torch.einsum('bi,cbij->cbj', weights, tables)",
            variances="torch.einsum('bi,cbij->cb', weights, (tables - exact[:, None]) ** 2).mean(-1)",
        )),
    ("sorted", judge(taken="next((int(c) for c in variances.argsort() if biases[c] < 1e-4), -1)")),
]
