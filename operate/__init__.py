"""The operator's command line: ``python -m operate``, for a stack and for the bot on one machine.

bot        one bot that is looked after: its table, queues, secrets and Telegram
output     what is printed, as tables or as JSON, and what is asked before anything changes
doctor     whether all is well, and what to do where it is not
rooms      what rooms are doing, without what only some may know
changes    what is done to rooms: unstick, tell, export, purge
rotating   another token, another secret
commands   the command line itself
"""
