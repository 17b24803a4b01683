"""Game nights: planning, signing up, and the bot's steps up to the game."""

from dataclasses import replace
from typing import Any

import pytest

from bot.conversation import limits
from bot.conversation.incoming import Command, Gone, LanguageChosen, Membership, PersonForgotten, Tap, Wake
from bot.conversation.nights import LATEST, MOST_EMPTY
from bot.conversation.outcome import UNKNOWN, ClearButtons, Lookup, Outcome, Post, Private
from bot.conversation.reaching import on_moved
from bot.conversation.routing import respond
from bot.conversation.waking import due, next_queued
from bot.display.nights import CANCEL, CANCEL_SURELY, IN, KEEP, MAYBE, ONCE, OUT, WEEKLY
from bot.display.words import Words
from bot.rooms import night
from bot.rooms.codec import SCHEMA, decode, encode
from bot.rooms.model import Room
from bot.rooms.names import ChatId, RoomName, UserId
from bot.rooms.night import MOST_GUESTS, STEPS, Guest, Night
from bot.rooms.player import Player
from tests.bot.conversation.acts import context, hears, needs, press, says
from tests.bot.conversation.people import CHAT, NOW, person, player
from tests.bot.conversation.replies import buttons, edits, keys, posts, refuses, toast, unchanged, writes
from tests.bot.conversation.rooms import finished, game, lobby, opened, room
from tests.bot.conversation.texts import plain, read, words

#: NOW is a Sunday, 17:46 in UTC. The next Friday at 20:00 there:
FRIDAY = NOW + 4 * 86400 + (24 * 3600 - 17 * 3600 - 46 * 60 - 40) + 20 * 3600
ADMIN: dict[str, Any] = {"is_admin": True}


def planned(*, coming: int = 3, maybe: int = 0, base: Room | None = None, **of_night: Any) -> Room:
    """Return a room with a night on Friday, for which this many signed up."""
    guests = tuple(Guest(player(number), maybe=number >= coming) for number in range(coming + maybe))
    night = Night(**{"at": FRIDAY, "day": 4, "minutes": 1200, "host": 100, "guests": guests, **of_night})
    return replace(base or room(), night=night)


def night_of(after: Outcome) -> Night:
    assert after.room.night is not None
    return after.room.night


def tap(before: Room, what: int, number: int = 0, **facts: Any) -> Outcome:
    assert before.night is not None
    return press(before, "night", person(number), before.night.at, what, **facts)


def passes(before: Room, at: int, **facts: Any) -> Outcome:
    facts = {"guests_gone": frozenset(), **facts}
    return respond(before, Wake(RoomName(before.chat, before.topic)), context(now=at, **facts))


def written_to(after: Outcome) -> dict[int, str]:
    """Return what people are posted in private, by their numbers."""
    written = [effect for effect in after.effects if isinstance(effect, Post)]
    return {post.to.person - 100: read(post.text) for post in written if isinstance(post.to, Private)}


# --- planning -----------------------------------------------------------------------------------------------


def test_an_admin_plans_a_night() -> None:
    after = says(room(), person(0), "/schedule fri 20:00", **ADMIN)
    assert night_of(after) == Night(FRIDAY, 4, 1200, host=UserId(100))
    (post,) = posts(after)
    assert f'<tg-time unix="{FRIDAY}" format="wDt">' in post
    assert read(post).splitlines()[1] == "🌍 Friday, 20:00 (UTC)"
    assert {what for _, what in buttons(after, "night")} == {IN, MAYBE, OUT, WEEKLY, CANCEL}
    assert after.remember == 100


def test_a_night_is_in_the_groups_own_zone() -> None:
    after = says(room(timezone="Europe/Berlin"), person(0), "/schedule weekly friday 8pm", **ADMIN)
    assert night_of(after) == Night(FRIDAY - 3600, 4, 1200, weekly=True, host=UserId(100))
    assert "Friday, 20:00 (Europe/Berlin)" in posts(after)[0]
    assert words("night.weekly") in posts(after)[0]


