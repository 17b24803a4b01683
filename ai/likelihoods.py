"""How people play, as numbers: what the belief reads people by, and what computers of each role aim at.

Measured on 911 recorded seven-player games of the published game (Liberal / Fascist / Hitler) where a
comment says so; the rest are judgements, kept near even so that they never outweigh what was measured.
Rows are by core role, in the order of ``CORE``: what a secret role adds changes no belief about a party.
"""

#: The roles that decide a party. Index 0 to 3 everywhere in this package.
CORE = ("liberal", "fascist", "hitler", "communist")
LIBERAL, FASCIST, HITLER, COMMUNIST = range(len(CORE))
#: By core role, its party at the deal.
PARTY = ("liberal", "fascist", "fascist", "communist")

#: A President holding one Liberal tile discards it (measured: .011 / .68 / .59); Communists: a judgement.
DISCARDS_ONLY_LIBERAL = (0.011, 0.68, 0.59, 0.45)
#: A President holding two Liberal tiles discards one of them (measured: .26 / .55 / .54).
DISCARDS_SPARE_LIBERAL = (0.26, 0.55, 0.54, 0.55)
#: A Chancellor with a Liberal tile and another one enacts the other (measured with Fascist ones:
#: .004 / .45 / .38).
ENACTS_AGAINST_LIBERAL = {
    "fascist": (0.004, 0.45, 0.38, 0.35),
    "communist": (0.004, 0.35, 0.30, 0.85),
    "card": (0.30, 0.40, 0.40, 0.40),
}
#: Among tiles of which none is Liberal, how much each role would rather see a colour enacted than another.
LIKES = {
    "fascist": (1.0, 3.0, 3.0, 1.0),
    "communist": (1.2, 0.7, 0.7, 6.0),
    "card": (1.5, 1.5, 1.5, 1.5),
}

#: What somebody claims of a hand is the truth, where a Liberal says it (people mistap, and some jest).
LIBERAL_TELLS_TRUTH = 0.96
#: Another role that has nothing to hide tells the truth so often.
OTHERS_TELL_TRUTH = 0.86
#: One that discarded or left a Liberal tile for another one says that it never had a choice so often …
HIDES_CHOICE = 0.80
#: … and admits it so often. What is left over is shared by all other claims that fit what was enacted.
ADMITS_CHOICE = 0.04
#: A President without a Liberal tile to pass claims to have passed one that the Chancellor buried.
BLAMES = 0.12
#: A President whose Chancellor buried a Liberal tile says that there was none.
COVERS = 0.30

#: An inspector says "Fascist" of a Liberal (measured: .015 / .58 / .58).
CALLS_LIBERAL_BAD = (0.015, 0.58, 0.58, 0.35)
#: An inspector says "Liberal" of a fellow (measured for Hitler: 92 % by Fascists; Liberals tell the truth).
CALLS_FELLOW_LIBERAL = (0.015, 0.88, 0.85, 0.85)
CALLS_HITLER_LIBERAL = 0.92
#: What a third party says of somebody of yet another party, truly.
TELLS_OF_OTHERS = (0.97, 0.75, 0.75, 0.75)

#: How a ballot hangs on suspicion: the log-odds of Ja fall by so much from no suspicion to certainty.
BALLOT_SLOPE = (3.2, 1.8, 1.8, 2.4)
#: Log-odds of Ja for a pair as suspect as any at the start.
BALLOT_LEVEL = 0.7
#: What the log-odds gain where one of the pair is of the voter's own side, and lose where none is.
BALLOT_OWN = (0.0, 0.7, 0.4, 0.5)
BALLOT_NONE = (0.0, -0.35, -0.1, -0.1)
#: Ballots are not independent of each other (people talk): their evidence counts by this power.
BALLOT_TEMPER = 0.4

#: A Liberal President's pick of whom to kill rises with suspicion: log-weight from none to certainty.
KILL_SLOPE = 3.0
#: Other roles, by the target's role: how often compared to a pick by lot. Fascists spare their own.
KILLS = {
    FASCIST: (1.35, 0.35, 0.02, 1.2),
    HITLER: (1.2, 0.6, 0.0, 1.2),
    COMMUNIST: (0.9, 1.3, 1.0, 0.1),
}
#: The same for calling somebody to a special election: Liberals call whom they trust.
CALL_SLOPE = -3.0
CALLS = {
    FASCIST: (0.75, 1.7, 1.6, 0.7),
    HITLER: (0.9, 1.3, 1.0, 0.8),
    COMMUNIST: (0.9, 0.8, 0.8, 2.0),
}
#: Evidence of governments, of targets and of claims about parties counts by these powers: people are not
#: all alike, and what one did before tells something of what the same one does next.
GOVERNMENT_TEMPER = 0.75
TARGET_TEMPER = 0.55
PARTY_CLAIM_TEMPER = 0.8

#: Exact belief up to so many assignments of roles; so many particles beyond.
EXACT = 1000
PARTICLES = 500
