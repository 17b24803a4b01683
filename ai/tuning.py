"""The parameters of computers' play. People's rates are from 497 recorded public games of seven players.

Rates are log-odds that are added up, unless a comment says otherwise. A comment also says if a number is our
judgement or was found by duels (test games between computers). Numbers for Communists are our judgement,
unless a comment says that duels found them.
"""

# --- the danger of a seat in office ------------------------------------------------------------------

#: A party's fear of a rival in office is a ratio with this exponent, but never less than ``LEAST_DANGER``
#: (found by duels). The ratio: how far the nearest rival's track is from being full, divided by how far this
#: rival's is.
DANGER_EXPONENT = 2.0
LEAST_DANGER = 0.2
#: The part of a doubt above this counts more: in nominations, in targets, and in the danger of a government.
STRONG_DOUBT = 0.7

# --- sure knowledge (judgements) ---------------------------------------------------------------------

#: Above this probability of not being Liberal, Liberals treat a seat as an enemy. If the table's
#: probability that a seat is not Liberal is above it, that seat stops hiding.
EXPOSED = 0.95
#: A Liberal trusts a pair if both are below this probability of not being Liberal.
CLEARED = 0.1
#: How much the part of a doubt above ``STRONG_DOUBT`` weighs against a Liberal's nominee.
STRONG_DOUBT_IN_NOMINATIONS = 4.0
#: The weight of sure knowledge, in log-odds: a probability of 97 %.
SURE_LOG_ODDS = 3.5
#: Added to people's model for the Chancellor candidate's own vote. Otherwise too many would vote themselves
#: down.
OWN_CHANCELLOR = 1.5
#: No ballot is more certain than this probability.
SUREST = 0.985
#: How much the log-weight of a Liberal's nominee falls in the Hitler zone as the probability that it is
#: Hitler rises from 0 to 1.
NOMINEE_HITLER = 3.0
#: Once a government has enacted a tile, a Liberal who chooses a seat for office drops those whose weight is
#: below this share of the highest weight.
WORTHY = 0.25
#: If the top tile may end the game in chaos: ``STAKE_SLOPE`` is the weight of the gain by electing. The
#: members of a government vote Ja unless it is worse than chaos by at least ``DOUBTFUL``.
STAKE_SLOPE = 6.0
DOUBTFUL = 0.25
#: Added to people's model for a Fascist's vote when electing Hitler wins, and for Hitler's own vote.
ELECTS_HITLER = 1.4
HITLER_HIMSELF = 2.0
#: ``URGENT`` is for a seat that hides its party, if this party, and no other, needs only one more tile. The
#: seat adds it to its log-odds of Ja for a pair with itself or a fellow, and subtracts it for any other pair.
#: ``URGENT_AGAINST_RIVAL``: the same if a rival party needs only one more tile. ``LAST_TILE``: multiplied by
#: the average probability that a seat of the pair is of such a rival party, and subtracted from a Communist's
#: log-odds.
URGENT = 0.3
URGENT_AGAINST_RIVAL = 0.8
LAST_TILE = 4.0

#: In the first two rounds people vote less readily for a nominee among the two seats on each side of the
#: President. This is the value of the feature ``in_the_middle`` for these seats. For the others it is 1.
NEAR_THE_PRESIDENT = 0.6

# --- tiles -------------------------------------------------------------------------------------------

#: The number of early rounds.
EARLY = 3
#: How readily a Fascist or Hitler as President discards its only Liberal tile.
DISCARDS_ONLY = {"fascist": 0.55, "hitler": -0.2}
#: Added in early and in later rounds; in the Hitler zone; and by what a Fascist knows about the Chancellor.
#: Here and below, a "fellow" is a fellow who is not Hitler.
DISCARDS_BY_PHASE = {"fascist": (-0.28, 0.24), "hitler": (-0.43, 0.29)}
DISCARDS_IN_ZONE = {"fascist": 1.0, "hitler": 1.5}
DISCARDS_BESIDE = {"stranger": 0.6, "fellow": -1.45, "hitler": -1.55}
#: How readily they discard one of two Liberal tiles. If the seat knows a fellow, it adds the number for what
#: it knows about the Chancellor.
DISCARDS_SPARE = {"fascist": 0.12, "hitler": -0.1}
DISCARDS_SPARE_BESIDE = {"stranger": -0.26, "fellow": 1.44, "hitler": 0.3}
#: How readily they enact their own tile over a Liberal one as Chancellor. Added in early and in later rounds,
#: and by what they know about the President.
ENACTS = {"fascist": -0.55, "hitler": -0.6}
ENACTS_BY_PHASE = {"fascist": (-0.03, 0.02), "hitler": (-0.06, 0.06)}
ENACTS_BESIDE = {"stranger": 0.12, "fellow": -0.18, "hitler": -0.73}
#: Added with three parties if the Liberal tile would leave the Liberals one tile to go (a judgement).
ENACTS_NEAR_THE_END = 1.0
#: Added to a Fascist's log-odds of boldness at tables of other sizes than seven, by number of players (found
#: by duels).
BOLDER: dict[int, float] = {6: 2.0, 8: 1.0, 9: -1.0}
#: With three parties: how much readier everybody is to vote Ja, and how much a Communist favours fellows
#: (found by duels).
JA_WITH_THREE_PARTIES = 2.0
NOMINATES_FELLOW = 3.0
JA_FOR_FELLOW = 1.0
#: How far doubts count in elections, by number of players (a factor, found by duels). With six, four Liberals
#: would find the Fascists too easily.
SHARPNESS: dict[int, float] = {6: 0.0}
#: Added to Hitler's boldness if it knows the Fascists (found by duels).
HITLER_KNOWING = 0.0
#: If nobody else has made a claim after this many policies, a lie cannot be found out. Then Hitler, who
#: usually hides most, discards a Liberal tile, or enacts another instead, at least this often (a
#: probability).
SILENT_AFTER = 2
HITLER_AMID_SILENCE = 0.8
#: For Communists, added to the probability of playing their own tile over a Liberal one: always; as
#: Chancellor next to a fellow, or to another seat; and for each unit of suspicion above that of any seat at
#: the start.
COMMUNIST_BOLDER = 0.22
COMMUNIST_BESIDE_FELLOW = 0.3
COMMUNIST_BESIDE_OTHER = 0.05
COMMUNIST_SUSPECTED_SLOPE = 0.4
#: How often a Chancellor asks for a veto of a bad hand that does not lose the game (a probability).
ASKS_VETO = 0.93

