"""Which calls of the system an isolated agent is refused: a filter of seccomp(2), as bytes.

Everything is allowed but what makes memory that no limit counts, be it of programs (memfd, System V,
shared memory without a file, which stays when it is out of sight) or of the kernel (locks, watches,
rules, attributes, files on their way through a socket, what a pipe holds beyond its 64 KiB), what leaves
the session whose weight the lab has set, name spaces of its own, in which there would be more of all
that, and doors to the kernel that a player of games has no use for. It is classic BPF
(Documentation/userspace-api/seccomp_filter.rst of Linux), each instruction a `struct sock_filter`:
u16 code, u8 and u8 to jump, u32.
"""

from __future__ import annotations

import errno
import platform
import struct
from typing import NamedTuple

LOAD, AND, IF_EQUAL, IF_ANY, IF_AT_LEAST, RETURN = 0x20, 0x54, 0x15, 0x45, 0x35, 0x06
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
"""Places in struct seccomp_data, its words little-endian; an argument has 8 bytes."""
ALLOW, KILL, FAIL_WITH = 0x7FFF0000, 0x80000000, 0x00050000
NEW_NAMESPACES = 0x7E020000
"""The flags of clone(2) that begin with CLONE_NEW."""
KIND_OF_MAPPING, SHARED_WITHOUT_FILE = 0x2F, 0x21
"""Of the flags of mmap(2): MAP_TYPE and MAP_ANONYMOUS; MAP_SHARED and MAP_ANONYMOUS."""
UNCOUNTED_MAPPING = 0x40100
"""MAP_GROWSDOWN, which RLIMIT_DATA takes for a stack; MAP_HUGETLB, which is the machine's."""
X32 = 0x40000000
"""From here on, numbers on x86-64 are those of its other binary interface."""


class Architecture(NamedTuple):
    """An architecture: its number (linux/audit.h), and its place in the tables of calls."""

    audit: int
    place: int


class RefusedValues(NamedTuple):
    """A call that is refused by the value of one of its arguments."""

    numbers: tuple[int, int]
    argument: int
    values: tuple[int, ...]


MACHINES = {"x86_64": Architecture(0xC000003E, 0), "aarch64": Architecture(0xC00000B7, 1)}
CLONE, CLONE3, MMAP, SOCKETPAIR = (56, 220), (435, 435), (9, 222), (53, 199)
LOCAL = 1
"""AF_UNIX. Pairs of such sockets are pipes that go both ways: Java opens no file without one, asyncio
does not begin. `watch.py` counts them.
"""

REFUSED = {
    # memory of programs
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    # memory of the kernel
    "socket": (41, 198),
    "sendmsg": (46, 211),  # it may send files, which stay open on their way
    "sendmmsg": (307, 269),
    "setsockopt": (54, 208),  # it may ask for a larger buffer
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "flock": (73, 32),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "fanotify_init": (300, 262),
    "io_setup": (206, 0),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "seccomp": (317, 277),
    "landlock_create_ruleset": (444, 444),
    "landlock_add_rule": (445, 445),
    "landlock_restrict_self": (446, 446),
    "mbind": (237, 235),
    "set_mempolicy": (238, 237),
    "set_mempolicy_home_node": (450, 450),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    # a session of its own, which Linux may weigh by itself (sched(7), autogroup)
    "setsid": (112, 157),
    # name spaces, and what is seen of the disk
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "open_tree_attr": (467, 467),
    # other processes, and the kernel
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
}
"""Calls that fail with EPERM, by name: their numbers on x86-64 and on aarch64."""
PAGES_INTO_PIPES = {"sendfile": (40, 71), "splice": (275, 76), "tee": (276, 77), "vmsplice": (278, 75)}
"""Calls that fail with EINVAL, upon which programs read and write instead: a pipe would hold pages of
2 MiB by a byte of each.
"""
BY_VALUE = (
    # fcntl: F_SETLK F_SETLKW F_OFD_SETLK F_OFD_SETLKW F_SETLEASE F_NOTIFY F_SETPIPE_SZ
    RefusedValues((72, 25), 1, (6, 7, 37, 38, 1024, 1026, 1031)),
    RefusedValues((157, 167), 0, (22, 78)),  # prctl: PR_SET_SECCOMP PR_FUTEX_HASH
    RefusedValues((16, 29), 1, (0x5412, 0x541C)),  # ioctl: TIOCSTI TIOCLINUX
)
"""Calls that fail with EPERM for some values only."""


def known_machine() -> bool:
    """Whether there is a filter for this machine."""
    return platform.machine() in MACHINES


def seccomp_filter() -> bytes:
    """The filter for this machine, as `bwrap --seccomp` reads it."""
    machine = MACHINES[platform.machine()]
    here = machine.place
    program = [
        _do(LOAD, ARCHITECTURE),
        _do(IF_EQUAL, machine.audit, 1, 0),
        _do(RETURN, KILL),
        _do(LOAD, NUMBER),
        *_refuse(IF_AT_LEAST, X32, errno.ENOSYS),
        *_refuse(IF_EQUAL, CLONE3[here], errno.ENOSYS),  # its flags are out of sight: clone is used then
    ]
    for calls, error in ((REFUSED, errno.EPERM), (PAGES_INTO_PIPES, errno.EINVAL)):
        for numbers in calls.values():
            if (number := numbers[here]) is not None:
                program += _refuse(IF_EQUAL, number, error)
    for call in BY_VALUE:
        values = [one for value in call.values for one in _refuse(IF_EQUAL, value)]
        program += _of_call(call.numbers[here], call.argument, values)
    shared = [_do(AND, KIND_OF_MAPPING), *_refuse(IF_EQUAL, SHARED_WITHOUT_FILE)]
    program += _of_call(MMAP[here], 3, [*_refuse(IF_ANY, UNCOUNTED_MAPPING), *shared])
    program += _of_call(CLONE[here], 0, [*_refuse(IF_ANY, NEW_NAMESPACES)])
    local_only = [_do(IF_EQUAL, LOCAL, 1), _do(RETURN, FAIL_WITH | errno.EPERM)]
    program += _of_call(SOCKETPAIR[here], 0, local_only)
    return b"".join([*program, _do(RETURN, ALLOW)])


def _of_call(number: int, argument: int, refused: list[bytes]) -> list[bytes]:
    """What is refused of a call by the lower half of one of its arguments; the rest of it is allowed."""
    body = [_do(LOAD, ARGUMENTS + 8 * argument), *refused, _do(RETURN, ALLOW)]
    return [_do(IF_EQUAL, number, 0, len(body)), *body]


def _refuse(condition: int, value: int, number: int = errno.EPERM) -> tuple[bytes, bytes]:
    """Where the condition holds, the call fails with that error."""
    return _do(condition, value, 0, 1), _do(RETURN, FAIL_WITH | number)


def _do(code: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_so, if_not, value)
