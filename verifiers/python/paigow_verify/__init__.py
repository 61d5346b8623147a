"""Checks rounds of the Pai Gow Poker engine from its published specification, PGE-FAIR-1.

Nothing here comes from the engine's own code. It reads only the published data files of rulesets
and house ways, and uses only Python's standard library.
"""
