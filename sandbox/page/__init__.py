"""The page: one person at a browser plays any seat of a group at the desk, and sees what happens underneath.

One thread (``worker``) owns the desk, as neither the table nor the bot's event loop is for several. Browsers
get what changed by server-sent events and act by POST (``server``); ``static`` is the page itself.
"""
