"""Agents that want out, or all that there is: they lose, every match ends, and nothing stays of them.

Each program here says by its exit what it got at: `sys.exit(str(found))`.
"""

from __future__ import annotations

import os
import platform
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from at_work import wait_until
from foreign import FIRST, QUICK, answering, foreign, limited, pipes, played, reason, sandboxed
from lasting import later

import damier
from damier import load
from damier.agents import channel as agent_channel, isolation
from damier.agents.isolation import (
    BWRAP_PROCESSES,
    BYTES_A_FILE,
    FILES_OPEN,
    MEBIBYTE,
    SIGNALS,
    STACK,
    AgentLimits,
    launch,
    read_command,
)
from damier.agents.process import IN_A_ROW, ONE_IN, SPARE, ProcessPlayer

pytestmark = sandboxed

SECRET = "a secret of the house"
HANGS = "it took more than its 0.3 s for a move"

HOSTILE = {
    "fork bomb": """
while True:
    with contextlib.suppress(OSError): os.fork()
""",
    "forks that sleep": """
while True:
    try:
        if os.fork() == 0: time.sleep(600)
    except OSError:
        time.sleep(600)
""",
    "threads": """
import threading
while True:
    with contextlib.suppress(RuntimeError): threading.Thread(target=time.sleep, args=(600,)).start()
""",
    "memory bomb": """
held = []
while True: held.append(bytearray(1 << 22))
""",
    "memory bomb in pieces": """
for _n in range(8):
    if os.fork() == 0: break
held = []
while sum(map(len, held)) < 60 << 20: held.append(bytearray(b"x" * (1 << 20)))
time.sleep(600)
""",
    "endless loop": """
while True: pass
""",
    "disk filler": """
wrote = 0
for place in ("/tmp/a", "/tmp/b", "/a", "/agent/a", "/dev/a", "/dev/shm/a", "/usr/a", "/var/tmp/a"):
    with contextlib.suppress(OSError), open(place, "wb", buffering=0) as file:
        while True: wrote += file.write(bytes(1 << 20))
sys.exit("too much" if wrote > 16 << 20 else "bounded")
""",
    "a gigabyte on standard output": """
for _n in range(1 << 10): os.write(1, bytes(1 << 20))
""",
    "a gigabyte of lines": """
for _n in range(1 << 10): os.write(1, b"{}\\n" * (1 << 18))
""",
    "a gigabyte on standard error": """
for _n in range(1 << 10): os.write(2, bytes(1 << 20))
""",
    "sockets out": """
found = []
for family, place in (
    (socket.AF_INET, ("127.0.0.1", PORT)),
    (socket.AF_INET, ("192.0.2.1", 80)),
    (socket.AF_INET6, ("::1", PORT)),
    (socket.AF_UNIX, UNIX),
    (socket.AF_UNIX, "\\0" + UNIX),
):
    with contextlib.suppress(OSError), socket.socket(family) as out:
        out.settimeout(0.1)
        out.connect(place)
        found.append(place)
sys.exit(str(found))
""",
    "reading what is another's": """
found = []
for place in (
    *(NEIGHBOUR, STORE, HOME, "/etc/passwd", "/etc/shadow", "/proc/1/environ", "/proc/1/root/home"),
    *("/proc/kcore", f"/proc/{LAB}/environ", f"/proc/{LAB}/mem", "/sys", "/var", "/home"),
):
    with contextlib.suppress(OSError):
        found.append((place, os.listdir(place) if os.path.isdir(place) else open(place, "rb").read(10)))
sys.exit(str([(place, what) for place, what in found if what]))
""",
    "writing where it may not": """
found = []
for place in (
    *(__file__, sys.executable, HOUSE + "/__init__.py", HOUSE + "/new.py", sys.prefix + "/x", "/usr/x", "/x"),
    *("/dev/x", "/agent/x", "/proc/sys/kernel/hostname", "/proc/sysrq-trigger"),
):
    with contextlib.suppress(OSError):
        os.chmod(os.path.dirname(place), 0o777)
        found.append(place)
    with contextlib.suppress(OSError), open(place, "ab") as file:
        found.append(place)
sys.exit(str(found))
""",
    "killing its parent": """
for number in (os.getppid(), 1, LAB, -1):
    with contextlib.suppress(OSError): os.kill(number, signal.SIGKILL)
""",
    "ignoring every signal": """
for number in signal.valid_signals():
    with contextlib.suppress(OSError): signal.signal(number, signal.SIG_IGN)
while True:
    with contextlib.suppress(BaseException): time.sleep(600)
""",
    "stopping itself": """
os.kill(os.getpid(), signal.SIGSTOP)
""",
    "a daemon that stays": """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in (0, 1, 2): os.close(number)
        time.sleep(600)
    os._exit(0)
os.wait()
""",
    "closing its streams": """
for number in (0, 1, 2): os.close(number)
time.sleep(600)
""",
    "answers of a whole game at once": """
for number in range(9): print(json.dumps({"move": str(number)}), flush=True)
""",
    "deep JSON": """
print("[" * 30_000 + "]" * 30_000, flush=True)
""",
    "a number of a million digits": """
print("9" * 60_000, flush=True)
""",
    "patching damier": """
import damier.core.game
damier.core.game.Game.legal = lambda self, s: [1]
damier.core.game.Game.over = True
print(json.dumps({"move": "b2b3"}), flush=True)
""",
    "symbolic links out": """
found = []
for number, place in enumerate((NEIGHBOUR, STORE, "/etc/passwd", "/home")):
    link = f"/tmp/{number}"
    os.symlink(place, link)
    with contextlib.suppress(OSError):
        found.append((link, os.listdir(link) if os.path.isdir(link) else open(link, "rb").read(10)))
    with contextlib.suppress(OSError), open(link, "ab") as file: found.append(link)
sys.exit(str(found))
""",
    "rooms of its own in the kernel": """
import ctypes, mmap
libc, found = ctypes.CDLL(None, use_errno=True), []
calls = {
    "memfd_create": (b"x", 0),
    "shmget": (0, 1 << 20, 0o1600),
    "msgget": (0, 0o1600),
    "unshare": (0x10000000,),
    "mount": (b"x", b"/tmp", b"tmpfs", 0, None),
    "ptrace": (0, 0, 0, 0),
    "setuid": (0,),
    "chroot": (b"/tmp",),
    "sethostname": (b"x", 1),
    "reboot": (0x01234567,),
}
for name, values in calls.items():
    if getattr(libc, name)(*values) >= 0: found.append(name)
with contextlib.suppress(OSError, ValueError): found.append(mmap.mmap(-1, 1 << 20))
with contextlib.suppress(OSError, ValueError): found.append(open("/dev/zero"))
import resource
for kind in (resource.RLIMIT_NPROC, resource.RLIMIT_DATA, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE):
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(kind, (resource.RLIM_INFINITY,) * 2)
        found.append(kind)
sys.exit(str(found))
""",
    "files without end": """
makes = (
    lambda name: os.close(os.open(name, os.O_CREAT)),
    lambda name: os.symlink("x", name),
    lambda name: os.link("/tmp/one", name),
    os.mkdir,
)
made = 0
with contextlib.suppress(OSError):
    open("/tmp/one", "w").close()
    while made < 20_000:
        makes[made % 4](f"/tmp/{made:0240}")
        made += 1
sys.exit("too many" if made > FILES else f"{os.statvfs('/tmp').f_ffree} left of {FILES}")
""",
    "what waits in sockets": """
for _n in range(3):
    if os.fork() == 0: break
held = []
with contextlib.suppress(OSError):
    while True:
        for one in socket.socketpair():
            held.append(one)
            one.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                while True: one.send(bytes(1 << 12))
time.sleep(600)
""",
    "what waits in pipes": """
import fcntl
waits, larger = 0, 0
with contextlib.suppress(OSError):
    while True:
        for end in (pipe := os.pipe()): os.set_blocking(end, False)
        with contextlib.suppress(OSError): larger += fcntl.fcntl(pipe[1], fcntl.F_SETPIPE_SZ, 1 << 20)
        with contextlib.suppress(BlockingIOError):
            while True: waits += os.write(pipe[1], bytes(1 << 12))
sys.exit("too much" if larger or waits > 32 << 16 else "bounded")
""",
    "timers without end": """
import ctypes
libc, timers = ctypes.CDLL(None), 0
while timers < 10_000 and libc.timer_create(1, None, ctypes.byref(ctypes.c_void_p())) == 0: timers += 1
sys.exit("too many" if timers > 128 else "bounded")
""",
    "tables of memory that was only read": """
import mmap
room = mmap.mmap(-1, 128 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, mmap.PROT_READ)
for place in range(0, len(room), 2 << 20): room[place]
time.sleep(600)
""",
    "all that the filter refuses": """
import ctypes, errno
libc, found = ctypes.CDLL(None, use_errno=True), []
def refused(name, number, values, error):
    if libc.syscall(number, *map(ctypes.c_long, values)) >= 0 or ctypes.get_errno() != error:
        found.append((name, values, ctypes.get_errno()))
for name, number in CALLS.items(): refused(name, number, (-1,) * 6, errno.EPERM)
for name, number in PAGES.items(): refused(name, number, (-1,) * 6, errno.EINVAL)
for number, argument, values in VALUES:
    for value in values: refused("by value", number, (*(-1,) * argument, value, 0, 0), errno.EPERM)
for kind in (0x21, 0x122, 0x40022): refused("mmap", MMAP, (0, 1 << 16, 3, kind, -1, 0), errno.EPERM)
for family in (2, 10, 16, 30): refused("socketpair", SOCKETPAIR, (family, 1, 0, 0), errno.EPERM)
sys.exit(str(found))
""",
    "the first process": """
found = []
for place in ("/proc/1/mem", "/proc/self/mem", "/proc/self/autogroup", "/proc/self/oom_score_adj"):
    with contextlib.suppress(OSError), open(place, "r+b", buffering=0) as file: found.append(place)
lines = open("/proc/1/limits").read().splitlines()
limits = {line[4:26].strip(): line[26:].split()[:2] for line in lines}
for name in (
    *("file size", "data size", "stack size", "processes", "open files", "pending signals"),
    *("core file size", "msgqueue size", "nice priority", "realtime priority"),
):
    soft, hard = limits[name]
    if soft != hard or hard == "unlimited" or int(hard) > MOST.get(name, 0): found.append((name, hard))
sys.exit(str(found))
""",
    "more of the processor": """
found = []
with contextlib.suppress(OSError): found.append(os.setsid())
with contextlib.suppress(OSError): found.append(os.nice(-1))
for policy in (os.SCHED_FIFO, os.SCHED_RR):
    with contextlib.suppress(OSError): found.append(os.sched_setscheduler(0, policy, os.sched_param(1)))
sys.exit(str(found))
""",
    "secrets of the environment": """
sys.exit(str([name for name, value in os.environ.items() if "SECRET" in name or "secret" in value]))
""",
}
"""What each does when it is to move for the second time."""

