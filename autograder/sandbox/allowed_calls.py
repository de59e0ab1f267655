"""The system calls that a submission may make: name → number on x86_64, on aarch64 (None: it has another for that).

The list was made from traces of torch, numpy, matplotlib, IPython, data loaders, SQLite, a shell and solved notebooks,
and completed by what the same purposes need in other versions of the C library, as in systemd's @system-service and in
docker's list. What is not here is answered as by a kernel that lacks it, so that a call which a new kernel brings is
closed until somebody has thought about it.
"""

Calls = dict[str, tuple[int | None, int | None]]

# Memory of the process itself, which its limits count. mmap only in part: see the rules in syscalls.py.
MEMORY: Calls = {
    "brk": (12, 214), "mmap": (9, 222), "munmap": (11, 215), "mremap": (25, 216), "mprotect": (10, 226),
    "madvise": (28, 233), "msync": (26, 227), "mincore": (27, 232), "mlock": (149, 228), "mlock2": (325, 284),
    "munlock": (150, 229), "membarrier": (324, 283),
}  # fmt: skip

# Files: a box has read-only ones, and a /tmp with a quota.
FILES: Calls = {
    "open": (2, None), "openat": (257, 56), "openat2": (437, 437), "creat": (85, None), "close": (3, 57),
    "close_range": (436, 436), "read": (0, 63), "write": (1, 64), "readv": (19, 65), "writev": (20, 66),
    "pread64": (17, 67), "pwrite64": (18, 68), "preadv": (295, 69), "pwritev": (296, 70), "preadv2": (327, 286),
    "pwritev2": (328, 287), "lseek": (8, 62), "stat": (4, None), "fstat": (5, 80), "lstat": (6, None),
    "newfstatat": (262, 79), "statx": (332, 291), "access": (21, None), "faccessat": (269, 48),
    "faccessat2": (439, 439), "getdents": (78, None), "getdents64": (217, 61), "readlink": (89, None),
    "readlinkat": (267, 78), "getcwd": (79, 17), "chdir": (80, 49), "fchdir": (81, 50), "link": (86, None),
    "linkat": (265, 37), "symlink": (88, None), "symlinkat": (266, 36), "unlink": (87, None), "unlinkat": (263, 35),
    "rename": (82, None), "renameat": (264, 38), "renameat2": (316, 276), "mkdir": (83, None), "mkdirat": (258, 34),
    "rmdir": (84, None), "mknod": (133, None), "mknodat": (259, 33), "chmod": (90, None), "fchmod": (91, 52),
    "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, None), "fchown": (93, 55), "lchown": (94, None),
    "fchownat": (260, 54), "umask": (95, 166), "truncate": (76, 45), "ftruncate": (77, 46), "fallocate": (285, 47),
    "fsync": (74, 82), "fdatasync": (75, 83), "utime": (132, None), "utimes": (235, None), "futimesat": (261, None),
    "utimensat": (280, 88), "statfs": (137, 43), "fstatfs": (138, 44), "getxattr": (191, 8), "lgetxattr": (192, 9),
    "fgetxattr": (193, 10), "listxattr": (194, 11), "llistxattr": (195, 12), "flistxattr": (196, 13),
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "removexattr": (197, 14),
    "lremovexattr": (198, 15), "fremovexattr": (199, 16), "fadvise64": (221, 223), "sendfile": (40, 71),
    "copy_file_range": (326, 285), "splice": (275, 76),
}  # fmt: skip

# What programs do with open files, and how event loops wait for them. fcntl only in part.
DESCRIPTORS: Calls = {
    "dup": (32, 23), "dup2": (33, None), "dup3": (292, 24), "fcntl": (72, 25), "ioctl": (16, 29), "pipe": (22, None),
    "pipe2": (293, 59), "poll": (7, None), "ppoll": (271, 73), "select": (23, None), "pselect6": (270, 72),
    "epoll_create": (213, None), "epoll_create1": (291, 20), "epoll_ctl": (233, 21), "epoll_wait": (232, None),
    "epoll_pwait": (281, 22), "epoll_pwait2": (441, 441), "eventfd": (284, None), "eventfd2": (290, 19),
    "signalfd": (282, None), "signalfd4": (289, 74), "timerfd_create": (283, 85), "timerfd_settime": (286, 86),
    "timerfd_gettime": (287, 87),
}  # fmt: skip

