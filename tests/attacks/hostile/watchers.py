"""What all submissions share of the machine: none notices another by it, or holds it up."""

from attacks.attack import Attack

LIBC = """
import ctypes, fcntl, json, os, socket, time
libc = ctypes.CDLL(None, use_errno=True)
files = [json.__file__, torch.__file__, os.__file__, '/dev/null', '/tmp']
"""

ATTACKS = (
    Attack("leases", "have whoever opens a library wait for 45 seconds", LIBC + """
held = []
for path in files:
    for kind in (fcntl.F_WRLCK, fcntl.F_RDLCK):
        try:
            held.append(os.open(path, os.O_RDONLY))
            fcntl.fcntl(held[-1], fcntl.F_SETLEASE, kind)
            print('CANARY-LEASE', path)
        except OSError as error:
            print(error)
""", rich=True),
    Attack("a word by a lock", "talk to the submission beside by locks on the machine's files", LIBC + """
held = []
for path in files:
    held.append(open(path, 'r+b') if path == '/dev/null' else os.open(path, os.O_RDONLY))
    for take in (lambda: fcntl.flock(held[-1], fcntl.LOCK_EX | fcntl.LOCK_NB),
                 lambda: fcntl.lockf(held[-1], fcntl.LOCK_SH | fcntl.LOCK_NB, 1, 4711)):
        try:
            take()
        except OSError as error:
            print('CANARY-TAKEN' if error.errno == 11 else error)
    try:
        fcntl.fcntl(held[-1], fcntl.F_GETLK, bytes(32))
        print('CANARY-ASKED')
    except OSError as error:
        print(error)
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
    Attack("watched folders", "be told which programs and files others use", LIBC + """
for path in files:
    try:
        fcntl.fcntl(os.open(path, os.O_RDONLY), fcntl.F_NOTIFY, fcntl.DN_ACCESS)
        print('CANARY-WATCH', path)
    except OSError as error:
        print(error)
for make in (libc.inotify_init, lambda: libc.inotify_init1(0), lambda: libc.fanotify_init(0x200, 0)):
    if make() != -1:
        print('CANARY-WATCH')
""", rich=True),
    Attack("other families", "talk past the network namespace", LIBC + """
for family in range(3, 64):
    for kind in (1, 2, 3, 5):
        if family != 16:
            try:
                socket.socket(family, kind)
                print('CANARY-FAMILY', family)
            except OSError:
                pass
try:
    listener = socket.socket(40, 1)
    listener.bind((2**32 - 1, 4711))
    listener.listen()
    print('CANARY-VSOCK')
except (OSError, ValueError) as error:
    print(error)
"""),
    Attack("mounts of the machine", "read the paths of the machine", LIBC + """
asked = (ctypes.c_uint64 * 3)(24, 2**64 - 1, 0)
for number in (457, 458):
    if libc.syscall(number, asked, ctypes.create_string_buffer(4096), 100, 0) > 0:
        print('CANARY-MOUNTS')
"""),
    Attack("a shared terminal", "talk to the submission beside by a terminal", LIBC + """
try:
    print('CANARY-TERMINAL', os.ttyname(os.openpty()[1]))
except OSError as error:
    print(error)
print(*('CANARY-TERMINAL' for name in os.listdir('/dev/pts') if name.isdigit()))
"""),
    Attack("cold files", "have others read from the disk again, and wait for it", LIBC + """
end = time.monotonic() + 1
while time.monotonic() < end:
    for path in files[:3]:
        file = os.open(path, os.O_RDONLY)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(file)
    os.sync()
""", rich=True),
)  # fmt: skip
