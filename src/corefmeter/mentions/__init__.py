"""What is known of mentions: kind, head, tags, order of reading, and features made of these."""
