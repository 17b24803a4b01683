"""How computers play, as numbers. People's rates are counted from 497 recorded public games of seven players.

Rates are log-odds unless a comment says otherwise, and add up. Numbers that are a judgement, or were found by
duels, say so.
"""

# --- what a seat in office costs others --------------------------------------------------------------

#: A party's seat costs the others (tiles the nearest rival wants / tiles it wants) to this power, but not
#: less than:
COST_POWER = 1.5
LEAST_COST = 0.3

# --- sure knowledge (judgements) ---------------------------------------------------------------------

#: From this probability on somebody is as good as caught, or a seat's own cover is lost.
LOST = 0.95
#: Below this both of a pair are trusted.
CLEARED = 0.1
#: What each bit of doubt beyond ``SURE`` speaks against a Liberal's nominee.
DOUBTED = 4.0
#: How strongly sure knowledge speaks.
CAUGHT = 3.5
#: No ballot is surer than this.
SUREST = 0.985
#: What the danger of electing Hitler speaks against a Liberal's nominee in the zone.
NOMINEE_HITLER = 0.5
#: Where the blind tile may end the game: how the gain by electing counts, and how much worse a pair bears
#: with itself.
STAKE_SLOPE = 6.0
DOUBTFUL = 0.25
#: A Fascist's vote where Hitler wins by being elected, beside what people's model says; and Hitler's own.
ELECTS_HITLER = 0.8
HITLER_HIMSELF = 2.0
#: What weighs where any track wants one tile, for own and against strangers; and for others against a rival
#: party.
URGENT = 0.3
LAST_TILE = 4.0

#: In the first two rounds, how much a nominee counts as the customary one who is about to be President again.
UNCUSTOMARY = 0.6

# --- tiles -------------------------------------------------------------------------------------------

#: The rounds that count as early.
EARLY = 3
#: A Fascist, or Hitler, as President throws away its only Liberal tile.
THROWS_ONLY = {"fascist": 0.55, "hitler": -0.2}
#: More or less in early and in later rounds, in the Hitler zone, and by the Chancellor as a Fascist knows it.
THROWS_BY_PHASE = {"fascist": (-0.28, 0.24), "hitler": (-0.43, 0.29)}
THROWS_IN_ZONE = {"fascist": 1.0, "hitler": 1.5}
THROWS_BESIDE = {"stranger": 0.6, "fellow": -1.45, "hitler": -1.55}
#: One of two Liberal tiles.
THROWS_SPARE = {"fascist": 0.12, "hitler": -0.1}
THROWS_SPARE_BESIDE = {"stranger": -0.26, "fellow": 1.44, "hitler": 0.3}
#: As Chancellor it enacts its own tile against a Liberal one.
ENACTS = {"fascist": -0.55, "hitler": -0.6}
ENACTS_BY_PHASE = {"fascist": (-0.03, 0.02), "hitler": (-0.06, 0.06)}
ENACTS_BESIDE = {"stranger": 0.12, "fellow": -0.18, "hitler": -0.73}
#: By number of players, how much bolder Fascists are than people are at seven (found by duels).
BOLDER: dict[int, float] = {6: 2.0, 8: 0.4, 9: -1.0}
#: The same where three parties play.
BOLDER_OF_THREE = -1.0
#: How much readier everybody is to vote Ja there, and how much a Communist favours comrades (found by duels).
READIER_OF_THREE = 1.4
PUTS_COMRADE_FORWARD = 3.0
JA_FOR_COMRADE = 1.0
#: By number of players, how sharply doubts count in elections: four Liberals of six see too well (found by
#: duels).
SHARPNESS: dict[int, float] = {6: 0.25}
#: Hitler who knows the Fascists leaves the work to them (found by duels).
HITLER_KNOWING = 0.0
#: After so many policies of which nobody else told what they saw, nobody can be caught at a lie: then Hitler,
#: who hides most, buries at least so often (a probability).
UNTOLD = 2
HITLER_UNTOLD = 0.8
#: Other parties (probabilities): so much more often than people, and as Chancellor yet more, beside a fellow
#: or a stranger; and by how suspect the seat is already.
OTHERS_MORE = 0.22
OTHERS_BESIDE_FELLOW = 0.3
OTHERS_BESIDE_STRANGER = 0.05
BURY_SLOPE = 0.4
#: How often a Chancellor asks for a veto of a bad hand that does not end the game (a probability).
ASKS_VETO = 0.93

# --- claims ------------------------------------------------------------------------------------------

#: Where another tile than a Liberal one was enacted, a Liberal's claim is wrong at most so often (a
#: probability).
LIBERAL_MISTAKES = 0.16
#: A Fascist that accuses its Chancellor does so less often where that is a fellow, and more often elsewhere
#: (factors).
ACCUSES_FELLOW = 0.6
ACCUSES_STRANGER = 1.1

# --- targets -----------------------------------------------------------------------------------------

#: A call to a special election falls with suspicion; a fellow that the table suspects more than this is not
#: called.
CALL_SLOPE = 6.0
TOO_SUSPECT = 0.7
#: How often the Chancellor just governed with is investigated (a probability), and how the rest falls with
#: suspicion.
INSPECTS_CHANCELLOR = {"liberal": 0.4, "fascist": 0.455, "hitler": 0.5}
INSPECT_SLOPE = 1.5
#: A Liberal's kill: from this suspicion on each bit more weighs more; what hitting Hitler weighs; and the
#: haze.
SURE = 0.7
SURE_HARM = 3.0
HUNT = 0.4
HARM_HAZE = 0.12
#: A Fascist kills an accuser sooner, and Hitler spares a seat that may be its own.
KILLS_ACCUSER = 2.0
SPARES_OWN = 3.0

# --- hints: a government compared with the next one ----------------------------------------------------

#: Of a government's danger, the Chancellor's part; the President's is the rest.
CHANCELLOR_PART = 0.5
SURE_WEIGHT = 1.5
#: What the danger of electing Hitler weighs in the zone, compared to a government's other dangers.
HITLER_WEIGHT = 0.6
#: A government may be so much worse than the one that would come next, by failed elections.
PATIENCE = (0.08, 0.16, 0.6)
PATIENCE_IN_ZONE = (0.08, 0.12, 0.2)
#: So near to each other, two seats are trusted as much.
AS_MUCH = 0.01
#: A government of no more danger than this is better by so much for each bit less.
TRUSTED = 0.25
TRUST_GAIN = 1.0
#: One's own government, and one without one's own for a Fascist, is better and worse by so much.
OWN_GOVERNMENT = 0.3
#: How much worse than others a fellow, or a winning Hitler, may look where a Fascist puts it forward.
FELLOW_WORSE = 0.1
HITLER_WORSE = 0.38
#: The next government is hardly better where it is by no more than this.
HARDLY_BETTER = 0.05
#: With a smaller margin than this either choice would do.
EITHER = 0.1

# --- novices (judgements) ----------------------------------------------------------------------------

#: How often a novice votes Ja for those of whom it has seen nothing bad, and otherwise (probabilities).
NOVICE_JA = 0.62
NOVICE_JA_BAD = 0.25
#: The same in a pair of its own or with two failed elections, and as a Fascist for a fellow.
NOVICE_JA_OWN = 0.95
NOVICE_JA_FELLOW = 0.8
NOVICE_DISGUISE = 0.5
