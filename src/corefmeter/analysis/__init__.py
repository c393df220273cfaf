"""What went wrong: from the score down to entities, links and mentions, by any mention feature."""
