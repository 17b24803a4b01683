"""The handlers of buttons and commands about a lobby, the deal, and calling off."""

from bot.conversation.lobby import calling_off, joining, lobby, sealing, starting
from bot.conversation.outcome import Answerer
from bot.display.buttons import Verb

TAPS: dict[Verb, Answerer] = {
    "join": joining.join_tap,
    "leave": joining.leave_tap,
    "start": starting.start_tap,
    "beacon": sealing.beacon_tap,
    "setup": lobby.set_up,
    "host": lobby.hand_over,
    "remove": lobby.remove,
    "computers": lobby.set_computers,
    "rematch": starting.rematch,
    "cancel": calling_off.cancel_tap,
    "off": calling_off.vote_tap,
}

COMMANDS: dict[str, Answerer] = {
    "newgame": lobby.new_game,
    "join": joining.join_command,
    "leave": joining.leave_command,
    "start": starting.start_command,
    "cancel": calling_off.cancel,
    "nextgame": joining.next_game,
    "unseat": joining.unseat_command,
}