def test_without_a_day_the_night_is_the_next_such_hour() -> None:
    night = night_of(says(room(), person(0), "/schedule weekly 17:00", **ADMIN))
    assert (night.at, night.day) == (FRIDAY - 4 * 86400 - 3 * 3600, 0), "tomorrow, a Monday"


def test_others_plan_nights_where_the_group_says_so() -> None:
    refused = says(room(), person(0), "/schedule fri 20:00")
    assert posts(refused) == [words("only-admin")]
    assert refused.room.night is None
    unsure = says(room(), person(0), "/schedule fri 20:00", is_admin=UNKNOWN)
    assert posts(unsure) == [words("admin.unknown")]
    assert says(room(nights="anyone"), person(0), "/schedule fri 20:00").room.night is not None
    stranger = says(room(nights="anyone"), person(0), "/schedule fri 20:00", is_member=False)
    assert stranger.room.night is None


def test_who_plans_must_be_looked_up() -> None:
    needs(Lookup.IS_ADMIN, says, room(), person(0), "/schedule fri 20:00")


@pytest.mark.parametrize("said", ["/schedule soon", "/schedule weekly", "/schedule fri 25:00"])
def test_a_time_that_cannot_be_read_is_explained(said: str) -> None:
    after = says(room(), person(0), said, **ADMIN)
    assert after.room.night is None
    assert posts(after)[0].startswith(words("night.unclear"))
    assert "/schedule fri 20:00" in read(posts(after)[0])


def test_anybody_sees_what_is_planned() -> None:
    assert posts(says(room(), person(5), "/schedule"))[0].startswith(words("night.none"))
    before = planned(coming=2, maybe=1)
    after = says(before, person(5), "/schedule")
    assert after.room.night == before.night
    assert ClearButtons in {type(effect) for effect in after.effects}, "only one post has buttons"
    assert read(posts(after)[0]).splitlines()[3:] == ["👍 In: Ada, Ben (2)", "🤔 Maybe: Cleo (1)"]


def test_another_plan_takes_the_place_of_the_first() -> None:
    after = says(planned(coming=2), person(0), "/schedule sat 20:00", **ADMIN)
    assert night_of(after) == Night(FRIDAY + 86400, 5, 1200, host=UserId(100))
    assert edits(after) == {"night": words("night.moved")}
    assert set(written_to(after)) == {0, 1}
    assert f'unix="{FRIDAY + 86400}"' in writes(after, person(1))[0]


def test_a_night_soon_skips_the_reminders_that_are_past() -> None:
    night = night_of(says(room(), person(0), "/schedule 17:51", **ADMIN))
    assert STEPS[night.step] == 0, "less than ten minutes"
    night = night_of(says(room(), person(0), "/schedule 18:16", **ADMIN))
    assert STEPS[night.step] == 600, "half an hour"


def test_a_late_command_plans_nothing() -> None:
    said = Command(person(0), RoomName(CHAT), "schedule", "fri 20:00", "The Reichstag", date=NOW - 3600)
    assert respond(room(), said, context(**ADMIN)).room.night is None


def test_the_group_itself_may_plan() -> None:
    where = RoomName(CHAT)
    said = Command(person(0), where, "schedule", "fri 20:00", "The Reichstag", anonymous=True, as_group=True)
    after = respond(room(), said, context())
    assert night_of(after).host is None
    assert after.remember is None


# --- signing up ---------------------------------------------------------------------------------------------


def test_people_sign_up_by_a_tap() -> None:
    after = tap(planned(coming=1), IN, 1)
    assert [guest.player.id for guest in night_of(after).guests] == [100, 101]
    assert toast(after) == plain("toast.night-in")
    assert "👍 In: Ada, Ben (2)" in read(edits(after)["night"])
    assert after.remember == 101
    assert after.room.knows(UserId(101))
    assert 101 in after.room.user_ids
    assert not after.room.has(UserId(101)), "a guest has no seat"


