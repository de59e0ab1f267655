"""Canvas's API, as far as grades need it: pages of a list, one submission, a grade and a comment.

https://developerdocs.instructure.com/services/canvas/resources/submissions (``posted_grade``, ``text_comment``);
https://developerdocs.instructure.com/services/canvas/basics/file.pagination (the ``Link`` header);
https://developerdocs.instructure.com/services/canvas/basics/file.throttling (403 "Rate Limit Exceeded").
"""

import json
import os
import re
import shlex
import stat
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from email.message import Message
from http.client import HTTPException
from pathlib import Path
from typing import IO, Any
from urllib.error import HTTPError
from urllib.parse import urlencode, urljoin, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from autograder.errors import UsageError

VARIABLE = "CANVAS_TOKEN"
ATTEMPTS = 6  # of one request that Canvas throttles, or cannot answer at the moment
PAUSE_SECONDS = 1.0  # before the second attempt, twice as long before each further one
RESERVE = 50.0  # of the quota, which has some hundreds: below it we wait, so that nobody else's requests are refused
WAIT_SECONDS = 60.0  # for an answer
PER_PAGE = 100
LOCAL = ("localhost", "127.0.0.1", "::1")
TOKEN = re.compile(r"[\x21-\x7e]{8,}")
MEANT = {
    400: "it does not accept this request",
    401: "it does not accept the token: make a new one under Account → Settings → New Access Token",
    403: "the token's owner may not do this in the course: use that of a teacher or an assistant who may grade",
    404: "there is no such course, assignment or learner, or the token's owner is not in the course",
    422: "it does not accept this grade",
    **dict.fromkeys((301, 302, 303, 307, 308), "it leads elsewhere, where no token is sent: is --url its own address?"),
}


class CanvasError(UsageError):
    """Canvas refused a request, or does not answer; the message never has the token."""

    def __init__(self, what: str, status: int = 0) -> None:
        super().__init__(what)
        self.status = status


class _NoRedirect(HTTPRedirectHandler):
    """A redirection would send the token on, perhaps to somebody else."""

    def redirect_request(
        self, request: Request, answer: IO[bytes], code: int, reason: str, headers: Message, address: str
    ) -> None:
        return None


OPENER = build_opener(_NoRedirect)


def token(path: Path | None) -> str:
    """Of a file that its owner alone can read, else of the environment; never of the command line, where all see it.

    Raises:
        UsageError: there is none, others can read it, or it is none.
    """
    if path is None:
        text, where = os.environ.get(VARIABLE, ""), f"${VARIABLE}"
        if not text:
            raise UsageError(f"there is no token: put it into ${VARIABLE}, or into a file for --token-file.")
    else:
        where = str(path)
        try:
            mode, text = path.stat().st_mode, path.read_text(encoding="ascii", errors="replace")
        except OSError as error:
            raise UsageError(f"the token file {path} cannot be read: {error.strerror}.") from None
        if stat.S_IMODE(mode) & 0o077:
            raise UsageError(f"others can read the token file {path}: chmod 600 {shlex.quote(str(path))}")
    if not TOKEN.fullmatch(text.strip()):
        raise UsageError(f"{where} holds no token: expected a line of 8 or more letters and signs, without blanks.")
    return text.strip()


@dataclass
class Canvas:
    """``Canvas("https://canvas.example.edu", token)``; requests go one after another, as Canvas asks."""

    address: str
    secret: str = field(repr=False)

    def __post_init__(self) -> None:
        parts = urlsplit(self.address if "//" in self.address else f"https://{self.address}")
        if (parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOCAL)) or not parts.hostname:
            raise UsageError(f"--url is {self.address!r}, expected https://…: the token must not be read on its way.")
        if parts.username or parts.password:
            raise UsageError("--url has a password in it; the token alone says who you are.")
        self.address = f"{parts.scheme}://{parts.netloc}"

    def listed(self, path: str, **query: Any) -> Iterator[dict[str, Any]]:
        """Each entry of a list, page by page."""
        address = f"{self._api(path)}?{urlencode({**query, 'per_page': PER_PAGE}, doseq=True)}"
        seen = set()
        while address not in seen:
            seen.add(address)
            entries, headers = self._asked(Request(address))
            yield from entries
            if not (following := _next(headers.get("Link") or "")):
                return
            address = urljoin(address, following)
            if not address.startswith(f"{self.address}/"):
                raise CanvasError(f"Canvas's next page is at {urlsplit(address).netloc}, not at {self.address}.")

    def get(self, path: str, **query: Any) -> dict[str, Any]:
        return self._asked(Request(f"{self._api(path)}?{urlencode(query, doseq=True)}"))[0]

    def put(self, path: str, values: Mapping[str, str]) -> dict[str, Any]:
        """Sends once: whether to send again is for the caller, who knows what has arrived."""
        return self._asked(Request(self._api(path), urlencode(values).encode(), method="PUT"), again=False)[0]

    def _api(self, path: str) -> str:
        return f"{self.address}/api/v1/{path}"

    def _asked(self, request: Request, again: bool = True) -> tuple[Any, Message]:
        request.add_header("Authorization", f"Bearer {self.secret}")
        request.add_header("Accept", "application/json")
        request.add_header("User-Agent", "learning-to-align")
        for attempt in range(ATTEMPTS):
            try:
                with OPENER.open(request, timeout=WAIT_SECONDS) as answer:
                    text, headers = answer.read(), answer.headers
            except HTTPError as error:
                with error:
                    throttled = _is_throttled(error.code, error.read(2**16))
                if throttled or (again and error.code >= 500):  # what was throttled was not done
                    refusal = CanvasError(f"Canvas answers {error.code} and asks to come back later", error.code)
                else:
                    raise CanvasError(_meaning(request, error.code), error.code) from None
            except (OSError, HTTPException) as error:
                reason = getattr(error, "reason", error)
                refusal = CanvasError(f"{self.address} does not answer: {reason}.")
                if not again:
                    raise refusal from None
            else:
                if float(headers.get("X-Rate-Limit-Remaining") or RESERVE) < RESERVE:
                    time.sleep(PAUSE_SECONDS)
                try:
                    return json.loads(text), headers
                except ValueError:
                    raise CanvasError(f"{self.address} does not answer as Canvas does: is this its address?") from None
            if attempt < ATTEMPTS - 1:
                time.sleep(PAUSE_SECONDS * 2**attempt)
        raise refusal


def _next(links: str) -> str:
    """The address of the next page, from ``<address>; rel="next", …``; empty after the last one."""
    pairs = (link.partition(">") for link in links.split(","))
    return next((address.strip().lstrip("<") for address, _, rest in pairs if 'rel="next"' in rest), "")


def _is_throttled(status: int, text: bytes) -> bool:
    return status == 429 or (status == 403 and b"rate limit exceeded" in text.lower())


def _meaning(request: Request, status: int) -> str:
    what = MEANT.get(status, "it failed" if status >= 500 else "an answer that was not expected")
    return f"Canvas answers {status} to {request.get_method()} {urlsplit(request.full_url).path}: {what}."
