"""The handlers of buttons and commands about a game."""

from bot.conversation.game import answering, claims, clock, endings, guessing, info, notes, seats, watching
from bot.conversation.outcome import Answerer
from bot.display.buttons import Verb

TAPS: dict[Verb, Answerer] = {
    "answer": answering.answer_tap,
    "claim": claims.claim_tap,
    "watch": watching.watch_tap,
    "guess": guessing.guess_tap,
    "clock": clock.clock_tap,
    "quit": seats.quit_tap,
    "sit": seats.sit,
    "replace": seats.replace_tap,
    "unseat": seats.unseat_tap,
    "back": seats.back_tap,
    "role": info.role_tap,
    "note": notes.note_tap,
    "proof": endings.proof_tap,
    "film": endings.finished_tap,
    "decided": endings.finished_tap,
}

COMMANDS: dict[str, Answerer] = {
    "status": info.status,
    "remind": info.remind,
    "board": info.board,
    "history": info.history,
    "votes": info.votes,
    "players": info.players,
    "sub": seats.sub,
    "suspect": claims.suspect,
    "guess": guessing.guess_command,
    "role": info.only_in_private,
    "games": info.only_in_private,
    "help": info.help_in_group,
}
