// The manifests of a file: the keys, the kinds of record that each may sign, and the epochs (D2, D6, PGE-FAIR-1, section 3.2).

import { publishedAt } from "../beacon.js";
import { fromHex, toHex } from "../bytes.js";
import { canonical, sameJson } from "../json.js";
import { epochCommit } from "../seeds.js";
import { OTHER_BEACON, UNTRUSTED, isTrusted } from "./external.js";
import { beaconOf, faults, keysByRole, mayBecome, saltOf, valueOf } from "./manifest-rules.js";
import { fail, skip } from "./report.js";

const ZEROS = "0".repeat(64);
const find = (list, member, value) => list.filter((one) => one[member] === value);

export class Manifests {
  // `records` are canonical. A repeated one adds nothing.
  constructor(records) {
    this.byHash = new Map();
    for (const record of records) {
      if (!this.byHash.has(record.hash)) this.byHash.set(record.hash, record);
    }
    this.records = [...this.byHash.values()];
  }

  // Each follows the one before and is signed by enough of the trusted roots. A manifest that names a
  // new root is signed by that root too, which signs from there on: rotation by cross-signing (3.6).
  checkSignatures({ keys, threshold }) {
    if (this.records.length === 0) skip("no manifest in the file");
    if (keys.length === 0) skip("no root key to trust");
    let trusted = { keys: [...new Set(keys)].map(fromHex), threshold };
    let before = null;
    // Each manifest so far, with the root that was trusted before it.
    const chain = [];
    for (const record of this.records) {
      const bad = (found) =>
        fail("a chain of manifests signed by the trusted root", found, { line: record.line });
      const { seq, prev, root } = record.json;
      const twin = chain.find((one) => one.record.json.seq === seq &&
        record.signedBy(one.trusted.keys) >= one.trusted.threshold);
      if (twin !== undefined) {
        bad(`a fork: two manifests of sequence number ${seq} under one root, ${twin.record.hash} and ${record.hash}`);
      }
      const first = BigInt(seq) >= 1n && (seq !== "1" || prev === ZEROS);
      const follows = before === null ? first
        : BigInt(seq) === BigInt(before.json.seq) + 1n && prev === before.hash;
      if (!follows) bad("seq or prev does not follow the manifest before");
      const next = { keys: named(root), threshold: root.threshold };
      if (record.signedBy(trusted.keys) < trusted.threshold) {
        bad(`not signed by ${trusted.threshold} of the ${trusted.keys.length} trusted root keys`);
      }
      if (next.threshold < 1 || record.signedBy(next.keys) < next.threshold) {
        bad("not signed by the root that it names");
      }
      const pinned = trusted.keys.map(toHex);
      if (before === null && !root.keys.some((key) => pinned.includes(key.pk))) {
        // Otherwise one root could sign many chains, each with a salt of its own.
        bad("the first manifest of the file names none of the trusted root keys");
      }
      chain.push({ record, trusted });
      trusted = next;
      before = record;
    }
  }

  // The manifest of a ticket, if it is before the ticket in the file.
  of(ticket) {
    const record = this.byHash.get(ticket.json.manifest);
    return record && record.line < ticket.line ? record : null;
  }

  // Keys that some manifest of the file revokes: their signatures no longer count, as no log
  // dates them (3.6).
  get revoked() {
    return (this.cachedRevoked ??= new Set(this.records.flatMap((record) =>
      record.json.receipt_keys.filter((key) => key.revoked).map((key) => key.pk))));
  }

  receiptKeys(record) {
    return record.json.receipt_keys.map((key) => key.pk)
      .filter((pk) => !this.revoked.has(pk)).map(fromHex);
  }

  // The keys that may sign the reveal or the close of an epoch: the trusted root keys, and root and
  // receipt keys of the manifests that list the epoch. If none lists it, those of all manifests count.
  revealKeys(roots, epoch) {
    const listing = this.records.filter(({ json }) => find(json.epochs, "epoch", epoch).length > 0);
    const records = listing.length > 0 ? listing : this.records;
    return [...records.flatMap((record) => [...this.receiptKeys(record), ...named(record.json.root)]),
      ...roots.map(fromHex)];
  }

