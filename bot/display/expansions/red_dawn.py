"""Red Dawn: the smear campaign, Article 48, and the secret roles."""

from markupsafe import Markup

from bot.display.expansion_parts import HITLER, Expansion, Page, Tables, icons_of, roles_page, tiles_page
from bot.display.expansions.communists import known, listed, tried
from bot.display.telling import Telling, tells
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
    return roles_page(words, tables, "secret-roles", secret_roles.PARTIES)


def _article_48_page(words: Words, tables: Tables) -> Page | None:
    special = [tile for tile in tables.deck if power(tile) and not card(kind(tile))]
    return tiles_page(words, tables, "article-48", special)


RED_DAWN = Expansion(
    lines={
        smear.Smeared: tells("smeared", "seat", "target"),
        smear.SmearEnded: tells("smear-ended", "seat"),
        article_48.ConversionTried: tells("conversion-tried", "seat"),
        article_48.ComradesLearned: tells("comrades", "seat"),
        secret_roles.RoleRevealed: tells("role-revealed", "seat", "role"),
        secret_roles.Returned: lambda t, fact: t.html(f"returned.{fact.cause}", seat=t.seat(fact.seat)),
        secret_roles.SuspectsShown: lambda t, fact: t.html(
            "suspects", seat=t.seat(fact.seat), suspects=t.seats(fact.suspects)
        ),
    },
    without_line=frozenset({secret_roles.WentIntoHiding, smear.SmearLapsed}),
    whispers={
        article_48.ComradesLearned: lambda t, fact: known(t, fact.comrades),
        secret_roles.WentIntoHiding: tells("went-into-hiding"),
        smear.Smeared: tells("smeared.you"),
    },
    remembered={
        article_48.ConversionTried: _conversion,
        article_48.ComradesLearned: _comrades,
        secret_roles.WentIntoHiding: tells("replay.hiding", "seat"),
    },
    forgotten=frozenset({smear.SmearLapsed}),
    struck={smear.Smeared: lambda fact: fact.target},
    explained={"smear": _smear},
    icons=icons_of("red_dawn"),
    endings={"hitler-smeared": (HITLER, "power/smear")},
    # The KGB's question whom it suspects is not here, because the seat missing among its options is Hitler.
    open_choices=frozenset({"smear", "resurrect", "revenge"}),
    fatal=frozenset({"revenge"}),
    pages=(_secret_roles_page, _article_48_page),
)
