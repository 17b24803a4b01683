"""How computers play: each party's wins, and levels of computers against each other and beside people.

cells       games of one setup with given levels, and a file that stores what was played
counts      what happened in a game, to compare computers with people
speed       how long a decision takes
balance     writes docs/balance.md
duels       writes the tables of docs/computers.md
"""