  // The parties of salt sources.
  get witnesses() {
    const roles = this.records.flatMap((record) => keysByRole(record.json));
    return roles.filter(([, role]) => role === "witness").map(([key]) => key);
  }

  // The public logs that manifests list, each once.
  get logs() {
    const logs = this.records.map(({ json }) => json.log).filter((log) => log !== undefined);
    return [...new Map(logs.map((log) => [`${log.pk} ${log.origin}`, log])).values()];
  }

  // Whether a manifest lists both an epoch and a tenant.
  lists({ epoch, tenant }) {
    return this.records.some(({ json }) =>
      find(json.epochs, "epoch", epoch).length > 0 && find(json.tenants, "tenant", tenant).length > 0);
  }

  // Each manifest, and how it lists the epoch, if it does.
  listings(number) {
    return this.records.map((record) =>
      ({ record, epoch: find(record.json.epochs, "epoch", number)[0] ?? null }));
  }

  // Whether a manifest of the file revokes an epoch.
  revokes(number) {
    return this.listings(number).some(({ epoch }) => epoch?.status === "revoked");
  }

  // The manifests that follow one.
  after(record) {
    return this.records.slice(this.records.indexOf(record) + 1);
  }

  // A reveal is of an epoch that is listed, by a commitment that it opens.
  checkReveal(reveal) {
    const { epoch: number, epoch_secret: secret } = reveal.json;
    const commits = this.listings(number).flatMap(({ epoch }) => epoch?.commit ?? []);
    const at = { line: reveal.line };
    if (commits.length === 0) fail("an epoch that a manifest commits to", number, at);
    const commit = toHex(epochCommit(number, fromHex(secret)));
    if (!commits.includes(commit)) fail(commits[0], commit, at);
  }

  // The chain is one that a server loads (P1). A failure refuses no record.
  checkRules(reveals, named) {
    const [first] = this.records;
    if (first.json.seq !== "1" && first.hash !== named) skip("the file does not begin with manifest 1");
    for (const { line, rule, what } of faults(this.records, reveals)) {
      fail("a chain of manifests that a server loads", `${rule}: ${what}`, { line });
    }
  }

  // The keys of every role that the manifests up to this one list.
  keysUpTo(manifest) {
    const chain = this.records.slice(0, this.records.indexOf(manifest) + 1);
    return new Set(chain.flatMap((record) => keysByRole(record.json).map(([key]) => key)));
  }

  // The salt that the source gives, as a manifest lists the epoch (D2).
  checkSalt(epoch, manifest) {
    if (epoch.suite === "fresh") skip("fresh");
    const announcement = this.announcement(epoch.epoch);
    const { salt, isSigned } = saltOf(epoch, announcement, manifest.json);
    if (!isSigned) {
      fail(epoch.salt_source.type === "drand" ? "a signature of the beacon"
        : "a value that the party signed for this epoch", "another signature");
    }
    if (salt === undefined) fail("a salt source with its value", "one without");
    if (salt !== epoch.salt) fail(salt, epoch.salt);
    if (announcement === undefined && epoch.salt_source.type === "party") {
      skip("the manifest that announced the epoch is not in the file");
    }
  }

  // The hash of the manifest that first lists the epoch, if it is known to be in the file.
  announcement(number) {
    const place = this.listings(number).findIndex(({ epoch }) => epoch !== null);
    const first = this.records[place];
    return place > 0 || first.json.seq === "1" ? first.hash : undefined;
  }