def test_people_change_their_minds() -> None:
    after = tap(planned(coming=2), MAYBE, 0)
    assert [(guest.player.id, guest.maybe) for guest in night_of(after).guests] == [(100, True), (101, False)]
    after = tap(after.room, OUT, 0)
    assert [guest.player.id for guest in night_of(after).guests] == [101]
    assert toast(after) == plain("toast.night-out")


@pytest.mark.parametrize(("what", "number"), [(IN, 0), (MAYBE, 2), (OUT, 5)])
def test_a_second_tap_changes_nothing(what: int, number: int) -> None:
    before = planned(coming=2, maybe=1)
    assert unchanged(tap(before, what, number), before)


def test_strangers_do_not_sign_up() -> None:
    before = planned()
    refuses(tap(before, IN, 5, is_member=False), before, "toast.not-member")


def test_a_list_has_an_end() -> None:
    crowd = tuple(Guest(Player(UserId(1000 + n), "W" * 64, "en")) for n in range(MOST_GUESTS))
    before = planned(guests=crowd)
    refuses(tap(before, IN, 1), before, "toast.night-full", most=MOST_GUESTS)
    (post,) = posts(says(before, person(0), "/schedule"))
    assert len(read(post)) < 4096
    assert len(encode(before)) < 10_000


def test_one_whom_the_bot_may_not_write_to_is_led_to_it() -> None:
    after = tap(planned(coming=0), IN, 1, may_write=False)
    assert after.toast is not None
    assert after.toast.url == context().deep_link("hello")
    assert len(night_of(after).guests) == 1


def test_buttons_of_another_night_are_worth_nothing() -> None:
    before = planned()
    refuses(press(before, "night", person(5), FRIDAY - 60, IN), before, "toast.night-over")
    assert toast(press(room(), "night", person(5), FRIDAY, IN)) == plain("toast.night-over")


@pytest.mark.parametrize("what", [0, -1, 9, 10**9])
def test_forged_buttons_do_nothing(what: int) -> None:
    before = planned()
    assert unchanged(tap(before, what, 0, **ADMIN), before)


def test_taps_on_a_night_are_limited() -> None:
    after = Outcome(planned(coming=0))
    for turn in range(limits.PER_PERSON):
        after = tap(after.room, IN if turn % 2 == 0 else OUT, 1)
    assert toast(tap(after.room, IN, 1)) == plain("throttled")


# --- repeating and cancelling -------------------------------------------------------------------------------


@pytest.mark.parametrize("what", [WEEKLY, ONCE, CANCEL, CANCEL_SURELY, KEEP])
def test_only_admins_repeat_or_cancel(what: int) -> None:
    before = planned(weekly=what == ONCE)
    refuses(tap(before, what, 1), before, "only-admin")


def test_a_night_repeats_by_a_tap() -> None:
    after = tap(planned(), WEEKLY, 1, **ADMIN)
    assert night_of(after).weekly
    assert unchanged(tap(after.room, WEEKLY, 1, **ADMIN), after.room)
    assert not night_of(tap(after.room, ONCE, 1, **ADMIN)).weekly


def test_a_tap_that_cancels_is_asked_about() -> None:
    before = planned(coming=2)
    asked = tap(before, CANCEL, 1, **ADMIN)
    assert asked.room.night == before.night
    assert {what for _, what in buttons(asked, "night")} == {CANCEL_SURELY, KEEP}
    kept = tap(asked.room, KEEP, 1, **ADMIN)
    assert {what for _, what in buttons(kept, "night")} == {IN, MAYBE, OUT, WEEKLY, CANCEL}
    off = tap(asked.room, CANCEL_SURELY, 1, **ADMIN)
    assert off.room.night is None
    assert read(edits(off)["night"]) == "📅 Ben cancelled the game night."
    assert keys(off) == [button for button in keys(off) if button.url], "no button but to the group"
    assert set(written_to(off)) == {0, 1}


def test_schedule_off_cancels() -> None:
    after = says(planned(coming=1), person(2), "/schedule off", **ADMIN)
    assert after.room.night is None
    assert read(posts(after)[0]) == "📅 Cleo cancelled the game night."
    assert set(written_to(after)) == {0}
    assert says(planned(), person(2), "/schedule off").room.night is not None
    assert posts(says(room(), person(2), "/schedule off", **ADMIN)) == [words("night.none")]