# --- claims ------------------------------------------------------------------------------------------

#: If the enacted tile was not Liberal, a Liberal's claim is wrong at most this often (a probability).
LIBERAL_MISTAKES = 0.16
#: A factor: after a Liberal policy, when a wrong claim accuses nobody, a Liberal makes this many times as
#: many wrong claims as people. The rate is at most ``LIBERAL_MISTAKES``, or people's own if that is higher.
#: After other policies it makes fewer than people: a Chancellor never wrongly claims a Liberal tile, because
#: it would accuse itself. With the factor, the total is close to people's.
HARMLESS_SLIPS = 2.0
#: Factors for how often a Fascist accuses its Chancellor: a fellow, or another seat.
ACCUSES_FELLOW = 0.6
ACCUSES_STRANGER = 1.1

# --- targets -----------------------------------------------------------------------------------------

#: How much the weight of a seat for a special election falls with suspicion. A fellow that the table suspects
#: more than ``TOO_SUSPECT`` is rarely called.
SPECIAL_ELECTION_CAUTION = 6.0
TOO_SUSPECT = 0.7
#: How often a President investigates its last Chancellor (a probability), and how much the weight of other
#: seats falls with suspicion.
INVESTIGATES_CHANCELLOR = {"liberal": 0.4, "fascist": 0.455, "hitler": 0.5}
INVESTIGATION_SLOPE = 1.5
#: How seats that are not Fascist choose whom to harm: the extra weight of the part of a doubt above
#: ``STRONG_DOUBT``, the weight of hitting Hitler if that wins, the same for a Communist, who rarely gets
#: another chance to win (found by duels), and the temperature of ``soft_minimum``.
STRONG_DOUBT_IN_TARGETS = 3.0
HUNT = 0.4
COMMUNIST_HUNT = 3.0
HARM_TEMPERATURE = 0.12
#: How much a Fascist prefers to kill an accuser, and how much Hitler spares a seat that may be a Fascist.
KILLS_ACCUSER = 2.0
SPARES_OWN = 3.0

# --- advice: a government compared with the next one ---------------------------------------------------

#: The Chancellor's part of a government's danger; the rest is the President's.
CHANCELLOR_PART = 0.5
#: How much more the part of a doubt above ``STRONG_DOUBT`` counts.
STRONG_DOUBT_IN_GOVERNMENTS = 1.5
#: The weight of the danger of electing Hitler in the zone, compared to a government's other dangers.
HITLER_WEIGHT = 0.6
#: How much worse than the next government this one may be: after no, one, and two or more failed elections.
PATIENCE = (0.08, 0.16, 0.6)
PATIENCE_IN_ZONE = (0.08, 0.12, 0.2)
#: Two seats whose suspicions are this close are trusted equally.
EQUALLY_TRUSTED = 0.01
#: A government whose danger is below ``TRUSTED`` gets a bonus: ``TRUST_GAIN`` times the difference.
TRUSTED = 0.25
TRUST_GAIN = 1.0
#: A bonus for a government with the seat or a fellow, and a Fascist's penalty for one without.
OWN_GOVERNMENT = 0.3
#: Subtracted from the danger of a nominee if a Fascist chooses: for a fellow, and for Hitler in the Hitler
#: zone.
FELLOW_WORSE = 0.1
HITLER_WORSE = 0.38
#: Up to this gap the next government is hardly better.
HARDLY_BETTER = 0.05
#: In the Hitler zone, a seat may be Hitler if the probability is at least this. Advice to vote Nein may say
#: so. If such a seat is up for election as Chancellor, or is one of the two best nominees, advice always
#: recommends one choice.
MAY_BE_HITLER = 0.1
#: If a seat is of the decider's party with a probability below this, reasons may say that it is not.
SURELY_OTHER_PARTY = 0.05
#: If the margin between two choices is smaller than this, advice calls them equally good.
EQUALLY_GOOD = 0.1

# --- novices (judgements) ----------------------------------------------------------------------------

#: How often a Liberal novice votes Ja if the pair has no bad record, and if it has one (probabilities).
NOVICE_JA = 0.62
NOVICE_JA_BAD = 0.25
#: How often a novice votes Ja to a pair that it belongs to. A Liberal novice also votes Ja this often if one
#: more failed election brings chaos.
NOVICE_JA_OWN = 0.95
#: How often a Fascist novice votes Ja to a pair with a seat that it knows to be of its party.
NOVICE_JA_FELLOW = 0.8
#: How often a novice who is not Liberal chooses a seat for office by what it knows. Otherwise it takes any
#: seat.
NOVICE_BY_KNOWLEDGE = 0.5
#: How often a novice who is not Liberal plays a Liberal tile instead of its own, for fear of being caught.
NOVICE_SHY = 0.5
