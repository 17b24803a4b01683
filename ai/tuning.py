"""The parameters of computers' play. People's rates are from 497 recorded public games of seven players.

Rates are log-odds that are added up, unless a comment says otherwise. A comment also says if a number is our
judgement or was found by duels (test games between computers).
"""

# --- what a seat in office costs others --------------------------------------------------------------

#: The cost of a party's seat to the others is this power of (tiles the nearest rival needs / tiles it needs),
#: but not less than the second number.
COST_POWER = 1.5
LEAST_COST = 0.3

# --- sure knowledge (judgements) ---------------------------------------------------------------------

#: From this probability of not being a Liberal on, a seat counts as caught, and stops hiding.
LOST = 0.95
#: A pair is trusted if both are below this probability of not being Liberals.
CLEARED = 0.1
#: The weight against a Liberal's nominee of each unit of doubt beyond ``SURE``.
DOUBTED = 4.0
#: The weight of sure knowledge, in log-odds.
CAUGHT = 3.5
#: Added to people's model for the nominee's own vote. Otherwise too many would vote themselves down.
OWN_CHANCELLOR = 1.5
#: The most certain that any ballot can be.
SUREST = 0.985
#: The weight, against a Liberal's nominee in the zone, of the probability that it is Hitler.
NOMINEE_HITLER = 3.0
#: A Liberal nominates nobody whose weight is below this share of the best one's.
WORTHY = 0.25
#: If the top tile may end the game in chaos: the weight of the gain by electing, and how much worse than
#: chaos a government may be for its members to vote Ja all the same.
STAKE_SLOPE = 6.0
DOUBTFUL = 0.25
#: Added to people's model for a Fascist's vote when electing Hitler wins, and for Hitler's own vote.
ELECTS_HITLER = 1.4
HITLER_HIMSELF = 2.0
#: For a seat that hides: the weight for fellows and against strangers if its own track needs one tile, or if
#: a rival's does; and a Communist's weight against a government of that rival.
URGENT = 0.3
URGENT_AGAINST_RIVAL = 0.8
LAST_TILE = 4.0

#: In the first two rounds, how far nominees just before or after the President count as customary (factor).
UNCUSTOMARY = 0.6

# --- tiles -------------------------------------------------------------------------------------------

#: The number of early rounds.
EARLY = 3
#: How often a Fascist or Hitler as President discards its only Liberal tile.
THROWS_ONLY = {"fascist": 0.55, "hitler": -0.2}
#: Added in early and in later rounds; in the Hitler zone; and by what a Fascist knows about the Chancellor.
THROWS_BY_PHASE = {"fascist": (-0.28, 0.24), "hitler": (-0.43, 0.29)}
THROWS_IN_ZONE = {"fascist": 1.0, "hitler": 1.5}
THROWS_BESIDE = {"stranger": 0.6, "fellow": -1.45, "hitler": -1.55}
#: How often they discard one of two Liberal tiles.
THROWS_SPARE = {"fascist": 0.12, "hitler": -0.1}
THROWS_SPARE_BESIDE = {"stranger": -0.26, "fellow": 1.44, "hitler": 0.3}
#: How often they enact their own tile over a Liberal one as Chancellor.
ENACTS = {"fascist": -0.55, "hitler": -0.6}
ENACTS_BY_PHASE = {"fascist": (-0.03, 0.02), "hitler": (-0.06, 0.06)}
ENACTS_BESIDE = {"stranger": 0.12, "fellow": -0.18, "hitler": -0.73}
#: Added with three parties if the Liberal tile would leave the Liberals one tile to go (a judgement).
ENACTS_NEAR_THE_END = 1.0
#: How much bolder Fascists are than people with seven players, by number of players (found by duels).
BOLDER: dict[int, float] = {6: 2.0, 8: 1.0, 9: -1.0}
#: With three parties: how much readier everybody is to vote Ja, and how much a Communist favours comrades
#: (found by duels).
READIER_OF_THREE = 1.4
PUTS_COMRADE_FORWARD = 3.0
JA_FOR_COMRADE = 1.0
#: How far doubts count in elections, by number of players (a factor, found by duels). With six, four Liberals
#: would find the Fascists too easily.
SHARPNESS: dict[int, float] = {6: 0.0}
#: Added to Hitler's boldness if it knows the Fascists (found by duels).
HITLER_KNOWING = 0.0
#: If nobody else has made a claim after this many policies, a lie cannot be found out. Then Hitler, who
#: usually hides most, buries Liberal tiles at least this often (a probability).
SILENT_AFTER = 2
HITLER_AMID_SILENCE = 0.8
#: Probabilities added for Communists: to people's rate; as Chancellor, next to a fellow or a stranger; and by
#: how suspect the seat already is.
OTHERS_MORE = 0.22
OTHERS_BESIDE_FELLOW = 0.3
OTHERS_BESIDE_STRANGER = 0.05
BURY_SLOPE = 0.4
#: How often a Chancellor asks for a veto of a bad hand that does not end the game (a probability).
ASKS_VETO = 0.93

