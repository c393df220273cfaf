"""Reports of agreement, merged annotations and stitched windows."""
