"""Progress on stderr."""

import sys

from tqdm import tqdm


class Bar:
    """One progress bar after the other, on stderr."""

    def __init__(self) -> None:
        self.bar: tqdm | None = None

    def step(self, name: str, done: int, of: int) -> None:
        if self.bar is None or self.bar.desc != name:
            self.close()
            self.bar = tqdm(total=of, desc=name, unit="", file=sys.stderr, leave=True)
            self.bar.desc = name
        self.bar.update(done - self.bar.n)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
            self.bar = None
