"""Parts of `packaging/build.py`: the program as a folder, and its installers."""
