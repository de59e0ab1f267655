"""When something was handed in, as ``timestamp.txt`` beside it says."""

import datetime
import warnings
from pathlib import Path

MAX_BYTES = 100
UNREAD = "The time of submission could not be read, so it does not count as late."


def timestamp(path: Path) -> tuple[str, tuple[str, ...]]:
    """The text, if it is a time that nbgrader can read, and else a note for the learner."""
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
    """As ``nbgrader.utils.parse_utc``, whose module takes a second to import.

    Raises:
        ValueError, OverflowError: it is no time, or one before or after all calendars.
    """
    import dateutil.parser
    import dateutil.tz

    zones: dict[str, datetime.tzinfo | int | None] = {}
    parts = text.split(" ")
    if len(parts) == 3:
        *parts, zone = parts
        text = " ".join([*parts, "TZ"])
        if zone.startswith(("/", ":")) or ".." in zone:  # it would be opened as a file
            raise ValueError(f"no time zone: {zone!r}")
        try:
            zones["TZ"] = int(zone)
        except ValueError:
            zones["TZ"] = dateutil.tz.gettz(zone)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of letters that are no zone
        time = dateutil.parser.parse(text, tzinfos=zones)
    offset = time.utcoffset()
    return time if offset is None else (time - offset).replace(tzinfo=None)
