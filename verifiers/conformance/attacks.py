"""Attacks of an operator that holds every key: the gain of a choice, and the findings of the verifiers.

    python3 verifiers/conformance/attacks.py --lab LAB

Each attack makes its records itself and signs them with all keys, under the derived suite and under
the vrf suite. It prints how many base wagers a seat lost with the choice and without it. Then all three
verifiers must give the expected answer, or the exit status is 1. LAB is the program `paigow-lab`;
`node` runs the verifier in JavaScript. Python verifies no BLS signature, so it shows no claim that rests on one.

An attack may leave every record right. Then no check fails, and a claim is not shown.
"""
import argparse
import functools
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field, replace

from issuer import DRAND, LOCKED, LOG, PLAY_ROUND, SALT_ROUND, Key, Ref, Witnessed, World, copy_of, issue
from logs import OTHER, changed
from paigow_verify import shuffle
from public import KIT
import tellings
from three import RULES, Verifiers, facts

ROUNDS, EPOCHS, TABLES, VOIDABLE = 12, 40, 90, 48
# How many salts are tried. A seed of the vrf suite takes longer.
SALTS = {"derived": 150, "vrf": 60}
SHEET = ("express", {1: [("base", 1000)]})
# The end of settling of epoch 1, and a witness that the player trusts.
DUE, WITNESS = 1901000000, Key("witness").public
# The player trusts the beacon of the kit too. The time when its round that goes into a round of play is published.
TRUSTED, PUBLISHED = {"witnesses": [WITNESS], "beacons": [KIT.chain]}, KIT.published(PLAY_ROUND)
UNKNOWN, TOO_LATE = "decks_unknown_in_advance", "the beacon's round was published at"


@dataclass
class Audit:
    """A file of an attack, the terms of its audit, and the expected answer of every verifier: the checks that
    fail, the rule for manifests, claims, words of the reason, and words of the reasons of those claims."""

    drafts: list
    verdict: str
    failed: tuple = ()
    rule: str = ""
    claims: dict = field(default_factory=dict)
    terms: dict = field(default_factory=lambda: {"witnesses": [WITNESS]})
    because: str = ""
    why: str = ""
    # How many voids `replay-all --voids` counts. It has to find them among the lowest hundredth of all sums.
    voids: int = 0
    # The differences for a verifier that does not verify BLS signatures, by the names of these fields.
    without_bls: dict = field(default_factory=dict)


def net_of(drafts):
    """The win of the seat in a round, the only one that plays."""
    [result] = drafts[-1].body["results"]["seats"].values()
    return int(result["net"])


def lost(rounds):
    """How many base wagers were lost, and of how many."""
    return sum(net_of(drafts) < 0 for drafts in rounds), len(rounds)


def world_of(suite, policy=LOCKED, **options):
    return World(RULES, policy, suite, listed=["express"], **options)


def reveal(world):
    """The reveal of the epoch if its suite has one."""
    return [world.reveal()] if world.suite == "derived" else []


def honest(world):
    """As many rounds, one after the other, without a choice."""
    return [world.round(*SHEET, round_no=number) for number in range(1, ROUNDS + 1)]


def forty_epochs(suite):
    """Forty epochs have one window: each round is played in the epoch whose next deck is best."""
    worlds = [world_of(suite, epoch=number) for number in range(1, EPOCHS + 1)]
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
    reveals = [draft for world, count in zip(worlds, played.values()) if count for draft in reveal(world)]
    return lost(rounds), lost(honest(worlds[0])), [
        Audit(manifests + sum(rounds, []) + reveals, "MISMATCH", ("MANIFEST_RULES",), "WINDOWS_OVERLAP")]


def best_of_salts(suite, attempts, witness):
    """The world of the salt with which the most wagers are lost, and one of any salt. The operator has the
    witness's key."""
    def world(attempt):
        made = world_of(suite)
        made.witness = witness
        made.value = shuffle.sha256(b"attempt %d" % attempt)
        made.salt = shuffle.party_salt(made.witness.bytes, made.value)
        return made

    return world(max(range(attempts), key=lambda attempt: lost(honest(world(attempt))))), world(0)


