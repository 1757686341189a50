"""What `packaging/build.py` makes installers with: the program as a folder, and what installs it."""
