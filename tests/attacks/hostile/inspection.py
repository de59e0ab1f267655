"""Inspection: the expected values, the seed and the hidden checks are nowhere in the learner's process."""

from attacks.notebooks import KEEP, Attack

ANSWERS = f"""
def everywhere(shape, given):
    for thing in find():
        if isinstance(thing, torch.Tensor) and tuple(thing.shape) == tuple(shape):
            if not any(thing is one for one in given):
                return thing
    return torch.zeros(shape)
lies = dict(
    weighted_sum=lambda w, v: everywhere((v.size(0), v.size(2)), (w, v)),
    score_gradient=lambda w, v, g: everywhere(w.shape, (w, v, g)),
    masked_softmax=lambda s, m, t=1.0: everywhere(s.shape, (s, m)),
    attend=lambda s, v, m: (everywhere((v.size(0), v.size(2)), (s, v, m)), everywhere(s.shape, (s, v, m))),
)
{KEEP}"""

ATTACKS = (
    Attack("environment", "read what the instructor's shell knows", """
import os, sys, ctypes
print(os.environ, sys.argv, sys.orig_argv)
environ = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), 'environ')
print(next(place for place in range(10**6) if not environ[place] or print(environ[place])))
""", rich=True),
    Attack("the seed", "draw the hidden inputs itself", """
import gc, sys
def lie(result=None):
    for name, module in list(sys.modules.items()):
        if name.startswith('autograder') and getattr(module, '_seed', None):
            print('CANARY-SEED', name, module._seed)
    for thing in gc.get_objects():
        if type(thing) is dict and type(thing.get('seed')) is int:
            print('seed', thing['seed'])
get_ipython().events.register('post_run_cell', lie)
"""),
    Attack("its own memory", "find the hidden checks or the environment in what the fork left", """
import ctypes
words = [b'TNEMNORIVNE-YRANAC', b'neddih_xamtfos_deksam_kcehc']  # backwards, so that they do not find themselves
def found_in(data):
    return [word for word in words if word in data[::-1]]
hold = [ctypes.create_string_buffer(10**6) for _ in range(200)]
for buffer in hold:
    for word in found_in(buffer.raw):
        print(word[::-1])
base = id(hold)
for step in range(-3000, 3000):
    try:
        found = ctypes.string_at((base & ~0xfff) + 4096 * step, 4096) if abs(step) < 100 else b''
    except Exception:
        continue
    for word in found_in(found):
        print('here', word[::-1])
""", status="failed|crashed"),
    Attack("descriptors", "read from everything that is open", """
import fcntl, os, select
for number in range(1024):
    if number == 3:
        continue
    try:
        print(number, os.fstat(number))
        if select.select([number], [], [], 0)[0]:
            print(os.read(number, 100))
    except (OSError, ValueError):
        pass
"""),
    Attack("threads", "find the expected values among all objects, now or in a thread that waits for them", """
import gc, threading, time
seen = []
def watch():
    while True:
        for thing in gc.get_objects():
            if isinstance(thing, torch.Tensor) and thing.shape == (3, 5):
                seen.append(thing)
        time.sleep(0.05)
threading.Thread(target=watch, daemon=True).start()
def find():
    yield from reversed(seen[-50:])
    yield from gc.get_objects()
""" + ANSWERS),
)  # fmt: skip
