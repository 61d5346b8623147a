"""Attacks of an operator that holds every key: what a choice gains, and what the verifiers say of it.

    python3 verifiers/conformance/attacks.py --lab LAB

Each attack makes its records itself and signs them with all keys. It prints how many base wagers a
seat lost with the choice and without it. All three verifiers then have to say what is expected, or
the exit status is 1. LAB is the program `paigow-lab`; `node` runs the verifier in JavaScript.
"""
import argparse
import sys
import tempfile

from issuer import LOCKED, Draft, Key, Ref, World, issue
from paigow_verify import shuffle
from three import RULES, Verifiers, facts

ROUNDS, EPOCHS = 12, 40
SHEET = ("express", {1: [("base", 1000)]})


def net_of(drafts):
    """What the seat won in a round."""
    return int(drafts[-1].body["results"]["seats"]["1"]["net"])


def lost(rounds):
    return sum(net_of(drafts) < 0 for drafts in rounds)


def honest(world):
    """As many rounds, one after the other, without a choice."""
    return [world.round(*SHEET, round_no=number) for number in range(1, ROUNDS + 1)]


def forty_epochs():
    """Forty epochs have one window: each round is played in the epoch whose next deck is best."""
    worlds = [World(RULES, LOCKED, epoch=number, listed=["express"]) for number in range(1, EPOCHS + 1)]
    window = {"open_from": "1700000000", "open_until": "1900000000", "settle_until": "1901000000"}

    def manifest(name, seq, prev, complete):
        draft = worlds[0]._manifest(name, seq, prev, complete)
        draft.body["epochs"] = [world._epoch(complete) | window for world in worlds]
        return draft

    manifests = [manifest("announcement", 1, "0" * 64, False), manifest("manifest", 2, Ref("announcement"), True)]
    played, rounds = dict.fromkeys(range(EPOCHS), 0), []
    for _ in range(ROUNDS):
        def candidate(epoch):
            number = played[epoch] + 1
            prev = "manifest" if number == 1 else f"epoch {epoch + 1} round {number - 1}/close"
            return worlds[epoch].round(*SHEET, round_no=number, prev=prev, name=f"epoch {epoch + 1} round {number}")

        best = min(range(EPOCHS), key=lambda epoch: net_of(candidate(epoch)))
        rounds.append(candidate(best))
        played[best] += 1
    reveals = [Draft("reveal", "epoch-reveal", world.reveal().body, [world.root])
               for world, count in zip(worlds, played.values()) if count]
    return lost(rounds), lost(honest(worlds[0])), manifests + sum(rounds, []) + reveals


def many_salts():
    """One key is witness and receipt key: whoever holds it tries salts until the first rounds are good."""
    def world(attempt):
        made = World(RULES, LOCKED, listed=["express"])
        made.witness = made.receipt
        made.value = shuffle.sha256(b"attempt %d" % attempt)
        made.salt = shuffle.party_salt(made.witness.bytes, made.value)
        return made

    best = max(range(EPOCHS), key=lambda attempt: lost(honest(world(attempt))))
    chosen, first = world(best), world(0)
    rounds = honest(chosen)
    return lost(rounds), lost(honest(first)), chosen.manifests() + sum(rounds, []) + [chosen.reveal()]


def rewritten_tables():
    """The witness has signed the salt. Now the operator knows all decks, pins other tables in the
    manifest that announced the epoch, and signs that again."""
    world = World(RULES, LOCKED, listed=["express"])
    names = [f"table-{number}" for number in range(90)]
    rounds = {name: world.round(*SHEET, table=name) for name in names}
    best = sorted(names, key=lambda name: net_of(rounds[name]))[:ROUNDS]

    def pinned(drafts, tables):
        for draft in drafts:
            draft.body["tenants"][0]["tables"] = tables
        return drafts

    [seen, _] = pinned(world.manifests(), names[:ROUNDS])
    seen.name, seen.hidden = "seen by the witness", True
    manifests = pinned(world.manifests(), best)
    source = manifests[1].body["epochs"][0]["salt_source"]
    source["sig"].announcement = seen.name
    chosen = [rounds[name] for name in best]
    without = [rounds[name] for name in names[:ROUNDS]]
    return lost(chosen), lost(without), [seen, *manifests] + sum(chosen, []) + [world.reveal()]


# Each attack, and what every verifier has to say: the checks that fail, and the rule for manifests.
ATTACKS = {
    "forty epochs with one window": (forty_epochs, ["MANIFEST_RULES"], "WINDOWS_OVERLAP"),
    "one key as witness and as receipt key": (many_salts, ["MANIFEST_RULES"], "KEY_ROLES"),
    "tables pinned after the salt": (rewritten_tables, ["MANIFEST_RULES", "EPOCH_SALT"], "SALT"),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lab", required=True, help="the program paigow-lab")
    options = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as page:
        verifiers = Verifiers(options.lab, page)
        for name, (attack, checks, rule) in ATTACKS.items():
            with_choice, without, drafts = attack()
            print(f"{name}: {with_choice} of {ROUNDS} base wagers lost, {without} without the choice")
            [reports] = verifiers.reports([issue(drafts)], Key("root").public)
            for verifier, report in reports.items():
                told = facts(report)
                failed = [check for check, status in told["checks"].items() if status == "CHECK_STATUS_FAILED"]
                print(f"  {verifier}: {told['verdict']} {' '.join(failed)} {told['rule']}")
                # Nothing else is wrong with the records: without these checks they would pass.
                wrong += (told["verdict"], failed, told["rule"]) != ("VERDICT_MISMATCH", checks, rule)
            wrong += with_choice <= without
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
