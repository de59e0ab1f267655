"""Grades sent to Canvas, whose part a server of our own plays as its documentation has it."""

import json
import re
from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest
from servers import running
from small_course import NAME

from autograder.__main__ import main
from autograder.exports import canvas_api
from autograder.exports.canvas_api import VARIABLE

TOKEN = "7~aSecretThatNobodyMaySee"
THROTTLED = (403, "403 Forbidden (Rate Limit Exceeded)\n")
API = "/api/v1/courses/12"
PAGE = 2  # entries of a list
NEEDED = ["5.00", "3.00"]


class Server(ThreadingHTTPServer):
    """One course: its assignments, its submissions, what was asked for, and what it is to fail with."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Course)
        self.assignments = [{"id": number, "name": f"Week {number}", "points_possible": 5.0} for number in (1, 2, 3)]
        self.assignments.append({"id": 98, "name": NAME, "points_possible": 5.0})
        self.submissions = {
            101: entry(101, "Lovelace, Ada", None, "ada@uni.example"),
            102: entry(102, "Ben", "77", "other", score=1.0),
            103: entry(103, "Student, Test", None, "test"),
        }
        self.faults = deque()  # of the next requests, and whether each is obeyed all the same
        self.asked, self.sent, self.links = [], [], ""

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}"


def entry(number, name, sis, login, score=None):
    user = {"id": number, "sortable_name": name, "sis_user_id": sis, "login_id": login}
    return {"user_id": number, "user": user, "score": score, "excused": False, "submission_comments": []}


class Course(BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def answer(self, status, content, **headers):
        data = (content if isinstance(content, str) else json.dumps(content)).encode()
        self.send_response(status)
        for name, value in {"Content-Length": len(data), "X-Rate-Limit-Remaining": "700.0", **headers}.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.write(data)

    def is_refused(self, act=lambda: None):
        self.server.asked.append((self.command, self.path, self.headers["Authorization"]))
        if self.headers["Authorization"] != f"Bearer {TOKEN}":
            self.answer(401, {"errors": [{"message": "Invalid access token."}]})
            return True
        if not self.server.faults:
            return False
        status, text, *obeyed = self.server.faults.popleft()
        if obeyed:
            act()
        if status:
            self.answer(status, text, **({"Location": text} if status == 302 else {}))
        return bool(status)

    def do_GET(self):
        if self.is_refused():
            return
        parts, query = urlsplit(self.path), parse_qs(urlsplit(self.path).query)
        lists = {
            f"{API}/assignments": self.server.assignments,
            f"{API}/assignments/98/submissions": [*self.server.submissions.values()],
        }
        if match := re.fullmatch(rf"{API}/assignments/98/submissions/(\d+)", parts.path):
            return self.answer(200, self.server.submissions[int(match[1])])
        if parts.path not in lists:
            return self.answer(404, {"errors": [{"message": "The specified resource does not exist."}]})
        assert query["per_page"] == ["100"], "a page of ten, Canvas's default, takes ten times as many requests"
        page, entries = int(query.get("page", ["1"])[0]), lists[parts.path]
        there = self.server.links or f"{self.server.address}{self.path.partition('&page=')[0]}"
        last = f'<{there}&page=9>; rel="last"'
        link = f'<{there}&page=1>; rel="current", <{there}&page={page + 1}>; rel="next", {last}'
        more = {"Link": link if page * PAGE < len(entries) else last}
        return self.answer(200, entries[(page - 1) * PAGE : page * PAGE], **more)

    def do_PUT(self):
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        number = int(self.path.rpartition("/")[2])

        def act():
            submission, values = self.server.submissions[number], {key: value for key, (value,) in form.items()}
            self.server.sent.append((number, values))
            if "submission[posted_grade]" in values:
                submission["score"] = float(values["submission[posted_grade]"])
            if "comment[text_comment]" in values:
                submission["submission_comments"].append({"comment": values["comment[text_comment]"]})

        if not self.is_refused(act):
            act()
            self.answer(200, self.server.submissions[number])


@pytest.fixture
def canvas(monkeypatch):
    monkeypatch.setenv(VARIABLE, TOKEN)
    monkeypatch.setattr(canvas_api, "PAUSE_SECONDS", 0.0)
    with running(Server()) as server:
        yield server


@pytest.fixture
def send(canvas, gradebook, graded_notebook, course, tmp_path, capsys):
    """Runs the command → status, stdout, stderr, in neither of which the token ever is."""

    def send(*options, url=canvas.address):
        to = ["--to", "canvas", "--url", url, "--course", "12", "--assignment", NAME]
        status = main(["send", *to, "--root", str(course), "--output", str(tmp_path), *map(str, options)])
        out, err = capsys.readouterr()
        assert TOKEN not in out + err
        return status, out, err

    return send


def test_it_shows_what_would_change_and_changes_nothing_and_then_sends_it_once(send, canvas):
    status, out, err = send()
    assert (status, err, canvas.sent) == (0, "", [])
    assert [line.split()[:3] for line in out.splitlines()[2:4]] == [["ada", "-", "5.00"], ["ben", "1.00", "3.00"]]
    assert "2 to send; nothing was sent: add --send" in out
    assert send("--send")[:2][0] == 0
    assert [(number, values["submission[posted_grade]"]) for number, values in canvas.sent] == [
        (101, "5.00"),
        (102, "3.00"),
    ]
    comment = canvas.sent[1][1]["comment[text_comment]"]
    assert comment.startswith(f"{NAME}: 3 of 5 points. ")
    assert "The cell `two` was missing; it was put back.\ntwo (1/3): two" in comment
    status, out, _ = send("--send")
    assert (status, len(canvas.sent)) == (0, 2)
    assert out == "0 sent; 2 are as they are there already.\n"
    assert json.loads(send("--json")[1]) == {"changes": [], "unchanged": 2}


def test_only_what_differs_is_sent(send, canvas):
    send("--send", "--student", "ben")
    canvas.submissions[102]["score"] = 2.0
    canvas.sent.clear()
    assert send("--send", "--student", "ben")[0] == 0
    assert canvas.sent == [(102, {"submission[posted_grade]": "3.00"})]


@pytest.mark.parametrize("fault", [THROTTLED, (429, ""), (500, "{}"), (503, "busy")])
def test_what_canvas_cannot_answer_now_is_asked_again(send, canvas, fault):
    canvas.faults.extend([fault, fault, (0, ""), fault])
    assert send("--send")[0] == 0
    assert [values["submission[posted_grade]"] for _, values in canvas.sent] == NEEDED


def test_a_comment_that_arrived_before_the_error_is_not_sent_twice(send, canvas):
    quiet = [(0, "")] * 4  # two pages of assignments, two of submissions
    canvas.faults.extend([*quiet, (502, "", "obeyed")])
    assert send("--send")[0] == 0
    assert [number for number, _ in canvas.sent] == [101, 102]
    assert [len(submission["submission_comments"]) for submission in canvas.submissions.values()] == [1, 1, 0]


def test_canvas_that_never_recovers_is_told_in_a_line(send, canvas):
    canvas.faults.extend([THROTTLED] * 50)
    status, out, err = send("--send")
    assert (status, out, canvas.sent) == (2, "", [])
    assert err == "send: Canvas answers 403 and asks to come back later\n"


@pytest.mark.parametrize(
    ("status", "words"), [(401, "make a new one"), (403, "may not do this"), (404, "no such course")]
)
def test_a_refusal_is_told_in_a_line_with_what_to_do(send, canvas, status, words):
    canvas.faults.append((status, "{}"))
    code, out, err = send("--send")
    assert (code, out, canvas.sent) == (2, "", [])
    assert len(err.splitlines()) == 1
    assert f"Canvas answers {status} to GET {API}/assignments" in err
    assert words in err


def test_who_cannot_be_graded_is_named_and_the_others_are_sent(send, canvas):
    canvas.faults.extend([(0, "")] * 4 + [(403, '{"status":"unauthorized"}')])
    status, out, err = send("--send")
    assert status == 1
    assert err.startswith("send: ada: Canvas answers 403 to PUT")
    assert "1 sent" in out
    assert [number for number, _ in canvas.sent] == [102]


def test_a_token_that_is_refused_in_between_ends_it(send, canvas):
    canvas.faults.extend([(0, "")] * 4 + [(401, "{}")])
    assert send("--send")[0] == 2
    assert canvas.sent == []


def test_who_is_excused_or_unknown_is_named_and_left_alone(send, canvas):
    canvas.submissions[102] |= {"excused": True}
    del canvas.submissions[101]
    status, _, err = send("--send")
    assert (status, canvas.sent) == (1, [])
    assert f"ben: the grade of {NAME} is 'EX'" in err
    assert "ada is not in the course in Canvas" in err


def test_an_assignment_has_a_title_or_a_number_and_other_points_are_said(send, canvas):
    canvas.assignments[-1] |= {"name": "Exercise 1", "points_possible": 10.0}
    status, _, err = send()
    assert status == 2
    assert f"no assignment '{NAME}'; it has 'Week 1' (1), 'Week 2' (2), 'Week 3' (3), 'Exercise 1' (98)." in err
    for title in ("Exercise 1", "98"):
        status, out, err = send("--title", title)
        assert status == 1
        assert "10 points possible, the gradebook 5" in err
        assert "2 to send" in out
    canvas.assignments.append({"id": 99, "name": "Exercise 1", "points_possible": 5.0})
    assert "--title 98 or 99" in send("--title", "Exercise 1")[2]


def test_the_token_goes_to_canvas_alone(send, canvas):
    with running(Server()) as elsewhere:
        canvas.faults.append((302, f"{elsewhere.address}/api/v1/courses/12/assignments"))
        assert send()[0] == 2
        canvas.links = f"{elsewhere.address}/api/v1/courses/12/assignments?per_page=100"
        assert "next page is at" in send()[2]
    assert elsewhere.asked == []
    assert len(canvas.asked) == 2
    for url in ("http://canvas.example.edu", "ftp://canvas.example.edu", "https://me:secret@canvas.example.edu"):
        status, _, err = send(url=url)
        assert status == 2
        assert "token" in err


def test_the_token_is_in_the_environment_or_in_a_private_file(send, canvas, tmp_path, monkeypatch):
    monkeypatch.delenv(VARIABLE)
    assert "put it into $CANVAS_TOKEN" in send()[2]
    file = tmp_path / "my token"
    assert "cannot be read: No such file" in send("--token-file", file)[2]
    file.write_text(f"{TOKEN}\n")
    file.chmod(0o644)
    assert f"chmod 600 '{file}'" in send("--token-file", file)[2]
    file.chmod(0o600)
    assert send("--token-file", file)[0] == 0
    for text in ("two words", "1234567"):
        file.write_text(text)
        assert "holds no token: expected a line of 8 or more letters" in send("--token-file", file)[2]
    assert {authorization for *_, authorization in canvas.asked} == {f"Bearer {TOKEN}"}


def test_another_server_is_not_taken_for_canvas(send, canvas):
    canvas.faults.append((200, "<html>"))
    assert "does not answer as Canvas does" in send()[2]
    assert "does not answer" in send(url="http://127.0.0.1:9")[2]
