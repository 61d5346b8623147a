// The members of each kind of payload (D5, D14): all required unless `optional`, no others.

import { fromHex, toHex } from "./bytes.js";
import { isPublicKey } from "./ed25519.js";
import { kid } from "./seeds.js";

export class BadPayload extends Error {}

export const bad = (path, what) => {
  throw new BadPayload(`${path.replace(/^\./, "")}: ${what}`);
};

export const text = (pattern, what) => (value, path) => {
  if (typeof value !== "string" || !pattern.test(value)) bad(path, what);
};

export const integer = (low, high, what = "a number out of range") => (value, path) => {
  if (!Number.isInteger(value) || value < low || value > high) bad(path, what);
};

export const exactly = (wanted, what) => (value, path) => {
  if (value !== wanted) bad(path, what);
};

export const list = (item, most = Infinity) => (value, path) => {
  if (!Array.isArray(value)) bad(path, "not a list");
  if (value.length > most) bad(path, `more than ${most}`);
  value.forEach((one, i) => item(one, `${path}[${i}]`));
};

const isObject = (value) =>
  value !== null && typeof value === "object" && !Array.isArray(value);

export const map = (key, item, otherwise = "not a seat") => (value, path) => {
  if (!isObject(value)) bad(path, "not an object");
  for (const [name, one] of Object.entries(value)) {
    if (!key.test(name)) bad(`${path}.${name}`, otherwise);
    item(one, `${path}.${name}`);
  }
};

export const optional = (check) => Object.assign((value, path) => check(value, path), { optional: true });

export const object = (checks, more = () => {}) => (value, path) => {
  if (!isObject(value)) bad(path, "not an object");
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(checks, name)) bad(`${path}.${name}`, "an unknown member");
  }
  for (const [name, check] of Object.entries(checks)) {
    if (Object.hasOwn(value, name)) check(value[name], `${path}.${name}`);
    else if (!check.optional) bad(`${path}.${name}`, "missing");
  }
  more(value, path);
};

// Results and final lines are compared as a whole with the recomputed ones (RESULTS), so any are
// well-formed here.
const anything = () => {};

const hex = (bytes) => text(new RegExp(`^[0-9a-f]{${2 * bytes}}$`), `not ${bytes} bytes in hex`);
export const hash = hex(32);
// A key is a point that `verify` accepts. No signature by another key could ever be good.
const publicKey = (value, path) => {
  hash(value, path);
  if (!isPublicKey(fromHex(value))) bad(path, "not a public key");
};
const identifier = text(/^[A-Za-z0-9._:-]{1,64}$/, "not an identifier");
export const enumerated = (...values) => (value, path) => {
  if (!values.includes(value)) bad(path, `not one of ${values.join(", ")}`);
};

// Decimal strings, bounded to 64 bits (D14).
const decimal = (pattern, low, high, what) => (value, path) => {
  if (typeof value !== "string" || value.length > 20 || !pattern.test(value) ||
    BigInt(value) < low || BigInt(value) > high) bad(path, what);
};
const MAX = 2n ** 63n - 1n;
const UNSIGNED = /^(?:0|[1-9][0-9]*)$/;
const money = decimal(UNSIGNED, 0n, MAX, "not an amount");
const wager = decimal(UNSIGNED, 1n, 10n ** 15n, "not a wager of 1 to 10^15");
const number = decimal(UNSIGNED, 1n, MAX, "not a number of 1 or more");
const sequence = decimal(UNSIGNED, 0n, MAX, "not a number");
const time = decimal(UNSIGNED, 0n, MAX, "not a time in seconds");

const SEAT = /^[1-7]$/;
const seats = (item) => map(SEAT, item);
const seat = integer(1, 7, "not a seat");
const card = integer(0, 52, "not a card");

