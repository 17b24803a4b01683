"""The parameters of computers' play. People's rates are from 497 recorded public games of seven players.

Unless a comment says otherwise, a rate is in log-odds: log(p / (1 - p)) for a probability p. The rates that
apply to the same choice are added. A comment also says if a number is our judgement or was found by duels
(test games between computers). Numbers for Communists are our judgement, unless a comment says that duels
found them.

- People's models: the statistical models of how people vote and nominate, see ``ai.elections``.
- Own tile: the offered tile that the seat's party wants most.
- Bold: only a seat that hides its party can be bold. A President is bold if it discards a Liberal tile. A
  Chancellor is bold if it enacts its own tile although it could enact a Liberal one. A seat's boldness is
  how likely it is to be bold.
- The table's belief, suspicion or probability: the one that follows from public knowledge alone.
- Decider: the seat for which the computer decides or gives advice.
- Fellow: another seat that the decider knows to be of its party.
- Pair: the candidates for President and Chancellor.
- Hitler zone: the part of the game in which Hitler wins by being elected Chancellor.
- Chaos: after several failed elections in a row, the top tile is enacted without a government.
"""

# --- the danger of a seat in office ------------------------------------------------------------------

#: How much a party fears a rival in office: (n / r) ** ``DANGER_EXPONENT``, but at least ``LEAST_DANGER``
#: (found by duels). r: how far the rival's track is from being full (``distance`` in ``ai.decider``).
#: n: the same for the rival that is nearest to filling its track.
DANGER_EXPONENT = 2.0
LEAST_DANGER = 0.2
#: The danger of a seat is from 0 to 1 (``seat_danger`` in ``ai.decider``). The part above ``STRONG_DOUBT``
#: gets extra weight: in nominations, in the choice of a seat to harm, and in the danger of a government.
STRONG_DOUBT = 0.7

# --- sure knowledge (judgements) ---------------------------------------------------------------------

#: Liberals treat a seat as an enemy if the probability that it is not Liberal is above this. A seat stops
#: hiding its party if the table's probability that it is not Liberal is above this.
EXPOSED = 0.95
#: A Liberal trusts a pair if, for both seats, the probability of not being Liberal is below this. In the
#: Hitler zone, the probability that the Chancellor candidate is Hitler must also be below this.
CLEARED = 0.1
#: If a nominee's danger is above ``STRONG_DOUBT``, a Liberal multiplies the difference by this number, and
#: subtracts the product from the nominee's log-weight.
STRONG_DOUBT_IN_NOMINATIONS = 4.0
#: The weight of sure knowledge, in log-odds: a probability of 97 %.
SURE_LOG_ODDS = 3.5
#: Added to the Chancellor candidate's own log-odds of Ja. By people's models alone, too many candidates would
#: vote against themselves.
OWN_CHANCELLOR = 1.5
#: No ballot is more certain than this probability.
SUREST = 0.985
#: In the Hitler zone, a Liberal subtracts ``NOMINEE_HITLER`` times p from the log-weight of a nominee. p: the
#: probability that the nominee is Hitler.
NOMINEE_HITLER = 3.0
#: When a Liberal chooses a seat for office, it drops each seat whose weight is below this share of the
#: highest weight. It does so only after a government has enacted a tile.
WORTHY = 0.25
#: These apply to a ballot if chaos follows when this election fails, and the top tile may then end the game.
#: The gain is the expected result of electing this pair, minus that of chaos (a win counts 1, a loss -1,
#: anything else 0). The log-odds of Ja are ``STAKE_SLOPE`` times the gain. If the voter is one of the two
#: candidates and the gain is above ``-DOUBTFUL``, they are ``SURE_LOG_ODDS`` instead.
STAKE_SLOPE = 6.0
DOUBTFUL = 0.25
#: If the Chancellor candidate is Hitler, and electing it wins, a Fascist who knows this adds
#: ``ELECTS_HITLER`` to its log-odds of Ja. Hitler itself adds ``HITLER_HIMSELF`` instead.
ELECTS_HITLER = 1.4
HITLER_HIMSELF = 2.0
#: For a seat that hides its party: added to its log-odds of Ja for a pair with itself or a fellow, and
#: subtracted for any other pair. ``URGENT_AGAINST_RIVAL`` applies if a rival party needs only one more tile.
#: ``URGENT`` applies if the seat's own party needs only one more tile, and no rival party does.
URGENT = 0.3
URGENT_AGAINST_RIVAL = 0.8
#: A Communist subtracts ``LAST_TILE`` times p from its log-odds of Ja. p is the mean over the
#: two candidates of the probability that one is of a rival party that needs only one more tile.
LAST_TILE = 4.0

