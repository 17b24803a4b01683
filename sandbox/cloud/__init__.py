"""The bot's cloud in one process and in virtual time: what the simulators of faults and of storms stand on.

machine     events in virtual time, and processes (threads) that run one at a time
loop        asyncio in such a process
fates       what may become of a request, and the weather that says how often
network     the way of a request there and back
clients     DynamoDB's and SQS's, by the network
functions   the two Lambda functions: invocations in processes, warm or new
queue       SQS with Lambda at its end
"""
