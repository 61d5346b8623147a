// Answers the cases of the conformance kit: one JSON object a line in, one out.
//
//   TEST_PAGE=FOLDER python3 verifiers/conformance/run.py --ask "node verifiers/web/tests/conformance.mjs"

import { createInterface } from "node:readline";
import { rules } from "./support/fixtures.mjs";
import { load } from "./support/page.mjs";

const { logCopyOf } = await load("js/audit/log-copy.js");
const { proofsOf } = await load("js/audit/proofs.js");
const { fromBase64, fromHex, toHex } = await load("js/bytes.js");
const { rowOf } = await load("js/bets.js");
const { cardOf, nameOf } = await load("js/cards.js");
const { PUSH_ON, holds } = await load("js/conditions.js");
const { words } = await load("js/chacha20.js");
const { dealtHands } = await load("js/dealing.js");
const { verify } = await load("js/ed25519.js");
const { CATEGORIES, categoryOf, compare, highValue, isFoul, lowValue, rankingOf } = await load("js/hands.js");
const { setByHouseWay } = await load("js/house-way/index.js");
const { parseCanonical } = await load("js/json.js");
const { auditNow } = await load("js/audit/index.js");
const { termsOf } = await load("js/audit/terms.js");
const { leafHash, treeHash } = await load("js/merkle.js");
const seeds = await load("js/seeds.js");
const { condition: checkCondition } = await load("js/rules-file.js");
const { bothByHouseWay, byHouseWay, cardsOf, finalLines, resultsOf, writeFinalLines } = await load("js/settle.js");
const { sha256 } = await load("js/sha2.js");
const { betOf, betOrder, feesOf, readSheet } = await load("js/sheet.js");
const { deckOf, diceOf, uniform } = await load("js/shuffle.js");
const { outputOf } = await load("js/vrf.js");
const { houseWays, rulesets } = await load("js/data.js");
const { Rules } = await load("js/rules.js");

const byId = (list, id) => [...list].find(([, one]) => one.id === id);
const rulesetOf = (id) => byId(rules.rulesets, id)[1];
const cards = (names) => names.map(cardOf);
const hands = (members) => new Map(Object.entries(members ?? {}).map(([q, names]) => [Number(q), cards(names)]));
const valid = (attempt) => {
  try {
    return { valid: true, ...attempt() };
  } catch {
    return { valid: false };
  }
};
const RESULT = { "1": "win", "0": "copy", "-1": "lose" };

const withOwn = new Map();
// The published rules and those of an operator's own texts.
function rulesWith(own, ways) {
  if (own.length === 0) return rules;
  const key = JSON.stringify([own, ways]);
  if (!withOwn.has(key)) {
    withOwn.set(key, new Rules({ rulesets: [...rulesets, ...own], houseWays: [...houseWays, ...ways] }));
  }
  return withOwn.get(key);
}

function settled({ ruleset: id, currency, facts, dice = [], hands: given, seats, decisions, rulesets: own = [],
  house_ways: ways = [] }) {
  const all = rulesWith(own, ways);
  const ruleset = byId(all.rulesets, id)[1];
  // The kit gives wagers as a caller may type them; a lock has them in the ruleset's order.
  const order = betOrder(ruleset);
  const ordered = Object.fromEntries(Object.entries(seats).map(([seat, { wagers }]) => [seat,
    { wagers: [...wagers].sort((a, b) => order.indexOf(a.bet) - order.indexOf(b.bet)) }]));
  const sheet = readSheet(ruleset, { currency, facts, seats: ordered });
  const dealt = hands(given);
  const chosen = new Map(Object.entries(decisions).map(([seat, { low, double_down: double }]) =>
    [Number(seat), { low: low && cards(low), double_down: double ?? false }]));
  const results = resultsOf({ ruleset, houseWay: all.houseWayOf(ruleset),
    houseWayHash: ruleset.house_way.hash, sheet, hands: dealt, dice, decisions: chosen });
  const fees = Object.fromEntries([...feesOf(ruleset, sheet)].map(([seat, fee]) => [seat, String(fee)]));
  const lines = writeFinalLines(finalLines(ruleset, sheet, dealt));
  return { results, fees, ...(lines.length > 0 ? { lines } : {}) };
}

