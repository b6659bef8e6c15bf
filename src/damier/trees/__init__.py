"""Explicit trees: searched step by step, told in words, played again and written."""
