"""The page on which one person plays any seat of a group in a browser, and sees what the bot does.

The session runs in one thread, since neither the table nor the bot's event loop supports several threads.
Browsers get changes by server-sent events, and act by POST (``server``). ``static`` holds the files.
"""
