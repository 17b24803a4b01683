"""A person's language, the wish to be forgotten, and limits on what a chat may ask."""

from dataclasses import replace

from bot.conversation.incoming import LanguageChosen, Person, PersonForgotten
from bot.conversation.limits import PER_PERSON, STRANGERS
from bot.conversation.outcome import Outcome
from bot.conversation.person import NOBODY, own_language
from bot.display.words import Words
from bot.rooms.names import UserId
from tests.bot.conversation.acts import hears, says, tap
from tests.bot.conversation.people import BEACON, NOW, person, player
from tests.bot.conversation.replies import edits, posts, toast
from tests.bot.conversation.rooms import changed, finished, game, lobby, opened, playing, room
from tests.bot.conversation.texts import words


def test_a_new_language_holds_wherever_somebody_sits_or_waits() -> None:
    sealed = tap(lobby(5), "start", person(0), beacon=BEACON).room
    polish = player(1, "pl")
    for before in (game(), lobby(5), sealed, room(next_game=(player(1),))):
        after = hears(before, LanguageChosen(person(1), "pl")).room
        tables = [each.players for each in (after.match, after.lobby, after.sealed) if each]
        assert polish in (tables[0] if tables else after.next_game)
        assert player(0, "pl") not in (tables[0] if tables else after.next_game)


def test_a_strangers_choice_changes_nothing() -> None:
    assert hears(game(), LanguageChosen(person(9), "pl")) == Outcome(game())


def test_people_are_addressed_in_their_tables_language() -> None:
    seated = (player(0, "de"), *map(player, range(1, 5)))
    at_table = tap(lobby(seated=seated), "join", person(0, "en"))
    assert toast(at_table) == Words("de").plain("toast.already-in")
    assert toast(tap(lobby(10), "join", person(11, "de"))) == Words("de").plain("toast.full")


def test_the_chosen_language_goes_before_telegrams_word() -> None:
    assert own_language("pl", person(0, "de")) == "pl"
    assert own_language(None, person(0, "de-AT")) == "de"
    assert own_language(None, person(0, "tlh")) == "en"


# --- forgotten ----------------------------------------------------------------------------------------------


def test_a_seat_in_a_running_game_stays_theirs() -> None:
    assert hears(game(), PersonForgotten(person(0))).room == game()


def test_a_forgotten_player_is_not_seated_again() -> None:
    after = hears(finished(), PersonForgotten(person(2)))
    assert playing(after.room).players[2] == NOBODY
    assert playing(after.room).away == (2,)
    assert not any(player.id == 102 for player in playing(after.room).players)


def test_who_leads_and_does_not_play_leads_no_more() -> None:
    assert playing(hears(changed(game(), host=109), PersonForgotten(person(9))).room).host is None
    after = hears(lobby(3, host=109), PersonForgotten(person(9)))
    assert opened(after.room).host == 100
    assert "👑" in edits(after)["lobby"]
    assert opened(hears(lobby(0, host=109), PersonForgotten(person(9))).room).host is None


def test_a_host_who_played_and_is_forgotten_led_nothing() -> None:
    assert playing(hears(finished(host=102), PersonForgotten(person(2))).room).host is None


def test_a_seat_in_a_lobby_stays() -> None:
    assert hears(lobby(3), PersonForgotten(person(0))) == Outcome(lobby(3))


def test_a_sealed_games_host_who_does_not_play_is_forgotten_too() -> None:
    begun = tap(lobby(5), "start", person(0), beacon=BEACON).room
    assert begun.sealed is not None
    sealed = replace(begun, sealed=replace(begun.sealed, host=UserId(109)))
    after = hears(sealed, PersonForgotten(person(9))).room
    assert after.sealed is not None
    assert after.sealed.host == 100
    playing_host = tap(lobby(5), "start", person(0), beacon=BEACON).room
    assert hears(playing_host, PersonForgotten(person(0))).room == playing_host


def test_who_waits_for_the_next_game_does_not_any_more() -> None:
    waiting = room(next_game=(player(3), player(4)))
    assert hears(waiting, PersonForgotten(person(3))).room.next_game == (player(4),)


# --- how much a chat may ask --------------------------------------------------------------------------------


def test_one_person_is_answered_so_often_and_told_once() -> None:
    busy = lobby(3)
    for _ in range(PER_PERSON):
        after = says(busy, person(0), "/help")
        assert posts(after)
        busy = after.room
    told = says(busy, person(0), "/help")
    assert posts(told) == [words("throttled")]
    assert says(told.room, person(0), "/help") == Outcome(told.room)
    assert posts(says(told.room, person(1), "/help")), "others are answered"
    later = says(busy, person(0), "/help", now=NOW + 60)
    assert posts(later)
    assert later.room.acts == ((person(0).id, NOW + 60),)


def test_strangers_do_not_use_up_what_players_may_ask() -> None:
    busy = game()
    for stranger in range(9020, 9020 + STRANGERS):
        busy = says(busy, Person(UserId(stranger), "Zoe"), "/status").room
    assert posts(says(busy, Person(UserId(40), "Zoe"), "/status")) == [words("throttled")]
    assert posts(says(busy, person(0), "/status")) != [words("throttled")]


def test_a_channel_is_under_the_same_limits() -> None:
    busy = lobby(3)
    for _ in range(STRANGERS):
        busy = says(busy, Person(UserId(50), "Channel"), "/join", anonymous=True).room
    assert posts(says(busy, Person(UserId(50), "Channel"), "/join", anonymous=True)) == [words("throttled")]


def test_a_game_is_joined_however_much_strangers_asked() -> None:
    busy = lobby(4)
    for stranger in range(9020, 9020 + STRANGERS):
        busy = says(busy, Person(UserId(stranger), "Zoe"), "/help").room
    assert len(opened(says(busy, person(9), "/join").room).players) == 5


def test_what_was_counted_of_a_person_is_forgotten_with_them() -> None:
    assert hears(says(room(), person(0), "/help").room, PersonForgotten(person(0))).room.acts == ()


def test_a_command_that_there_is_not_is_let_go() -> None:
    assert says(room(), person(0), "/dance") == Outcome(room())
