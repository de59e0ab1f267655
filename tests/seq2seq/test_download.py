"""Checked downloads, from a server of this process."""

import hashlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from seq2seq.corpora.download import DownloadError, data_folder, fetch

BYTES = bytes(range(256)) * 700  # more than two chunks
SHA256 = hashlib.sha256(BYTES).hexdigest()


class Server(ThreadingHTTPServer):
    """Serves BYTES under every path but /missing, and writes down the ranges that were asked for."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.ranges = []
        self.honours_ranges = True
        self.breaks_after = None  # bytes
        self.chunked = False

    def address(self, name):
        return f"http://127.0.0.1:{self.server_port}/{name}"


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
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_file_that_is_not_here_is_downloaded_whole(server, tmp_path):
    path = fetch(server.address("corpus.gz"), SHA256, tmp_path / "new" / "folder")
    assert path == tmp_path / "new" / "folder" / "corpus.gz"
    assert path.read_bytes() == BYTES
    assert names(path.parent) == ["corpus.gz"]


def test_a_file_that_is_here_is_not_fetched_again(server, tmp_path):
    fetch(server.address("corpus.gz"), SHA256, tmp_path)
    fetch(server.address("corpus.gz"), SHA256, tmp_path)
    assert server.ranges == [None]


def test_a_file_put_there_by_hand_needs_no_network(tmp_path):
    (tmp_path / "corpus.gz").write_bytes(BYTES)
    assert fetch("http://127.0.0.1:1/corpus.gz", SHA256, tmp_path).read_bytes() == BYTES


def test_a_wrong_file_that_lay_there_is_refused_and_left(server, tmp_path):
    (tmp_path / "corpus.gz").write_bytes(b"something else")
    with pytest.raises(DownloadError, match=r"corpus\.gz: SHA-256 .* expected .*; move .* away"):
        fetch(server.address("corpus.gz"), SHA256, tmp_path)
    assert (tmp_path / "corpus.gz").read_bytes() == b"something else"
    assert server.ranges == []


def test_a_download_that_broke_off_goes_on_by_range(server, tmp_path):
    (tmp_path / "corpus.gz.part").write_bytes(BYTES[:1000])
    path = fetch(server.address("corpus.gz"), SHA256, tmp_path)
    assert server.ranges == ["bytes=1000-"]
    assert path.read_bytes() == BYTES
    assert names(tmp_path) == ["corpus.gz"]


def test_a_server_without_ranges_sends_the_file_from_its_start(server, tmp_path):
    server.honours_ranges = False
    (tmp_path / "corpus.gz.part").write_bytes(BYTES[:1000])
    assert fetch(server.address("corpus.gz"), SHA256, tmp_path).read_bytes() == BYTES


def test_a_part_that_is_whole_already_gets_its_name(server, tmp_path):
    (tmp_path / "corpus.gz.part").write_bytes(BYTES)
    assert fetch(server.address("corpus.gz"), SHA256, tmp_path).read_bytes() == BYTES
    assert names(tmp_path) == ["corpus.gz"]


def test_wrong_bytes_are_refused_and_removed(server, tmp_path):
    with pytest.raises(DownloadError, match=f"SHA-256 {SHA256}, expected {'0' * 64}; the download was removed"):
        fetch(server.address("corpus.gz"), "0" * 64, tmp_path)
    assert names(tmp_path) == []


def test_a_wrong_part_is_removed_so_that_the_next_try_starts_anew(server, tmp_path):
    (tmp_path / "corpus.gz.part").write_bytes(b"x" * 1000)
    with pytest.raises(DownloadError, match="the download was removed"):
        fetch(server.address("corpus.gz"), SHA256, tmp_path)
    assert fetch(server.address("corpus.gz"), SHA256, tmp_path).read_bytes() == BYTES


@pytest.mark.parametrize("chunked", [False, True])
def test_a_connection_that_ends_early_leaves_no_file_under_the_name_and_is_resumed(server, tmp_path, chunked):
    server.breaks_after, server.chunked = 100_000, chunked
    with pytest.raises(DownloadError, match="the partial download is kept"):
        fetch(server.address("corpus.gz"), SHA256, tmp_path)
    assert names(tmp_path) == ["corpus.gz.part"]
    server.breaks_after, server.chunked = None, False
    assert fetch(server.address("corpus.gz"), SHA256, tmp_path).read_bytes() == BYTES
    assert server.ranges[1].removeprefix("bytes=") != "0-"


def test_without_a_network_the_message_says_what_to_do(server, tmp_path):
    url = server.address("corpus.gz").replace(str(server.server_port), "1")  # nobody listens on port 1
    with pytest.raises(DownloadError, match=r"corpus\.gz: not downloaded from .*put the file into .*SEQ2SEQ_DATA"):
        fetch(url, SHA256, tmp_path)
    assert names(tmp_path) == []


def test_an_address_without_a_file_is_named(server, tmp_path):
    with pytest.raises(DownloadError, match=r"missing: not downloaded from .*404"):
        fetch(server.address("missing"), SHA256, tmp_path)


def test_a_folder_that_cannot_be_made_is_a_download_error(server, tmp_path):
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(DownloadError, match="not downloaded"):
        fetch(server.address("corpus.gz"), SHA256, tmp_path / "file")


def test_the_folder_is_the_one_of_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("SEQ2SEQ_DATA", str(tmp_path))
    (tmp_path / "corpus.gz").write_bytes(BYTES)
    assert data_folder() == tmp_path
    assert fetch("http://127.0.0.1:1/corpus.gz", SHA256) == tmp_path / "corpus.gz"


def test_without_the_variable_the_folder_is_in_the_cache_of_the_home(monkeypatch, tmp_path):
    monkeypatch.delenv("SEQ2SEQ_DATA", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert data_folder() == tmp_path / ".cache" / "seq2seq"
