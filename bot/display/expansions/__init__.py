"""All expansions that people can see. To add one, write its file and add it here."""

from bot.display.expansion_parts import together
from bot.display.expansions.classic import CLASSIC
from bot.display.expansions.communists import COMMUNISTS
from bot.display.expansions.red_dawn import RED_DAWN
from bot.display.expansions.xl import XL

#: The expansions, in the order of their pages of the rules.
EXPANSIONS = (CLASSIC, COMMUNISTS, RED_DAWN, XL)

#: All expansions joined into one.
SHOWN = together(EXPANSIONS)
