"""Checked downloads, from a server of this process."""

import hashlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from servers import running

from seq2seq.corpora.download import DownloadError, data_folder, fetch

BYTES = bytes(range(256)) * 700  # more than two chunks
DIGEST = hashlib.sha256(BYTES).hexdigest()
NOBODY = "http://127.0.0.1:1/corpus.gz"  # nobody listens there


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        asked = self.headers.get("Range")
        self.server.ranges.append(asked)
        self.close_connection = True
        if self.path == "/missing":
            self.send_error(404)
            return
        first = int(asked.removeprefix("bytes=").removesuffix("-")) if asked and self.server.honours_ranges else 0
        if first >= len(BYTES):
            self.send_error(416)
            return
        self.send_response(206 if first else 200)
        body = BYTES[first : self.server.breaks_after]
        if self.server.chunked:
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.wfile.write(f"{len(body):x}\r\n".encode() + body + b"\r\n")  # and no last chunk of size 0
        else:
            self.send_header("Content-Length", str(len(BYTES) - first))
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, *arguments):
        pass


@pytest.fixture
def server(monkeypatch):
    """Serves BYTES under every path but /missing, and writes down the ranges that were asked for."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.ranges, server.honours_ranges, server.breaks_after, server.chunked = [], True, None, False
    server.folder = f"http://127.0.0.1:{server.server_port}"
    with running(server):
        yield server


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def fetched(server, tmp_path):
    """``fetched()`` fetches the file of BYTES into the folder of the test."""
    return lambda digest=DIGEST: fetch(f"{server.folder}/corpus.gz", digest, tmp_path)


def test_a_file_is_downloaded_whole_and_not_fetched_again(server, tmp_path):
    for _ in range(2):
        path = fetch(f"{server.folder}/corpus.gz", DIGEST, tmp_path / "new" / "folder")
        assert path == tmp_path / "new" / "folder" / "corpus.gz"
        assert path.read_bytes() == BYTES
        assert names(path.parent) == ["corpus.gz"]
    assert server.ranges == [None]
    (tmp_path / "corpus.gz").write_bytes(BYTES)  # put there by hand
    assert fetch(NOBODY, DIGEST, tmp_path).read_bytes() == BYTES


def test_a_wrong_file_that_lay_there_is_refused_and_left(server, fetched, tmp_path):
    (tmp_path / "corpus.gz").write_bytes(b"something else")
    with pytest.raises(DownloadError, match=r"corpus\.gz: SHA-256 .* expected .*; move .* away"):
        fetched()
    assert (tmp_path / "corpus.gz").read_bytes() == b"something else"
    assert server.ranges == []


@pytest.mark.parametrize(
    ("part", "honours_ranges", "asked"),
    [(1000, True, "bytes=1000-"), (1000, False, "bytes=1000-"), (None, True, "bytes=")],
)
def test_a_download_that_broke_off_goes_on_by_range_or_from_its_start(
    server, fetched, tmp_path, part, honours_ranges, asked
):
    server.honours_ranges = honours_ranges
    (tmp_path / "corpus.gz.part").write_bytes(BYTES[:part])
    assert fetched().read_bytes() == BYTES
    assert names(tmp_path) == ["corpus.gz"]
    assert server.ranges[0].startswith(asked)


def test_wrong_bytes_are_refused_and_removed_so_that_the_next_try_starts_anew(fetched, tmp_path):
    with pytest.raises(DownloadError, match=f"SHA-256 {DIGEST}, expected {'0' * 64}; the download was removed"):
        fetched("0" * 64)
    assert names(tmp_path) == []
    (tmp_path / "corpus.gz.part").write_bytes(b"x" * 1000)
    with pytest.raises(DownloadError, match="the download was removed"):
        fetched()
    assert fetched().read_bytes() == BYTES


@pytest.mark.parametrize("chunked", [False, True])
def test_a_connection_that_ends_early_leaves_no_file_under_the_name_and_is_resumed(server, fetched, tmp_path, chunked):
    server.breaks_after, server.chunked = 100_000, chunked
    with pytest.raises(DownloadError, match="the partial download is kept"):
        fetched()
    assert names(tmp_path) == ["corpus.gz.part"]
    server.breaks_after, server.chunked = None, False
    assert fetched().read_bytes() == BYTES
    assert server.ranges[1].removeprefix("bytes=") != "0-"


def test_what_is_not_to_be_had_is_named_with_what_to_do(server, tmp_path):
    with pytest.raises(DownloadError, match=r"corpus\.gz: not downloaded from .*put the file into .*SEQ2SEQ_DATA"):
        fetch(NOBODY, DIGEST, tmp_path)
    with pytest.raises(DownloadError, match=r"missing: not downloaded from .*404"):
        fetch(f"{server.folder}/missing", DIGEST, tmp_path)
    assert names(tmp_path) == []
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(DownloadError, match="not downloaded"):
        fetch(f"{server.folder}/corpus.gz", DIGEST, tmp_path / "file")


def test_the_folder_is_the_one_of_the_environment_or_in_the_cache_of_the_home(monkeypatch, tmp_path):
    monkeypatch.setenv("SEQ2SEQ_DATA", str(tmp_path))
    (tmp_path / "corpus.gz").write_bytes(BYTES)
    assert data_folder() == tmp_path
    assert fetch(NOBODY, DIGEST) == tmp_path / "corpus.gz"
    monkeypatch.delenv("SEQ2SEQ_DATA")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert data_folder() == tmp_path / ".cache" / "seq2seq"
