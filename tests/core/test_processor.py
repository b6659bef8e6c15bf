"""What NumPy is told of the processor."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from damier.core.runtime import VARIABLE, is_zen_4

CORE = "processor\t: 0\nvendor_id\t: {}\ncpu family\t: {}\nmodel\t\t: 17\nflags\t\t: fpu vme avx2 {}\n"


@pytest.mark.parametrize(
    ("vendor", "family", "flag", "is_one"),
    [
        ("AuthenticAMD", 25, "avx512f", True),
        ("AuthenticAMD", 25, "sse4a", False),  # Zen 3
        ("AuthenticAMD", 26, "avx512f", False),  # Zen 5
        ("GenuineIntel", 25, "avx512f", False),
    ],
)
def test_zen_4_is_told_from_its_kin(vendor: str, family: int, flag: str, is_one: bool) -> None:
    account = CORE.format(vendor, family, flag)
    assert is_zen_4(account) == is_one
    assert is_zen_4(account + "\n" + CORE.format("other", 6, "")) == is_one  # the first core speaks for all


@pytest.mark.parametrize("account", ["", "garbage", "processor : 0\nfeatures : fp asimd"])
def test_other_accounts_say_nothing(account: str) -> None:
    assert not is_zen_4(account)


def test_what_the_user_has_said_stays() -> None:
    said = [sys.executable, "-c", f"import os, damier; print(os.environ[{VARIABLE!r}])"]
    found = subprocess.run(
        said, env=os.environ | {VARIABLE: "AVX512_SPR"}, capture_output=True, text=True, check=True
    )
    assert found.stdout == "AVX512_SPR\n"
