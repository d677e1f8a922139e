"""For hosts, who run the bot: copies of its database, health checks and metrics."""