const cards = (sorted) => (value, path) => {
  list(card)(value, path);
  if (new Set(value).size !== value.length) bad(path, "a card twice");
  if (sorted && value.some((one, i) => i > 0 && one < value[i - 1])) bad(path, "not ascending");
};
const dealt = cards(false);
const set = cards(true);

const epochNumber = integer(0, 2 ** 31 - 1);
const algo = exactly("PGE-FAIR-1", "not the protocol of this release");
const suite = enumerated("derived", "fresh", "vrf");

const key = (more = {}) => object({ kid: hex(8), pk: publicKey, ...more }, (value, path) => {
  if (toHex(kid(fromHex(value.pk))) !== value.kid) bad(`${path}.kid`, "not the id of the key");
});

const policy = object({
  absent: optional(enumerated("optional", "required")), chain: enumerated("off", "required"), client: enumerated("none", "optional", "committed"),
  external: enumerated("none", "drand"), lock: enumerated("off", "required"),
  seat_auth: enumerated("off", "optional", "required"),
});

// An object whose kind is the value of one of its members.
function byMember(member, kinds) {
  return (value, path) => {
    const kind = isObject(value) ? value[member] : undefined;
    if (typeof kind !== "string" || !Object.hasOwn(kinds, kind)) bad(`${path}.${member}`, "missing or unknown");
    kinds[kind](value, path);
  };
}

const yes = exactly(true, "true or absent");

// A round of a beacon, and the signature that the beacon publishes for it.
const beaconRound = { chain: hash, round: number, type: exactly("drand") };
const beaconSignature = optional(hex(48));

const saltSource = (value, path) => {
  if (!isObject(value)) bad(path, "not an object");
  const checks = {
    none: { type: exactly("none") },
    party: { type: exactly("party"), pk: publicKey, value: optional(hex(32)), sig: optional(hex(64)) },
    drand: { ...beaconRound, signature: beaconSignature },
  };
  const check = Object.hasOwn(checks, value.type) ? checks[value.type] : bad(path, "an unknown source");
  object(check)(value, path);
  if ("value" in value !== "sig" in value) bad(path, "value and sig come together");
};

const window = { epoch: epochNumber, open_from: time, open_until: time, settle_until: time,
  status: optional(enumerated("active", "revoked", "revealed")), suite };
const salted = { ...window, salt: optional(hash), salt_source: saltSource };
// The fresh suite has neither commitment nor salt (D3).
const EPOCHS = {
  derived: object({ ...salted, commit: hash }),
  fresh: object(window),
  vrf: object({ ...salted, vrf_key: publicKey }),
};

// Limits that suffice for every deployment.
const [MOST_KEYS, MOST_LISTED] = [16, 256];
const keys = (more) => list(key(more), MOST_KEYS);
const listed = (item) => list(item, MOST_LISTED);

// A chain of drand. The verification of a signature checks whether `pk` is a point.
const beacon = object({ genesis: time, group: hash, id: identifier, period: integer(1, 86400), pk: hex(96) });

const origin = text(/^[A-Za-z0-9._:/-]{1,128}$/, "not the name of a log");

const manifest = object({
  algo, beacon: optional(beacon), engine: identifier, epochs: list(byMember("suite", EPOCHS), 400),
  house_ways: listed(object({ hash, name: identifier })), log: optional(object({ origin, pk: publicKey })), prev: hash,
  receipt_keys: keys({ revoked: optional(yes) }),
  root: object({ keys: keys(), threshold: integer(0, 16) }),
  rulesets: listed(object({ cards: integer(0, 53), hash, name: identifier })), seq: sequence,
  tenants: listed(object({ ledger_keys: keys(), policy,
    tables: optional(list(identifier, 1024)), tenant: identifier })),
  builds: optional(list(object({ digest: hash, name: identifier }), 64)),
});

