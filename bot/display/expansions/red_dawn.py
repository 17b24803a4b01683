"""Red Dawn: the smear campaign, Article 48, and the secret roles."""

from markupsafe import Markup

from bot.display.expansion_parts import (
    HITLER,
    Expansion,
    Page,
    Shapes,
    Tables,
    carried_powers,
    roles_lines,
    tile_lines,
)
from bot.display.expansions.communists import FIST, FLAG, known, listed, tried
from bot.display.telling import Telling
from bot.display.words import Words
from engine.rulesets.red_dawn import article_48, secret_roles, smear
from engine.tiles import card, kind, power


def _conversion(t: Telling, fact: article_48.ConversionTried) -> Markup:
    if fact.target is None:
        return t.html("conversion-tried", seat=t.seat(fact.seat))
    return tried(t, t.seat(fact.seat), fact.target)


def _comrades(t: Telling, fact: article_48.ComradesLearned) -> Markup:
    looked = t.html("comrades", seat=t.seat(fact.seat))
    return looked if fact.comrades is None else Markup("{}\n{}").format(looked, listed(t, fact.comrades))


def _smear(words: Words, tables: Tables) -> Markup:
    told = [words.html("rules.power.smear")]
    if any(smear.ENDING in board.endings for board in tables.boards):
        told.append(words.html("rules.power.smear.wins"))
    return Markup(" ").join(told)


def _secret_roles_page(words: Words, tables: Tables) -> Page | None:
    if not (roles := roles_lines(words, tables, secret_roles.PARTIES)):
        return None
    return Page("secret-roles", Markup("\n").join([words.html("rules.secret-roles"), *roles]))


def _article_48_page(words: Words, tables: Tables) -> Page | None:
    special = tuple(tile for tile in tables.deck if power(tile) and not card(kind(tile)))
    if not special:
        return None
    text = Markup("\n\n").join([words.html("rules.article-48"), *tile_lines(words, tables, special)])
    return Page("article-48", text, carried_powers(tables, special))


ICONS: dict[str, Shapes] = {
    "power/smear": (
        ("fill", "M6 16L78 16L78 88C78 92 80 94 84 94L16 94C10 94 6 90 6 84Z"),
        ("fill", "M83 34L94 34L94 84C94 96 83 94 83 84Z"),
        ("cut", "M18 31L66 31"),
        ("slit", "M46 48L66 48M46 60L66 60M18 72L66 72M18 82L66 82"),
        ("hole", "M18 44L38 44L38 62L18 62Z"),
    ),
    "power/convert": (
        *FIST,
        ("line", "M6 22L6 6L22 6M94 78L94 94L84 94"),
    ),
    "power/resurrect": (
        ("fill", "M30 30L70 30L84 52L70 98L30 98L16 52Z"),
        ("cut", "M50 88L50 52M36 64L50 50L64 64"),
        ("line", "M50 4L50 20M24 12L30 22M76 12L70 22"),
    ),
    "power/comrades": (
        ("fill", FLAG),
        ("fill", "M28 12C44 2 60 24 94 12L84 38L94 64C60 74 44 52 28 62Z"),
    ),
    "role/monarchist": (
        ("fill", "M8 24L29 44L50 10L71 44L92 24L84 74L16 74Z"),
        ("fill", "M16 80L84 80L84 92L16 92Z"),
    ),
    "role/capitalist": (
        ("line", "M50 8A42 42 0 1 0 50 92A42 42 0 1 0 50 8Z"),
        ("line", "M66 36C62 28 38 26 36 38C34 52 66 48 64 62C62 74 38 72 34 64M50 20L50 80"),
    ),
    "role/anarchist": (("fill", "M60 2L18 56L46 56L36 98L82 40L52 40Z"),),
    "role/kgb": (
        ("fill", "M50 6A44 44 0 1 0 50 94A44 44 0 1 0 50 6Z"),
        ("hole", "M50 24A16 16 0 0 1 58 54L64 78L36 78L42 54A16 16 0 0 1 50 24Z"),
    ),
}

RED_DAWN = Expansion(
    lines={
        smear.Smeared: lambda t, fact: t.html("smeared", seat=t.seat(fact.seat), target=t.seat(fact.target)),
        smear.SmearEnded: lambda t, fact: t.html("smear-ended", seat=t.seat(fact.seat)),
        article_48.ConversionTried: lambda t, fact: t.html("conversion-tried", seat=t.seat(fact.seat)),
        article_48.ComradesLearned: lambda t, fact: t.html("comrades", seat=t.seat(fact.seat)),
        secret_roles.RoleRevealed: lambda t, fact: t.html(
            "role-revealed", seat=t.seat(fact.seat), role=t.role(fact.role)
        ),
        secret_roles.Returned: lambda t, fact: t.html(f"returned.{fact.cause}", seat=t.seat(fact.seat)),
        secret_roles.SuspectsShown: lambda t, fact: t.html(
            "suspects", seat=t.seat(fact.seat), suspects=t.seats(fact.suspects)
        ),
    },
    without_line=frozenset({secret_roles.WentIntoHiding, smear.SmearLapsed}),
    whispers={
        article_48.ComradesLearned: lambda t, fact: known(t, fact.comrades),
        secret_roles.WentIntoHiding: lambda t, fact: t.html("went-into-hiding"),
        smear.Smeared: lambda t, fact: t.html("smeared.you"),
    },
    remembered={
        article_48.ConversionTried: _conversion,
        article_48.ComradesLearned: _comrades,
        secret_roles.WentIntoHiding: lambda t, fact: t.html("replay.hiding", seat=t.seat(fact.seat)),
    },
    forgotten=frozenset({smear.SmearLapsed}),
    struck={smear.Smeared: lambda fact: fact.target},
    explained={"smear": _smear},
    icons=ICONS,
    endings={"hitler-smeared": (HITLER, "power/smear")},
    # The KGB's question whom it suspects is not here, because the seat missing among its options is Hitler.
    open_choices=frozenset({"smear", "resurrect", "revenge"}),
    fatal=frozenset({"revenge"}),
    pages=(_secret_roles_page, _article_48_page),
)
