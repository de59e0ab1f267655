"""Where the book is published, and how the learners' package is asked for: two lines of ``_config.yml``."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import yaml

from autograder.errors import UsageError

NOBODYS = "example.org"  # no site can be there (RFC 2606): the address of a book that is published nowhere yet


@dataclass(frozen=True)
class Publication:
    """``address``: of the book, without a slash at its end; ``package``: the name by which pip installs it."""

    address: str
    package: str

    @property
    def is_public(self) -> bool:
        return is_public(self.address)

    def requirement(self, wheel: str, version: str, extra: str = "") -> str:
        """What pip is asked for: the file beside the book, or its name where there is no such address."""
        name = f"{self.package}[{extra}]" if extra else self.package
        return f"{name} @ {self.address}/{wheel}" if self.is_public else f"{name}=={version}"


def publication(root: Path) -> Publication:
    config = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    try:
        return Publication(str(config["html"]["baseurl"]).rstrip("/"), str(config["package"]))
    except (KeyError, TypeError):
        raise UsageError(
            "_config.yml: expected lines `package: NAME` and `baseurl: ADDRESS`, this one below `html:`; "
            "they say what learners install, and where the book is."
        ) from None


def is_public(address: str) -> bool:
    """Whether somebody can own the address, so that what names it can lead there."""
    host = urlsplit(address).hostname or ""
    return bool(host) and not f".{host}".endswith(f".{NOBODYS}")