# --- the hour comes -----------------------------------------------------------------------------------------


def test_guests_are_reminded_an_hour_and_ten_minutes_before() -> None:
    before = planned(coming=1, maybe=1)
    assert due(before) == FRIDAY - 3600
    assert unchanged(passes(before, FRIDAY - 3601), before)
    hour = passes(before, FRIDAY - 3600)
    assert set(written_to(hour)) == {0, 1}
    assert f'<tg-time unix="{FRIDAY}" format="r">Friday, 20:00 (UTC)</tg-time>' in writes(hour, person(0))[0]
    assert "You're in" in written_to(hour)[0]
    assert "You said maybe" in written_to(hour)[1]
    assert posts(hour) == []
    assert due(hour.room) == FRIDAY - 600
    ten = passes(hour.room, FRIDAY - 600)
    assert set(written_to(ten)) == {0, 1}
    assert due(ten.room) == next_queued(ten.room) == FRIDAY
    assert unchanged(passes(ten.room, FRIDAY - 599), ten.room), "not twice"


def test_reminders_are_in_each_guests_language() -> None:
    before = planned(guests=(Guest(player(0, "de")),))
    assert "Spieleabend" in written_to(passes(before, FRIDAY - 3600))[0]
    chosen = hears(before, LanguageChosen(person(0), "fr"))
    assert "Soirée jeu" in written_to(passes(chosen.room, FRIDAY - 3600))[0]


def test_only_the_opening_is_queued_to_the_minute() -> None:
    assert next_queued(planned()) is None, "the watchdog is early enough"
    assert next_queued(planned(step=3)) == FRIDAY


def test_who_left_the_group_is_neither_reminded_nor_asked() -> None:
    needs(Lookup.GUESTS_GONE, passes, planned(), FRIDAY - 3600)
    hour = passes(planned(coming=2), FRIDAY - 3600, guests_gone=frozenset({101}))
    assert set(written_to(hour)) == {0}
    assert [guest.player.id for guest in night_of(hour).guests] == [100]
    assert set(written_to(passes(planned(coming=2), FRIDAY, guests_gone=frozenset({101})))) == {0}


def test_at_the_hour_a_lobby_opens_and_asks_who_said_yes() -> None:
    after = passes(planned(coming=2, maybe=1, step=3), FRIDAY)
    assert opened(after.room).players == ()
    assert opened(after.room).host == 100
    assert after.room.night is None
    assert set(written_to(after)) == {0, 1}, "not who said maybe"
    (join,) = [button.url for button in keys(after) if button.url and "start=" in button.url][:1]
    assert join.startswith("https://t.me/TheBot?start=")
    assert ClearButtons in {type(effect) for effect in after.effects}


def test_a_lobby_opens_at_most_an_hour_late() -> None:
    assert passes(planned(), FRIDAY + LATEST).room.lobby is not None
    missed = passes(planned(), FRIDAY + LATEST + 1)
    assert missed.room.lobby is None
    assert posts(missed) == []
    assert written_to(missed) == {}
    assert missed.room.night is None
    assert night_of(passes(planned(weekly=True), FRIDAY + LATEST + 1)).at == FRIDAY + 7 * 86400


def test_a_bot_that_was_down_for_weeks_plans_the_next_one() -> None:
    after = passes(planned(weekly=True), FRIDAY + 20 * 86400)
    assert night_of(after).at == FRIDAY + 21 * 86400
    assert posts(after) == []


def test_a_late_reminder_is_sent_once() -> None:
    after = passes(planned(coming=1), FRIDAY - 300)
    assert len(writes(after, person(0))) == 1
    assert due(after.room) == FRIDAY


