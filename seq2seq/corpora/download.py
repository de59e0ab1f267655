"""Checked downloads: a file from the network or the local copy, never a wrong or partial one."""

import hashlib
import http.client
import os
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tqdm.auto import tqdm

_CHUNK = 1 << 16  # bytes
_TIMEOUT = 30  # seconds without a byte


class DownloadError(RuntimeError):
    """A file could not be downloaded or has the wrong digest; the message says what to do."""


def data_folder() -> Path:
    """Where corpora are kept: $SEQ2SEQ_DATA if set, else ``~/.cache/seq2seq``."""
    return Path(os.environ.get("SEQ2SEQ_DATA") or Path.home() / ".cache" / "seq2seq")


def fetch(url: str, sha256: str, folder: Path | None = None) -> Path:
    """The file at this URL, from `folder` if it is there, else downloaded into it.

    Bytes are written to ``<name>.part``; an interrupted download resumes from there.
    The file gets its name only when its SHA-256 matches.

    Raises:
        DownloadError: there is no network or no such file, or the SHA-256 does not match; a wrong download is
            removed, a wrong file from before is kept for inspection.
    """
    folder = data_folder() if folder is None else Path(folder)
    path = folder / url.rsplit("/", 1)[-1]
    if path.exists():
        _check(path, sha256, f"move {path} away to download it again")
        return path
    part = path.with_name(path.name + ".part")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _download(url, part)
    except (http.client.HTTPException, OSError) as error:  # URLError is an OSError
        raise DownloadError(
            f"{path.name}: not downloaded from {url} ({error}). Without a network, put the file into {folder}, or set "
            "SEQ2SEQ_DATA to the folder that has it; the partial download is kept, and the next try resumes it."
        ) from error
    try:
        _check(part, sha256, "the download was removed; try again: if this persists, the file at this URL has changed")
    except DownloadError:
        part.unlink()
        raise
    part.replace(path)
    return path


@contextmanager
def in_utf8(name: object) -> Iterator[None]:
    """What is read within is a text in UTF-8.

    Raises:
        ValueError: it is not; the message names it.
    """
    try:
        yield
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{name}: byte {error.start} is not UTF-8, which is expected; is the text in Latin-1 or UTF-16? "
            "`iconv -t UTF-8 -f LATIN1` converts it."
        ) from error


def _download(url: str, part: Path) -> None:
    have = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(url, headers={"Range": f"bytes={have}-"} if have else {})
    try:
        response = urllib.request.urlopen(request, timeout=_TIMEOUT)
    except urllib.error.HTTPError as error:
        if have and error.code == 416:  # range not satisfiable: the file is already complete
            return
        raise
    with response:
        resumed = response.status == 206  # partial content: the server honours the range
        length = response.headers.get("Content-Length")
        total = None if length is None else int(length) + have * resumed
        with (
            part.open("ab" if resumed else "wb") as file,
            tqdm(total=total, initial=have * resumed, unit="B", unit_scale=True, desc=part.stem) as bar,
        ):
            while chunk := response.read(_CHUNK):
                file.write(chunk)
                bar.update(len(chunk))
        if total is not None and part.stat().st_size < total:
            raise OSError(f"the connection ended after {part.stat().st_size} of {total} bytes")


def _check(path: Path, sha256: str, remedy: str) -> None:
    with path.open("rb") as file:
        got = hashlib.file_digest(file, "sha256").hexdigest()
    if got != sha256:
        raise DownloadError(f"{path.name}: SHA-256 {got}, expected {sha256}; {remedy}.")
