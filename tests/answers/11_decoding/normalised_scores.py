"""Answers to the normalised scores."""

TASK, CHECKS, PARTS = "normalised_scores", "normalisation", ("normalised_scores",)


def answer(result: str) -> str:
    return f"def normalised_scores(log_probabilities, lengths, alpha):\n    return {result}\n"


WRONG = [
    ("multiplied", "visible", "the scores are multiplied", answer("log_probabilities * ((5 + lengths) / 6) ** alpha")),
    ("untouched", "visible", "not normalised at all", answer("log_probabilities.clone()")),
    ("mean", "visible", "the mean per word", answer("log_probabilities / lengths")),
    ("no alpha", "visible", "alpha is not used", answer("log_probabilities / ((5 + lengths) / 6)")),
    ("factor", "visible", "alpha is a factor", answer("log_probabilities / ((5 + lengths) / 6 * alpha)")),
    (
        "power of the length",
        "visible",
        "the exponent of the length alone",
        answer("log_probabilities / lengths**alpha"),
    ),
    (
        "bracket around the sum",
        "visible",
        "a bracket is missing around 5 + n",
        answer("log_probabilities / (5 + lengths / 6) ** alpha"),
    ),
    ("6 outside", "visible", "6 stays outside the power", answer("log_probabilities / ((5 + lengths) ** alpha / 6)")),
    ("no 6", "visible", "the division by 6 is missing", answer("log_probabilities / (5 + lengths) ** alpha")),
    ("left to right", "visible", "a bracket is missing", answer("log_probabilities / (5 + lengths) / 6 ** alpha")),
    ("subtracted", "visible", "the penalty is subtracted", answer("log_probabilities - ((5 + lengths) / 6) ** alpha")),
    (
        "logarithm",
        "visible",
        "the logarithm of the penalty",
        answer("log_probabilities - alpha * torch.log((5 + lengths) / 6)"),
    ),
    (
        "probabilities",
        "visible",
        "the probabilities are divided",
        answer("log_probabilities.exp() / ((5 + lengths) / 6) ** alpha"),
    ),
    ("EOS left out", "visible", "EOS is left out", answer("log_probabilities / ((4 + lengths) / 6) ** alpha")),
    ("one too long", "visible", "one too long", answer("log_probabilities / ((6 + lengths) / 6) ** alpha")),
    ("exchanged", "visible", "5 and 6 are exchanged", answer("log_probabilities / ((6 + lengths) / 5) ** alpha")),
    ("rounded", "visible", "a rounded division", answer("log_probabilities / ((5 + lengths) // 6) ** alpha")),
    ("sign", "visible", "the signs are turned", answer("-log_probabilities / ((5 + lengths) / 6) ** alpha")),
    (
        "in place",
        "visible",
        ("log_probabilities", "changed in place"),
        answer("log_probabilities.div_(((5 + lengths) / 6) ** alpha)"),
    ),
    (
        "sorted",
        "visible",
        "the scores are sorted",
        answer("(log_probabilities / ((5 + lengths) / 6) ** alpha).sort(1, descending=True).values"),
    ),
    (
        "no NaN care",
        "hidden",
        "0 · ∞",
        answer("(log_probabilities * 0 + 1) * log_probabilities.clamp_min(-1e30) / ((5 + lengths) / 6) ** alpha"),
    ),
    (
        "no return",
        "visible",
        "is the `return` missing?",
        answer("1").replace("return 1", "log_probabilities / ((5 + lengths) / 6) ** alpha"),
    ),
]

RIGHT = [
    ("as it stands", answer("log_probabilities / ((5 + lengths) / 6) ** alpha")),
    ("two powers", answer("log_probabilities * 6**alpha / (5 + lengths) ** alpha")),
    ("exp and log", answer("log_probabilities * torch.exp(-alpha * torch.log((5 + lengths) / 6))")),
    ("torch.pow", answer("log_probabilities.div(torch.pow((lengths + 5.0) / 6.0, alpha))")),
]