# --- claims ------------------------------------------------------------------------------------------

#: If the enacted tile was not Liberal, a Liberal's claim is wrong at most this often (a probability).
LIBERAL_MISTAKES = 0.16
#: How much more often than people a Liberal slips after a Liberal policy, up to the rate above: there a slip
#: accuses nobody (a factor). Chancellors no longer slip after other policies, which would accuse themselves.
HARMLESS_SLIPS = 2.0
#: How much less often a Fascist accuses its Chancellor if that is a fellow, and how much more often otherwise
#: (factors).
ACCUSES_FELLOW = 0.6
ACCUSES_STRANGER = 1.1

# --- targets -----------------------------------------------------------------------------------------

#: How much the weight of a seat for a special election falls with suspicion. A fellow that the table suspects
#: more than ``TOO_SUSPECT`` is not called.
CALL_SLOPE = 6.0
TOO_SUSPECT = 0.7
#: How often a President investigates its last Chancellor (a probability), and how much the weight of other
#: seats falls with suspicion.
INSPECTS_CHANCELLOR = {"liberal": 0.4, "fascist": 0.455, "hitler": 0.5}
INSPECT_SLOPE = 1.5
#: A Liberal's kill: the suspicion from which further suspicion weighs more, that extra weight, the weight of
#: hitting Hitler, and the temperature of ``soft_minimum``.
SURE = 0.7
SURE_HARM = 3.0
HUNT = 0.4
HARM_TEMPERATURE = 0.12
#: How much a Fascist prefers to kill an accuser, and how much Hitler spares a seat that may be a Fascist.
KILLS_ACCUSER = 2.0
SPARES_OWN = 3.0

# --- hints: a government compared with the next one ----------------------------------------------------

#: The Chancellor's part of a government's danger; the rest is the President's.
CHANCELLOR_PART = 0.5
SURE_WEIGHT = 1.5
#: The weight of the danger of electing Hitler in the zone, compared to a government's other dangers.
HITLER_WEIGHT = 0.6
#: How much worse than the next government this one may be, by failed elections.
PATIENCE = (0.08, 0.16, 0.6)
PATIENCE_IN_ZONE = (0.08, 0.12, 0.2)
#: Two seats this close are trusted equally.
AS_MUCH = 0.01
#: A government below this danger gets a bonus: the second number per unit below it.
TRUSTED = 0.25
TRUST_GAIN = 1.0
#: A bonus for a government with the seat or a fellow, and a Fascist's penalty for one without.
OWN_GOVERNMENT = 0.3
#: How much worse than others a fellow, or a Hitler who would win, may look for a Fascist to nominate it.
FELLOW_WORSE = 0.1
HITLER_WORSE = 0.38
#: Up to this gap the next government is hardly better.
HARDLY_BETTER = 0.05
#: From this probability of Hitler on, a hint to vote Nein names it, and no choice is called equally good.
MAY_BE_HITLER = 0.1
#: If another seat is less likely of a seat's own party than this, it counts as certainly of another one.
STRANGER = 0.05
#: If the margin between two choices is smaller than this, a hint calls them equally good.
EITHER = 0.1

# --- novices (judgements) ----------------------------------------------------------------------------

#: How often a novice votes Ja if it has seen nothing bad of the pair, and otherwise (probabilities).
NOVICE_JA = 0.62
NOVICE_JA_BAD = 0.25
#: The same if it is in the pair itself or two elections have failed, and as a Fascist for a fellow.
NOVICE_JA_OWN = 0.95
NOVICE_JA_FELLOW = 0.8
NOVICE_DISGUISE = 0.5
#: How often a novice who hides is afraid to be caught and plays a Liberal tile.
NOVICE_SHY = 0.5