const ticket = object({
  algo, client: seats(hash), commit: hash, engine: identifier, epoch: epochNumber,
  external: byMember("type", { drand: object(beaconRound), none: object({ type: exactly("none") }) }),
  manifest: hash, policy, prev: hash, round_id: hash, round_no: number,
  ruleset: hash, sealed: optional(hex(85)), suite, table: identifier, tenant: identifier,
  seat_keys: seats(object({ absent: optional(exactly("house_way", "not a clause")), key: publicKey })),
}, (value, path) => {
  if ((value.suite === "fresh") !== ("sealed" in value)) bad(`${path}.sealed`, "only in a fresh ticket");
});

const facts = {
  action_pile: optional(integer(0, 6)), bank_minor: optional(money), banker_seat: optional(seat),
  chip_minor: optional(money), meter_minor: optional(money), table_max_minor: optional(money), table_min_minor: optional(money),
};
export const FACTS = Object.keys(facts);

// Posted limits of single bets: one or more.
const betLimits = (value, path) => {
  list(object({ bet: text(/^/, "not a string"), max: money }))(value, path);
  if (value.length === 0) bad(path, "not one limit or more");
};

const wagersLock = object({
  bet_limits: optional(betLimits),
  currency: object({ code: text(/^[A-Z]{3,8}$/, "not a currency"), exponent: integer(0, 4) }),
  facts: object(facts), prev: hash, round_id: hash, step: exactly("wagers"),
  seats: seats(object({
    client_seed: optional(text(/^(?:[0-9a-f]{2}){16,64}$/, "not 16 to 64 bytes in hex")),
    wagers: list(object({ amount: wager, bet: text(/^/, "not a string"), choice: optional(enumerated("red", "black")) })),
  })),
});

export const REASONS =
  ["client_seed", "player_left", "equipment", "operator", "epoch_revoked", "misdeal"];

// How many locks are spent in a round at most.
export const MOST_SPENT = 8;

const superseded = optional((value, path) => {
  list(hash, MOST_SPENT)(value, path);
  if (value.length === 0 || new Set(value).size < value.length) bad(path, "not one lock or more, each once");
});

const absent = optional((value, path) => {
  list(seat)(value, path);
  if (value.length === 0 || value.some((one, i) => i > 0 && one <= value[i - 1])) bad(path, "not ascending");
});

const LOCKS = {
  wagers: wagersLock,
  final: object({ absent, actions: list(hash), prev: hash, round_id: hash, step: exactly("final"),
    supersedes: superseded }),
  void: object({ prev: hash, reason: enumerated(...REASONS), round_id: hash, step: exactly("void"),
    supersedes: superseded }),
};

const deal = object({
  beacon: beaconSignature, dealer: optional(object({ high: set, low: set })),
  deck_commit: hash, dice: list(integer(1, 6, "not a die")), fees: map(/^[0-7]$/, money),
  lines: optional(anything), phase: exactly(1, "a deal is phase 1"), prev: hash,
  round_id: hash, ticket: hash, visible: seats(dealt),
});

const action = object({
  double_down: optional(yes), house_way: optional(hash), low: optional(set), prev: hash, seat,
}, (value, path) => {
  if ("low" in value === "house_way" in value) bad(path, "low cards or a house way");
});

// A proof of RFC 9381.
const seedProof = hex(80);

const SETTLES = {
  settled: object({
    deal: hash, dealer: dealt, deck: dealt, disposition: exactly("settled"), prev: hash,
    results: anything, round_id: hash, round_seed: hash, seed_proof: optional(seedProof), server_seed: hash,
    ticket: hash,
  }),
  void: object({
    disposition: exactly("void"), prev: hash, reason: enumerated(...REASONS),
    returns: map(/^[0-7]$/, money), round_id: hash, ticket: hash,
  }),
};

