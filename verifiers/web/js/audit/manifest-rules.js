// The rules for a chain of manifests: a server loads no chain that breaks one, and an audit fails it
// (MANIFEST_RULES).

import { chainOf, isOfRound } from "../beacon.js";
import { fromHex, toHex } from "../bytes.js";
import { verify } from "../ed25519.js";
import { sameJson } from "../json.js";
import { epochSaltDrand, epochSaltParty, epochSaltStatement, kid } from "../seeds.js";

const SEVEN_DAYS = 7n * 24n * 3600n;

// The members that an announcement fixes for ever: all except the salt, its value and the status.
function announced({ commit, epoch, open_from, open_until, settle_until, suite, salt_source, vrf_key }) {
  const { type, pk, chain, round } = salt_source ?? {};
  return { commit, epoch, open_from, open_until, settle_until, suite, type, pk, chain, round, vrf_key };
}
const completed = ({ salt, salt_source }) => ({ salt, salt_source });

// Whether `later` lists the same epoch: completed at most once, and its status never going back.
export function mayBecome(epoch, later) {
  const [now, then] = [epoch.status ?? "active", later.status ?? "active"];
  return sameJson(announced(epoch), announced(later)) &&
    (epoch.salt === undefined || sameJson(completed(epoch), completed(later))) &&
    (now === "active" || now === then || then === "revealed");
}

// The beacon of a manifest, if it has this chain; undefined if it has not.
export const beaconOf = ({ beacon }, chain) =>
  (beacon !== undefined && chainOf(beacon) === chain ? beacon : undefined);

// The salt that the source of an epoch gives, if it does already, and whether its party or its beacon signed it.
// The party's signature is not verified without the hash of the manifest that announces the epoch. In the vrf
// suite the key of the epoch is its commitment. `manifest` is the one with this entry of the epoch.
export function saltOf({ epoch, vrf_key: key, commit = key, salt_source: source }, announcement, manifest) {
  if (source.type === "none") return { salt: "0".repeat(64), isSigned: true };
  if (source.type === "party" && source.value !== undefined) {
    const [pk, value] = [fromHex(source.pk), fromHex(source.value)];
    const isSigned = announcement === undefined || verify(pk,
      epochSaltStatement(epoch, fromHex(announcement), fromHex(commit), value), fromHex(source.sig));
    return { salt: toHex(epochSaltParty(pk, value)), isSigned };
  }
  if (source.type === "drand" && source.signature !== undefined) {
    const { chain, round, signature } = source;
    const beacon = beaconOf(manifest, chain);
    return { salt: toHex(epochSaltDrand(fromHex(chain), round, fromHex(signature))),
      isSigned: beacon !== undefined && isOfRound(beacon, round, signature) };
  }
  return { salt: undefined, isSigned: true };
}

// The keys that a manifest lists, each with its role.
export const keysByRole = ({ root, receipt_keys: receipt, tenants, epochs, log }) => [
  ...root.keys.map(({ pk }) => [pk, "root"]),
  ...receipt.map(({ pk }) => [pk, "receipt"]),
  ...tenants.flatMap(({ ledger_keys: keys }) => keys.map(({ pk }) => [pk, "ledger"])),
  ...epochs.filter(({ salt_source: source }) => source?.type === "party")
    .map(({ salt_source: { pk } }) => [pk, "witness"]),
  ...epochs.filter(({ suite }) => suite === "vrf").map(({ vrf_key: pk }) => [pk, "vrf"]),
  ...(log === undefined ? [] : [[log.pk, "log"]]),
];

// Returns the member that a source has once its salt is known.
export const valueOf = ({ value, signature }) => value ?? signature;

function* epochFaults(epoch, announcement, manifest) {
  if (epoch.suite !== "fresh") {
    const { salt_source: source } = epoch;
    const { salt, isSigned } = saltOf(epoch, announcement, manifest);
    if (source.type === "drand" && beaconOf(manifest, source.chain) === undefined) {
      yield ["SALT_SOURCE", "a drand salt of another chain than the beacon of the manifest"];
    }
    if (!isSigned) {
      yield ["SALT", source.type === "drand" ? "the signature is not the beacon's of that round" : "another signature"];
    } else {
      if (epoch.salt !== undefined && epoch.salt !== salt) yield ["SALT", "not what its source gives"];
      if (valueOf(source) !== undefined && epoch.salt === undefined) yield ["SALT", "a value without its salt"];
    }
  }
  const [from, until, settle] = [epoch.open_from, epoch.open_until, epoch.settle_until].map(BigInt);
  if (!(from < until && until + SEVEN_DAYS <= settle)) yield ["WINDOW", "open_from, open_until, settle_until"];
}

const isRepeated = (names) => new Set(names).size < names.length;

