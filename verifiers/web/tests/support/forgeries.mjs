// Forgeries of a transcript, and for each the check that should be the first to notice (D6).
//
// The same forgeries as in `tests/protocol/tamper.rs`, made by other code. Some flip bits. Most forgers hold every
// key of one party or of all parties, sign every changed record again, and repair every link.

import { Key, Record, enc, hash, write } from "./forge.mjs";
import { keys, keysOf } from "./fixtures.mjs";
import { LISTED, changed as changedProof, proofOf } from "./public-log.mjs";

export const [ANNOUNCED, COMPLETED, TICKET, LOCK, DEAL, ACTION_1, ACTION_2, FINAL, SETTLE] =
  Array.from({ length: 9 }, (_, i) => i);
export const NEXT = 7;
export const REVEAL = 16;

const ELEVENS = "11".repeat(32);
const CD = "cd".repeat(32);
const sealed = (kind, payload, ...signers) => new Record(kind, write(payload)).sealed(...signers);

const changed = (at, edit) => (f) => f.collude(at, edit);
const removed = (at) => (f) => f.records.splice(at, 1);
const swapped = (a, b) => ({ records: r }) => {
  [r[a], r[b]] = [r[b], r[a]];
};
const signedAs = (at, ...signers) => ({ records }) => records[at].sealed(...signers);
const copy = (record) => new Record(record.kind, record.payload, record.signatures);
const copied = ({ records }, from, to) => records.slice(from, to).map(copy);

// The next manifest, with a change.
function successor({ records }, edit = () => {}) {
  const payload = records[COMPLETED].json;
  payload.prev = records[COMPLETED].hash;
  payload.seq = String(BigInt(payload.seq) + 1n);
  edit(payload);
  return sealed("manifest", payload, keys.root);
}

const addManifest = (edit) => (f) => f.records.splice(COMPLETED + 1, 0, successor(f, edit));

const wager = (p, seat, index) => p.seats[seat].wagers[index];
const mikes = (p) => p.rulesets.find((one) => one.name === "mikes");
const bytes = (hex) => Buffer.from(hex, "hex");

// A salt source as the witness signs it for the manifest that announces the epoch.
function salted({ records }, epoch, value, witness = keys.witness) {
  const fields = [uint32(epoch.epoch), bytes(records[ANNOUNCED].hash), bytes(epoch.commit), value];
  epoch.salt_source = { pk: witness.pk, type: "party", value: value.toString("hex"),
    sig: witness.sign(enc("pge/v1/epoch-salt-party", ...fields)).toString("hex") };
  epoch.salt = hash(enc("pge/v1/epoch-salt-party", bytes(witness.pk), value)).toString("hex");
}

const uint32 = (number) => {
  const out = Buffer.alloc(4);
  out.writeUInt32LE(number);
  return out;
};

// The void of a round that was settled: stakes and fees go back.
function voided(f) {
  const [ticket, lock, deal] = f.records.slice(TICKET, DEAL + 1).map(copy);
  const id = ticket.json.round_id;
  const reason = "operator";
  const close = sealed("lock", { prev: deal.hash, reason, round_id: id, step: "void" }, keys.ledger);
  const returns = Object.fromEntries(Object.entries(deal.json.fees));
  for (const [seat, { wagers }] of Object.entries(lock.json.seats)) {
    const stakes = wagers.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    returns[seat] = String(BigInt(returns[seat] ?? 0) + stakes);
  }
  const settle = sealed("settle", { disposition: "void", prev: close.hash, reason, returns,
    round_id: id, ticket: ticket.hash }, keys.receipt);
  return [ticket, lock, deal, close, settle];
}

// The close of the epoch of an untouched transcript, changed before it is signed.
export function epochClose({ records }, edit = () => {}, ...signers) {
  const { epoch, tenant, table } = records[TICKET].json;
  const rounds = [TICKET, TICKET + NEXT].map((at) => records.slice(at, at + NEXT));
  const leaf = (round) => {
    const of = (kind) => round.filter((record) => record.kind === kind).map((record) => record.hash).sort();
    return write({ closes: of("settle"), deals: of("deal"), epoch, locks: of("lock"),
      round_no: round[0].json.round_no, table, tenant, tickets: of("ticket") });
  };
  const leaves = rounds.map((round) => hash(Buffer.concat([Buffer.of(0), Buffer.from(leaf(round))])));
  const payload = { epoch, leaves: "2", root: hash(Buffer.concat([Buffer.of(1), ...leaves])).toString("hex"),
    rounds: { never_closed: "0", opened_again: "0", settled: "2", voided: "0" },
    tables: [{ head: records[SETTLE + NEXT].hash, last: "2", table }], tenant };
  edit(payload);
  return sealed("epoch-close", payload, ...(signers.length > 0 ? signers : [keys.receipt, keys.witness]));
}

