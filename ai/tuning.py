"""How boldly computers play, as numbers: tuned by duels so that their games end as people's do."""

#: What a seat of a party costs one's own in office, by the two parties: what is feared of it.
COSTS = {
    "liberal": {"liberal": 0.0, "fascist": 1.0, "communist": 0.8},
    "fascist": {"liberal": 1.0, "fascist": 0.0, "communist": 0.8},
    "communist": {"liberal": 0.7, "fascist": 1.0, "communist": 0.0},
}
#: Of a government's danger, the Chancellor's part; the President's is the rest.
CHANCELLOR_PART = 0.5
#: From this on somebody is as good as caught, and each bit more weighs so much.
SURE = 0.7
SURE_WEIGHT = 1.5
#: What the danger of electing Hitler weighs in the zone, compared to a government's other dangers.
HITLER_WEIGHT = 0.6
#: A Liberal bears with a government so much worse than the one that would come next, by failed elections.
PATIENCE = (0.08, 0.16, 0.6)
#: So near to each other, two seats are trusted as much.
AS_MUCH = 0.01
#: How wide the border between Ja and Nein is, and between two nominees; so far from the border nobody errs.
BALLOT_HAZE = 0.32
CLEAR = 0.6
NOMINEE_HAZE = 0.4
#: A government of no more danger than this is voted for the sooner, by so much for each bit less.
TRUSTED = 0.25
TRUST_GAIN = 1.0
#: What weighs against a government of a party that wants one tile, for who is neither Liberal nor Fascist.
LAST_TILE = 1.0

#: How often Fascists and Hitler bury a Liberal tile, by role. As President, the only one among three: what
#: passes on are two Fascist ones, so that the Chancellor bears the suspicion too.
BURIES_ONLY = {"fascist": 1.0, "hitler": 0.9}
#: One of two, which leaves the choice to the Chancellor: to a fellow, and to anybody else.
BURIES_SPARE_FOR_FELLOW = {"fascist": 0.95, "hitler": 0.95}
BURIES_SPARE = {"fascist": 0.6, "hitler": 0.6}
#: As Chancellor, beside a President that will not tell, and beside one that will.
ENACTS_BESIDE_FELLOW = {"fascist": 1.0, "hitler": 0.3}
ENACTS = {"fascist": 0.75, "hitler": 0.15}
#: Hitler so much less often where it knows the Fascists, who do the work.
HITLER_KNOWING = -0.5
#: After so many policies of which nobody else told what they saw, nobody can be caught at a lie: then Hitler,
#: who hides most, buries so often at least.
UNTOLD = 2
HITLER_UNTOLD = 0.8
#: More often by how suspect it is already (there is less to lose), and less often the more it is trusted.
BURY_SLOPE = 0.4
#: Other parties: so much more often than people, and as Chancellor yet more, beside a fellow or a stranger.
OTHERS_MORE = 0.22
OTHERS_BESIDE_FELLOW = 0.3
OTHERS_BESIDE_STRANGER = 0.05
#: From this public suspicion on a seat hides no more.
LOST = 0.95
#: How often it votes Ja for a fellow, and for a pair without one, where nothing urgent hangs on it.
JA_FOR_FELLOW = 0.78
JA_FOR_STRANGERS = 0.12
#: The same where any track wants one tile.
JA_FOR_FELLOW_LATE = 0.97
JA_FOR_STRANGERS_LATE = 0.02
#: How much more often than people Hitler votes Ja where it does not know who is who.
HITLER_JA_MORE = 0.2
#: How often a Fascist nominates a fellow rather than as a Liberal would, and calls one to a special election.
NOMINATES_FELLOW = 0.2
CALLS_FELLOW = 0.95
#: How much worse than the best nominee Hitler may look to the table where a Fascist puts it forward to win.
HITLER_WORSE = 0.38
#: How hazily a Fascist sees whom a Liberal would nominate.
DISGUISE_HAZE = 0.3
#: What hitting Hitler weighs for whom it wins, compared to hitting any enemy; how hazily targets are seen;
#: and what each bit of sureness beyond ``SURE`` weighs: whom one is sure of is hit, haze or not.
HUNT = 0.1
HARM_HAZE = 2.0
SURE_HARM = 3.0
#: How often a Fascist with the kill shoots whom a Liberal would suspect most, of those that are not its own.
KILLS_SUSPECT = 0.5

#: The novice's rule of thumb: how often it votes Ja for those of whom it has seen nothing bad, and otherwise.
NOVICE_JA = 0.85
NOVICE_JA_BAD = 0.45
NOVICE_DISGUISE = 0.5
