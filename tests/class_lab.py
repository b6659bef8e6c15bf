"""A lab with a class, its people, and what they ask."""

from __future__ import annotations

import base64
import io
import threading
import zipfile
from pathlib import Path
from typing import Any

import httpx
from browsing import Served

FIRST = "def play(position):\n    return position.moves[0]\n"
LAST = "def play(position):\n    return position.moves[-1]\n"


class ClassLab:
    """A lab with a class, and its people."""

    def __init__(self, served: Served) -> None:
        assert served.process.stdout is not None
        self.served = served
        board, teacher = served.process.stdout.readline(), served.process.stdout.readline()
        self.code = board.rpartition(": ")[2].strip()
        self.teacher_key = teacher.rpartition(": ")[2].strip()

    def stranger(self) -> httpx.Client:
        return httpx.Client(base_url=self.served.address, timeout=300, headers={"Accept-Language": "en"})

    def member(self) -> httpx.Client:
        client = self.stranger()
        assert client.post("/class/enter", json={"code": self.code.upper()}).status_code == 200
        return client

    def teacher(self) -> httpx.Client:
        client = self.member()
        assert asked(client, "teach", key=self.teacher_key)["name"]
        return client


def asked(client: httpx.Client, verb: str, **values: Any) -> dict[str, Any]:
    found: dict[str, Any] = client.post(f"/ask/classroom.{verb}", json=values).json()
    return found


def asked_status(client: httpx.Client, key: str) -> int:
    """What comes of a guess at the teacher's key."""
    return client.post("/ask/classroom.teach", json={"key": key}).status_code


def handed_in(client: httpx.Client, text: str, name: str = "", wanted: str = "") -> dict[str, Any]:
    content = base64.b64encode(text.encode()).decode()
    return asked(client, "hand_in", name=name, content=content, wanted=wanted)


def handed_in_folder(client: httpx.Client, folder: Path, name: str, wanted: str = "") -> dict[str, Any]:
    content = base64.b64encode(packed(folder)).decode()
    return asked(client, "hand_in", name=name, content=content, wanted=wanted)


def packed(folder: Path, top: str = "") -> bytes:
    """The files of a folder as a ZIP file."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            archive.write(path, f"{top}{path.relative_to(folder)}")
    return written.getvalue()


def reported(client: httpx.Client) -> str:
    """What is said of a file, once it has been looked at."""
    while not (found := asked(client, "report"))["done"]:
        threading.Event().wait(0.1)
    part: str = found["parts"]["file"]
    return part