def salts_of_the_receipt_key(suite):
    """One key is witness and receipt key: its holder tries salts until the first rounds are good."""
    chosen, first = best_of_salts(suite, EPOCHS, World(RULES).receipt)
    rounds = honest(chosen)
    return lost(rounds), lost(honest(first)), [
        Audit(chosen.manifests() + sum(rounds, []) + reveal(chosen), "MISMATCH", ("MANIFEST_RULES",), "KEY_ROLES")]


def salts_of_an_own_witness(suite):
    """The operator is its own witness, with a key of its own. Every record is right. Only a player who
    names another witness sees that the salt is not shown to be independent."""
    chosen, first = best_of_salts(suite, SALTS[suite], Key("the operator's witness"))
    rounds = honest(chosen)
    drafts, open_claim = chosen.manifests() + sum(rounds, []) + reveal(chosen), {"salt_independent": "NOT_SHOWN"}
    return lost(rounds), lost(honest(first)), [
        Audit(drafts, "MATCH", claims=open_claim, terms={}), Audit(drafts, "MATCH", claims=open_claim)]


def free_tables(suite):
    """The names of tables are not pinned: the operator tries names and opens the tables whose first round
    is bad for the player."""
    names, any_table = [f"table-{number}" for number in range(TABLES)], world_of(suite)
    rounds = {name: any_table.round(*SHEET, table=name) for name in names}
    best = sorted(names, key=lambda name: net_of(rounds[name]))[:ROUNDS]

    def told(tables):
        made = world_of(suite, tables=tables)
        return made.manifests() + sum((rounds[name] for name in best), []) + reveal(made)

    return lost([rounds[name] for name in best]), lost([rounds[name] for name in names[:ROUNDS]]), [
        Audit(told(None), "MATCH", claims={"place_listed": "NOT_SHOWN"}),
        Audit(told(["main-table", "side-table"]), "MISMATCH", ("POLICY",), claims={"place_listed": "NOT_SHOWN"})]


def chosen_secrets(suite):
    """The world, and rounds each of which has the secret with the best of so many decks."""
    world, rounds = world_of(suite), []
    worlds = [world_of(suite) for _ in range(EPOCHS)]
    for attempt, made in enumerate(worlds):
        made.secret = shuffle.sha256(b"attempt %d" % attempt)
    for number in range(1, ROUNDS + 1):
        rounds.append(min((made.round(*SHEET, round_no=number) for made in worlds), key=net_of))
    return world, rounds


def never_revealed():
    """The operator never reveals the secret: it chooses each seed freely."""
    world, rounds = chosen_secrets("derived")
    without = lost(honest(world))
    drafts, open_claim = world.manifests() + sum(rounds, []), {"seed_not_chosen": "PENDING"}
    return lost(rounds), without, [
        Audit(drafts, "PENDING", claims=open_claim, terms={"as_of": DUE}),
        Audit(drafts, "INCOMPLETE", claims={"seed_not_chosen": "NOT_SHOWN"}, terms={"as_of": DUE + 1}, because="was due on 2030-03-29"),
        Audit(drafts + [world.reveal()], "MISMATCH", ("SEED_WAS_NOT_CHOSEN",))]


def never_proven():
    """In the vrf suite the operator chooses each seed freely: its proofs are by other keys, or it gives none."""
    world, rounds = chosen_secrets("vrf")
    by_others, none = world.manifests() + sum(rounds, []), copy_of(world.manifests() + sum(rounds, []))
    for draft in none:
        draft.body.pop("seed_proof", None)
    claims = {"seed_not_chosen": "NOT_SHOWN"}
    return lost(rounds), lost(honest(world)), [
        Audit(drafts, "MISMATCH", ("SEED_PROOF",), claims=claims) for drafts in (by_others, none)]


