"""The operator's command line: ``python -m operate``, for a stack and for the bot on one machine.

bot        find a bot's table, queues, secrets and Telegram connection
output     print tables or JSON, and ask before anything changes
doctor     check the deployment and suggest fixes
rooms      show what rooms are doing, without secrets
changes    carry out commands on rooms and on the queue: unstick, tell, export, purge, retry, replay
rotating   replace the token or the webhook secret
commands   the command line itself
"""