SAID = {
    "disk filler": "bounded",
    "sockets out": "([])",
    "reading what is another's": "([])",
    "writing where it may not": "([])",
    "symbolic links out": "([])",
    "rooms of its own in the kernel": "([])",
    "files without end": "0 left of",
    "what waits in sockets": "it opened more than 64 sockets",
    "what waits in pipes": "bounded",
    "timers without end": "bounded",
    "tables of memory that was only read": "it took more than 128 MiB of memory",
    "all that the filter refuses": "([])",
    "the first process": "([])",
    "more of the processor": "([])",
    "secrets of the environment": "([])",
    "endless loop": HANGS,
    "ignoring every signal": HANGS,
    "stopping itself": HANGS,
    "closing its streams": HANGS,  # what shuts it in holds them too
    "a gigabyte on standard output": "it answered a line of more than 65,536 bytes",
    "memory bomb": "emory",  # it is refused, or ended
    "memory bomb in pieces": "it took more than 128 MiB of memory",
    "deep JSON": "more than 64 lists",
    "patching damier": "b2b3 is not a legal move here",
}
"""What is on record of it, where it is always the same."""


MOST = {
    "file size": AgentLimits().scratch,
    "data size": 128 * MEBIBYTE,
    "stack size": STACK,
    "processes": AgentLimits().processes + BWRAP_PROCESSES,
    "open files": FILES_OPEN + 2,  # its program, and the filter
    "pending signals": SIGNALS,
}
"""The limits of the first process in its sandbox; of what is not named: 0."""


