"""The rates at which people of each role act.

Beliefs use them. Computers make claims by them. Communists discard and enact tiles by them, with offsets.
The rates were measured in 497 recorded public games of seven players with written chat (Liberal / Fascist /
Hitler). Numbers about Communists are our judgement. Rows are by core role, in the order of ``CORE``. Secret
roles have none, because they change no belief about a party.
"""

import json
from collections.abc import Mapping
from pathlib import Path

#: The longer tables that were measured: models of ballots and nominations (see ``ai.elections``), and claims.
PEOPLE = json.loads(Path(__file__).with_name("people.json").read_text(encoding="utf-8"))

#: The roles that decide a party. Their index is 0 to 3 everywhere in this package.
CORE = ("liberal", "fascist", "hitler", "communist")
LIBERAL, FASCIST, HITLER, COMMUNIST = range(len(CORE))
#: The party of each core role at the deal.
PARTY = ("liberal", "fascist", "fascist", "communist")

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
LIKES = {
    "fascist": (1.0, 3.0, 3.0, 1.0),
    "communist": (1.2, 0.7, 0.7, 6.0),
    "card": (1.5, 1.5, 1.5, 1.5),
}


def _claims(name: str) -> dict[str, tuple[tuple[float, ...], ...]]:
    return {hand: tuple(map(tuple, rows)) for hand, rows in PEOPLE[name].items()}


def of_colour(rates: Mapping[str, tuple[float, ...]], colour: str) -> tuple[float, ...]:
    """Return the rates of each core role for a tile's colour."""
    return rates.get(colour, rates["card"])


#: How many Liberal tiles a President claims (none to three), by the tiles it drew, discarded and saw enacted.
#: "1LF": it drew one Liberal tile and discarded it, and a Fascist one was enacted. Rows: Liberal, Fascist,
#: Hitler (measured; Communists are read as Fascists).
PRESIDENT_CLAIMS = _claims("president_claims")
#: The same for a Chancellor (none to two), by the Liberal tiles it held and the tile it enacted.
CHANCELLOR_CLAIMS = _claims("chancellor_claims")
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