def keys_after_the_salt():
    """The witness has signed the salt. Now the operator tries keys of a VRF, and puts the best one into a later
    manifest, or into the announcement, which it signs again."""
    worlds = [world_of("vrf") for _ in range(EPOCHS)]
    for attempt, made in enumerate(worlds):
        made.secret = shuffle.sha256(b"attempt %d" % attempt)
    chosen, first = max(worlds, key=lambda made: lost(honest(made))), worlds[0]
    rounds = honest(chosen)
    changed = chosen.manifests()
    [seen, _] = first.manifests()
    changed[0].body["epochs"] = seen.body["epochs"]
    seen.name, seen.hidden = "seen by the witness", True
    again = chosen.manifests()
    signed = Witnessed(first.witness, seen.name, 1, first.vrf_key.bytes, first.value)
    again[1].body["epochs"][0]["salt_source"]["sig"] = signed
    return lost(rounds), lost(honest(first)), [
        Audit(changed + sum(rounds, []), "MISMATCH", ("MANIFEST_RULES", "SALT_AFTER_COMMIT"), "EPOCH_CHANGED"),
        Audit([seen, *again] + sum(rounds, []), "MISMATCH", ("MANIFEST_RULES", "EPOCH_SALT"), "SALT")]


def left_out(suite):
    """Of four rounds of a table the operator hands out three, without one that the player has not lost."""
    world = world_of(suite)
    for table in map("table-{}".format, range(TABLES)):
        rounds = [world.round(*SHEET, table=table, round_no=number) for number in (1, 2, 3, 4)]
        nets = list(map(net_of, rounds))
        if nets[1] >= 0 and nets[3] >= 0 and min(nets) < 0:
            break

    def without(number):
        drafts = [draft for other in rounds for draft in copy_of(other)]
        for draft in drafts:
            draft.hidden = draft.name.startswith(f"{table}/{number}/")
        return world.manifests() + drafts + reveal(world)

    # Without the close of the epoch nothing in the file shows that there was a last round.
    open_claim, close = {"nothing_left_out": "NOT_SHOWN"}, world.close(sum(rounds, []))
    return lost(rounds[:1] + rounds[2:]), lost(rounds), [
        Audit(without(2), "INCOMPLETE", claims=open_claim, because=f"round 2 of table {table} is not in the file"),
        Audit(without(4), "MATCH", claims=open_claim),
        Audit(without(4) + [close], "MATCH", claims=open_claim, why=f"round 4 of table {table} is not in the file"),
        Audit(without(None) + [close], "MATCH", claims={"nothing_left_out": "SHOWN"})]


def rewritten_tables(suite):
    """The witness has signed the salt. Now the operator knows all decks, pins other tables in the
    manifest that announced the epoch, and signs that again."""
    world = world_of(suite)
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
    drafts = [seen, *manifests] + sum(chosen, []) + reveal(world)
    return lost(chosen), lost(without), [Audit(drafts, "MISMATCH", ("MANIFEST_RULES", "EPOCH_SALT"), "SALT")]


def spared(world, last):
    """The operator voids each round that the player would not lose, over the deal or over the ticket alone. Returns
    the rounds as they were played, and as the operator tells them."""
    played, told = [], []
    for number in range(1, VOIDABLE + 1):
        rounds = [world.round(*SHEET, round_no=number, **options) for options in ({}, {"stop": ("void", last, "operator")})]
        played.append(rounds[0])
        told.append(rounds[net_of(rounds[0]) >= 0])
    return played, told