#: The ballots of one election move together more than people's models explain. So a standard normal number,
#: the same for all seats, is multiplied by a spread of at most ``COMMON_SPREAD`` and added to their log-odds.
#: That alone would pull the average probability of Ja towards one half. To make up for it, the log-odds are
#: first multiplied by the root of 1 + ``COMMON_CORRECTION`` * spread².
COMMON_SPREAD = 4.0
COMMON_CORRECTION = 0.38
#: The value of the feature ``in_the_middle`` for the four seats that are nearest to the President, two on
#: each side. For all other seats the value is 1. In the first two rounds people vote less readily for a
#: nominee in one of the four.
NEAR_THE_PRESIDENT = 0.6

# --- tiles -------------------------------------------------------------------------------------------

#: The number of early rounds.
EARLY = 3
#: How readily a Fascist or Hitler as President discards its only Liberal tile.
DISCARDS_ONLY = {"fascist": 0.55, "hitler": -0.2}
#: Added to ``DISCARDS_ONLY``: the first number in early rounds, the second in later rounds.
DISCARDS_BY_PHASE = {"fascist": (-0.28, 0.24), "hitler": (-0.43, 0.29)}
#: Added to ``DISCARDS_ONLY`` and ``DISCARDS_SPARE`` in the Hitler zone.
DISCARDS_IN_ZONE = {"fascist": 1.0, "hitler": 1.5}
#: Added to ``DISCARDS_ONLY`` if the seat knows anybody of its party. The key says what the seat knows about
#: the Chancellor: that it is Hitler ("hitler"), that it is of the seat's party ("fellow"), or neither
#: ("stranger"). The keys of ``DISCARDS_SPARE_BESIDE`` and ``ENACTS_BESIDE`` mean the same.
DISCARDS_BESIDE = {"stranger": 0.6, "fellow": -1.45, "hitler": -1.55}
#: How readily a Fascist or Hitler as President discards one of two Liberal tiles. If the seat knows anybody
#: of its party, ``DISCARDS_SPARE_BESIDE`` is added. Its key says what the seat knows about the Chancellor.
DISCARDS_SPARE = {"fascist": 0.12, "hitler": -0.1}
DISCARDS_SPARE_BESIDE = {"stranger": -0.26, "fellow": 1.44, "hitler": 0.3}
#: How readily a Fascist or Hitler as Chancellor enacts its own tile although it could enact a Liberal one.
#: ``ENACTS_BY_PHASE`` is added: the first number in early rounds, the second in later rounds. If the seat
#: knows anybody of its party, ``ENACTS_BESIDE`` is added, too. Its key says what the seat knows about the
#: President.
ENACTS = {"fascist": -0.55, "hitler": -0.6}
ENACTS_BY_PHASE = {"fascist": (-0.03, 0.02), "hitler": (-0.06, 0.06)}
ENACTS_BESIDE = {"stranger": 0.12, "fellow": -0.18, "hitler": -0.73}
#: With three parties: added to ``ENACTS`` if the Liberals need only two more tiles (a judgement).
ENACTS_NEAR_THE_END = 1.0
#: With two parties: added to the log-odds of boldness of Fascists and Hitler, by number of players (found by
#: duels). Nothing is added for other numbers.
BOLDER: dict[int, float] = {6: 2.0, 8: 1.0, 9: -1.0}
#: With three parties: how much readier everybody is to vote Ja, and how much a Communist favours fellows
#: (found by duels).
JA_WITH_THREE_PARTIES = 2.0
NOMINATES_FELLOW = 3.0
JA_FOR_FELLOW = 1.0
#: With two parties: in elections, the change of a seat's danger since the game began is multiplied by this
#: factor (found by duels). The key is the number of players. Without an entry, the factor is 1. With six
#: players the change does not count. If it did, the four Liberals would find the Fascists too easily.
SHARPNESS: dict[int, float] = {6: 0.0}
#: If governments have enacted this many tiles (chaos does not count), and nobody but Hitler has made a claim,
#: a lie cannot be found out. Then Hitler is bold at least with the probability ``HITLER_AMID_SILENCE``.
SILENT_AFTER = 2
HITLER_AMID_SILENCE = 0.8
#: These are added to a Communist's probability of being bold. ``COMMUNIST_BOLDER`` is always added. For a
#: Chancellor, ``COMMUNIST_BESIDE_FELLOW`` is added if the President is a fellow, otherwise
#: ``COMMUNIST_BESIDE_OTHER``. ``COMMUNIST_SUSPECTED_SLOPE`` is first multiplied by the rise of the table's
#: suspicion of the seat since the start.
COMMUNIST_BOLDER = 0.22
COMMUNIST_BESIDE_FELLOW = 0.3
COMMUNIST_BESIDE_OTHER = 0.05
COMMUNIST_SUSPECTED_SLOPE = 0.4
#: How often a Chancellor asks for a veto (a probability). This is for hands in which every tile is bad for
#: its party, but not every tile loses the game.
ASKS_VETO = 0.93

