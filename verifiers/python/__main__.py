"""python3 verifiers/python FILE --root KEY: the verifier, run from its folder without an installation."""
import sys

from paigow_verify.__main__ import main

sys.exit(main())