# Processes and threads, of which the supervisor counts every one. capset can only give up; clone, prctl only in part.
PROCESSES: Calls = {
    "clone": (56, 220), "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281),
    "exit": (60, 93), "exit_group": (231, 94), "wait4": (61, 260), "waitid": (247, 95), "kill": (62, 129),
    "tkill": (200, 130), "tgkill": (234, 131), "getpid": (39, 172), "getppid": (110, 173), "gettid": (186, 178),
    "getpgrp": (111, None), "getpgid": (121, 155), "setpgid": (109, 154), "getsid": (124, 156), "getuid": (102, 174),
    "geteuid": (107, 175), "getgid": (104, 176), "getegid": (108, 177), "getresuid": (118, 148),
    "getresgid": (120, 150), "getgroups": (115, 158), "capget": (125, 90), "capset": (126, 91), "prctl": (157, 167),
    "arch_prctl": (158, None), "set_tid_address": (218, 96), "set_robust_list": (273, 99),
    "get_robust_list": (274, 100), "futex": (202, 98), "rseq": (334, 293), "restart_syscall": (219, 128),
}  # fmt: skip

# Signals reach nobody but the submission itself. rt_sigaction only in part.
SIGNALS: Calls = {
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigpending": (127, 136), "rt_sigsuspend": (130, 133),
    "rt_sigtimedwait": (128, 137), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
    "rt_sigreturn": (15, 139), "sigaltstack": (131, 132), "pause": (34, None), "alarm": (37, None),
    "setitimer": (38, 103), "getitimer": (36, 102),
}  # fmt: skip

# Reading and waiting for clocks, none of which can be set.
TIME: Calls = {
    "time": (201, None), "gettimeofday": (96, 169), "clock_gettime": (228, 113), "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115), "nanosleep": (35, 101), "timer_create": (222, 107), "timer_settime": (223, 110),
    "timer_gettime": (224, 108), "timer_getoverrun": (225, 109), "timer_delete": (226, 111),
}  # fmt: skip

# What runtimes ask their machine for to choose numbers of threads and sizes. Priorities can only be lowered.
MACHINE: Calls = {
    "uname": (63, 160), "sysinfo": (99, 179), "getrandom": (318, 278), "getcpu": (309, 168), "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123), "sched_setaffinity": (203, 122), "sched_getscheduler": (145, 120),
    "sched_getparam": (143, 121), "sched_get_priority_max": (146, 125), "sched_get_priority_min": (147, 126),
    "getpriority": (140, 141), "setpriority": (141, 140), "getrlimit": (97, 163), "setrlimit": (160, 164),
    "prlimit64": (302, 261), "getrusage": (98, 165), "times": (100, 153),
}  # fmt: skip

# Sockets, in a network of the submission's own that leads nowhere. socket, socketpair and setsockopt only in part.
SOCKETS: Calls = {
    "socket": (41, 198), "socketpair": (53, 199), "bind": (49, 200), "connect": (42, 203), "listen": (50, 201),
    "accept": (43, 202), "accept4": (288, 242), "getsockname": (51, 204), "getpeername": (52, 205),
    "sendto": (44, 206), "recvfrom": (45, 207), "sendmsg": (46, 211), "recvmsg": (47, 212), "sendmmsg": (307, 269),
    "recvmmsg": (299, 243), "setsockopt": (54, 208), "getsockopt": (55, 209), "shutdown": (48, 210),
}  # fmt: skip

ALLOWED: Calls = MEMORY | FILES | DESCRIPTORS | PROCESSES | SIGNALS | TIME | MACHINE | SOCKETS

# Reported as done: honest code goes on, and nobody else waits for the disk or for a lock, or gets less of a processor.
PRETENDED: Calls = {"flock": (73, 32), "sync": (162, 81), "syncfs": (306, 267), "setsid": (112, 157)}