def test_a_weekly_night_is_posted_again_two_days_before() -> None:
    after = passes(planned(weekly=True, step=3), FRIDAY)
    week = FRIDAY + 7 * 86400
    assert night_of(after) == Night(week, 4, 1200, weekly=True, host=UserId(100), step=0)
    assert due(replace(after.room, lobby=None)) == week - 2 * 86400
    posted = passes(replace(after.room, lobby=None), week - 2 * 86400)
    assert f'unix="{week}"' in posts(posted)[0]
    assert due(posted.room) == week - 3600


def test_a_night_that_is_not_posted_yet_is_shown_and_moved() -> None:
    before = planned(coming=0, weekly=True, step=0)
    assert night_of(says(before, person(5), "/schedule")).step == 1, "it is not posted again"
    moved_on = says(before, person(0), "/schedule sat 20:00", **ADMIN)
    assert edits(moved_on) == {}, "last week's post stays as it is"
    assert edits(says(before, person(0), "/timezone Africa/Abidjan", **ADMIN)) == {}
    assert edits(says(before, person(0), "/schedule off", **ADMIN)) == {}


def test_a_weekly_night_stays_at_its_hour_in_summer_time() -> None:
    # In Berlin clocks go forward on 31 March 2030.
    at = night.next_at("Europe/Berlin", 4, 1200, NOW + 7 * 86400)
    after = passes(planned(base=room(timezone="Europe/Berlin"), weekly=True, at=at, step=3), at)
    assert night_of(after).at == at + 7 * 86400 - 3600
    assert night.local("Europe/Berlin", night_of(after).at).hour == 20


def test_nobody_signed_up_and_no_lobby_opens() -> None:
    after = passes(planned(coming=0), FRIDAY)
    assert after.room.lobby is None
    assert edits(after) == {"night": words("night.nobody")}


def test_weekly_nights_end_when_nobody_comes() -> None:
    after = Outcome(planned(coming=0, weekly=True))
    for week in range(MOST_EMPTY - 1):
        after = passes(after.room, FRIDAY + week * 7 * 86400)
        assert night_of(after).empty == week + 1
    after = passes(after.room, FRIDAY + (MOST_EMPTY - 1) * 7 * 86400)
    assert after.room.night is None
    assert edits(after) == {"night": words("night.ended", count=MOST_EMPTY)}


def test_while_a_game_runs_no_lobby_opens() -> None:
    after = passes(planned(base=game(time_began_at=FRIDAY, opened_at=FRIDAY)), FRIDAY)
    assert after.room.lobby is None
    assert words("night.running") in posts(after)
    assert written_to(after) == {}


def test_an_open_lobby_is_used() -> None:
    before = planned(coming=3, base=lobby(2, touched=FRIDAY - 60))
    after = passes(before, FRIDAY)
    assert opened(after.room).number == opened(before).number
    assert set(written_to(after)) == {2}, "two sit there already"
    assert len(posts(after)) == 1


def test_while_no_lobby_may_open_the_night_waits() -> None:
    before = planned(step=3)
    assert unchanged(passes(before, FRIDAY, draining=True), before)
    assert unchanged(passes(before, FRIDAY, backlog=100.0), before)
    assert passes(before, FRIDAY + 600).room.lobby is not None


def test_in_slow_mode_the_group_reads_why_no_lobby_opens() -> None:
    after = passes(planned(), FRIDAY, slow_mode=300)
    assert posts(after) == [words("game.slow")]
    assert after.room.night is None


def test_who_waits_for_the_next_game_is_told_once() -> None:
    after = passes(planned(coming=1, base=room(next_game=(player(0), player(5)))), FRIDAY)
    assert set(written_to(after)) == {0, 5}
    assert len(writes(after, person(0))) == 1
    assert after.room.next_game == ()


def test_a_night_without_a_planner_is_led_by_a_guest() -> None:
    assert opened(passes(planned(host=None), FRIDAY).room).host == 100


def test_the_rules_of_the_last_game_are_played() -> None:
    assert opened(passes(planned(base=finished()), FRIDAY).room).setup.ruleset == "classic@1"


def test_a_lobby_that_expires_does_not_hold_up_the_night() -> None:
    before = planned(coming=1, base=lobby(0, host=None, touched=FRIDAY - 3600), step=3)
    assert opened(passes(before, FRIDAY).room).number == opened(before).number + 1


