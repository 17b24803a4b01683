"""How computers play: each party's wins, and levels of computers against each other and beside people.

cells       games of one setup with given levels, and a file that stores what was played
counts      what happened in a game, to compare computers with people
balance     writes docs/balance.md
duels       times decisions, and writes the tables of docs/computers.md
"""
