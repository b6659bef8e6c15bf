"""What NumPy is told of the processor, before it is imported."""

from __future__ import annotations

import os
import sys

VARIABLE = "NPY_DISABLE_CPU_FEATURES"
AVX_512_SORTS = "X86_V4 AVX512_SKX AVX512_ICL AVX512_SPR"
"""The parts of NumPy, as its versions name them, whose sorts need AVX-512; what a version does not know it
ignores.
"""
ENOUGH = 4096
"""Characters of the system's account that describe one core."""


def prefer_quick_sorts() -> None:
    """Has NumPy sort with AVX2 on processors that are slow to do so with AVX-512 (docs/decisions/0071), in
    this process and in those it starts, unless the user has said what it is to do.
    """
    if sys.platform != "linux" or "numpy" in sys.modules or VARIABLE in os.environ:
        return
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
            account = file.read(ENOUGH)
    except OSError:
        return
    if is_zen_4(account):
        os.environ[VARIABLE] = AVX_512_SORTS


def is_zen_4(account: str) -> bool:
    """Whether /proc/cpuinfo tells of a core by AMD of family 25 with AVX-512: it writes the parts of a
    vector to memory by microcode.
    """
    said = dict[str, str]()
    for line in account.splitlines():
        name, _colon, value = line.partition(":")
        said.setdefault(name.strip(), value.strip())
    return (
        said.get("vendor_id") == "AuthenticAMD"
        and said.get("cpu family") == "25"
        and "avx512f" in said.get("flags", "").split()
    )