  // The first manifest that lists the epoch announces it without its salt. Later ones change nothing
  // but its completion and its status. All list it until it is revealed (D2).
  checkSaltAfterCommit(number, own, { terms, log }) {
    const { suite, salt_source: source } = find(own.json.epochs, "epoch", number)[0];
    if (suite === "fresh") skip("fresh");
    const listings = this.listings(number);
    let before = null;
    for (const { record, epoch } of listings) {
      const at = { line: record.line };
      if (before !== null && epoch === null && before.status !== "revealed") {
        fail("an epoch that stays listed", "a manifest without it", at);
      }
      if (before !== null && epoch !== null && !mayBecome(before, epoch)) {
        fail(`the epoch as announced, ${canonical(before)}`, canonical(epoch), at);
      }
      before = epoch ?? before;
    }
    if (source.type === "none") skip("the epoch has no salt: salt_source none");
    const first = listings.findIndex(({ epoch }) => epoch !== null);
    const { record, epoch } = listings[first];
    if (epoch.salt !== undefined || valueOf(epoch.salt_source) !== undefined) {
      // The file may begin after the announcement. An epoch in manifest 1 was not announced before.
      if (first > 0 || record.json.seq === "1") {
        fail("an epoch announced without its salt", "a salt when it is first listed", { line: record.line });
      }
    }
    if (this.announcement(number) === undefined) {
      skip("the manifest that announced the epoch is not in the file");
    }
    if (source.type === "party") {
      if (!terms.witnesses.includes(source.pk)) skip("the key of the epoch's witness is not among those given");
      return;
    }
    // The beacon is no party to the announcement: a witness of the public log dates it.
    if (!isTrusted(source.chain, terms)) skip(UNTRUSTED);
    const beacon = beaconOf(own.json, source.chain);
    if (beacon === undefined) skip(OTHER_BEACON);
    const dated = log.timeOf(record.hash);
    if (dated === null) skip("no pinned witness dated the announcement");
    const published = publishedAt(beacon, source.round);
    if (dated >= published) {
      skip(`a witness dated the announcement at ${dated}, and the beacon's round was published at ${published}`);
    }
  }
}

const named = (root) => [...new Set(root.keys.map((key) => key.pk))].map(fromHex);

// Everything in the ticket's world is listed, once (D4, D6). Returns what later checks need.
export function checkLink(manifest, ticket, rules) {
  const own = manifest.json;
  const { epoch, tenant, ruleset, engine, suite } = ticket.json;
  const line = { line: ticket.line };
  const one = (list, member, value, what) => {
    const found = find(list, member, value);
    if (found.length !== 1) fail(`${what} that the manifest lists once`, value, line);
    return found[0];
  };
  if (own.engine !== engine) fail(`the engine ${own.engine}`, engine, line);
  const listedEpoch = one(own.epochs, "epoch", epoch, "an epoch");
  if (listedEpoch.suite !== suite) fail(`the suite ${listedEpoch.suite}`, suite, line);
  if (["revoked", "revealed"].includes(listedEpoch.status)) {
    fail("an epoch that is open", listedEpoch.status, line);
  }
  if (suite !== "fresh" && !listedEpoch.salt) fail("an epoch with its salt", "none yet", line);
  const listedTenant = one(own.tenants, "tenant", tenant, "a tenant");
  const { lock, chain } = listedTenant.policy;
  // Otherwise no engine would have used the manifest (D3).
  if (suite === "fresh" && !(lock === "required" && chain === "required")) {
    fail("lock and chain required, as the suite is fresh", "a softer policy", line);
  }
  const listedRuleset = find(own.rulesets, "hash", ruleset)[0];
  if (!listedRuleset) fail("a ruleset that the manifest lists", ruleset, line);
  const known = rules.ruleset(ruleset);
  if (known !== null) {
    if (listedRuleset.name !== known.id) fail(known.id, listedRuleset.name, line);
    if (listedRuleset.cards !== known.cards) fail(known.cards, listedRuleset.cards, line);
    const { hash } = known.house_way;
    if (!own.house_ways.some((way) => way.hash === hash)) {
      fail("the house way of the ruleset, listed", hash, line);
    }
  }
  return { epoch: listedEpoch, tenant: listedTenant, cards: listedRuleset.cards, ruleset: known };
}
