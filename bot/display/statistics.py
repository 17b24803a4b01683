"""Statistics in words: a group's leaderboard, and a person's own."""

from collections.abc import Mapping, Sequence

from bot.display.words import Html, Words, name
from bot.records.leaderboard import Standing

#: What own statistics are broken down by, with what the values are called in the catalogue.
_KINDS = {"side": "party", "role": "role", "ruleset": "ruleset"}


def leaderboard_text(words: Words, entries: Sequence[Standing]) -> Html:
    """A line for each player, best first: rating, wins, games."""
    if not entries:
        return words.html("stats.none")
    lines = [
        words.html(
            "stats.line",
            place=place,
            name=Html(f"<b>{name(entry.name)}</b>"),
            rating=entry.rating.shown,
            wins=entry.wins,
            games=entry.games,
        )
        for place, entry in enumerate(entries, start=1)
    ]
    return Html("\n".join([words.html("stats.title"), *lines, "", words.html("stats.about")]))


def own_statistics_text(words: Words, counts: Mapping[str, int], counted: bool) -> Html:
    """Return a person's games and wins in all, by side, role and ruleset, and whether more are counted."""
    lines = [] if counted else [words.html("stats.off"), Html("")]
    apart = _with_computers(words, counts)
    if not counts.get("games"):
        return Html("\n".join([*lines, *(apart or [words.html("stats.own.none")])]))
    lines.append(words.html("stats.own.title", wins=counts.get("wins", 0), games=counts["games"]))
    for kind, called in _KINDS.items():
        prefix = f"games/{kind}/"
        values = sorted(value.removeprefix(prefix) for value in counts if value.startswith(prefix))
        lines.append(words.html(f"stats.own.{kind}"))
        lines += [
            words.html(
                "stats.own.line",
                what=words.html(key if words.has(key := f"{called}.{value}") else f"role.{value}"),
                wins=counts.get(f"wins/{kind}/{value}", 0),
                games=counts[prefix + value],
            )
            for value in values
        ]
    return Html("\n".join([*lines, *apart]))


def _with_computers(words: Words, counts: Mapping[str, int]) -> list[Html]:
    """A person's games and wins at tables with computers, if there are any."""
    games, wins = counts.get("games/computers"), counts.get("wins/computers", 0)
    return [words.html("stats.own.computers", wins=wins, games=games)] if games else []