# --- people and groups --------------------------------------------------------------------------------------


def test_who_is_forgotten_is_off_the_list() -> None:
    after = hears(planned(coming=2), PersonForgotten(person(0)))
    assert [guest.player.id for guest in night_of(after).guests] == [101]
    assert night_of(after).host is None
    assert "Ada" not in edits(after)["night"]
    assert "100" not in encode(after.room).decode().replace(str(CHAT), "")


def test_who_leaves_the_group_is_off_the_list() -> None:
    after = hears(planned(coming=2), Gone(person(1), RoomName(CHAT)))
    assert [guest.player.id for guest in night_of(after).guests] == [100]
    before = planned(coming=2)
    assert unchanged(hears(before, Gone(person(7), RoomName(CHAT))), before)


def test_without_the_bot_in_the_group_nothing_is_planned() -> None:
    assert hears(planned(), Membership(RoomName(CHAT), inside=False)).room.night is None


def test_a_new_chat_gets_the_nights_post_again() -> None:
    assert len(posts(on_moved(planned(), ()))) == 1
    assert posts(on_moved(planned(), ("night",))) == []
    assert posts(on_moved(planned(step=0), ())) == [], "it is not posted yet"


def test_a_night_is_stored_as_it_is() -> None:
    before = planned(coming=1, maybe=1, weekly=True, empty=2)
    assert decode(encode(before), SCHEMA) == before
    assert b'night"' not in encode(room())


def test_only_a_tap_in_the_group_itself_counts() -> None:
    before = planned(coming=0)
    said = Tap(person(1), RoomName(CHAT), "query", "night", (FRIDAY, IN), group=CHAT)
    assert hears(before, said, is_member=UNKNOWN).room.night != before.night
    elsewhere = replace(said, group=ChatId(CHAT - 1))
    assert hears(before, elsewhere, is_member=UNKNOWN).room.night == before.night


# --- the time zone ------------------------------------------------------------------------------------------


def test_the_time_zone_is_said_and_set() -> None:
    assert "UTC" in posts(says(room(), person(0), "/timezone"))[0]
    after = says(room(), person(0), "/timezone europe/berlin", **ADMIN)
    assert after.room.settings.timezone == "Europe/Berlin"
    assert "18:46" in posts(after)[0]
    refused = says(room(), person(0), "/timezone Europe/Berlin")
    assert posts(refused) == [words("only-admin")]
    assert refused.room.settings.timezone == "UTC"


def test_no_time_zone_is_guessed() -> None:
    after = says(room(), person(0), "/timezone berlin", **ADMIN)
    assert after.room.settings.timezone == "UTC"
    assert "<code>/timezone Europe/Berlin</code>" in posts(after)[0]
    assert posts(says(room(), person(0), "/timezone <b>", **ADMIN)) == [words("timezone.unknown")]


def test_another_zone_moves_what_is_planned() -> None:
    after = says(planned(coming=2), person(0), "/timezone Europe/Berlin", **ADMIN)
    assert (night_of(after).at, night_of(after).guests) == (FRIDAY - 3600, ())
    assert set(written_to(after)) == {0, 1}
    assert "Friday, 20:00 (Europe/Berlin)" in posts(after)[-1]
    same = says(planned(coming=2), person(0), "/timezone Africa/Abidjan", **ADMIN)
    assert len(night_of(same).guests) == 2
    assert "Africa/Abidjan" in edits(same)["night"]


def test_settings_show_the_zone() -> None:
    assert "Europe/Berlin" in posts(says(room(timezone="Europe/Berlin"), person(0), "/settings"))[0]


@pytest.mark.parametrize("language", ["de", "fa", "ru", "zh_Hans"])
def test_a_night_is_told_in_the_groups_language(language: str) -> None:
    (post,) = posts(says(planned(base=room(language=language)), person(0), "/schedule"))
    assert Words(language).plain("night.days").split(" · ")[4] in post
