"""XL: anti-policies, emergency cards, marks for execution, Oktoberfest, roles of its own."""

from markupsafe import Markup

from bot.display.expansion_parts import (
    Expansion,
    Face,
    Mark,
    Page,
    Shapes,
    Tables,
    carried_powers,
    roles_lines,
    tile_lines,
)
from bot.display.expansions.communists import recruitment
from bot.display.telling import Telling
from bot.display.words import Words
from engine import ruleset
from engine.rulesets.xl import anti_policies, emergency, marks, oktoberfest, own_roles
from engine.tiles import UNKNOWN, card, kind


def _removed(t: Telling, fact: anti_policies.TileRemoved) -> Markup:
    key = "tile-removed.gone" if fact.gone else "tile-removed"
    return t.html(key, tile=t.tile(fact.tile), track=t.party(fact.track))


def _month(t: Telling, fact: oktoberfest.MonthBegan) -> Markup:
    return t.html("october") if fact.month == oktoberfest.OCTOBER else t.html(f"month.{fact.month}")


def _impeached(t: Telling, fact: emergency.Impeached) -> Markup:
    return t.html("impeached", target=t.seat(fact.target), viewer=t.seat(fact.viewer))


def _impeachment(t: Telling, fact: emergency.Impeached) -> Markup:
    lines = [t.html("named", name=t.power("impeachment"), value=t.seat(fact.seat)), _impeached(t, fact)]
    if fact.party is not None:
        seen = {"seat": t.seat(fact.viewer), "target": t.seat(fact.target), "party": t.party(fact.party)}
        lines.append(t.html("replay.investigated", **seen))
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
    cards = tuple(tile for tile in tables.deck if card(kind(tile)))
    if not cards:
        return None
    text = Markup("\n\n").join([words.html("rules.emergency"), *tile_lines(words, tables, cards)])
    return Page("emergency", text, carried_powers(tables, cards))


def _oktoberfest_page(words: Words, tables: Tables) -> Page | None:
    chosen = (ruleset(setup.ruleset).chosen(setup) for setup in tables.setups)
    if not any(options.get(oktoberfest.OPTION) == "on" for options in chosen):
        return None
    return Page("oktoberfest", words.html("rules.oktoberfest"))


def _own_roles_page(words: Words, tables: Tables) -> Page | None:
    if not (roles := roles_lines(words, tables, own_roles.PARTIES)):
        return None
    zone = tables.boards[0].zone
    return Page("own-roles", Markup("\n").join([words.html("rules.own-roles", zone=zone), *roles]))


#: The letter A in a ring.
ANARCHY: Shapes = (
    ("line", "M50 8A42 42 0 1 0 50 92A42 42 0 1 0 50 8Z"),
    ("line", "M22 86L50 14L78 86M30 62L70 62"),
)
ICONS: dict[str, Shapes] = {
    "power/propaganda": (
        ("fill", "M6 40L30 36L76 12L76 84L30 62L6 58Z"),
        ("fill", "M16 64L32 66L40 92L24 92Z"),
        ("line", "M87 34C95 42 95 56 87 64"),
    ),
    "power/impeachment": (
        ("line", "M50 8L50 90M28 92L72 92M14 22L86 22"),
        ("thin", "M18 24L4 60M18 24L32 60M82 24L68 60M82 24L96 60"),
        (
            "fill",
            "M2 60L34 60C34 72 28 78 18 78C8 78 2 72 2 60ZM66 60L98 60C98 72 92 78 82 78C72 78 66 72 66 60Z",
        ),
    ),
    "power/mark": (
        ("line", "M50 6A44 44 0 1 0 50 94A44 44 0 1 0 50 6ZM50 26A24 24 0 1 0 50 74A24 24 0 1 0 50 26Z"),
        ("fill", "M40 50A10 10 0 1 0 60 50A10 10 0 1 0 40 50Z"),
    ),
    "power/pardon": (
        ("line", "M30 48L30 26C30 2 66 2 68 22"),
        ("fill", "M16 48L84 48L84 94L16 94Z"),
        ("cut", "M50 66L50 78"),
    ),
    "power/no-confidence": (
        (
            "fill",
            (
                "M12 8L28 8L28 56L12 56ZM34 12C44 6 60 6 78 8C84 9 86 14 84 18C89 20 90 26 87 30"
                "C91 33 91 39 87 42C90 48 86 54 80 54L62 54C64 66 66 78 64 88C62 96 52 96 50 88"
                "C48 76 44 66 34 56Z"
            ),
        ),
    ),
    "power/social-democratic": (
        ("fill", "M60 6L94 6L94 40L82 28L54 56L44 46L72 18Z"),
        ("fill", "M6 60L58 60L58 96L6 96Z"),
        ("slit", "M18 78L46 78"),
    ),
    "role/xl-capitalist": (
        ("fill", "M10 34L90 34L90 46L10 46Z"),
        (
            "fill",
            "M18 52L30 52L30 84L18 84ZM44 52L56 52L56 84L44 84ZM70 52L82 52L82 84L70 84Z",
        ),
        ("fill", "M50 6L92 30L8 30ZM6 88L94 88L94 96L6 96Z"),
    ),
    "role/xl-anarchist": ANARCHY,
    "role/xl-monarchist": (
        ("fill", "M18 40L82 40L74 92L26 92Z"),
        ("line", "M50 36L50 8M38 20L62 20"),
        ("cut", "M30 58L70 58"),
    ),
    "anarchy": ANARCHY,
    "sights": (("ring", "M50 -4L50 6M50 94L50 104M-4 50L6 50M94 50L104 50"),),
    "arrows": (
        ("line", "M54 10L12 52M12 36L12 52L28 52"),
        ("line", "M72 28L30 70M30 54L30 70L46 70"),
        ("line", "M90 46L48 88M48 72L48 88L64 88"),
    ),
}

XL = Expansion(
    lines={
        anti_policies.TileRemoved: _removed,
        emergency.TopKept: lambda t, fact: t.html("top-kept", seat=t.seat(fact.seat)),
        emergency.TopDiscarded: lambda t, fact: t.html("top-discarded", seat=t.seat(fact.seat)),
        emergency.Impeached: _impeached,
        emergency.NoConfidence: lambda t, fact: t.html(
            "no-confidence", seat=t.seat(fact.seat), tile=t.tile(fact.tile)
        ),
        own_roles.RoleShown: lambda t, fact: t.html(
            "role-revealed", seat=t.seat(fact.seat), role=t.role(fact.role)
        ),
        marks.Marked: lambda t, fact: t.html("marked", seat=t.seat(fact.seat), target=t.seat(fact.target)),
        marks.Pardoned: lambda t, fact: t.html(
            "pardoned", seat=t.seat(fact.seat), target=t.seat(fact.target)
        ),
        oktoberfest.MonthBegan: _month,
    },
    whispers={
        emergency.Impeached: lambda t, fact: t.html(
            "investigated.result", target=t.seat(fact.target), party=t.party(fact.party)
        ),
    },
    remembered={emergency.Impeached: _impeachment, emergency.TopDiscarded: _top_discarded},
    showings={emergency.Impeached: lambda fact: (fact.viewer, fact.target, fact.party)},
    marks=(Mark(marks.MARKED, "sights", lambda table, due: due - table.laid(marks.TRACK)),),
    explained={"radicalisation": recruitment},
    icons=ICONS,
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
