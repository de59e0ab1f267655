"""Where the book is published, and how the learners' package is asked for: two lines of ``_config.yml``."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import yaml

from autograder.class_table import read
from autograder.errors import UsageError
from autograder.folders import course_of

NOBODYS = "example.org"  # no site can be there (RFC 2606): the address of a book that is published nowhere yet


@dataclass(frozen=True)
class Publication:
    """Of the book the ``address``, without a slash at its end; of the ``package`` the name by which pip installs it.

    ``folder``: the address below which the package's file is, if it is not beside the book.
    """

    address: str
    package: str
    folder: str = ""

    @property
    def is_public(self) -> bool:
        return is_public(self.address)

    def requirement(self, wheel: str, version: str, extra: str = "") -> str:
        """What pip is asked for: the file beside the book, or its name where there is no such address."""
        name = f"{self.package}[{extra}]" if extra else self.package
        folder = self.folder or self.address
        return f"{name} @ {folder}/{wheel}" if is_public(folder) else f"{name}=={version}"


def publication(root: Path) -> Publication:
    """As ``_config.yml`` says, and for a class its table, where that names a folder of its own."""
    config = yaml.safe_load((course_of(root) / "_config.yml").read_text(encoding="utf-8"))
    table = read(root)
    folder = table.package.rstrip("/") if table else ""
    try:
        return Publication(str(config["html"]["baseurl"]).rstrip("/"), str(config["package"]), folder)
    except (KeyError, TypeError):
        raise UsageError(
            "_config.yml: expected lines `package: NAME` and `baseurl: ADDRESS`, this one below `html:`; "
            "they say what learners install, and where the book is."
        ) from None


def is_public(address: str) -> bool:
    """Whether somebody can own the address, so that what names it can lead there."""
    host = urlsplit(address).hostname or ""
    return bool(host) and not f".{host}".endswith(f".{NOBODYS}")
