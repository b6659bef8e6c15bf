"""The pages are tested; the modules that measure them are run by `scripts/lessons`, which takes
minutes.
"""

collect_ignore_glob = ["measured/*"]
