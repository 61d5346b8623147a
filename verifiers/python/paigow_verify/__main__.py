"""python3 -m paigow_verify FILE --root KEY: checks a transcript and prints its findings."""
import argparse
import json
import pathlib
import sys
import time
import traceback

from .audit import Audit, lines_of
from .encoding import Bad
from .epoch_close import proofs_of
from .log_copy import LogCopy
from .report import as_json, as_text
from .rules import BadRules, Rules
from .terms import Terms, audited_close, own_seat, second

LARGEST_FILE = 256 << 20
WRONG_ARGUMENTS, BAD_INPUT, NO_INPUT, OUR_FAULT = 64, 65, 66, 70
VERDICTS = {"match": 0, "mismatch": 1, "incomplete": 2, "pending": 3}
CLAIMS = {"shown": 0, "not_shown": 2, "pending": 3}


class Parser(argparse.ArgumentParser):
    """Its usual status for wrong arguments, 2, would be a verdict here."""

    def error(self, message):
        self.exit(WRONG_ARGUMENTS, f"{self.format_usage()}paigow_verify: {message}\n")


def main(arguments=None):
    parser = Parser(prog="paigow_verify", description=__doc__)
    parser.add_argument("file", help="the transcript in JSON Lines; - is standard input")
    parser.add_argument("--root", action="append", required=True, metavar="KEY",
                        help="a trusted root public key, 64 hex digits; may be repeated")
    parser.add_argument("--threshold", type=int, default=1, help="how many of them must have signed")
    parser.add_argument("--witness", action="append", default=[], metavar="KEY", help="a trusted witness public key")
    parser.add_argument("--beacon", action="append", default=[], metavar="CHAINHASH",
                        help="a trusted drand chain beside quicknet, by its hash; may be repeated")
    parser.add_argument("--manifest", metavar="HASH", help="the first manifest of the file, where it is not manifest 1")
    parser.add_argument("--after", action="append", default=[], type=audited_close, metavar="ROUND_ID:HASH",
                        help="a round that was audited before, and its close")
    parser.add_argument("--as-of", type=second, metavar="TIME", default=int(time.time()),
                        help="the time of the audit in UTC, as 2026-11-25T00:00:00Z; now if it is not given")
    parser.add_argument("--my-seat", type=own_seat, metavar="N[=KEY]", default=(None, None),
                        help="your own seat, and the public key that signs its decisions")
    parser.add_argument("--proof", action="append", default=[], type=pathlib.Path, metavar="FILE",
                        help="inclusion proofs, one a line; may be repeated")
    parser.add_argument("--log-copy", action="append", default=[], type=pathlib.Path, metavar="FILE",
                        help="a copy of the public log, as paigow-log copy writes it; may be repeated")
    parser.add_argument("--require", action="append", default=[], metavar="CLAIM",
                        help="a claim that has to be shown; may be repeated")
    parser.add_argument("--ruleset", action="append", default=[], type=pathlib.Path, metavar="FILE",
                        help="a ruleset file besides those published with the engine")
    parser.add_argument("--house-way", action="append", default=[], type=pathlib.Path, metavar="FILE")
    parser.add_argument("--json", action="store_true", help="one JSON object, as the engine's audit prints it")
    options = parser.parse_args(arguments)
    try:
        proofs = tuple(proof for path in options.proof for proof in proofs_of(path.read_bytes()))
        terms = Terms(tuple(options.witness), options.manifest, dict(options.after), options.as_of, *options.my_seat,
                      proofs, tuple(options.beacon), tuple(LogCopy(path.read_bytes()) for path in options.log_copy))
        audit = Audit(Rules(options.ruleset, options.house_way), options.root, options.threshold, terms)
        unknown = set(options.require).difference(claim["name"] for claim in audit.known["claims"])
        if unknown:
            raise ValueError(f"--require {unknown.pop()}: no such claim")
        with sys.stdin.buffer if options.file == "-" else open(options.file, "rb") as file:
            data = file.read(LARGEST_FILE + 1)
        if len(data) > LARGEST_FILE:
            raise ValueError(f"more than {LARGEST_FILE} bytes")
        audit.run(lines_of(data))
    except (OSError, BadRules, Bad, ValueError) as error:
        print(f"paigow_verify: {error}", file=sys.stderr)
        is_bad = isinstance(error, (BadRules, Bad))
        return NO_INPUT if isinstance(error, OSError) else BAD_INPUT if is_bad else WRONG_ARGUMENTS
    except Exception:
        # Python's own status, 1, would mean a mismatch and accuse the operator.
        traceback.print_exc()
        return OUR_FAULT
    print(json.dumps(as_json(audit), sort_keys=True, separators=(",", ":")) if options.json else as_text(audit))
    asked = [CLAIMS[claim["status"]] for claim in audit.claims if claim["name"] in options.require]
    return next(status for status in (1, 2, 3, 0) if status in [VERDICTS[audit.verdict], *asked])


if __name__ == "__main__":
    sys.exit(main())
