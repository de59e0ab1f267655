"""Forged messages: descriptor 3 is the wire, and the learner may write on it what it likes."""

from attacks.notebooks import KEEP, Attack

WIRE = """
import json, os, struct, sys, threading, time
def raw(header, body=b''):
    return struct.pack('<II', len(header), len(body)) + header + body
def frame(tree, sizes=(), body=b''):
    return raw(json.dumps([tree, list(sizes)]).encode(), body)
def write(data):
    try:
        os.write(3, data)
    except OSError:
        pass
def instead(make):
    '''Every reply of the process becomes what `make` gives.'''
    wire = sys.modules.get('autograder.sandbox.wire')
    if wire:
        wire.Wire.send = lambda self, value, deadline=None, more=False: write(make(value))
def whole(value):
    buffers = []
    tree = sys.modules['autograder.sandbox.wire'].encode(value, buffers)
    return frame(tree, map(len, buffers), b''.join(buffers))
def d(**parts):
    return ['dict', [[['text', key], value] for key, value in parts.items()]]
def reply(value, changed=()):
    return d(result=value, changed=['list', list(changed)], callable=['bool', False], outputs=['list', []],
             error=['none'])
def array(dtype, shape, sizes=(), body=b''):
    return frame(reply(['array', dtype, shape, 0]), sizes, body)
def switch(part, change):
    '''A part of each reply that has it becomes what `change` makes of it.'''
    has = lambda value: type(value) is dict and part in value
    instead(lambda value: whole(value | {part: change(value[part])} if has(value) else value))
"""


def forged(name: str, wants: str, source: str, points: float = 0, status: str = "tampered") -> Attack:
    return Attack(name, wants, WIRE + source, points=points, status=status)


def instead(name: str, wants: str, message: str, points: float = 0, status: str = "tampered") -> Attack:
    """Every reply is this message, in place of a ``value``."""
    return forged(name, wants, f"instead(lambda value: {message})", points, status)


ATTACKS = (
    forged("a verdict seen", "be the judge", "switch('seen', lambda seen: [('verdict', 'passed', True, '')])"),
    instead("a forged array header", "read past a buffer", "array('float32', [2, 5], [8], b'12345678')"),
    forged("garbage", "confuse the grader", "write(os.urandom(10_000))"),
    forged("replies ahead of time", "answer before it is asked", "write(frame(reply(['bool', True])) * 1000)",
           0, "failed"),
    forged("a header of 4 GB", "make the grader reserve memory", "write(struct.pack('<II', 2**32 - 1, 0))"),
    forged("a body of 1 GB", "make the grader reserve memory", "write(struct.pack('<II', 10, 2**30))"),
    forged("a promise not kept", "make the grader wait", """
write(struct.pack('<II', 1000, 10_000) + b'[')
time.sleep(100)
""", 2, "timeout"),
    forged("a slow drip", "hold up the grader byte by byte", """
for byte in frame(reply(['text', 'x' * 10**6])):
    write(bytes([byte]))
    time.sleep(0.05)
""", 2, "timeout"),
    instead("a huge shape", "make the grader reserve memory", "array('float32', [2**40, 2**40], [0])"),
    instead("an empty huge shape", "overflow the strides of an array without elements",
            "array('float32', [0, 2**26, 2**26, 2**26, 2**26], [0])"),
    instead("negative sizes", "overflow a product of sizes", "array('float32', [-2, -5], [40], b'x' * 40)"),
    instead("one buffer, many arrays", "make the grader copy one buffer a thousand times",
            "frame(reply(['list', [['array', 'uint8', [2**20], 0]] * 10**5]), [2**20], b'x' * 2**20)"),
    forged("deep values", "overflow the grader's stack by values", """
tree = ['none']
for _ in range(200):
    tree = ['list', [tree]]
instead(lambda value: frame(reply(tree)))
"""),
    instead("a number of a million digits", "make the grader read one number for hours",
            "raw(b'[[\"int\", ' + b'9' * 10**6 + b'], []]')"),
    instead("unknown tags", "have the grader build an object of its choice",
            "frame(['pickle', 'cos\\nsystem\\n(S\\'touch /tmp/owned\\'\\ntR.'])"),
    instead("names of the grader's", "have the grader look up a name", "frame(reply(['name', '__builtins__']))"),
    instead("objects that never were", "have the grader hold handles of any kind",
            "frame(reply(['handle', -1, '\\x1b[2J<script>' + 'x' * 10**6]))"),
    instead("a key that is no key", "break the dictionaries of the grader",
            "frame(['dict', [[['list', []], ['none']]]])"),
    instead("NaN payload", "slip odd bits into a comparison",
            "array('float32', [2, 3], [24], b'\\xff' * 24)", status="failed"),
    instead("odd truth values", "bytes that are neither true nor false",
            "array('bool', [2, 5], [10], bytes(range(100, 110)))", status="failed"),
    forged("wrong gradients", "give gradients without end", """
switch('seen', lambda seen: [(*one[:2], [one[2]] * 100, one[3]) if one[0] == 'gradient' else one for one in seen])
"""),
    forged("a change of what was never sent", "write where it may not",
           "switch('changed', lambda changed: [[number, torch.zeros(2, 5)] for number in range(-50, 50)])", 2,
           "failed"),
    forged("nothing seen", "say that there is nothing to compare", "switch('seen', lambda seen: [])", status="failed"),
    forged("seen a thousand times", "have more compared than there is", "switch('seen', lambda seen: seen * 1000)"),
    forged("an error in place of each reply", "make the grader itself fail", """
raised = d(kind=['text', 'NameError'], detail=['text', 'x' * 10**6], line=['text', '\\x1b[2J'])
instead(lambda value: frame(d(raised=raised)) if type(value) is dict else frame(['none']))
""", status="failed"),
    instead("no dictionary", "make the grader itself fail", "frame(['list', []])"),
    instead("a reply without its parts", "make the grader itself fail", "frame(['dict', []])", 0, "failed"),
    instead("silence", "make the grader wait", "b''", 2, "timeout"),
    forged("the wire cut", "make the grader itself fail", "os.close(3)", 2, "crashed"),
    forged("the wire to another", "have a child answer while the parent ends", """
import ctypes
ctypes.CDLL(None).prctl(15, b'attack-daemon', 0, 0, 0)
if os.fork():
    os._exit(0)
time.sleep(1)
""", 2, "crashed"),
    forged("two speakers", "write on the wire from a thread while the grader asks", """
def shout():
    while True:
        write(bytes([255] * 16))
        time.sleep(0.001)
threading.Thread(target=shout, daemon=True).start()
""", 0, "tampered"),
    forged("gigabytes in parts", "make the grader take in gigabytes, each message just small enough", """
big = torch.zeros(15 * 2**20)
lies = dict(masked_softmax=lambda *a: big, weighted_sum=lambda *a: big, attend=lambda *a: (big, big[:10]),
            score_gradient=lambda *a: big)
""" + KEEP, 2, "failed"),
)  # fmt: skip