def voided_wins(suite):
    """Every deal that the player would not lose is void. Each record is right, and no verifier claims more of a
    void. The voids are counted against what they would have paid. In the vrf suite the close of the epoch opens
    their seeds: one that leaves out a proof is refused."""
    world = world_of(suite)
    played, told = spared(world, "deal")
    kept = [drafts for drafts in told if len(drafts) > 5]
    drafts = world.manifests() + sum(told, [])
    ends = reveal(world) or [world.close(sum(told, []))]
    audits = [Audit(drafts + ends, "MATCH", voids=len(told) - len(kept))]
    if suite == "vrf":
        [less] = copy_of(ends)
        less.body["seed_proofs"] = less.body["seed_proofs"][1:]
        audits.append(Audit(drafts + [less], "MISMATCH", ("EPOCH_CLOSE",), claims={"nothing_left_out": "NOT_SHOWN"}))
        audits.append(Audit(drafts, "MATCH", claims={"nothing_left_out": "NOT_SHOWN"}))
    return lost(kept), lost(played), audits


def hidden_deals(suite):
    """The void of such a deal names the ticket alone, and returns nothing: the operator's file has no deal. A player
    who kept the ticket, the lock and the deal joins them to that file."""
    world = world_of(suite)
    played, told = spared(world, "ticket")
    copies = [tellings.again(drafts[:3], "copy") for drafts, other in zip(played, told) if drafts is not other]
    drafts = world.manifests() + sum(told, []) + (reveal(world) or [world.close(sum(told, []))])
    return lost([drafts for drafts in told if len(drafts) > 3]), lost(played), [
        Audit(drafts, "MATCH"), Audit(drafts + copies[0], "MISMATCH", ("NO_FORK",))]


def public_world(suite, **options):
    return world_of(suite, **{"policy": DRAND, "beacon": KIT, "log": LOG, **options})


def locks_in_log(world, drafts, time, **options):
    """Proofs that the locks of the wagers are in the log, which the witness has dated."""
    names = [draft.name for draft in drafts if draft.name.endswith("/wagers")]
    return world.proofs(drafts, *names, time=time, **options)


def not_shown(why):
    return {"claims": {UNKNOWN: "NOT_SHOWN"}, "terms": TRUSTED, "why": why, "without_bls": {"why": "BLS"}}


def shown():
    """The decks were unknown."""
    return {"claims": {UNKNOWN: "SHOWN"}, "terms": TRUSTED,
            "without_bls": {"claims": {UNKNOWN: "NOT_SHOWN"}, "why": "BLS"}}


def published_rounds(suite):
    """Each ticket names the one of forty published rounds of the beacon whose deck is bad for the player."""
    world = public_world(suite)

    def opened(number):
        named = range(PLAY_ROUND, PLAY_ROUND + EPOCHS)
        return (world.round(*SHEET, round_no=number, beacon_round=one) for one in named)

    rounds = [min(opened(number), key=net_of) for number in range(1, ROUNDS + 1)]

    def told(rounds, time):
        drafts = world.manifests() + sum(rounds, [])
        return drafts + reveal(world) + locks_in_log(world, drafts, time)

    return lost(rounds), lost(honest(world)), [
        Audit(told(rounds, KIT.published(PLAY_ROUND + EPOCHS)), "MATCH", **not_shown(TOO_LATE)),
        Audit(told(honest(world), PUBLISHED - 1), "MATCH", **shown())]


def locks_after_the_beacon(suite):
    """The ledger locks after the beacon's round is published, and only the rounds that the player loses. The others are
    void over their tickets."""
    world = public_world(suite)
    played, told = spared(world, "ticket")
    kept = [drafts for drafts in told if len(drafts) > 3]
    drafts = world.manifests() + sum(told, [])
    ends = (reveal(world) or [world.close(sum(told, []))]) + locks_in_log(world, drafts, PUBLISHED)
    return lost(kept), lost(played), [Audit(drafts + ends, "MATCH", **not_shown(TOO_LATE))]