const closed = (edit, ...signers) => (f) => f.records.splice(REVEAL, 0, epochClose(f, edit, ...signers));

// A proof that verifies under no key, and an edit that gives a close such proofs, of two voids.
const PROOF = "66".repeat(80);
const withProofs = (...numbers) => (p) => {
  const [{ table }] = p.tables;
  p.rounds = { ...p.rounds, settled: "0", voided: "2" };
  p.seed_proofs = numbers.map((number) => ({ proof: PROOF, round_no: number, table }));
};

// Makes an epoch one of the vrf suite.
function withKey(epoch, key) {
  delete epoch.commit;
  Object.assign(epoch, { suite: "vrf", vrf_key: key });
}

const BEACON_SIGNATURE = "42".repeat(48);
const BEACON = { genesis: "1700000000", group: ELEVENS, id: "beacon", period: 3, pk: "42".repeat(96) };

// Lists the log in both manifests; the witness signs its salt for them again.
function listLog(f, log = LISTED) {
  for (const at of [ANNOUNCED, COMPLETED]) f.collude(at, (p) => void (p.log = log));
  f.collude(COMPLETED, ({ epochs: [epoch] }) => salted(f, epoch, bytes(epoch.salt_source.value)));
}

// Adds a proof of the ticket, which the witness has signed, changed before or after that.
const proven = ({ after = () => {}, ...more } = {}) => (f) => {
  listLog(f);
  f.records.push(changedProof(proofOf(f.records.slice(0, REVEAL), TICKET, [[keys.witness, 1700000000]], more), after));
};

