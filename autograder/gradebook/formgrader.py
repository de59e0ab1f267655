"""Makes formgrader's view of a notebook safe, as it has a Jupyter server's rights in the browser, and its lists fast.

Formgrader imports this module at start-up, for the filter named in autograder/settings.py.
"""

import re
from typing import Any

from jinja2 import pass_context
from markupsafe import Markup

from autograder.gradebook.book import share_engines
from autograder.gradebook.lists import replace_nbgrader_lists
from autograder.gradebook.rendering import Piece, rendered

replace_nbgrader_lists()
share_engines()


@pass_context
def markdown_to_html(context: Any, source: str) -> Markup:
    """Replaces nbconvert's ``markdown2html``, which passes on scripts that a learner wrote.

    Links within the page, such as the summary's to its checks, are kept if their text is their target.
    """
    (html,) = rendered([Piece("prose", source, context.get("cell", {}).get("attachments"))])
    return Markup(re.sub(r"<a>([\w-]+)</a>", r'<a href="#\1">\1</a>', str(html)))