# --- claims ------------------------------------------------------------------------------------------

#: If the enacted tile was not Liberal, a Liberal's claim is wrong at most this often (a probability).
LIBERAL_MISTAKES = 0.16
#: After a Liberal policy, a wrong claim accuses nobody. In this case Liberal computers make wrong claims at
#: the rate max(p, min(``LIBERAL_MISTAKES``, ``HARMLESS_SLIPS`` * p)). p: how often people who are Liberals
#: make a wrong claim. After other policies, Liberal computers make fewer wrong claims than people. For
#: example, a Chancellor that had no Liberal tile never claims one, because it would accuse itself. Over all
#: policies, Liberal computers make about as many wrong claims as people.
HARMLESS_SLIPS = 2.0
#: Factors for how often a Fascist accuses its Chancellor: a fellow, or another seat.
ACCUSES_FELLOW = 0.6
ACCUSES_STRANGER = 1.1

# --- targets -----------------------------------------------------------------------------------------

#: How much the weight of a seat for a special election falls with suspicion. A fellow that the table suspects
#: more than ``TOO_SUSPECT`` is rarely chosen.
SPECIAL_ELECTION_CAUTION = 6.0
TOO_SUSPECT = 0.7
#: How often a President investigates its last Chancellor (a probability), and how much the weight of other
#: seats falls with suspicion.
INVESTIGATES_CHANCELLOR = {"liberal": 0.4, "fascist": 0.455, "hitler": 0.5}
INVESTIGATION_SLOPE = 1.5
# The next four: how seats that are not Fascist choose whom to harm.
#: The extra weight of the part of a seat's danger above ``STRONG_DOUBT``.
STRONG_DOUBT_IN_TARGETS = 3.0
#: The weight of the probability that a seat is Hitler, if hitting Hitler wins.
HUNT = 0.4
#: The same for a Communist, who rarely gets another chance to win (found by duels).
COMMUNIST_HUNT = 3.0
#: The temperature of ``soft_minimum`` in ``ai.decider``.
HARM_TEMPERATURE = 0.12
#: How much a Fascist prefers to kill an accuser, and how much Hitler spares a seat that may be a Fascist.
KILLS_ACCUSER = 2.0
SPARES_OWN = 3.0

# --- advice: a government compared with the next one ---------------------------------------------------

#: The Chancellor's part of a government's danger; the rest is the President's.
CHANCELLOR_PART = 0.5
#: The extra weight of the part of a seat's danger above ``STRONG_DOUBT``.
STRONG_DOUBT_IN_GOVERNMENTS = 1.5
#: The weight of the danger of electing Hitler in the zone, compared to a government's other dangers.
HITLER_WEIGHT = 0.6
#: How much more dangerous than the next government a government can be before this counts against it. The
#: numbers are for 0, 1, and 2 or more failed elections in a row.
PATIENCE = (0.08, 0.16, 0.6)
PATIENCE_IN_ZONE = (0.08, 0.12, 0.2)
#: Two seats whose suspicions are this close are trusted equally.
EQUALLY_TRUSTED = 0.01
#: A government whose danger is below ``TRUSTED`` gets a bonus: ``TRUST_GAIN`` times the difference.
TRUSTED = 0.25
TRUST_GAIN = 1.0
#: ``ballot_gap`` in ``ai.judging`` is how much better Ja is than Nein. A Fascist adds ``OWN_GOVERNMENT`` to
#: the gap for a government with itself or a fellow. A Fascist who knows a fellow subtracts it for any other
#: government. A decider of another party adds it for a government with itself, unless the Chancellor
#: candidate is another seat that may be Hitler (see ``MAY_BE_HITLER``).
OWN_GOVERNMENT = 0.3
#: A Fascist prefers a fellow as nominee, even if the government then looks more dangerous to the table by up
#: to ``FELLOW_WORSE``. In the Hitler zone, the limit for Hitler as nominee is ``HITLER_WORSE`` instead.
FELLOW_WORSE = 0.1
HITLER_WORSE = 0.38
#: Advice to vote Ja may say that the next government is unlikely to be better. It says so only if a change to
#: the next government lowers the danger by less than this number, or does not lower it.
HARDLY_BETTER = 0.05
#: In the Hitler zone, a seat may be Hitler if the probability is at least this. Advice to vote Nein may say
#: so. If such a seat is up for election as Chancellor, or is one of the two best nominees, advice never calls
#: two choices equally good.
MAY_BE_HITLER = 0.1
#: If the probability that a seat is of the decider's party is below this, the reasons given with advice may
#: say that the seat is of another party.
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
