"""`python -m volery` is the command line."""

import sys

from volery.cli import main

sys.exit(main())