def filtered() -> dict[str, object]:
    """What the filter refuses on this machine, by number."""
    here = isolation.MACHINES[platform.machine()].place
    names = {"CALLS": isolation.REFUSED, "PAGES": isolation.PAGES_INTO_PIPES}
    return {
        **{
            name: {one: n[here] for one, n in calls.items() if n[here] is not None}
            for name, calls in names.items()
        },
        "VALUES": [(call.numbers[here], call.argument, call.values) for call in isolation.BY_VALUE],
        "MMAP": isolation.MMAP[here],
        "SOCKETPAIR": isolation.SOCKETPAIR[here],
    }


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, object]]:
    """What they are after: a neighbour, a store, and a lab that listens; unharmed at the end."""
    monkeypatch.setenv("DAMIER_TOKEN_SECRET", SECRET)
    kept = {name: tmp_path / name for name in ("neighbour.py", "store.json")}
    for path in kept.values():
        path.write_text(SECRET)
    rules, source = load("hexapawn"), Path(damier.__file__).read_bytes()
    legal = rules.legal(rules.start)
    with socket.create_server(("127.0.0.1", 0)) as lab, socket.socket(socket.AF_UNIX) as near:
        near.bind(f"\0{tmp_path}")
        near.listen()
        yield {
            "NEIGHBOUR": str(kept["neighbour.py"]),
            "STORE": str(kept["store.json"]),
            "HOME": str(tmp_path),
            "HOUSE": str(Path(damier.__file__).parent),
            "LAB": os.getpid(),
            "PORT": lab.getsockname()[1],
            "UNIX": str(tmp_path),
            "FILES": AgentLimits().scratch // BYTES_A_FILE,
            "MOST": MOST,
            **filtered(),
        }
        for listener in (lab, near):
            listener.setblocking(False)
            with pytest.raises(BlockingIOError):
                listener.accept()
    assert all(path.read_text() == SECRET for path in kept.values())
    assert rules.legal(rules.start) == legal
    assert Path(damier.__file__).read_bytes() == source


