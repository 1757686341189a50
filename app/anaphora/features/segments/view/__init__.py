"""The actions on segments, and the rules that cut them."""
