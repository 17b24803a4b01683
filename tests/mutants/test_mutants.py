"""The mutation score is counted by package, and a mutant that never ends counts as noticed."""

from tests.mutants.__main__ import summary


def test_the_score_is_counted_by_package() -> None:
    rows = summary({
        "engine.tiles.x_card__mutmut_1": "killed",
        "engine.game.x_start__mutmut_2": "survived",
        "bot.rooms.names.x_key__mutmut_1": "timeout",
        "infra.outbox.plan.x_plan__mutmut_9": "no tests",
    })  # fmt: skip
    assert rows == [
        ("`bot/rooms`", 1, 0, 0, "100.0%"),
        ("`engine`", 2, 1, 0, "50.0%"),
        ("`infra/outbox`", 1, 0, 1, "0.0%"),
        ("all", 4, 1, 1, "50.0%"),
    ]
