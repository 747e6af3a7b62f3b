"""Arrow arrays, numpy vectors and text, each from the other without loss."""
