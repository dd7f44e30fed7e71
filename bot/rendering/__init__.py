"""Whatever reaches Discord is built here: clean text, escaped, cut, within the limits, pinging nobody."""
