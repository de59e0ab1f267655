"""Pages: what learners write is text on the feedback page, never part of it."""

from attacks.notebooks import Attack, Change, Notebook, adding, code, prose

EVIL = (
    "<script>alert(1337)</script><img src=x onerror=alert(1337)><svg onload=alert(1337)>"
    "<iframe srcdoc='<script>alert(1337)</script>'></iframe><a href='javascript:alert(1337)'>x</a>"
    "<style>*{background:url(javascript:alert(1337))}</style><base href='javascript:alert(1337)//'>"
    "<form action='javascript:alert(1337)'><button>x</button></form>"
    "<meta http-equiv=refresh content='0;url=javascript:alert(1337)'></pre></div></body>"
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1337)></style></mglyph></table></mtext></math>"
)


def texts(*sources: str) -> Change:
    return adding(*(prose(source, id=f"own-{number}") for number, source in enumerate(sources)))


def outputs(notebook: Notebook) -> Notebook:
    """Outputs that were stored with the notebook, of every kind that a browser would run."""
    kinds = {
        "text/html": EVIL,
        "image/svg+xml": f"<svg>{EVIL}</svg>",
        "application/javascript": "alert(1337)",
        "text/markdown": EVIL,
        "text/latex": "$\\href{javascript:alert(1337)}{x}$",
        "text/plain": EVIL,
        "application/vnd.jupyter.widget-view+json": {"model_id": EVIL},
        "image/png": '" onerror="alert(1337)',
    }
    shown = [
        {"output_type": "display_data", "data": kinds, "metadata": {"image/png": {"width": '"><script>alert(1337)'}}},
        {"output_type": "stream", "name": '"><script>alert(1337)</script>', "text": EVIL},
        {"output_type": "error", "ename": EVIL, "evalue": EVIL, "traceback": [EVIL]},
    ]
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = shown
    return notebook


TITLES = {"title": EVIL, "name": EVIL, "authors": [{"name": EVIL}], "language_info": {"name": EVIL}}
PRINTED = f"""
EVIL = {EVIL!r}
from IPython.display import HTML, Javascript, Markdown, SVG, Latex, display, publish_display_data
print(EVIL)
display(HTML(EVIL), Javascript('alert(1337)'), Markdown(EVIL), Latex('$\\\\href{{javascript:alert(1337)}}{{x}}$'))
publish_display_data({{'text/html': EVIL, 'image/svg+xml': EVIL, 'image/png': '"><script>alert(1337)</script>'}})
class Evil:
    def _repr_html_(self):
        return EVIL
    def __repr__(self):
        return EVIL
display(Evil())
raise type(EVIL, (Exception,), {{}})(EVIL)
"""

SCORER = f"""
class DotScorer(Scorer):
    def score(self, query, projected_keys):
        raise type({EVIL!r}, (Exception,), {{}})({EVIL!r})
"""

ATTACKS = (
    Attack("printed markup", "run a script in the instructor's browser", PRINTED, rich=True),
    Attack("stored outputs", "run a script from old outputs", rich=True, change=outputs),
    Attack("markup in an answer's error", "run a script from a check's message", SCORER, "dot_scorer", True, points=18),
    Attack("markup in text", "run a script from a text, a link or a formula", rich=True, change=texts(
        EVIL, f"# {EVIL}", f"```\n{EVIL}\n```",
        "[x](javascript:alert(1337)) <javascript:alert(1337)> [y](data:text/html,<script>alert(1337)</script>) "
        "[z](JaVaScRiPt:alert(1337)) [w](&#106;avascript:alert(1337)) ![p](javascript:alert(1337))\n\n"
        "[r]: javascript:alert(1337)\n[r]",
        "$\\href{javascript:alert(1337)}{x}$ $$\\style{background:url(javascript:alert(1337))}{x} "
        "\\unicode{<script>alert(1337)</script>}$$ $\\class{<script>alert(1337)</script>}{x}$ "
        "\\begin{equation}\\href{javascript:alert(1337)}{y}\\end{equation}")),
    Attack("titles", "run a script from the notebook's own data", rich=True,
           change=lambda notebook: {**notebook, "metadata": notebook["metadata"] | TITLES}),
    Attack("nesting without end", "hold up the page by whatever nests", rich=True, change=texts(
        "> " * 20_000 + "x", "* " * 20_000 + "x", "[" * 200_000, "![" * 100_000, "(" * 100_000, "**a *b " * 50_000,
        "_*" * 100_000, "`" * 200_001, "<div>" * 50_000, "<b><i>" * 30_000 + "x")),
    Attack("a text of 8 MB", "fill the page", rich=True, change=texts("word " * 1_600_000)),
    Attack("code of 2 MB", "hold up the colouring of the page", rich=True,
           change=adding({**code("x = [" + "1, " * 700_000 + "]"), "id": "long"})),
)  # fmt: skip
