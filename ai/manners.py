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
#: How wide the border between Ja and Nein is, and between two nominees.
BALLOT_HAZE = 0.42
NOMINEE_HAZE = 0.4

#: A Fascist, or Hitler, buries a Liberal tile as people do; so much more often by how suspect it is already
#: (there is less to lose), and less often the more it is trusted.
BURY_SLOPE = 0.0
#: How much more often than people a Fascist buries one, all in all, and Hitler.
BURY_MORE = 0.22
HITLER_MORE = -0.05
#: A Chancellor buries it more often where the President will not tell, and less often where it will.
BURY_FELLOW = 0.3
BURY_STRANGER = 0.05
#: Hitler buries it less often where it knows who the Fascists are.
HITLER_KNOWING = -0.3
#: From this public suspicion on a seat hides no more.
LOST = 0.95
#: How often Fascists vote Ja where that elects Hitler.
JA_FOR_HITLER = 0.95
#: How often it votes Ja for a fellow, and for a pair without one, where nothing urgent hangs on it.
JA_FOR_FELLOW = 0.95
JA_FOR_STRANGERS = 0.35
#: How often a Fascist nominates a fellow rather than as a Liberal would.
NOMINATES_FELLOW = 0.6
#: What hitting Hitler weighs for whom it wins, compared to hitting any enemy; how hazily targets are seen.
HUNT = 0.2
HARM_HAZE = 1.4
#: How often a Fascist with the kill shoots whom a Liberal would suspect most, of those that are not its own.
KILLS_SUSPECT = 0.5

#: The novice's rule of thumb: how often it votes Ja for those of whom it has seen nothing bad, and otherwise.
NOVICE_JA = 0.85
NOVICE_JA_BAD = 0.45
NOVICE_DISGUISE = 0.5