function audited({ transcript, root_keys: keys, threshold, rulesets: own = [], house_ways: ways = [], witnesses, beacons,
  manifest, after, as_of: asOf, my_seat: seat, my_seat_key: key = null, proofs = [],
  log_copies: copies = [] }) {
  const rounds = [];
  const all = rulesWith(own, ways);
  const text = transcript.map((line) => `${line}\n`).join("");
  // As a file is read: characters beyond ASCII are bytes there.
  const bytes = Buffer.from(text, "utf8").toString("latin1");
  const terms = termsOf({ keys, threshold, witnesses, beacons, manifest, after, asOf,
    seat: seat === undefined ? null : { number: seat, key }, proofs: proofsOf(proofs.join("\n")),
    logCopies: copies.map(logCopyOf) });
  const report = auditNow(bytes, terms, all, (round, audit) => {
    if (!audit.isTicketCanonical) return;
    const results = audit.recomputed;
    const isClosed = round.settle !== null && !audit.refused.has(round.settle.line);
    rounds.push({ number: round.number, round_id: audit.ticket.round_id,
      ...(isClosed ? { disposition: round.settle.json.disposition } : {}),
      ...(results ? { bank_net: results.bank.net, house_net: results.house_net,
        nets: Object.fromEntries(Object.entries(results.seats).map(([seat, { net }]) => [seat, net])) } : {}) });
  });
  return { verdict: report.verdict, code: report.code ?? "", because: report.because,
    rounds: rounds.map(({ number, ...one }) => ({ ...one, verdict: report.rounds[number - 1].verdict })),
    claims: Object.fromEntries(report.claims.map(({ name, status }) => [name, status])),
    checks: Object.fromEntries(report.checks.map(({ code, status }) => [code, status])) };
}

// A-2-3-4-5 second, and the joker of a case: semi-wild by default.
const rankingWith = (joker) => rankingOf({ wheel: "second", joker });

function heldBy({ condition, looks_at: looksAt, cards: names, choice, dealer, house_way: id, joker }) {
  const hand = cards(names);
  const { isWild } = rankingWith(joker);
  if (id === undefined) return holds(condition, looksAt, hand, { choice, isWild });
  const houseWay = byId(rules.houseWays, id)[1];
  if (looksAt === "seat-set-hands") return holds(condition, looksAt, byHouseWay(houseWay, houseWay, hand));
  if (looksAt === PUSH_ON) return holds(condition, looksAt, hand,
    { dealer: byHouseWay(houseWay, houseWay, hand), isWild });
  return holds(condition, looksAt, bothByHouseWay(houseWay, houseWay, hand, cards(dealer)));
}

function round(given) {
  const place = { epoch: given.epoch, tenant: given.tenant, table: given.table, roundNo: given.round_no };
  const id = seeds.roundId(place);
  const inputs = (...names) => names.map((name) => fromHex(given[name]));
  const server = {
    fresh: () => fromHex(given.server_seed),
    derived: () => seeds.serverSeed(...inputs("epoch_secret", "epoch_salt"), place),
    vrf: () => seeds.provenSeed(...inputs("vrf_key", "epoch_salt"), place, ...inputs("seed_proof")),
  }[given.suite]();
  const own = Object.entries(given.client_seeds).map(([seat, hex]) => [Number(seat), fromHex(hex)])
    .sort(([a], [b]) => a - b);
  return { round_id: toHex(id), server_seed: toHex(server),
    commit: toHex(seeds.roundCommit(server, id, fromHex(given.ruleset_hash), given.engine)),
    client_commits: Object.fromEntries(own.map(([seat, seed]) => [seat, toHex(seeds.clientCommit(id, seat, seed))])),
    round_seed: toHex(seeds.roundSeed(server, id, own)) };
}

