"""Games as they were stored before facts had ids: by the names of their classes, as those were then.

Frozen, like every migration: what the classes are called today, and what they show to whom, is not asked.
"""

from collections.abc import Sequence
from typing import Any

#: By the class's name, the id that its facts have since.
IDS = {
    "Bugged": "communists/bugged",
    "CandidacyPassed": "candidacy-passed",
    "ClockAnswered": "clock-answered",
    "ComradesLearned": "red-dawn/comrades-learned",
    "Confessed": "communists/confessed",
    "ConfirmedNotHitler": "confirmed-not-hitler",
    "CongressHeld": "communists/congress-held",
    "Convened": "communists/convened",
    "ConversionFailed": "communists/conversion-failed",
    "ConversionTried": "red-dawn/conversion-tried",
    "Dealt": "dealt",
    "Discarded": "discarded",
    "Drew": "drew",
    "Elected": "elected",
    "Enacted": "enacted",
    "GameOver": "game-over",
    "Impeached": "xl/impeached",
    "Investigated": "investigated",
    "Killed": "killed",
    "LimitsWaived": "limits-waived",
    "Marked": "xl/marked",
    "MeetingBegan": "communists/meeting-began",
    "MeetingEnded": "communists/meeting-ended",
    "MonthBegan": "xl/month-began",
    "NoConfidence": "xl/no-confidence",
    "NoElection": "no-election",
    "Nominated": "nominated",
    "Opened": "opened",
    "Pardoned": "xl/pardoned",
    "PartyChanged": "communists/party-changed",
    "Passed": "passed",
    "Peeked": "peeked",
    "PowerLapsed": "power-lapsed",
    "Recognised": "recognised",
    "RecruitmentTried": "communists/recruitment-tried",
    "Returned": "red-dawn/returned",
    "RoleRevealed": "red-dawn/role-revealed",
    "RoundEnded": "round-ended",
    "SealedVeto": "sealed-veto/voted",
    "Selected": "sealed-veto/selected",
    "Shuffled": "shuffled",
    "SmearEnded": "red-dawn/smear-ended",
    "Smeared": "red-dawn/smeared",
    "SpecialElectionCalled": "special-election-called",
    "SuspectsShown": "red-dawn/suspects-shown",
    "TileRemoved": "xl/tile-removed",
    "TilesAdded": "communists/tiles-added",
    "TopDiscarded": "xl/top-discarded",
    "TopKept": "xl/top-kept",
    "TrackerAdvanced": "tracker-advanced",
    "TracksLaid": "tracks-laid",
    "VetoRefused": "veto-refused",
    "VetoRequested": "veto-requested",
    "VetoUnlocked": "veto-unlocked",
    "Vetoed": "vetoed",
    "Voted": "voted",
    "WentIntoHiding": "red-dawn/went-into-hiding",
}

#: Kinds that the group saw something of although the whole was not for everybody.
SHOWN = frozenset(
    {
        "ComradesLearned",
        "CongressHeld",
        "ConversionTried",
        "Discarded",
        "Drew",
        "Impeached",
        "Investigated",
        "Passed",
        "Peeked",
        "SealedVeto",
        "Selected",
        "Shuffled",
        "TopDiscarded",
        "Vetoed",
    }
)


def by_id(rows: Sequence[Any]) -> list[Any]:
    """The rows of a log with ids instead of class names. A name that is none is left as it is."""
    return [[IDS.get(name, name), to, fact] for name, to, fact in rows]


def at_of_view(claims: Sequence[Any], rows: Sequence[Any]) -> list[Any]:
    """Claims that noted how many events there were (``rows``, by class names).

    They note now how many facts the group's view held, since the number of events tells how many were hidden.
    """
    held = [0]
    for name, to, _ in rows:
        held.append(held[-1] + (to is None or name in SHOWN))
    return [{**claim, "at": held[min(claim["at"], len(rows))]} for claim in claims]