def chosen_locks(suite):
    """The ledger has signed a lock for each seat before the beacon's round is published. Then the operator tells one
    whose seat loses."""
    world, seats = public_world(suite), range(1, 7)
    candidates = [[world.round(SHEET[0], {seat: SHEET[1][1]}, round_no=number) for seat in seats]
                  for number in range(1, ROUNDS + 1)]
    chosen = [min(rounds, key=net_of) for rounds in candidates]
    others = copy_of([drafts[1] for rounds, best in zip(candidates, chosen) for drafts in rounds if drafts is not best])
    for number, draft in enumerate(others):
        draft.name, draft.hidden = f"{number} {draft.name}", True
    told, end = world.manifests() + sum(chosen, []), reveal(world)
    in_time, late = (locks_in_log(world, told + others, time) for time in (PUBLISHED - 1, PUBLISHED))
    own, hidden = in_time[:ROUNDS], in_time[ROUNDS:]
    refused = {"verdict": "MISMATCH", "failed": ("LOGGED",), **not_shown("no pinned witness dated")}
    renamed = [changed(proof, record=Ref(own.body["record"].name)) for proof, own in zip(copy_of(hidden), own)]
    # A monitor of the log finds the other lock there.
    seen = copy_of([chosen[0][0], others[0]])
    return lost(chosen), lost([rounds[0] for rounds in candidates]), [
        Audit(told + others + end + hidden, **refused),
        Audit(told + others + end + renamed, **refused),
        Audit(told + end + locks_in_log(world, told, PUBLISHED - 1, log=OTHER), **refused),
        Audit(told + others + end + late[:ROUNDS], "MATCH", **not_shown(TOO_LATE)),
        Audit(told + others + end + own, "MATCH", **shown()),
        Audit(told + others + seen + end + own, "MISMATCH", ("NO_FORK",), **shown())]


def own_beacon(suite):
    """The operator has the secret of the beacon: it names the rounds whose signatures are bad for the player, long
    before they are published. The player trusts another chain."""
    chosen, without, [audit, _] = published_rounds(suite)
    world = public_world(suite)
    told = [draft for draft in audit.drafts if draft.kind != "log-proof"]
    proofs = locks_in_log(world, [draft for draft in told if draft.kind != "epoch-reveal"], PUBLISHED - 1)
    return chosen, without, [Audit(told + proofs, "MATCH", **{
        **not_shown("not among those given"), "terms": {"witnesses": [WITNESS]}})]


def secrets_after_the_salt(suite):
    """The round of the beacon that salts the epoch is published before the announcement is in the log. Until then the
    operator tries secrets."""
    worlds = [public_world(suite, policy=LOCKED, salt="drand") for _ in range(EPOCHS)]
    for attempt, made in enumerate(worlds):
        made.secret = shuffle.sha256(b"attempt %d" % attempt)
    chosen, first = max(worlds, key=lambda made: lost(honest(made))), worlds[0]

    def audit(world, time, **more):
        drafts = world.manifests() + sum(honest(world), [])
        given = world.proofs(drafts, "announcement", time=time)
        return Audit(drafts + reveal(world) + given, "MATCH", terms=TRUSTED, **more)

    claim, published = "salt_independent", KIT.published(SALT_ROUND)
    return lost(honest(chosen)), lost(honest(first)), [
        # Without BLS a rule for manifests was not checked. The claim rests on it first.
        audit(chosen, published, claims={claim: "NOT_SHOWN"}, why=TOO_LATE, without_bls={"why": "BLS"}),
        audit(first, published - 1, claims={claim: "SHOWN"}, without_bls={
            "claims": {claim: "NOT_SHOWN"}, "why": "BLS"})]


def own_signatures():
    """The wagers are locked in time. Then the operator replaces the beacon's signature by one of forty others."""
    def world(attempt):
        signature = "80" + shuffle.sha256(b"%d" % attempt).hex() + "00" * 15
        return public_world("vrf", beacon=KIT.having({PLAY_ROUND: signature}))

    first, worlds = public_world("vrf"), list(map(world, range(EPOCHS)))
    rounds = [min((made.round(*SHEET, round_no=number) for made in worlds), key=net_of)
              for number in range(1, ROUNDS + 1)]
    drafts = first.manifests() + sum(rounds, [])
    return lost(rounds), lost(honest(first)), [Audit(
        drafts + locks_in_log(first, drafts, PUBLISHED - 1), "MISMATCH", ("BEACON",), **{
            **not_shown("BEACON"), "without_bls": {"verdict": "MATCH", "failed": (), "why": "BLS"}})]


