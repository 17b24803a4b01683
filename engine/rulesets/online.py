"""The published game as it is played on the web: the veto is sealed. Source: rules page of the web game."""

from dataclasses import replace

from engine.ruleset import RulesetOption
from engine.rulesets.classic import CLASSIC

ONLINE = replace(CLASSIC, id="online@1", options={"veto": RulesetOption(("sealed", "open"))}, silent=True)
