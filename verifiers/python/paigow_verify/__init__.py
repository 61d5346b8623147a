"""Checks rounds of the Pai Gow Poker engine from its published specification, PGE-FAIR-1.

Nothing here comes from the engine's own code. Only the published data files of rulesets and
house ways are read, and Python's standard library is all that is used.
"""
