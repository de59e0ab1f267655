"""TeX → MathML, which browsers and screen readers support natively: no script, no font, no request.

Uses ``docutils.utils.math.latex2mathml``; formulas that it does not support are shown as TeX.
"""

import re
from functools import lru_cache
from html import escape

from docutils.utils.math import latex2mathml

LONGEST = 4_000  # characters of one formula; longer ones are shown as TeX
SIMPLER = (  # unsupported TeX → an equivalent, except for the size of symbols
    (re.compile(r"\\[dt]frac(?![a-zA-Z])"), r"\\frac"),
    (re.compile(r"\\dots(?![a-zA-Z])"), r"\\ldots"),
    (re.compile(r"\\(?:[bB]igg?[lrm]?|middle)(?![a-zA-Z])\s*"), ""),
    (re.compile(r"\\!"), ""),
    (re.compile(r"\\frac\s*(\d)\s*(\d)"), r"\\frac{\1}{\2}"),
    (re.compile(r"(?<!\\left)\\(lceil|lfloor)(?![a-zA-Z])"), r" \\left\\\1"),
    (re.compile(r"(?<!\\right)\\(rceil|rfloor)(?![a-zA-Z])"), r" \\right\\\1"),
)


@lru_cache(maxsize=4096)
def mathml(tex: str, block: bool) -> str:
    """A formula as a ``<math>`` element, on a line of its own if ``block``; never raises, whatever ``tex`` is."""
    tex = tex.strip()
    try:
        if len(tex) > LONGEST:
            raise ValueError("too long")
        made = latex2mathml.tex2mathml(_simpler(tex), as_block=block)
    except Exception:  # on hostile TeX the converter can raise anything, RecursionError included
        return f"<pre><code>{escape(tex)}</code></pre>" if block else f"<code>{escape(tex)}</code>"
    made = made.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")  # HTML does not need it
    return "".join(line.strip() for line in made.splitlines())


def _simpler(tex: str) -> str:
    for pattern, known in SIMPLER:
        tex = pattern.sub(known, tex)
    return tex