// The seed proofs of a close ascend by table and number. Each is of a round that the close counts and that
// is not settled.
function checkSeedProofs({ rounds: { never_closed: open, voided }, seed_proofs: proofs, tables }, path) {
  const last = new Map(tables.map((one) => [one.table, BigInt(one.last)]));
  const most = BigInt(voided) + BigInt(open);
  if (proofs.length === 0) bad(path, "no proof");
  if (BigInt(proofs.length) > most) bad(path, `more than the ${most} rounds without a settlement`);
  for (const [i, { round_no: no, table }] of proofs.entries()) {
    if (!last.has(table)) bad(`${path}[${i}].table`, "not one of the tables");
    if (BigInt(no) > last.get(table)) bad(`${path}[${i}].round_no`, "after the last of the table");
    const before = proofs[i - 1];
    const ascends = i === 0 || before.table < table || (before.table === table && BigInt(before.round_no) < BigInt(no));
    if (!ascends) bad(`${path}[${i}]`, "not ascending");
  }
}

// Tables ascend, and each round is settled, void or never closed.
const epochClose = object({
  epoch: epochNumber, leaves: number, root: hash,
  rounds: object({ never_closed: sequence, opened_again: sequence, settled: sequence, voided: sequence }),
  seed_proofs: optional(list(object({ proof: seedProof, round_no: number, table: identifier }))),
  tables: list(object({ head: optional(hash), last: number, table: identifier }), 65536),
  tenant: identifier,
}, (close, path) => {
  const { leaves, rounds: { never_closed: open, settled, voided }, tables } = close;
  if (tables.length === 0) bad(`${path}.tables`, "no table");
  if (tables.some(({ table }, i) => i > 0 && table <= tables[i - 1].table)) bad(`${path}.tables`, "not ascending");
  if (BigInt(settled) + BigInt(voided) + BigInt(open) !== BigInt(leaves)) {
    bad(`${path}.leaves`, "not the sum of the rounds");
  }
  if (BigInt(leaves) > tables.reduce((sum, { last }) => sum + BigInt(last), 0n)) {
    bad(`${path}.leaves`, "more than the tables have round numbers");
  }
  if ("seed_proofs" in close) checkSeedProofs(close, `${path}.seed_proofs`);
});

const [MOST_COSIGNATURES, LONGEST_PATH] = [16, 63];

// An inclusion proof of a record in the public log, with a checkpoint of the log.
const checkpoint = {
  cosignatures: list(object({ pk: publicKey, sig: hex(64), time }), MOST_COSIGNATURES), origin, root: hash, sig: hex(64),
  size: number,
};
const oneOfEachWitness = ({ cosignatures }, path) => {
  if (new Set(cosignatures.map(({ pk }) => pk)).size < cosignatures.length) {
    bad(`${path}.cosignatures`, "a key twice");
  }
};
const logProof = object({ ...checkpoint, index: sequence, path: list(hash, LONGEST_PATH), record: hash }, oneOfEachWitness);

// Throws BadPayload where a value is not the checkpoint of a copy of a log.
export const checkCheckpoint = (value) => object(checkpoint, oneOfEachWitness)(value, "");

const PAYLOADS = {
  manifest, ticket, lock: byMember("step", LOCKS), deal, action,
  settle: byMember("disposition", SETTLES),
  "epoch-reveal": object({ epoch: epochNumber, epoch_secret: hash }),
  "epoch-close": epochClose,
  "log-proof": logProof,
};

// Throws BadPayload if a payload is not of its kind.
export const checkPayload = (kind, payload) => PAYLOADS[kind](payload, "");

const ascending = (value, path) => {
  list(hash)(value, path);
  if (value.some((one, i) => i > 0 && one <= value[i - 1])) bad(path, "not ascending");
};

const proof = object({
  index: sequence, path: list(hash, LONGEST_PATH),
  leaf: object({ closes: ascending, deals: ascending, epoch: epochNumber, locks: ascending, round_no: number,
    table: identifier, tenant: identifier, tickets: ascending }),
});

// Throws BadPayload if a value is not an inclusion proof.
export const checkProof = (value) => proof(value, "");
