"""The network: listening, deadlines, bounds and limits of connections."""
