import pytest

from autograder.__main__ import main
from autograder.commands.progress import Bar


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--workers", "0"], "--workers is 0, expected 1 or more."),
        (["--scheduler", "10.0.0.7"], "--scheduler is '10.0.0.7', expected tcp://HOST:PORT or tls://HOST:PORT."),
        (["--scheduler", "tcp://h:1", "--workers", "2"], "leave it out with --scheduler"),
        (["--tls-cert", "cert.pem"], "the --tls options need --scheduler tls://HOST:PORT."),
        (["--scheduler", "tcp://h:1", "--tls-cert", "cert.pem"], "the --tls files are for a scheduler at tls://"),
        (["--scheduler", "tls://h:1"], "needs --tls-ca-file, --tls-cert and --tls-key."),
    ],
)
def test_options_that_do_not_go_together_are_one_line_and_status_2(options, message, tmp_path, capsys):
    assert main(["grade", str(tmp_path), *options]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert len(err.splitlines()) == 1


def test_progress_says_how_many_are_done_and_how_long_the_rest_will_take(capsys):
    bar = Bar()
    bar.step("judging", 3, 10)
    bar.bar.start_t -= 8  # eight seconds ago
    bar.bar.mininterval = 0
    bar.step("judging", 7, 10)
    bar.close()
    last = capsys.readouterr().err.splitlines()[-1].split("\r")[-1]
    assert "7/10" in last
    assert "0.50/s" in last  # those that were done before do not count
    assert "00:06 left" in last or "00:05 left" in last
