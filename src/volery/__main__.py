import sys

from volery.cli import main

sys.exit(main())
