"""What every test shares: the folder of the helpers (`oracles`, `gallery`) is importable, and
compiled engines never touch the user's own cache.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from platformdirs import user_cache_path

TESTS = Path(__file__).parent
if str(TESTS) not in sys.path:
    sys.path.insert(0, str(TESTS))

# Kept from run to run and shared by all copies of the project: a digest names each engine, so that a second
# run only loads. A test of the cache itself sets its own folder.
os.environ.setdefault("DAMIER_CACHE", str(user_cache_path("damier-tests")))

# What a user or a run before has proven must not decide what a test sees; a test of it says otherwise.
os.environ["DAMIER_PROOFS"] = "off"

# The tests read English sentences, also those of the commands that they start.
os.environ["LANGUAGE"] = "en"

# Who runs the tests in the background of a shell has Ctrl-C ignored, and with it every process of theirs.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Also where the caller's Python keeps no bytecode: hundreds of tests start a process, and each would compile
# all of damier's source.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


# No signs of life of work that takes long: how long it takes is the machine's business, and what a test reads
# must not depend on it.
os.environ.setdefault("DAMIER_QUIET", "1")

from hypothesis import HealthCheck, settings  # noqa: E402

settings.register_profile(
    "damier", deadline=None, derandomize=True, max_examples=50, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("damier")
