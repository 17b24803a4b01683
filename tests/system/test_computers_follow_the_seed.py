"""Replay computers' choices from only the log and the opened seed."""

import ai
from ai.explain import from_plain, play_again
from bot.records.archive import decode_replayable, encode_archive
from engine import Reply, question_for, view
from sandbox.explainable import to_explainable
from tests.system.table import Table
from tests.system.test_computers import finished


def test_computers_choices_follow_from_the_opened_seed(table: Table) -> None:
    table.gather(2).computers(3).start()
    finished(table)
    match = table.match()
    setup, chance, given, claims = from_plain(to_explainable(decode_replayable(encode_archive(match))))
    checked = 0
    for game, events, reply in play_again(setup, chance, given):
        if not isinstance(reply, Reply) or reply.seat not in match.computer_seats:
            continue
        known, question = view(events, reply.seat), question_for(game, reply.seat)
        assert question is not None
        drawn = chance.apart(f"ai/{reply.seat}/{question.number}")
        shared = chance.apart(f"ai/shared/{question.number}")
        options = question.options[question.seats.index(reply.seat)]
        character = ai.character_of(match.players[reply.seat].name)
        strength = table.room().settings.strength
        chosen = ai.choose(known, question, claims, drawn, strength, shared, character)
        assert options[chosen] == options[reply.choice]
        checked += 1
    assert checked > 5
