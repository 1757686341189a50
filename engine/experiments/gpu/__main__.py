"""`python -m experiments.gpu`: see `experiments.gpu.calls`."""

import sys

from experiments.gpu.calls import main

if __name__ == "__main__":
    sys.exit(main())
