"""The time of submission, from ``timestamp.txt``."""

import datetime
import warnings
from pathlib import Path

MAX_BYTES = 100
UNREAD = "The time of submission could not be read, so it does not count as late."


def timestamp(path: Path) -> tuple[str, tuple[str, ...]]:
    """The text if it is a time that nbgrader can read, else a note for the learner."""
    if not path.is_file() or path.is_symlink():
        return "", ()
    try:
        with path.open("rb") as file:
            text = file.read(MAX_BYTES).decode("utf-8").strip()
        if text.isprintable():
            utc(text)
            return text, ()
    except (ValueError, OverflowError, OSError):
        pass
    return "", (UNREAD,)


def utc(text: str) -> datetime.datetime:
    """Same as ``nbgrader.utils.parse_utc``, whose module takes a second to import.

    Raises:
        ValueError, OverflowError: not a time, or out of range.
    """
    import dateutil.parser
    import dateutil.tz

    zones: dict[str, datetime.tzinfo | int | None] = {}
    parts = text.split(" ")
    if len(parts) == 3:
        *parts, zone = parts
        text = " ".join([*parts, "TZ"])
        if zone.startswith(("/", ":")) or ".." in zone:  # gettz would open it as a file
            raise ValueError(f"not a time zone: {zone!r}")
        try:
            zones["TZ"] = int(zone)
        except ValueError:
            zones["TZ"] = dateutil.tz.gettz(zone)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about unknown time zones
        time = dateutil.parser.parse(text, tzinfos=zones)
    offset = time.utcoffset()
    return time if offset is None else (time - offset).replace(tzinfo=None)
