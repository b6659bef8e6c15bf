"""The pages are tested; the modules that measure them are run by `scripts/lessons`, which takes
minutes. The French pages hold the programs of the English ones, which are tried there.
"""

collect_ignore_glob = ["measured/*", "fr/*"]
