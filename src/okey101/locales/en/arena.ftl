# The arena, data, and the door for other people's bots.

## Bots of others
error-bot-unloadable = The bot { $name } can't be loaded. { $reason }
error-bot-not-named = The file has the bot { $name } play. Name it with --bots if its code may run here.
bot-installed = Comes with the package { $package }.
