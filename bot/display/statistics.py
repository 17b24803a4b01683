"""Statistics in words: a group's leaderboard, and a person's own."""

from collections.abc import Sequence

from markupsafe import Markup

from bot.display.words import Words, bold, name
from bot.records.leaderboard import Shown, Standing
from bot.records.own_record import EXPECTED, OwnRecord, Profile
from bot.records.ratings import SETTLED, Rating

#: The groups in a person's own statistics, with the catalogue's prefix for their values.
_KINDS = {"side": "party", "role": "role", "ruleset": "ruleset"}


def leaderboard_text(words: Words, shown: Shown) -> Markup:
    """Return the best players of all games, of this season and of the last one, a line each, best first.

    A line has rating, wins and games. A season with the same list as all games is left out.
    """
    if not shown.overall:
        return words.html("stats.none")
    parts = [words.html("stats.title"), *_lines(words, shown.overall)]
    if shown.current and shown.current != shown.overall:
        parts += [Markup(), words.html("stats.season", season=shown.season)]
        parts += _lines(words, shown.current)
    if shown.best_before:
        parts += [Markup(), words.html("stats.season.before", season=shown.before)]
        parts += _lines(words, shown.best_before)
    parts += [Markup(), words.html("stats.about")]
    if any(entry.games < SETTLED for entry in (*shown.overall, *shown.current, *shown.best_before)):
        parts.append(words.html("stats.provisional", games=SETTLED))
    return Markup("\n").join(parts)


def _lines(words: Words, entries: Sequence[Standing]) -> list[Markup]:
    lines = []
    for place, entry in enumerate(entries, start=1):
        rating = shown_rating(words, entry.rating, entry.games)
        values = {"name": bold(name(entry.name)), "rating": rating, "wins": entry.wins, "games": entry.games}
        lines.append(words.html("stats.line", place=place, **values))
    return lines


def own_statistics_text(words: Words, profile: Profile) -> Markup:
    """Return a person's games, wins and ratings: in all, by side, by role, by ruleset; and how they play."""
    counts, record = profile.counts, profile.record
    lines = [] if profile.counted else [words.html("stats.off"), Markup()]
    games, wins = counts.get("games/computers"), counts.get("wins/computers", 0)
    apart = [words.html("stats.own.computers", wins=wins, games=games)] if games else []
    if not counts.get("games"):
        return Markup("\n").join([*lines, *(apart or [words.html("stats.own.none")])])
    lines.append(words.html("stats.own.title", wins=counts.get("wins", 0), games=counts["games"]))
    lines += _how_well(words, record, counts["games"])
    for kind, called in _KINDS.items():
        prefix = f"games/{kind}/"
        values = sorted(value.removeprefix(prefix) for value in counts if value.startswith(prefix))
        lines.append(words.html(f"stats.own.{kind}"))
        for value in values:
            games = counts[prefix + value]
            said = words.html(
                "stats.own.line",
                what=words.html(key if words.has(key := f"{called}.{value}") else f"role.{value}"),
                wins=counts.get(f"wins/{kind}/{value}", 0),
                games=games,
            )
            rating = record.ratings.get(f"{kind}/{value}")
            shown = "" if rating is None else f" · {shown_rating(words, rating, games)}"
            lines.append(Markup("{}{}").format(said, shown))
    return Markup("\n").join([*lines, *apart])


def shown_rating(words: Words, rating: Rating, games: int) -> Markup:
    """Return a rating, with a question mark while it is provisional."""
    return Markup("{}{}").format(rating.shown, "?" if games < SETTLED else "")


def _how_well(words: Words, record: OwnRecord, games: int) -> list[Markup]:
    """Return a person's rating, the wins to expect at their tables, and how well they vote, shoot and lie."""
    if not record.curve:
        return []
    counts = record.counts
    rating = shown_rating(words, record.rating(""), games)
    settled = "stats.own.rating" if games >= SETTLED else "stats.own.rating.provisional"
    # One digit after the point, written without a float.
    tenths = round(counts.get(EXPECTED, 0) / 100)
    lines = [
        words.html(settled, rating=rating, games=SETTLED),
        words.html("stats.own.expected", wins=f"{tenths // 10}.{tenths % 10}"),
    ]
    for what, right in (("votes", "votes/right"), ("shots", "shots/right"), ("lies", "lies/held")):
        if counts.get(what):
            lines.append(words.html(f"stats.own.{what}", right=counts.get(right, 0), all=counts[what]))
    if counts.get("trust"):
        percent = round(100 * counts.get("trust/ja", 0) / counts["trust"])
        lines.append(words.html("stats.own.trust", percent=percent))
    return lines
