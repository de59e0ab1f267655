"""TeX → MathML, which browsers and screen readers read by themselves: no script, no font, no request.

By ``docutils.utils.math.latex2mathml``; what it does not know is shown as the TeX that was written.
"""

import re
from functools import lru_cache
from html import escape

from docutils.utils.math import latex2mathml

LONGEST = 4_000  # characters of one formula; longer ones are shown as they are
SIMPLER = {  # what the converter does not know → what it does, up to the size of a sign
    r"\\[dt]frac(?![a-zA-Z])": r"\\frac",
    r"\\dots(?![a-zA-Z])": r"\\ldots",
    r"\\(?:[bB]igg?[lrm]?|middle)(?![a-zA-Z])\s*": "",
    r"\\!": "",
    r"\\frac\s*(\d)\s*(\d)": r"\\frac{\1}{\2}",
    r"(?<!\\left)\s*\\(lceil|lfloor)(?![a-zA-Z])": r" \\left\\\1",
    r"(?<!\\right)\s*\\(rceil|rfloor)(?![a-zA-Z])": r" \\right\\\1",
}


@lru_cache(maxsize=4096)
def mathml(tex: str, block: bool) -> str:
    """A formula as a ``<math>`` element, on a line of its own where ``block``; never raises for what ``tex`` is."""
    tex = tex.strip()
    try:
        if len(tex) > LONGEST:
            raise ValueError("too long")
        made = latex2mathml.tex2mathml(_simpler(tex), as_block=block)
    except Exception:  # the converter meets hostile TeX with whatever Python raises there, RecursionError among them
        return f"<pre><code>{escape(tex)}</code></pre>" if block else f"<code>{escape(tex)}</code>"
    return "".join(line.strip() for line in made.splitlines())


def _simpler(tex: str) -> str:
    for pattern, known in SIMPLER.items():
        tex = re.sub(pattern, known, tex)
    return tex
