"""What the group is told about the facts of the expansions: Communists, Red Dawn, XL, the sealed veto."""

from engine.facts import Fact
from engine.rulesets.red_dawn import article_48, secret_roles, smear
from engine.rulesets.xl import anti_policies, emergency, marks, oktoberfest
from engine.steps import communists, sealed
from handlers.display.telling import Line, Telling
from handlers.display.words import Html


def _suspects(t: Telling, fact: secret_roles.SuspectsShown) -> Html:
    return t.html("suspects", seat=t.seat(fact.seat), suspects=t.seats(fact.suspects))


def _removed(t: Telling, fact: anti_policies.TileRemoved) -> Html:
    key = "tile-removed.gone" if fact.gone else "tile-removed"
    return t.html(key, tile=t.tile(fact.tile), track=t.party(fact.track))


def _impeached(t: Telling, fact: emergency.Impeached) -> Html:
    return t.html("impeached", target=t.seat(fact.target), viewer=t.seat(fact.viewer))


#: By fact. What is missing here is quiet in the group.
LINES: dict[type[Fact], Line] = {
    communists.MeetingBegan: lambda t, fact: t.html("meeting.began", power=t.power(fact.power)),
    communists.MeetingEnded: lambda t, fact: t.html("meeting.ended", power=t.power(fact.power)),
    communists.CongressHeld: lambda t, fact: t.html("congress"),
    communists.TilesAdded: lambda t, fact: t.html("tiles-added", tiles=t.tiles(fact.tiles)),
    communists.Confessed: lambda t, fact: t.html(
        "confessed", seat=t.seat(fact.seat), party=t.party(fact.party)
    ),
    sealed.SealedVeto: lambda t, fact: t.html("sealed.vetoed" if fact.vetoed else "sealed.not-vetoed"),
    smear.Smeared: lambda t, fact: t.html("smeared", seat=t.seat(fact.seat), target=t.seat(fact.target)),
    smear.SmearEnded: lambda t, fact: t.html("smear-ended", seat=t.seat(fact.seat)),
    article_48.ConversionTried: lambda t, fact: t.html("conversion-tried", seat=t.seat(fact.seat)),
    article_48.ComradesLearned: lambda t, fact: t.html("comrades", seat=t.seat(fact.seat)),
    secret_roles.RoleRevealed: lambda t, fact: t.html(
        "role-revealed", seat=t.seat(fact.seat), role=t.role(fact.role)
    ),
    secret_roles.Returned: lambda t, fact: t.html(f"returned.{fact.cause}", seat=t.seat(fact.seat)),
    secret_roles.SuspectsShown: _suspects,
    anti_policies.TileRemoved: _removed,
    emergency.TopKept: lambda t, fact: t.html("top-kept", seat=t.seat(fact.seat)),
    emergency.TopDiscarded: lambda t, fact: t.html("top-discarded", seat=t.seat(fact.seat)),
    emergency.Impeached: _impeached,
    emergency.NoConfidence: lambda t, fact: t.html(
        "no-confidence", seat=t.seat(fact.seat), tile=t.tile(fact.tile)
    ),
    marks.Marked: lambda t, fact: t.html("marked", seat=t.seat(fact.seat), target=t.seat(fact.target)),
    marks.Pardoned: lambda t, fact: t.html("pardoned", seat=t.seat(fact.seat), target=t.seat(fact.target)),
    oktoberfest.MonthBegan: lambda t, fact: (
        t.html("october") if fact.month == oktoberfest.OCTOBER else t.html(f"month.{fact.month}")
    ),
}

#: Facts that only seats are told, or nobody before the end.
QUIET: frozenset[type[Fact]] = frozenset(
    {
        communists.Convened,
        communists.Bugged,
        communists.RecruitmentTried,
        communists.PartyChanged,
        communists.ConversionFailed,
        sealed.Selected,
        secret_roles.WentIntoHiding,
    }
)