export const FORGERIES = [
  ["a settle record twice", "FORMAT", ({ records: r }) => r.splice(SETTLE, 0, r[SETTLE])],
  ["a deal before its lock", "FORMAT", swapped(LOCK, DEAL)],
  ["no ticket", "FORMAT", removed(TICKET)],
  ["the same ticket twice", "FORMAT", ({ records: r }) => r.splice(TICKET, 0, r[TICKET])],
  ["an action twice", "FORMAT", ({ records: r }) => r.splice(ACTION_1, 0, r[ACTION_1])],
  ["actions in another order", "LOCK_COVERS_ACTIONS", swapped(ACTION_1, ACTION_2)],
  ["a deal after the close", "FORMAT", ({ records: r }) => r.splice(SETTLE, 0, ...r.splice(DEAL, 1))],
  ["a manifest inside a round", "FORMAT", (f) => f.records.splice(DEAL, 0, successor(f))],
  ["a reveal before the round ends", "FORMAT",
    ({ records: r }) => r.splice(DEAL, 0, ...r.splice(REVEAL, 1))],
  ["an unknown member", "CANONICAL", changed(DEAL, (p) => void (p.extra = 1))],
  ["a stake as a number", "CANONICAL", changed(LOCK, (p) => void (wager(p, 1, 0).amount = 2500))],
  ["a stake with a leading zero", "CANONICAL",
    changed(LOCK, (p) => void (wager(p, 1, 0).amount = "02500"))],
  ["a card twice in the deck", "CANONICAL", changed(SETTLE, (p) => void (p.deck[1] = p.deck[0]))],
  ["a missing member", "CANONICAL", changed(TICKET, (p) => void delete p.commit)],
  ["low cards out of order", "CANONICAL", changed(ACTION_1, (p) => {
    delete p.house_way;
    p.low = [9, 3];
  })],
  ["a negative fee", "CANONICAL", changed(DEAL, (p) => void (p.fees["1"] = "-100"))],
  ["a sealed seed in a derived ticket", "CANONICAL",
    changed(TICKET, (p) => void (p.sealed = "00".repeat(85)))],
  ["a payload with a blank, signed", "CANONICAL", ({ records }) => {
    const deal = records[DEAL];
    deal.payload = Buffer.from(deal.payload.toString().replace(":", ": "));
    deal.sealed(keys.receipt);
  }],
  ["a member twice, signed", "CANONICAL", ({ records }) => {
    const deal = records[DEAL];
    deal.payload = Buffer.from(deal.payload.toString().replace('"phase":1', '"phase":1,"phase":1'));
    deal.sealed(keys.receipt);
  }],
  ["a manifest changed, unsigned", "MANIFEST_SIG", (f) => f.flip(COMPLETED, (p) => void (p.seq = "3"))],
  ["a manifest signed by the engine", "MANIFEST_SIG", signedAs(ANNOUNCED, keys.receipt)],
  ["a manifest without signatures", "MANIFEST_SIG", signedAs(COMPLETED)],
  ["a manifest that skips a number", "MANIFEST_SIG", changed(COMPLETED, (p) => void (p.seq = "3"))],
  ["a manifest that follows another", "MANIFEST_SIG",
    changed(COMPLETED, (p) => void (p.prev = "0".repeat(64)))],
  ["a manifest that names a new root which has not signed", "MANIFEST_SIG",
    changed(COMPLETED, (p) => void (p.root.keys = [{ kid: keys.stranger.kid, pk: keys.stranger.pk }]))],
  ["the ticket's manifest left out", "MANIFEST_LINK", removed(COMPLETED)],
  ["the manifest behind the rounds that name it", "MANIFEST_LINK",
    ({ records: r }) => r.push(...r.splice(COMPLETED, 1))],
  ["another epoch", "MANIFEST_LINK", changed(TICKET, (p) => void (p.epoch = 8))],
  ["another ruleset", "MANIFEST_LINK", changed(TICKET, (p) => void (p.ruleset = "ab".repeat(32)))],
  ["another engine", "MANIFEST_LINK", changed(TICKET, (p) => void (p.engine = "pge-2"))],
  ["a tenant that is not listed", "MANIFEST_LINK", changed(TICKET, (p) => void (p.tenant = "nobody"))],
  ["another suite", "MANIFEST_LINK", changed(TICKET, (p) => {
    p.suite = "fresh";
    p.sealed = "00".repeat(85);
  })],
  ["a table that the announcement does not list", "POLICY", (f) => {
    f.collude(ANNOUNCED, (p) => p.tenants.forEach((tenant) => void (tenant.tables = ["table-9"])));
    f.collude(COMPLETED, ({ epochs: [epoch] }) => salted(f, epoch, bytes(epoch.salt_source.value)));
  }],
  ["a round of a revoked epoch", "MANIFEST_LINK",
    changed(COMPLETED, (p) => void (p.epochs[0].status = "revoked"))],
  ["a ticket of an epoch whose secret is out", "MANIFEST_LINK",
    changed(COMPLETED, (p) => void (p.epochs[0].status = "revealed"))],
  ["a ruleset listed under another name", "MANIFEST_LINK",
    changed(COMPLETED, (p) => void (mikes(p).name = "fair"))],
  ["a ruleset listed with another deck", "MANIFEST_LINK",
    changed(COMPLETED, (p) => void (mikes(p).cards = 52))],
  ["a house way that is not listed", "MANIFEST_LINK",
    changed(COMPLETED, (p) => void (p.house_ways = []))],
  ["a tenant listed twice", "MANIFEST_RULES", changed(COMPLETED, (p) => {
    const strict = p.tenants.find(({ tenant }) => tenant === "strict");
    p.tenants.push({ ...strict, policy: { ...strict.policy, lock: "off" } });
  })],
  ["a card shown changed, unsigned", "SIGNATURES", (f) => f.flip(DEAL, (p) => {
    const seen = p.visible["1"];
    [seen[0], seen[1]] = [seen[1], seen[0]];
  })],
  ["the ticket signed by the ledger", "SIGNATURES", signedAs(TICKET, keys.ledger)],
  ["the close signed by the ledger", "SIGNATURES", signedAs(SETTLE, keys.ledger)],
  ["the wagers locked by the engine", "SIGNATURES", signedAs(LOCK, keys.receipt)],
  ["the final lock without a signature", "SIGNATURES", signedAs(FINAL)],
  ["an action signed by another seat", "SIGNATURES", signedAs(ACTION_1, keys.seats[2])],
  ["an action without a signature", "SIGNATURES", signedAs(ACTION_2)],
  ["an action signed by seat and stranger", "SIGNATURES",
    signedAs(ACTION_2, keys.seats[2], keys.stranger)],
  ["a reveal signed by the ledger", "SIGNATURES", signedAs(REVEAL, keys.ledger)],
  ["a receipt key that a later manifest revokes", "SIGNATURES",
    addManifest((p) => void (p.receipt_keys[0].revoked = true))],
  ["the wagers of another round", "CHAIN", swapped(LOCK, LOCK + NEXT)],
  ["the deal of another round", "CHAIN", ({ records: r }) => void (r[DEAL] = r[DEAL + NEXT])],
  ["the close of another round", "CHAIN", swapped(SETTLE, SETTLE + NEXT)],
  ["an action of another round", "CHAIN", ({ records: r }) => void (r[ACTION_1] = r[ACTION_1 + NEXT])],
  ["wagers locked again after the deal", "CHAIN",
    (f) => f.resign(LOCK, (p) => void (wager(p, 1, 0).amount = "250000"))],
  ["no final lock", "CHAIN", removed(FINAL)],
  ["no lock of the wagers", "CHAIN", removed(LOCK)],
  ["a void over a final lock", "CHAIN", (f) => f.resign(SETTLE, (p) => ({ disposition: "void",
    prev: p.prev, reason: "operator", returns: {}, round_id: p.round_id, ticket: p.ticket }))],
  ["a close that names another deal", "CHAIN", changed(SETTLE, (p) => void (p.deal = CD))],
  ["a ticket that states a softer policy", "POLICY",
    changed(TICKET, (p) => void (p.policy.lock = "off"))],
  ["a ticket that states no policy", "CANONICAL", changed(TICKET, (p) => void delete p.policy)],
  ["a second round that starts over", "POLICY",
    (f) => f.collude(TICKET + NEXT, (p) => void (p.prev = f.records[COMPLETED].hash))],
  ["a ticket without client commitments", "POLICY", changed(TICKET, (p) => void (p.client = {}))],
  ["another round number", "ROUND_ID", changed(TICKET + NEXT, (p) => void (p.round_no = "9"))],
  ["another table", "ROUND_ID", changed(TICKET, (p) => void (p.table = "table-2"))],
  ["a first round that does not follow the manifest", "GENESIS",
    changed(TICKET, (p) => void (p.prev = CD))],
  ["a second round that skips the first", "GENESIS", changed(TICKET + NEXT, (p) => void (p.prev = CD))],
  ["the rounds in another order, the second linked to nothing", "GENESIS", (f) => {
    f.collude(TICKET + NEXT, (p) => void (p.prev = CD));
    f.records.splice(SETTLE + 1, 0, ...f.records.splice(TICKET, NEXT));
  }],
  ["another client seed", "CLIENT_COMMIT",
    changed(LOCK, (p) => void (p.seats["1"].client_seed = "00".repeat(16)))],
  ["a client seed left out", "CLIENT_COMMIT",
    changed(LOCK, (p) => void delete p.seats["2"].client_seed)],
  ["a commitment of a seat without a wager", "CLIENT_COMMIT",
    changed(TICKET, (p) => void (p.client["5"] = "12".repeat(32)))],
  ["an action changed after the lock", "LOCK_COVERS_ACTIONS",
    (f) => f.resign(ACTION_1, (p) => void (p.double_down = true))],
  ["an action left out", "LOCK_COVERS_ACTIONS", removed(ACTION_2)],
  ["two actions of one seat, both locked", "LOCK_COVERS_ACTIONS", (f) => {
    const second = sealed("action", { ...f.records[ACTION_2].json, double_down: true }, keys.seats[2]);
    f.collude(FINAL, (p) => void p.actions.push(second.hash));
    f.records.splice(FINAL, 0, second);
  }],
  ["a good final lock that another supersedes", "SUPERSEDES", (f) => {
    const group = copied(f, ACTION_1, FINAL + 1);
    f.collude(FINAL, (p) => void (p.supersedes = [group.at(-1).hash]));
    f.records.splice(ACTION_1, 0, ...group);
  }],
  ["a final lock that leaves out the lock before it", "SUPERSEDES", (f) => {
    const group = copied(f, ACTION_2, FINAL + 1);
    const lock = group.at(-1);
    lock.payload = Buffer.from(write({ ...lock.json, actions: lock.json.actions.slice(1) }));
    f.records.splice(ACTION_1, 0, ...group.slice(0, -1), lock.sealed(keys.ledger));
  }],
  ["a final lock and a void lock of one round", "NO_FORK", (f) => {
    const told = copied(f, TICKET, DEAL + 1);
    const { round_id } = told[0].json;
    const lock = sealed("lock", { prev: told.at(-1).hash, reason: "operator", round_id, step: "void" }, keys.ledger);
    f.records.splice(SETTLE + 1, 0, ...told, lock);
  }],
  ["another server seed", "COMMIT", changed(SETTLE, (p) => void (p.server_seed = ELEVENS))],
  ["another commitment", "COMMIT", changed(TICKET, (p) => void (p.commit = ELEVENS))],
  ["another round seed", "REPLAY", changed(SETTLE, (p) => void (p.round_seed = ELEVENS))],
  ["two cards of the deck exchanged", "REPLAY", changed(SETTLE, ({ deck: d }) => {
    [d[10], d[11]] = [d[11], d[10]];
  })],
  ["other dice", "REPLAY", changed(DEAL, ({ dice: d }) => void (d[0] = d[0] === 6 ? 1 : 6))],
  ["another deck commitment", "DECK_COMMIT", changed(DEAL, (p) => void (p.deck_commit = ELEVENS))],
  ["two seats' cards exchanged", "CARDS_SHOWN", changed(DEAL, ({ visible: v }) => {
    [v["1"], v["2"]] = [v["2"], v["1"]];
  })],
  ["a seat without a wager shown", "CARDS_SHOWN",
    (f) => f.collude(DEAL, (p) => void (p.visible["6"] = f.records[SETTLE].json.dealer))],
  ["the dealer's cards in another order", "CARDS_SHOWN",
    changed(SETTLE, (p) => void p.dealer.reverse())],
  ["another action pile", "CARDS_SHOWN", changed(LOCK, (p) => void (p.facts.action_pile = 4))],
  ["the dealer's hand shown where no game exposes it", "DEALER_SHOWN", (f) => {
    const { high, low } = f.records[SETTLE].json.results.bank;
    f.collude(DEAL, (p) => void (p.dealer = { high, low }));
  }],
  ["a larger stake", "RESULTS", changed(LOCK, (p) => void (wager(p, 1, 0).amount = "2600"))],
  ["a smaller bank", "RESULTS", changed(LOCK, (p) => void (p.facts.bank_minor = "1"))],
  ["another currency", "RESULTS", changed(LOCK, (p) => void (p.currency.code = "EUR"))],
  ["a stake below the minimum", "RESULTS", changed(LOCK, (p) => void (wager(p, 2, 0).amount = "999"))],
  ["wagers in another order", "RESULTS", changed(LOCK, (p) => void p.seats["1"].wagers.reverse())],
  ["a fact that the ruleset does not ask for", "RESULTS",
    changed(LOCK, (p) => void (p.facts.chip_minor = "100"))],
  ["a seat's net one cent higher", "RESULTS", changed(SETTLE, ({ results: { seats } }) => {
    seats["1"].net = String(BigInt(seats["1"].net) + 1n);
  })],
  ["a line with another status", "RESULTS",
    changed(SETTLE, (p) => void (p.results.seats["2"].lines[0].status = "void"))],
  ["another clause", "RESULTS", changed(SETTLE, (p) => void (p.results.bank.clause = "K0"))],
  ["another house way for the dealer", "RESULTS",
    changed(SETTLE, (p) => void (p.results.bank.house_way = ELEVENS))],
  ["no results", "CANONICAL", changed(SETTLE, (p) => void delete p.results)],
  ["a fee left out", "RESULTS", changed(DEAL, (p) => void delete p.fees["1"])],
  ["low cards that the seat was not dealt", "RESULTS", changed(ACTION_1, (p) => {
    p.low = p.low.map((card) => (card + 1) % 53).sort((a, b) => a - b);
  })],
  ["another epoch secret revealed", "EPOCH_COMMIT",
    (f) => f.resign(REVEAL, (p) => void (p.epoch_secret = ELEVENS))],
  ["a second reveal with another secret", "EPOCH_COMMIT", ({ records: r }) =>
    r.push(sealed("epoch-reveal", { epoch: 7, epoch_secret: ELEVENS }, keys.receipt))],
  ["a reveal of an epoch that nobody announced", "EPOCH_COMMIT", ({ records: r }) =>
    r.push(sealed("epoch-reveal", { ...r[REVEAL].json, epoch: 99 }, keys.receipt))],
  ["another salt and no announcement", "EPOCH_SALT", (f) => {
    changed(COMPLETED, (p) => void (p.epochs[0].salt = ELEVENS))(f);
    f.records.splice(ANNOUNCED, 1);
  }],
  ["a later manifest that drops an epoch without its announcement", "SALT_AFTER_COMMIT", (f) => {
    addManifest((p) => void (p.epochs = []))(f);
    f.records.splice(ANNOUNCED, 1);
  }],
  ["another salt", "MANIFEST_RULES", changed(COMPLETED, (p) => void (p.epochs[0].salt = ELEVENS))],
  ["a salt that its witness has not signed", "MANIFEST_RULES",
    changed(COMPLETED, (p) => void (p.epochs[0].salt_source.value = ELEVENS))],
  ["an epoch committed to after the salt", "MANIFEST_RULES",
    changed(ANNOUNCED, (p) => void (p.epochs[0].commit = ELEVENS))],
  ["a longer window at completion", "MANIFEST_RULES",
    changed(ANNOUNCED, (p) => void (p.epochs[0].open_until = String(BigInt(p.epochs[0].open_until) - 1n)))],
  ["an epoch that has its salt when it is first listed", "MANIFEST_RULES", (f) => {
    const { epochs } = f.records[COMPLETED].json;
    f.collude(ANNOUNCED, (p) => void (p.epochs = epochs));
  }],
  ["an epoch that was never announced", "MANIFEST_RULES",
    changed(ANNOUNCED, (p) => void (p.epochs = []))],
  ["a salt promised and then left out", "MANIFEST_RULES", changed(COMPLETED, ({ epochs: [epoch] }) => {
    epoch.salt = "0".repeat(64);
    epoch.salt_source = { type: "none" };
  })],
  ["a later manifest that commits to another secret", "MANIFEST_RULES",
    addManifest((p) => void (p.epochs[0].commit = ELEVENS))],
  ["a later manifest that drops the epoch", "MANIFEST_RULES", addManifest((p) => void (p.epochs = []))],
  ["a salt chosen after the rounds", "SEED_WAS_NOT_CHOSEN",
    (f) => f.collude(COMPLETED, (p) => salted(f, p.epochs[0], Buffer.alloc(32, 0x31)))],
  ["rounds played from another secret than the epoch's", "SEED_WAS_NOT_CHOSEN", (f) => {
    const secret = Buffer.alloc(32, 9);
    const commit = hash(enc("pge/v1/epoch-commit", uint32(7), secret)).toString("hex");
    f.collude(ANNOUNCED, (p) => void (p.epochs[0].commit = commit));
    f.collude(COMPLETED, ({ epochs: [epoch] }) => {
      epoch.commit = commit;
      salted(f, epoch, bytes(epoch.salt_source.value));
    });
    f.resign(REVEAL, (p) => void (p.epoch_secret = secret.toString("hex")));
  }],
  ["a head that is not the close of the last round, all signed again", "EPOCH_CLOSE",
    closed(({ tables: [table] }) => void (table.head = ELEVENS))],
  ["a table that the close of its epoch leaves out, all signed again", "EPOCH_CLOSE",
    closed(({ tables: [table] }) => void (table.table = "table-9"))],
  ["a round after the last that the close of its epoch counts", "EPOCH_CLOSE", closed((p) => {
    Object.assign(p, { leaves: "1", rounds: { ...p.rounds, settled: "1" } });
    Object.assign(p.tables[0], { last: "1" });
    delete p.tables[0].head;
  })],
  ["a seed proof in a settle record of the derived suite", "SEED_PROOF",
    changed(SETTLE, (p) => void (p.seed_proof = PROOF))],
  ["a seed proof of 79 bytes", "CANONICAL", changed(SETTLE, (p) => void (p.seed_proof = PROOF.slice(2)))],
  ["seed proofs in a close of the derived suite", "EPOCH_CLOSE", closed(withProofs("1"))],
  ["a close of an epoch with an empty list of seed proofs", "CANONICAL", closed(withProofs())],
  ["seed proofs of a close out of order", "CANONICAL", closed(withProofs("2", "1"))],
  ["two seed proofs of one round in a close", "CANONICAL", closed(withProofs("1", "1"))],
  ["a seed proof after the last round of the table", "CANONICAL", closed(withProofs("3"))],
  ["a seed proof of round 0", "CANONICAL", closed(withProofs("0"))],
  ["a seed proof of a table that the close does not have", "CANONICAL", closed((p) => {
    withProofs("1")(p);
    p.seed_proofs[0].table = "table-9";
  })],
  ["more seed proofs than rounds without a settlement", "CANONICAL", closed((p) => {
    withProofs("1", "2")(p);
    p.rounds = { ...p.rounds, never_closed: "1", settled: "1", voided: "0" };
  })],
  ["an epoch with a commitment and the key of a VRF", "CANONICAL",
    changed(ANNOUNCED, (p) => void (p.epochs[0].vrf_key = keys.stranger.pk))],
  ["a vrf epoch with a commitment in place of its key", "CANONICAL",
    changed(ANNOUNCED, (p) => void (p.epochs[0].suite = "vrf"))],
  ["a vrf epoch whose key has small order", "CANONICAL",
    changed(ANNOUNCED, ({ epochs: [epoch] }) => withKey(epoch, `01${"00".repeat(31)}`))],
  ["a later manifest with an epoch of the vrf suite", "MANIFEST_RULES",
    addManifest(({ epochs: [epoch] }) => withKey(epoch, keys.stranger.pk))],
  ["a close of an epoch without tables", "CANONICAL", closed((p) => void (p.tables = []))],
  ["a close of an epoch with a table twice", "CANONICAL", closed((p) => void p.tables.push(p.tables[0]))],
  ["a close of an epoch whose counts do not add up", "CANONICAL", closed((p) => void (p.rounds.voided = "1"))],
  ["a close of an epoch inside a round", "FORMAT", (f) => f.records.splice(DEAL, 0, epochClose(f))],
  ["a close of an epoch signed by its witness alone", "SIGNATURES", closed(() => {}, keys.witness)],
  ["a close of an epoch signed by a stranger too", "SIGNATURES",
    closed(() => {}, keys.receipt, keys.stranger)],
  ["two closes of one epoch", "NO_FORK", (f) => {
    closed()(f);
    closed((p) => void (p.root = ELEVENS))(f);
  }],
  ["a round both settled and void", "NO_FORK", (f) => f.records.splice(REVEAL, 0, ...voided(f))],
  ["the signature of a beacon in a deal whose ticket names none", "BEACON",
    changed(DEAL, (p) => void (p.beacon = BEACON_SIGNATURE))],
  ["a signature of a beacon that is a byte short", "CANONICAL",
    changed(DEAL, (p) => void (p.beacon = BEACON_SIGNATURE.slice(2)))],
  ["a ticket that names a round of a beacon, which the policy does not ask for", "POLICY",
    changed(TICKET, (p) => void (p.external = { chain: ELEVENS, round: "1", type: "drand" }))],
  ["a ticket that names round 0 of a beacon", "CANONICAL",
    changed(TICKET, (p) => void (p.external = { chain: ELEVENS, round: "0", type: "drand" }))],
  ["a ticket that names a chain and no round", "CANONICAL",
    changed(TICKET, (p) => void (p.external = { chain: ELEVENS, type: "drand" }))],
  ["a ticket that names a round and no source", "CANONICAL",
    changed(TICKET, (p) => void (p.external = { chain: ELEVENS, round: "1", type: "none" }))],
  ["a policy that asks for rounds of a beacon without one", "MANIFEST_RULES",
    addManifest(({ tenants }) => tenants.forEach(({ policy }) => void (policy.external = "drand")))],
  ["a beacon with a round a day and a second", "CANONICAL",
    addManifest((p) => void (p.beacon = { ...BEACON, period: 86401 }))],
  ["a beacon whose rounds take no time", "CANONICAL", addManifest((p) => void (p.beacon = { ...BEACON, period: 0 }))],
  ["a beacon that a later manifest changes", "MANIFEST_RULES", (f) => {
    for (const at of [ANNOUNCED, COMPLETED]) f.collude(at, (p) => void (p.beacon = BEACON));
    f.collude(COMPLETED, ({ epochs: [epoch] }) => salted(f, epoch, bytes(epoch.salt_source.value)));
    addManifest((p) => void (p.beacon.genesis = "1700000001"))(f);
  }],
  ["a beacon that a later manifest drops", "MANIFEST_RULES", (f) => {
    for (const at of [ANNOUNCED, COMPLETED]) f.collude(at, (p) => void (p.beacon = BEACON));
    f.collude(COMPLETED, ({ epochs: [epoch] }) => salted(f, epoch, bytes(epoch.salt_source.value)));
    addManifest((p) => void delete p.beacon)(f);
  }],
  ["a log whose key is the ledger's too", "MANIFEST_RULES",
    addManifest((p) => void (p.log = { ...LISTED, pk: keys.ledger.pk }))],
  ["a log with a blank in its name", "CANONICAL", addManifest((p) => void (p.log = { ...LISTED, origin: "a log" }))],
  ["a seat key that is the log's", "POLICY", (f) => {
    listLog(f, { ...LISTED, pk: keys.seats[1].pk });
  }],
  ["a proof of the log inside a round", "FORMAT", (f) => {
    proven()(f);
    f.records.splice(DEAL, 0, f.records.pop());
  }],
  ["a proof of the log that its operator signed", "SIGNATURES", (f) => {
    proven()(f);
    f.records.at(-1).sealed(keys.receipt);
  }],
  ["a proof of a record that is not in the file", "LOGGED", proven({ after: (p) => void (p.record = ELEVENS) })],
  ["a proof of the log for another record of the file", "LOGGED", (f) =>
    proven({ after: (p) => void (p.record = f.records[DEAL].hash) })(f)],
  ["a proof of the log from another place", "LOGGED", proven({ edit: (p) => void (p.index = "3") })],
  ["a proof of the log from behind its end", "LOGGED", proven({ edit: (p) => void (p.index = p.size) })],
  ["a proof of the log to another root", "LOGGED", proven({ edit: (p) => void (p.root = ELEVENS) })],
  ["a checkpoint of the log that a stranger signed", "LOGGED", proven({ log: keys.stranger })],
  ["a checkpoint of a log of another name", "LOGGED", proven({ edit: (p) => void (p.origin = "log.example/other") })],
  ["a checkpoint whose size was changed after it was signed", "LOGGED", proven({ after: (p) => void (p.size = "15") })],
  ["a cosignature whose time was changed after it was signed", "LOGGED",
    proven({ after: ({ cosignatures: [one] }) => void (one.time = "1600000000") })],
  ["two cosignatures of one witness", "CANONICAL",
    proven({ after: ({ cosignatures }) => void cosignatures.push({ ...cosignatures[0], time: "1700000001" }) })],
  ["a proof of a log without entries", "CANONICAL", proven({ after: (p) => void (p.size = "0") })],
  ["a proof of the log with a path of 64 hashes", "CANONICAL",
    proven({ after: (p) => void (p.path = Array(64).fill(ELEVENS)) })],
  ["a proof of the log with 17 cosignatures", "CANONICAL", proven({ after: (p) => {
    p.cosignatures = Array.from({ length: 17 }, (_, i) => ({ ...p.cosignatures[0], pk: Key.of(100 + i).pk }));
  } })],
  ["two tickets of one round", "NO_FORK", ({ records: r }) => {
    const other = r[TICKET].json;
    other.client["3"] = ELEVENS;
    r.splice(REVEAL, 0, sealed("ticket", other, keys.receipt));
  }],
];

// Lines that are not records at all: the change is to the text of a line.
export const RUBBISH = [
  ["a line cut short", DEAL, (line) => line.slice(0, -2)],
  ["an empty line", DEAL, () => ""],
  ["an unknown kind", DEAL, (line) => line.replace("pge.deal.v1", "pge.deal.v2")],
  ["a reserved kind", DEAL, (line) => line.replace("pge.deal", "pge.advance")],
  ["URL base64", SETTLE, (line) => line.replaceAll("+", "-").replaceAll("/", "_")],
  ["another envelope member", TICKET, (line) => line.replace("{", '{"a":1,')],
  ["an envelope member twice", TICKET, (line) => line.replace("{", '{"payload":"",')],
  ["null", TICKET, () => "null"],
  ["a number", TICKET, () => "1e9"],
  ["a deep nest", TICKET, () => "[".repeat(100_000)],
  ["a signature of 63 bytes", TICKET, (line) => line.replace(/"sig":"[^"]{86}==/, `"sig":"${"A".repeat(84)}`)],
  ["bytes that are no text", TICKET, () => "\u00ff\u00fe\u0000\u0001"],
];

export { keysOf };
