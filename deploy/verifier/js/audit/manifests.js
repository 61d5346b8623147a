// The manifests of a file: who may sign what, and the epochs (D2, D6, fairness.md 3.2).

import { fromHex, toHex } from "../bytes.js";
import { verify } from "../ed25519.js";
import { canonical, sameJson } from "../json.js";
import { enc, epochCommit, epochSaltParty, epochSaltStatement } from "../seeds.js";
import { sha256 } from "../sha2.js";
import { u64 } from "../bytes.js";
import { Failed, fail, skip } from "./report.js";

const ZEROS = "0".repeat(64);
const find = (list, member, value) => list.filter((one) => one[member] === value);

export class Manifests {
  // `records` have been found canonical. One that is told again says nothing new.
  constructor(records) {
    this.byHash = new Map();
    for (const record of records) {
      if (!this.byHash.has(record.hash)) this.byHash.set(record.hash, record);
    }
    this.records = [...this.byHash.values()];
  }

  // Each follows the one before and is signed by enough of the trusted roots. One that names a
  // root is signed by that as well, which signs from there on: rotation by cross-signing (3.6).
  checkSignatures({ keys, threshold }) {
    if (this.records.length === 0) skip("no manifest in the file");
    if (keys.length === 0) skip("no root key to trust");
    let trusted = { keys: [...new Set(keys)].map(fromHex), threshold };
    let before = null;
    for (const record of this.records) {
      const bad = (found) =>
        fail("a chain of manifests signed by the trusted root", found, { line: record.line });
      const { seq, prev, root } = record.json;
      const first = BigInt(seq) >= 1n && (seq !== "1" || prev === ZEROS);
      const follows = before === null ? first
        : BigInt(seq) === BigInt(before.json.seq) + 1n && prev === before.hash;
      if (!follows) bad("seq or prev does not follow the manifest before");
      const next = root ? { keys: named(root), threshold: root.threshold } : trusted;
      if (record.signedBy(trusted.keys) < trusted.threshold) {
        bad(`not signed by ${trusted.threshold} of the ${trusted.keys.length} trusted root keys`);
      }
      if (next.threshold < 1 || record.signedBy(next.keys) < next.threshold) {
        bad("not signed by the root that it names");
      }
      trusted = next;
      before = record;
    }
  }

  // The manifest of a ticket, if it stands before the ticket in the file.
  of(ticket) {
    const record = this.byHash.get(ticket.json.manifest);
    return record && record.line < ticket.line ? record : null;
  }

  // Keys that some manifest of the file revokes: what they sign counts no more, as there is no log
  // that dates it (3.6).
  get revoked() {
    return (this.cachedRevoked ??= new Set(this.records.flatMap((record) =>
      record.json.receipt_keys.filter((key) => key.revoked).map((key) => key.pk))));
  }

  receiptKeys(record) {
    return record.json.receipt_keys.map((key) => key.pk)
      .filter((pk) => !this.revoked.has(pk)).map(fromHex);
  }

  // Who may sign a reveal: the engine, or the root.
  revealKeys(roots) {
    return [...this.records.flatMap((record) => [...this.receiptKeys(record), ...named(record.json.root)]),
      ...roots.map(fromHex)];
  }

  epochs(number) {
    return this.records.flatMap((record) =>
      find(record.json.epochs, "epoch", number).map((epoch) => ({ record, epoch })));
  }

  // A reveal is of an epoch that is listed, by a commitment that it opens.
  checkReveal(reveal) {
    const { epoch: number, epoch_secret: secret } = reveal.json;
    const commits = this.epochs(number).map(({ epoch }) => epoch.commit);
    const at = { line: reveal.line };
    if (commits.length === 0) fail("an epoch that a manifest lists", number, at);
    const commit = toHex(epochCommit(number, fromHex(secret)));
    if (!commits.includes(commit)) fail(commits[0], commit, at);
  }

  checkSecret(epoch, secret, line) {
    needCommitment(epoch);
    const { epoch: number, commit } = epoch;
    const opened = toHex(epochCommit(number, fromHex(secret)));
    if (opened !== commit) fail(commit, opened, { line });
  }