OF_EACH_SUITE = {
    "forty epochs with one window": forty_epochs,
    "one key as witness and as receipt key": salts_of_the_receipt_key,
    "tables pinned after the salt": rewritten_tables,
    "names of tables that nobody pinned": free_tables,
    "salts of a witness that the operator is": salts_of_an_own_witness,
    "a round of four left out": left_out,
    "every deal void that the player would not lose": voided_wins,
    "every such deal hidden behind a void of its ticket": hidden_deals,
    "rounds of the beacon that were published": published_rounds,
    "wagers that were locked after the beacon's round": locks_after_the_beacon,
    "one of several locks told": chosen_locks,
    "a beacon of the operator's own": own_beacon,
    "a secret chosen after the beacon's round that salts": secrets_after_the_salt,
}
ATTACKS = {f"{name}, {suite}": functools.partial(attack, suite)
           for suite in ("derived", "vrf") for name, attack in OF_EACH_SUITE.items()}
ATTACKS |= {
    "seeds chosen under a secret that is never revealed, derived": never_revealed,
    "seeds chosen without the key of the epoch, vrf": never_proven,
    "a key chosen after the salt, vrf": keys_after_the_salt,
    "signatures that are not the beacon's, vrf": own_signatures,
}


def as_expected(audit, verifier, report):
    """Prints the answer of a verifier, and returns whether it is the expected one."""
    told, audit = facts(report), replace(audit, **audit.without_bls) if verifier == "Python" else audit
    failed = tuple(check for check, status in told["checks"].items() if status == "CHECK_STATUS_FAILED")
    claims = {name: told["claims"][name].removeprefix("CLAIM_STATUS_") for name in audit.claims}
    said = [f"{name} {status}".lower() for name, status in claims.items()]
    print(":", " ".join(filter(None, (told["verdict"], *failed, told["rule"], *said))))
    # The records have no other fault: without these checks they would pass.
    return (told["verdict"], failed, told["rule"], claims) == (
        f"VERDICT_{audit.verdict}", audit.failed, audit.rule, audit.claims) and audit.because in report["because"] and all(
            audit.why in claim.get("why", "") for claim in report["claims"] if claim["name"] in audit.claims)


def voids_are_found(lab, audit, lines):
    """Prints the counts of `replay-all --voids`, and returns whether it names the attack."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write("".join(line + "\n" for line in lines))
        file.flush()
        command = [lab, "replay-all", file.name, "--root", Key("root").public, "--voids", "--json"]
        ran = subprocess.run(command, capture_output=True, text=True, check=True)
    counted = json.loads(ran.stdout)["voids"]
    [total] = counted["all"]
    print(f"  replay-all: {counted['void']} rounds void; the house would have won {total['house_net_minor']}: the "
          f"{total['at_most']} lowest of {total['sums']} sums")
    return counted["void"] == audit.voids and 100 * total["at_most"] <= total["sums"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lab", required=True, help="the program paigow-lab")
    options = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as page:
        verifiers = Verifiers(options.lab, page)
        for name, attack in ATTACKS.items():
            chosen, without, audits = attack()
            print("{}: {} of {} base wagers lost, {} of {} without the choice".format(name, *chosen, *without))
            lines, terms = [issue(audit.drafts) for audit in audits], [audit.terms for audit in audits]
            for audit, reports in zip(audits, verifiers.reports(lines, Key("root").public, terms)):
                for verifier, report in reports.items():
                    print(f"  {verifier}", end="")
                    wrong += not as_expected(audit, verifier, report)
            for audit, text in zip(audits, lines):
                wrong += audit.voids > 0 and not voids_are_found(options.lab, audit, text)
            wrong += chosen[0] * without[1] <= without[0] * chosen[1]
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
