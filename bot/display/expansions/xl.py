"""XL: anti-policies, emergency cards, marks for execution, Oktoberfest, roles of its own."""

from markupsafe import Markup

from bot.display.expansion_parts import Expansion, Face, Mark, Page, Tables, icons_of, roles_page, tiles_page
from bot.display.expansions.communists import recruitment
from bot.display.telling import Telling, tells
from bot.display.words import Words
from engine import ruleset
from engine.rulesets.xl import anti_policies, emergency, marks, oktoberfest, own_roles
from engine.tiles import UNKNOWN, card, kind


def _removed(t: Telling, fact: anti_policies.TileRemoved) -> Markup:
    key = "tile-removed.gone" if fact.gone else "tile-removed"
    return t.html(key, tile=t.tile(fact.tile), track=t.html(f"party.{fact.track}"))


def _month(t: Telling, fact: oktoberfest.MonthBegan) -> Markup:
    return t.html("october") if fact.month == oktoberfest.OCTOBER else t.html(f"month.{fact.month}")


def _impeached(t: Telling, fact: emergency.Impeached) -> Markup:
    return t.html("impeached", target=t.seat(fact.target), viewer=t.seat(fact.viewer))


def _impeachment(t: Telling, fact: emergency.Impeached) -> Markup:
    lines = [t.html("named", name=t.html("power.impeachment"), value=t.seat(fact.seat)), _impeached(t, fact)]
    if fact.party is not None:
        seen = {"seat": t.seat(fact.viewer), "target": t.seat(fact.target)}
        lines.append(t.html("replay.investigated", **seen, party=t.html(f"party.{fact.party}")))
    return Markup("\n").join(lines)


def _top_discarded(t: Telling, fact: emergency.TopDiscarded) -> Markup:
    gone = t.html("top-discarded", seat=t.seat(fact.seat))
    return gone if fact.tile == UNKNOWN else Markup("{} {}").format(gone, t.hand([fact.tile]))


def _anti_policies_page(words: Words, tables: Tables) -> Page | None:
    kinds = {kind(tile) for tile in tables.deck}
    paragraphs = [
        *([words.html("rules.anti-policies")] if kinds & anti_policies.TAKES_FROM.keys() else []),
        *([words.html("rules.social-democratic")] if anti_policies.SOCIAL_DEMOCRATIC in kinds else []),
    ]
    if not paragraphs:
        return None
    return Page("anti-policies", Markup("\n\n").join([*paragraphs, words.html("rules.removal")]))


def _emergency_page(words: Words, tables: Tables) -> Page | None:
    return tiles_page(words, tables, "emergency", [tile for tile in tables.deck if card(kind(tile))])


def _oktoberfest_page(words: Words, tables: Tables) -> Page | None:
    chosen = (ruleset(setup.ruleset).chosen(setup) for setup in tables.setups)
    if not any(options.get(oktoberfest.OPTION) == "on" for options in chosen):
        return None
    return Page("oktoberfest", words.html("rules.oktoberfest"))


def _own_roles_page(words: Words, tables: Tables) -> Page | None:
    return roles_page(words, tables, "own-roles", own_roles.PARTIES)


XL = Expansion(
    lines={
        anti_policies.TileRemoved: _removed,
        emergency.TopKept: tells("top-kept", "seat"),
        emergency.TopDiscarded: tells("top-discarded", "seat"),
        emergency.Impeached: _impeached,
        emergency.NoConfidence: tells("no-confidence", "seat", "tile"),
        own_roles.RoleShown: tells("role-revealed", "seat", "role"),
        marks.Marked: tells("marked", "seat", "target"),
        marks.Pardoned: tells("pardoned", "seat", "target"),
        oktoberfest.MonthBegan: _month,
    },
    whispers={emergency.Impeached: tells("investigated.result", "target", "party")},
    remembered={emergency.Impeached: _impeachment, emergency.TopDiscarded: _top_discarded},
    showings={emergency.Impeached: lambda fact: (fact.viewer, fact.target, fact.party)},
    marks=(Mark(marks.MARKED, "sights", lambda table, due: due - table.laid(marks.TRACK)),),
    explained={"radicalisation": recruitment},
    icons=icons_of("xl"),
    faces={
        "anti-communist": Face(against="communist"),
        "anti-fascist": Face(against="fascist"),
        "social-democratic": Face(icon="arrows"),
        own_roles.TILE: Face(icon="anarchy"),
    },
    open_choices=frozenset({"impeachment", "mark", "pardon"}),
    verbs=frozenset({emergency.DISCARD, emergency.PUT_BACK}),
    pages=(_anti_policies_page, _emergency_page, _oktoberfest_page, _own_roles_page),
)
