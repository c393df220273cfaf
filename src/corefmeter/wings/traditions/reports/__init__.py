"""Reports of the commands of this wing."""