def running(name: str) -> list[int]:
    """The processes that have this word in their command line."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if name.encode() in (folder / "cmdline").read_bytes() and int(folder.name) != os.getpid():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def until(holds: Callable[[], bool]) -> None:
    """Waits for what can be seen; the test fails where it does not come."""
    for _try in range(1000):
        if holds():
            return
        time.sleep(0.02)
    raise AssertionError("it did not come about")


def hostile(deed: str, values: dict[str, object]) -> str:
    """A program that plays, and does the deed when it is to move for the second time."""
    named = "\n".join(f"{name} = {value!r}" for name, value in values.items())
    before = f"import contextlib, socket\n{named}\ndef deed():\n" + "".join(
        f"    {line}\n" for line in HOSTILE[deed].strip().splitlines()
    )
    return answering("deed()", before=before)


@pytest.mark.parametrize(
    "deed",
    [later(deed) if deed in ("forks that sleep", "a gigabyte of lines") else deed for deed in HOSTILE],
)
def test_who_is_hostile_touches_nothing_and_is_gone(
    deed: str, tmp_path: Path, house: dict[str, object]
) -> None:
    name = f"hostile_{os.getpid()}_{list(HOSTILE).index(deed)}"
    before = pipes()
    seconds = 60.0 if SAID.get(deed, HANGS) != HANGS else QUICK.seconds
    limits = limited(memory=128 * MEBIBYTE, seconds=seconds, game_seconds=60.0)
    with foreign(
        tmp_path, hostile(deed, house), limits, isolated=True, game="hexapawn", name=f"{name}.py"
    ) as player:
        records, faults = played(player, 3, swap=0)
        assert len(records) == 3
        if deed in SAID:
            assert faults
            assert SAID[deed] in faults[0]
    until(lambda: not running(name))
    wait_until(lambda: pipes() <= before)  # a thread closes the last of them


HONEST = """
async def one(): return 1
assert asyncio.run(one()) == 1
assert subprocess.run(["sh", "-c", "echo a | cat"], capture_output=True, check=True).stdout == b"a\\n"
with tempfile.NamedTemporaryFile() as file: shutil.copyfile(file.name, "/tmp/copy")
ours, theirs = multiprocessing.Pipe()
child = multiprocessing.get_context("fork").Process(target=theirs.send, args=("sent",))
child.start()
assert ours.recv() == "sent"
child.join()
with concurrent.futures.ThreadPoolExecutor(4) as pool: assert list(pool.map(abs, [-1])) == [1]
"""
"""What programs do that play honestly."""

SHELL = """#!/bin/sh
while read -r line; do
    case $line in *'"position"'*)
        legal=${line#*'"legal"'*'"'}
        echo "${legal%%'"'*}" > /tmp/move
        (cat /tmp/move | sed 's/.*/{"move": "&"}/')
    esac
done
"""


def test_what_honest_programs_need_is_there(tmp_path: Path) -> None:
    modules = "asyncio, concurrent.futures, multiprocessing, shutil, subprocess, tempfile"
    work = "def work():\n" + "".join(f"    {line}\n" for line in HONEST.strip().splitlines())
    source = answering("work()", before=f"import {modules}\n{work}")
    with foreign(tmp_path, source, limited(seconds=60.0, game_seconds=60.0), isolated=True) as player:
        assert not played(player, 1)[1]
    (tmp_path / "agent").touch(0o755)
    with foreign(tmp_path, SHELL, limited(seconds=60.0), isolated=True, name="agent") as player:
        assert not played(player, 3)[1]


def test_a_thousand_games_of_hanging_at_the_last_move(tmp_path: Path) -> None:
    last = FIRST.replace(
        "print(json", 'time.sleep(600) if len(message["legal"]) == 1 else None\n        print(json'
    )
    with foreign(
        tmp_path, last, limited(seconds=0.05, start_seconds=1.0), isolated=True, game="nim:heaps=5"
    ) as player:
        _records, faults = played(player, 1000)
    assert IN_A_ROW <= sum("0.05 s" in fault for fault in faults.values()) <= SPARE + 1000 // ONE_IN + 1
    assert "not asked any more" in faults[max(faults)]


def test_a_link_in_its_folder_leads_nowhere(tmp_path: Path) -> None:
    secret, folder = tmp_path / "secret", tmp_path / "own"
    folder.mkdir()
    secret.write_text(SECRET)
    (folder / "link").symlink_to(secret)
    (folder / "beside.txt").write_text("its own")
    (folder / "agent.py").write_text("open('/agent/beside.txt'); open('/agent/link')")
    command = read_command(f"python {folder}/agent.py")
    player = ProcessPlayer(load("hexapawn"), launch(command, QUICK, True, folder=True)[0], "agent")
    assert "FileNotFoundError: [Errno 2] No such file or directory: '/agent/link'" in reason(player)


def test_who_works_when_it_is_not_its_turn_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_channel, "IDLE_SECONDS", 0.1)
    busy = "def busy():\n    while True: pass\nthreading.Thread(target=busy, daemon=True).start()"
    source = FIRST.replace("for line", f"import threading\n{busy}\nfor line", 1)
    limits = limited(seconds=20.0, game_seconds=20.0, start_seconds=0.2, share=1.0)
    with foreign(tmp_path, source, limits, isolated=True, game="nim:heaps=2") as player:
        played(player, 1)
        channel = player.channel
        assert channel is not None
        until(lambda: channel.supervised.process.returncode is not None)
        _records, faults = played(player, 1)
    assert "it kept the processor busy when it was not its turn" in faults[0]


@pytest.mark.parametrize("isolated", [True, False])
def test_all_of_them_end_with_damier_however_it_ends(isolated: bool, tmp_path: Path) -> None:
    name = f"orphan_{os.getpid()}_{isolated}"
    code = f"""
import sys, time
sys.path.insert(0, {str(Path(__file__).parent.parent)!r})
from pathlib import Path
from foreign import FIRST, foreign, played
with foreign(Path({str(tmp_path)!r}), FIRST, isolated={isolated}, name="{name}.py") as player:
    played(player, 1)
    print("plays", flush=True)
    time.sleep(600)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as starter:
        assert starter.stdout is not None
        assert starter.stdout.readline() == b"plays\n"
        assert len(running(f"{name}.py")) > 1  # beside the one that starts it
        starter.send_signal(signal.SIGKILL)
    until(lambda: not running(f"{name}.py"))


def test_without_a_sandbox_what_it_started_ends_with_it(tmp_path: Path) -> None:
    name = f"unshut_{os.getpid()}"
    source = answering("os.fork() or (os.setsid(), time.sleep(600))")
    with foreign(tmp_path, source, name=f"{name}.py") as player:
        played(player, 1, swap=0)
        assert len(running(name)) == 2
    until(lambda: not running(name))


def test_without_a_sandbox_processes_are_counted(tmp_path: Path) -> None:
    name = f"many_{os.getpid()}"
    source = answering("[os.fork() or time.sleep(600) for n in range(6)]", "time.sleep(600)")
    limits = limited(processes=2, seconds=60.0, game_seconds=60.0)
    with foreign(tmp_path, source, limits, name=f"{name}.py") as player:
        assert "it started more than 2 processes" in reason(player)
    until(lambda: not running(name))
