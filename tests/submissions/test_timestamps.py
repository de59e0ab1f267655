"""The time of submission: what nbgrader can read, and nothing else."""

import pytest

from autograder.submissions.submitted_files import UNREAD, timestamp

TIMES = (
    "2026-11-21 10:00:00 UTC",
    "2026-11-21 10:00:00.250000 UTC",
    "2026-11-21 10:00:00 Asia/Tokyo",
    "2026-11-21 10:00:00 3600",
    "2026-11-21 10:00:00",
    "2026-11-21T10:00:00+02:00",
    "21 Nov 2026 10:00",
)


@pytest.mark.parametrize("text", TIMES)
def test_what_nbgrader_reads_is_kept(tmp_path, text):
    (tmp_path / "timestamp.txt").write_text(f"{text}\n")
    assert timestamp(tmp_path / "timestamp.txt") == (text, ())


@pytest.mark.parametrize(
    "data",
    [
        b"0001-01-01 00:00:00 Asia/Tokyo",
        b"9999-12-31 23:59:59 -3600",
        b"0001-01-01T00:00:00+09:00",
        b"2026-11-21 10:00:00 99999999999999999999",
        b"2026-11-21 10:00:00 /etc/passwd",
        b"2026-11-21 10:00:00 ../../../etc/passwd",
        b"2026-11-21 10:00:00 \xff",
        b"2026-11-21\x1b[31m 10:00:00",
        b"whenever",
        b"",
        b"1" * 2**20,
    ],
)
def test_what_is_no_time_is_told(tmp_path, data):
    (tmp_path / "timestamp.txt").write_bytes(data)
    assert timestamp(tmp_path / "timestamp.txt") == ("", (UNREAD,))