  // The salt that the source gives. A drand signature is not verified in this release (D2).
  checkSalt(epoch) {
    if (epoch.suite === "fresh") skip("fresh");
    needCommitment(epoch);
    const source = epoch.salt_source;
    if (!epoch.salt) skip("the epoch has no salt yet");
    let salt;
    if (source.type === "none") salt = ZEROS;
    if (source.type === "party") {
      if (source.value === undefined || source.sig === undefined) fail("a value and a signature", "none");
      const [pk, value] = [fromHex(source.pk), fromHex(source.value)];
      const statement = epochSaltStatement(fromHex(epoch.commit), value);
      if (!verify(pk, statement, fromHex(source.sig))) {
        fail("a value that the party signed for this epoch", "another signature");
      }
      salt = toHex(epochSaltParty(pk, value));
    }
    if (source.type === "drand") {
      salt = toHex(sha256(enc("pge/v1/epoch-salt-drand", fromHex(source.chain), u64(source.round),
        fromHex(source.signature ?? ""))));
    }
    if (salt !== epoch.salt) fail(salt, epoch.salt);
  }

  // The epoch was announced with its commitment in an earlier manifest, without a salt, and
  // nothing else of it has changed since (D2). `own` is the ticket's manifest.
  checkSaltAfterCommit(number, own) {
    const last = find(own.json.epochs, "epoch", number)[0];
    if (last.suite === "fresh") skip("fresh");
    const listed = this.epochs(number);
    const [first] = listed;
    const at = (record) => ({ line: record.line });
    let complete = null;
    for (const { record, epoch } of listed) {
      if (!sameJson(announced(epoch), announced(first.epoch))) {
        fail(canonical(announced(first.epoch)), canonical(announced(epoch)), at(record));
      }
      if (complete !== null && !sameJson(completed(epoch), completed(complete))) {
        fail(canonical(completed(complete)), canonical(completed(epoch)), at(record));
      }
      if (epoch.salt) complete ??= epoch;
    }
    const from = this.records.indexOf(first.record);
    for (const record of this.records.slice(from)) {
      if (find(record.json.epochs, "epoch", number).length === 0) {
        fail("an epoch that stays listed", "a manifest without it", at(record));
      }
    }
    needCommitment(last);
    if (last.salt_source.type === "none") skip("the epoch has no salt: salt_source none");
    if (last.salt_source.type === "drand") {
      skip("the signature of a drand salt is not verified in this release");
    }
    if (first.epoch.salt) {
      if (from === 0 && first.record === own) {
        skip("the manifest that announced the epoch is not in the file");
      }
      fail("an epoch announced without its salt", "a salt when it is first listed", at(first.record));
    }
  }
}

// An epoch that commits to nothing shows nothing; SALT_AFTER_COMMIT sees to it that a commitment,
// once announced, is not dropped (D2).
export const needCommitment = ({ commit, salt_source: source }) => {
  if (commit === undefined || source === undefined) skip("the epoch has no commitment");
};

const named = (root) => (root ? [...new Set(root.keys.map((key) => key.pk))].map(fromHex) : []);

// What an announcement fixes, and what a completion adds. Status may change.
function announced({ commit, epoch, open_from, open_until, settle_until, suite, salt_source }) {
  const { type, pk, chain, round } = salt_source ?? {};
  return { commit, epoch, open_from, open_until, settle_until, suite, type, pk, chain, round };
}
const completed = ({ salt, salt_source }) => ({ salt, salt_source });

// Everything in the ticket's world is listed, once (D4, D6). Returns what later checks need.
export function checkLink(manifest, ticket, rules) {
  const own = manifest.json;
  const { epoch, tenant, ruleset, engine, suite, table } = ticket.json;
  const line = { line: ticket.line, refuses: ["ticket"] };
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
  if (suite === "derived" && !listedEpoch.salt) fail("an epoch with its salt", "none yet", line);
  const listedTenant = one(own.tenants, "tenant", tenant, "a tenant");
  if (listedTenant.tables && !listedTenant.tables.includes(table)) {
    fail("a table that the manifest lists", table, line);
  }
  const listedRuleset = find(own.rulesets, "hash", ruleset)[0];
  if (!listedRuleset) fail("a ruleset that the manifest lists", ruleset, line);
  const known = rules.ruleset(ruleset);
  if (known !== null) {
    if (listedRuleset.name !== known.id) fail(known.id, listedRuleset.name, line);
    if (listedRuleset.cards !== known.cards) fail(known.cards, listedRuleset.cards, line);
    const { hash, id } = known.house_way;
    const ways = own.house_ways;
    if (ways && !ways.some((way) => way.hash === hash && way.name === id)) {
      fail("the house way of the ruleset, listed", hash, line);
    }
  }
  return { epoch: listedEpoch, tenant: listedTenant, cards: listedRuleset.cards, ruleset: known };
}