// One manifest by itself; `announced` has the announcements of epochs before it.
function* manifestFaults(manifest, announced) {
  const { beacon, receipt_keys: receipt, epochs, tenants, rulesets, house_ways: ways } = manifest;
  if (receipt.length === 0) yield ["RECEIPT_KEYS", "none"];
  for (const epoch of epochs) {
    for (const [rule, what] of epochFaults(epoch, announced.get(epoch.epoch), manifest)) {
      yield [rule, `epoch ${epoch.epoch}: ${what}`];
    }
  }
  const windows = epochs.map((epoch) => [BigInt(epoch.open_from), BigInt(epoch.open_until), BigInt(epoch.epoch)]);
  windows.sort((a, b) => Number(a.map((one, i) => one - b[i]).find((difference) => difference !== 0n) ?? 0n));
  if (windows.some(([from], i) => i > 0 && from < windows[i - 1][1])) yield ["WINDOWS_OVERLAP", "two windows overlap"];
  for (const [what, names] of [["epoch", epochs.map((one) => one.epoch)], ["tenant", tenants.map((one) => one.tenant)],
    ["ruleset", rulesets.map((one) => one.name)], ["house way", ways.map((one) => one.name)]]) {
    if (isRepeated(names)) yield ["LISTED_TWICE", what];
  }
  const fresh = epochs.some(({ suite }) => suite === "fresh");
  for (const { tenant, policy, ledger_keys: ledger } of tenants) {
    if (fresh && !(policy.lock === "required" && policy.chain === "required")) yield ["FRESH_POLICY", `tenant ${tenant}`];
    if (policy.absent !== undefined && !(policy.lock === "required" && policy.seat_auth !== "off")) {
      yield ["ABSENT_POLICY", `tenant ${tenant}`];
    }
    if (policy.external === "drand" && !(policy.lock === "required" && beacon !== undefined)) {
      yield ["EXTERNAL_POLICY",
        `tenant ${tenant}: external: drand needs lock: required, and a beacon in the manifest`];
    }
    if (policy.lock === "required" && ledger.length === 0) yield ["LEDGER_KEYS", `tenant ${tenant}`];
  }
}

// The faults of a chain that begins with manifest 1, or with one that the caller has named, oldest
// manifest first, and of the reveals: each { line, rule, what }.
export function* faults(records, reveals) {
  // Each epoch that was ever listed, with the hash of the manifest that announced it, if it is known.
  const [listed, roles] = [new Map(), new Map()];
  // The first epoch of each VRF key.
  const secrets = new Map();
  let [suite, before, beacon] = [null, []];
  for (const { json: manifest, line, hash } of records) {
    // Its epochs were announced before, or may have been.
    const beginsLater = hash === records[0].hash && manifest.seq !== "1";
    for (const [rule, what] of manifestFaults(manifest, listed)) yield { line, rule, what };
    const { epochs } = manifest;
    for (const old of before) {
      const what = `epoch ${old.epoch}`;
      const now = epochs.find(({ epoch }) => epoch === old.epoch);
      if (now !== undefined && !mayBecome(old, now)) yield { line, rule: "EPOCH_CHANGED", what };
      if (now === undefined && old.status !== "revealed") yield { line, rule: "EPOCH_DROPPED", what };
    }
    if (beacon !== undefined && !sameJson(beacon, manifest.beacon)) {
      yield { line, rule: "BEACON_CHANGED", what: "another beacon than before, or none" };
    }
    beacon ??= manifest.beacon;
    for (const { epoch, salt, salt_source: source } of epochs) {
      if (before.some((old) => old.epoch === epoch)) continue;
      const what = `epoch ${epoch}`;
      if (["party", "drand"].includes(source?.type) && salt !== undefined && !beginsLater) {
        yield { line, rule: "SALT_BEFORE_ANNOUNCEMENT", what };
      }
      if (listed.has(epoch)) yield { line, rule: "LISTED_AGAIN", what };
    }
    const announcement = beginsLater ? undefined : hash;
    for (const { epoch } of epochs) if (!listed.has(epoch)) listed.set(epoch, announcement);
    suite ??= epochs[0]?.suite ?? null;
    if (epochs.some((epoch) => epoch.suite !== suite)) yield { line, rule: "ONE_SUITE", what: "two suites" };
    for (const [key, role] of keysByRole(manifest)) {
      const known = roles.get(key) ?? [];
      roles.set(key, known);
      if (known.includes(role)) continue;
      known.push(role);
      if (known.length > 1) {
        yield { line, rule: "KEY_ROLES", what: `key ${toHex(kid(fromHex(key)))}: ${role}, and ${known[0]} too` };
      }
    }
    for (const { epoch, vrf_key: key } of epochs) {
      if (key === undefined) continue;
      if (!secrets.has(key)) secrets.set(key, epoch);
      const first = secrets.get(key);
      if (first !== epoch) yield { line, rule: "SECRET_TWICE", what: `epochs ${first} and ${epoch}` };
    }
    before = epochs;
  }
  for (const [i, { json: { epoch, epoch_secret: secret }, line }] of reveals.entries()) {
    const other = reveals.slice(0, i).find(({ json }) => json.epoch !== epoch && json.epoch_secret === secret);
    if (other) yield { line, rule: "SECRET_TWICE", what: `epochs ${other.json.epoch} and ${epoch}` };
  }
}
