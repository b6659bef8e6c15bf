"""Agents of damier offered as engines to whoever speaks UCI or GTP."""
