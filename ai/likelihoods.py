"""The rates at which people of each role act.

Beliefs use them. Computers make claims by them. Communists discard and enact tiles by them, with offsets.
The rates were measured in 497 recorded public games of seven players with written chat (Liberal / Fascist /
Hitler). Numbers about Communists are our judgement. Rows are by core role, in the order of ``CORE``. Secret
roles have none, because they change no belief about a party.
"""

from collections.abc import Mapping

from engine.board import Party

#: The roles that decide a party. Their index is 0 to 3 everywhere in this package.
CORE = ("liberal", "fascist", "hitler", "communist")
LIBERAL, FASCIST, HITLER, COMMUNIST = range(len(CORE))
#: The party of each core role at the deal.
PARTY: tuple[Party, ...] = ("liberal", "fascist", "fascist", "communist")

#: How often a President holding one Liberal tile discards it.
DISCARDS_ONLY_LIBERAL = (0.0134, 0.6921, 0.582, 0.45)
#: How often a President holding two Liberal tiles discards one of them.
DISCARDS_SPARE_LIBERAL = (0.2611, 0.5297, 0.5233, 0.55)
#: How often a Chancellor with one Liberal tile enacts the other tile, by the other tile's colour. "card"
#: stands for all other colours.
ENACTS_AGAINST_LIBERAL = {
    "fascist": (0.0062, 0.4495, 0.3846, 0.35),
    "communist": (0.004, 0.35, 0.30, 0.85),
    "card": (0.30, 0.40, 0.40, 0.40),
}
#: If no tile is Liberal: the relative weight with which each role enacts a colour.
LIKES = {"fascist": (1.0, 3.0, 3.0, 1.0), "communist": (1.2, 0.7, 0.7, 6.0), "card": (1.5, 1.5, 1.5, 1.5)}


def of_colour(rates: Mapping[str, tuple[float, ...]], colour: str) -> tuple[float, ...]:
    """Return the rates of each core role for a tile's colour."""
    return rates.get(colour, rates["card"])


def _rows(text: str) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(map(float, row.split())) for row in text.split("/"))


#: How many Liberal tiles a President claims (none to three), by the tiles it drew, discarded and saw enacted.
#: "1LF": it drew one Liberal tile and discarded it, and a Fascist one was enacted. Rows: Liberal, Fascist,
#: Hitler (measured; Communists are read as Fascists).
PRESIDENT_CLAIMS = {
    "0FF": _rows("0.9203 0.0498 0.0124 0.0176 / 0.7019 0.2612 0.0276 0.0094 / 0.8111 0.1602 0.019 0.0097"),
    "1FF": _rows("0.129 0.8444 0.0265 0.0 / 0.7633 0.1993 0.0372 0.0003 / 0.4081 0.5815 0.0096 0.0007"),
    "1FL": _rows("0.0119 0.9658 0.0179 0.0045 / 0.0103 0.8396 0.14 0.0101 / 0.0005 0.9652 0.0341 0.0002"),
    "1LF": _rows("0.2016 0.7902 0.0053 0.0029 / 0.6155 0.3768 0.0039 0.0038 / 0.6244 0.3218 0.0384 0.0154"),
    "2FL": _rows("0.0036 0.0289 0.96 0.0074 / 0.0002 0.0219 0.925 0.0529 / 0.0003 0.0024 0.9721 0.0252"),
    "2LF": _rows("0.1047 0.1016 0.7917 0.002 / 0.6951 0.0799 0.2222 0.0027 / 0.5014 0.1599 0.3333 0.0054"),
    "2LL": _rows("0.0004 0.3748 0.6245 0.0004 / 0.0117 0.7896 0.187 0.0117 / 0.0007 0.7871 0.2114 0.0007"),
    "3LL": _rows("0.0004 0.1143 0.4489 0.4363 / 0.0011 0.0636 0.7791 0.1561 / 0.0014 0.0824 0.5377 0.3785"),
}
#: The same for a Chancellor (none to two), by the Liberal tiles it held and the tile it enacted.
CHANCELLOR_CLAIMS = {
    "0F": _rows("0.9311 0.0477 0.0212 / 0.9232 0.0446 0.0322 / 0.9434 0.0467 0.0098"),
    "1F": _rows("0.4592 0.5351 0.0057 / 0.9234 0.0639 0.0127 / 0.9786 0.0207 0.0007"),
    "1L": _rows("0.0161 0.9678 0.0161 / 0.0146 0.966 0.0194 / 0.018 0.9553 0.0267"),
    "2L": _rows("0.0232 0.0774 0.8994 / 0.0237 0.0866 0.8897 / 0.0405 0.122 0.8375"),
}
#: The floor under the probability of any claim.
LEAST_CLAIM = 0.001
#: With more than two colours of tiles, how often a claim tells the truth about the other colours.
OTHER_COLOURS_TRUE = 0.9

