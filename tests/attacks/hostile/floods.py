"""Floods: what is printed costs nothing, and fills nothing."""

from attacks.notebooks import END, Attack, adding, code

ATTACKS = (
    Attack("control characters", "take over the instructor's terminal",
           "class DotScorer(Scorer):\n    def score(self, query, projected_keys):\n"
           "        raise ValueError('\\x1b]0;owned\\x07\\x1b[2J\\x00\\r\\u202e\\x9b31mred')", place="dot_scorer",
           rich=True, points=18),
    Attack("3000 displays", "fill the feedback page",
           "from IPython.display import display\nfor number in range(3000):\n    display(number)", rich=True),
    Attack("200 MB of print", "fill the disk", "for _ in range(2000):\n    print('x' * 100_000)", rich=True,
           honest=True),
    Attack("a stream without end", "fill the disk until time is up", "while True:\n    print('y' * 10_000)", rich=True,
           status="timeout|memory"),
    Attack("standard error", "nothing: warnings and a progress bar",
           "import sys, warnings\nwarnings.warn('beware')\nprint('50%', file=sys.stderr)", rich=True, honest=True),
    Attack("20 pictures", "nothing: an honest love of plots",
           "import matplotlib.pyplot as plt\nfigure = plt.figure(figsize=(2, 1))\nplt.plot([1, 2])\n"
           "for _ in range(20):\n    display(figure)\nplt.close()", rich=True, honest=True),
    Attack("pictures of 900 KB", "make the reply too large to send",
           "from IPython.display import publish_display_data\nfor _ in range(60):\n"
           "    publish_display_data({'image/png': 'A' * 900_000})", rich=True),
    Attack("an error of 50 MB", "fill the feedback page", "raise ValueError('x' * 50_000_000)", rich=True),
    Attack("a value of 50 MB", "fill the feedback page", "'x' * 50_000_000", rich=True),
    Attack("descriptors 1 and 2", "write past the capture",
           "import os\nfor _ in range(100):\n    os.write(1, b'z' * 10**6)\n    os.write(2, b'z' * 10**6)", rich=True),
    Attack("60 full cells", "fill the page cell by cell", rich=True, change=adding(
        *({**code("print('x' * 10**6)"), "id": f"full-{number}"} for number in range(60)), at=END)),
)  # fmt: skip