const OPS = {
  enc: ({ label, fields }) => ({ bytes: toHex(seeds.enc(label, ...fields.map(fromHex))) }),
  base64: ({ text }) => valid(() => ({ bytes: toHex(fromBase64(text)) })),
  canonical: ({ bytes }) => {
    const text = String.fromCharCode(...fromHex(bytes));
    return { canonical: valid(() => void parseCanonical(text)).valid };
  },
  record_hash: ({ type, payload }) => {
    const body = fromHex(payload);
    const head = `DSSEv1 ${type.length} ${type} ${body.length} `;
    return { hash: toHex(sha256(Uint8Array.from([...Buffer.from(head), ...body]))) };
  },
  kid: ({ public: key }) => ({ kid: toHex(seeds.kid(fromHex(key))) }),
  vrf: (given) => {
    const output = outputOf(...["public", "alpha", "proof"].map((name) => fromHex(given[name])));
    return output === null ? { valid: false } : { valid: true, beta: toHex(output) };
  },
  ed25519: (given) => ({
    valid: verify(fromHex(given.public), fromHex(given.message), fromHex(given.signature)) }),
  epoch_commit: ({ epoch, secret }) => ({ commit: toHex(seeds.epochCommit(epoch, fromHex(secret))) }),
  epoch_salt: (given) => ({ salt: toHex(seeds.epochSaltParty(fromHex(given.public), fromHex(given.value))) }),
  round,
  rules_hash: ({ kind, id }) => ({ hash: byId(kind === "ruleset" ? rules.rulesets : rules.houseWays, id)[0] }),
  uniform: ({ words: given, bound }) => {
    let rejected = 0;
    const { value } = uniform(given[Symbol.iterator](), bound, () => (rejected += 1));
    return { value, words_used: rejected + 1 };
  },
  keystream: ({ key, stream, count }) => {
    const source = words(fromHex(key), stream);
    return { words: Array.from({ length: count }, () => source.next().value) };
  },
  deck: ({ round_seed: seed, cards: size }) => {
    const deck = deckOf(fromHex(seed), size);
    return { deck, deck_commit: toHex(seeds.deckCommit(fromHex(seed), deck)) };
  },
  dice: ({ round_seed: seed }) => ({ dice: diceOf(fromHex(seed)) }),
  deal: ({ ruleset: id, deck, dice, facts, bases: active, rulesets: own = [], house_ways: ways = [] }) => {
    const ruleset = byId(rulesWith(own, ways).rulesets, id)[1];
    const dealt = dealtHands(ruleset, deck, dice, { actionPile: facts?.action_pile, active });
    return { hands: Object.fromEntries([...dealt].map(([q, hand]) => [q, hand.map(nameOf)])) };
  },
  high: ({ cards: five, joker }) => ({ category: categoryOf(highValue(cards(five), rankingWith(joker))) }),
  compare_high: ({ own, other, joker }) => {
    const value = (five) => highValue(cards(five), rankingWith(joker));
    return { result: RESULT[compare(value(own), value(other))] };
  },
  compare_low: ({ own, other, joker }) => {
    const value = (low) => lowValue(cards(low), rankingWith(joker));
    return { result: RESULT[compare(value(own), value(other))] };
  },
  foul: ({ low, high, joker }) => {
    const ranking = rankingWith(joker);
    return { foul: isFoul(cards(low), highValue(cards(high), ranking), ranking) };
  },
  set: ({ house_way: id, cards: hand }) => {
    const way = byId(rules.houseWays, id)[1];
    const { low, high, clause } = setByHouseWay(way, cards(hand));
    const ranking = rankingOf(way);
    return { low: low.map(nameOf), high: high.map(nameOf), clause,
      high_category: categoryOf(highValue(high, ranking)),
      low_category: CATEGORIES[lowValue(low, ranking)[0]] };
  },
  row: ({ ruleset, bet: id, cards: hand, choice }) => {
    const bet = betOf(rulesetOf(ruleset), id);
    const judged = cardsOf(bet, new Map([[0, cards(hand)], [1, cards(hand)]]), 1);
    const row = rowOf(bet, judged, { choice, isWild: rankingOf(rulesetOf(ruleset)).isWild });
    return row === null ? {} : { row: row.id, pays: row.pays };
  },
  holds: (given) => ({ holds: heldBy(given) }),
  condition: ({ condition, looks_at: looksAt, hand }) => valid(() => checkCondition(looksAt, hand)(condition, "")),
  merkle: ({ leaves }) => ({ root: toHex(treeHash(leaves.map((leaf) => leafHash(fromHex(leaf))))) }),
  settle: settled,
  audit: audited,
};

// A case that cannot be answered gets an answer that says so, and counts as a difference.
function answer({ op, input }) {
  if (!OPS[op]) return { unsupported: true };
  try {
    return OPS[op](input);
  } catch (error) {
    return { failed: String(error) };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(answer(JSON.parse(line))));
}