#: How often an inspector calls a Liberal "Fascist".
SAYS_FASCIST_OF_LIBERAL = (0.0213, 0.5146, 0.4912, 0.35)
#: How often an inspector calls a member of its own party "Liberal". The first number is how often a Liberal
#: says so of somebody who is not Liberal.
SAYS_LIBERAL_OF_FELLOW = (0.0118, 0.7857, 0.9429, 0.85)
#: How often a Fascist calls Hitler "Liberal".
SAYS_LIBERAL_OF_HITLER = 0.9688
#: How often an inspector tells the truth about a seat that is neither Liberal nor of its own party.
TELLS_OF_OTHERS = (1 - SAYS_LIBERAL_OF_FELLOW[LIBERAL], 0.75, 0.75, 0.75)

#: How much the log-odds of Ja fall as the table's suspicion of the pair rises from 0 to 1.
BALLOT_SLOPE = (8.72, 5.9, 6.79, 5.9)
#: The log-odds of Ja for a pair that is as suspect as any pair at the start.
BALLOT_LEVEL = -0.424
#: Added to the log-odds of Ja: if one of the pair is of the voter's party, and if neither is. Liberals do not
#: know parties, so they have no such term.
BALLOT_OWN = (0.0, 0.319, 0.141, 0.5)
BALLOT_NONE = (0.0, -0.134, -0.089, 0.0)
#: Ballots depend on each other because people talk, so their likelihoods are raised to this power.
BALLOT_EXPONENT = 0.5

#: A Liberal President chooses whom to kill by suspicion. This is how much the log-weight of a target rises
#: when its suspicion rises from 0 to 1.
KILL_SLOPE = 3.0
#: How often other roles pick each role, compared to a random pick. Fascists spare their own.
KILLS = {
    FASCIST: (1.495, 0.173, 0.016, 1.2),
    HITLER: (1.407, 0.246, 0.0, 1.2),
    COMMUNIST: (0.9, 1.3, 1.0, 0.1),
}
#: The same for calling a special election: Liberals call a seat they trust.
SPECIAL_ELECTION_SLOPE = -3.0
SPECIAL_ELECTIONS = {
    FASCIST: (1.045, 0.994, 0.862, 0.7),
    HITLER: (1.189, 0.692, 1.0, 0.8),
    COMMUNIST: (0.9, 0.8, 0.8, 2.0),
}
#: The likelihoods of governments, of targets and of claims about parties are raised to these powers, because
#: the acts of one person are not independent of each other.
GOVERNMENT_EXPONENT = 0.65
TARGET_EXPONENT = 0.8
PARTY_CLAIM_EXPONENT = 0.5

#: If the unknown roles can be assigned in at most ``MOST_WAYS_FOR_EXACT`` ways, belief is exact. Otherwise it
#: uses a sample of ``SAMPLE_SIZE`` worlds.
MOST_WAYS_FOR_EXACT = 1000
SAMPLE_SIZE = 500
