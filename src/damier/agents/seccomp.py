"""Which calls of the system an isolated agent is refused: a filter of seccomp(2), as bytes.

Everything is allowed but what makes memory that no limit counts (memfd, System V, message queues,
keys, shared memory without a file, which stays when it is out of sight), name spaces of its own, in
which there would be more of it, and doors to the kernel that a player of games has no use for. It is
classic BPF (Documentation/userspace-api/seccomp_filter.rst of Linux), each instruction a `struct
sock_filter`: u16 code, u8 and u8 to jump, u32.
"""

from __future__ import annotations

import errno
import platform
import struct
from typing import NamedTuple

LOAD, AND, IF_EQUAL, IF_ANY, IF_AT_LEAST, RETURN = 0x20, 0x54, 0x15, 0x45, 0x35, 0x06
NUMBER, ARCHITECTURE, FIRST_ARGUMENT, FOURTH_ARGUMENT = 0, 4, 16, 40
"""Places in struct seccomp_data, its words little-endian."""
ALLOW, KILL, FAIL_WITH = 0x7FFF0000, 0x80000000, 0x00050000
NEW_NAMESPACES = 0x7E020000
"""The flags of clone(2) that begin with CLONE_NEW."""
KIND_OF_MAPPING, SHARED_WITHOUT_FILE = 0x2F, 0x21
"""Of the flags of mmap(2): MAP_TYPE and MAP_ANONYMOUS; MAP_SHARED and MAP_ANONYMOUS."""
X32 = 0x40000000
"""From here on, numbers on x86-64 are those of its other binary interface."""


class Architecture(NamedTuple):
    """An architecture: its number (linux/audit.h), and the numbers of its calls."""

    audit: int
    clone: int
    clone3: int
    mmap: int
    refused: tuple[int, ...]


SINCE_5 = (*range(425, 434), 442, 447)
"""io_uring_*, open_tree, move_mount, fs*, mount_setattr, memfd_secret: the same number everywhere."""

MACHINES = {
    "x86_64": Architecture(
        0xC000003E,
        56,
        435,
        9,
        (
            *(319, 29, 68, 64, 240),  # memfd_create shmget msgget semget mq_open
            *(248, 249, 250),  # add_key request_key keyctl
            *(272, 308, 165, 166, 155, 161),  # unshare setns mount umount2 pivot_root chroot
            *(101, 310, 311),  # ptrace process_vm_readv process_vm_writev
            *(321, 298, 323),  # bpf perf_event_open userfaultfd
            *SINCE_5,
        ),
    ),
    "aarch64": Architecture(
        0xC00000B7,
        220,
        435,
        222,
        (
            *(279, 194, 186, 190, 180),
            *(217, 218, 219),
            *(97, 268, 40, 39, 41, 51),
            *(117, 270, 271),
            *(280, 241, 282),
            *SINCE_5,
        ),
    ),
}


def known_machine() -> bool:
    """Whether there is a filter for this machine."""
    return platform.machine() in MACHINES


def seccomp_filter() -> bytes:
    """The filter for this machine, as `bwrap --seccomp` reads it."""
    machine = MACHINES[platform.machine()]
    program = [
        _do(LOAD, ARCHITECTURE),
        _do(IF_EQUAL, machine.audit, 1, 0),
        _do(RETURN, KILL),
        _do(LOAD, NUMBER),
        *_refuse(IF_AT_LEAST, X32, errno.ENOSYS),
        *_refuse(IF_EQUAL, machine.clone3, errno.ENOSYS),  # its flags are out of sight: clone is used then
    ]
    for number in machine.refused:
        program += _refuse(IF_EQUAL, number, errno.EPERM)
    program += [
        _do(IF_EQUAL, machine.mmap, 0, 5),
        _do(LOAD, FOURTH_ARGUMENT),
        _do(AND, KIND_OF_MAPPING),
        *_refuse(IF_EQUAL, SHARED_WITHOUT_FILE, errno.EPERM),
        _do(RETURN, ALLOW),
        _do(IF_EQUAL, machine.clone, 1, 0),
        _do(RETURN, ALLOW),
        _do(LOAD, FIRST_ARGUMENT),
        *_refuse(IF_ANY, NEW_NAMESPACES, errno.EPERM),
        _do(RETURN, ALLOW),
    ]
    return b"".join(program)


def _refuse(condition: int, value: int, number: int) -> tuple[bytes, bytes]:
    """Where the condition holds, the call fails with that error."""
    return _do(condition, value, 0, 1), _do(RETURN, FAIL_WITH | number)


def _do(code: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_so, if_not, value)
