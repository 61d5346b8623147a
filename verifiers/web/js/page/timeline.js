// The public log and the public random value of a round, in sentences and one picture. The picture has the times at which
// a witness saw the records, and the time of the value. It shows no more than the checks found.

import { isTrusted, namedBeacon } from "../audit/external.js";
import { clockOf, dayOf } from "../audit/terms.js";
import { publishedAt } from "../beacon.js";
import { h, sentence } from "./dom.js";

// Returns the findings about a round that names a log or a beacon. Returns null for any other round, and if a check
// of the round failed.
function factsOf(report, index, { round, audit, outcomes }, who) {
  const { log } = audit.manifest.json;
  const { external } = audit.ticket;
  const isDrand = external.type === "drand";
  if ((log === undefined && !isDrand) || outcomes.some(({ status }) => status === "failed")) return null;
  const { checks, claims } = report.rounds[index];
  const check = (code) => checks.find((one) => one.code === code);
  const seen = (record) => (record === null || log === undefined ? null : report.world.log.timeOf(record.hash, log));
  const beacon = isDrand && isTrusted(external.chain, report.terms) ? namedBeacon(audit) : undefined;
  const facts = {
    who, round, isDrand, log, witnesses: report.terms.witnesses, isVoid: audit.isVoid,
    claim: (name) => claims.find((one) => one.name === name),
    isInDeck: isDrand && ["BEACON", "REPLAY"].every((code) => check(code).status === "passed"),
    published: beacon === undefined ? null : publishedAt(beacon, external.round),
    seen: { ticket: seen(round.ticket), lock: seen(round.lock), settle: seen(round.settle) },
  };
  const seconds = [facts.published, ...Object.values(facts.seen)].filter((second) => second !== null);
  return { ...facts, days: [...new Set(seconds.map(dayOf))].sort() };
}

// The reason of a claim without the name of the check that it comes from.
const withoutCode = (why) => why.replace(/^[A-Z_]+: /, "");

// A time in words. If all times are of one day, the picture names the day once.
function momentOf(second, days) {
  const clock = clockOf(second);
  if (clock === "") return dayOf(second);
  return days.length === 1 ? clock : `${clock} on ${dayOf(second)}`;
}

// Why it is not shown that the wagers came first.
function unknownBecause({ who, published, seen: { lock }, log, witnesses, claim, days }) {
  if (published === null) return `this page does not know the beacon, and ${who} named no such one`;
  if (log === undefined) return "the operator lists no public log";
  if (witnesses.length === 0) return `${who} named no witness`;
  if (lock === null) return `no witness that ${who} named has signed that the public log had the wagers`;
  if (lock >= published) {
    return `a witness saw the wagers at ${momentOf(lock, days)}, and the value was published at ${momentOf(published, days)}`;
  }
  return withoutCode(claim("decks_unknown_in_advance").why);
}

// Returns the sentence about the deck and the public random value, or null without such a value or without a deck.
function deckText(facts) {
  const known = facts.claim("decks_unknown_in_advance");
  if (!facts.isDrand || known === undefined) return null;
  if (known.status === "shown") {
    const [lock, published] = [facts.seen.lock, facts.published].map((second) => momentOf(second, facts.days));
    return `Nobody knew the deck before the wagers: a witness saw them locked at ${lock}, and the public random value `
      + `that the deck depends on was published at ${published}.`;
  }
  const what = facts.isInDeck ? "The deck depends on a public random value, but it" : "It";
  return `${what} is not shown that nobody knew the deck before the wagers: ${unknownBecause(facts)}.`;
}

function loggedText({ who, claim, log, witnesses }) {
  if (claim("logged").status === "shown") return `In the public log: yes. A witness that ${who} named has signed for it.`;
  const why = log === undefined ? "the operator lists none" : witnesses.length === 0 ? `${who} named no witness`
    : withoutCode(claim("logged").why);
  return `In the public log: not shown. ${sentence(why)}`;
}

// The steps of the round in their order: each { title, second, what, state }, where `second` is null if no time is
// known.
function stepsOf({ round, log, isDrand, isInDeck, isVoid, published, seen }) {
  const step = (title, second, isGood = second !== null) => ({ title, second, what: second === null ? "no time is shown"
    : "seen by a witness at ", state: isGood ? "shown" : "open" });
  const isAfter = (second) => second !== null && published !== null && second >= published;
  const isLate = isAfter(seen.lock);
  const lock = round.lock === null ? null : step("Wagers locked", seen.lock, seen.lock !== null && !isLate);
  const value = isDrand ? { ...step("Public random value", published), what: published === null ? "no time is known"
    : "published at " } : null;
  const deal = { title: "Cards dealt", second: null, what: isInDeck ? "from that value" : "", state: isInDeck ? "shown" : "open" };
  const steps = [
    isLate && isAfter(seen.ticket) ? value : null,
    log === undefined ? null : step("Round opened", seen.ticket),
    isLate && !isAfter(seen.ticket) ? value : null,
    lock, isLate ? null : value,
    round.deal === null ? null : deal,
    log === undefined || round.settle === null ? null : step(isVoid ? "Round void" : "Result", seen.settle),
  ];
  return steps.filter((one) => one !== null);
}

const picture = (facts) => [
  h("ol", { class: "timeline", "aria-label": "The order of the round" }, stepsOf(facts).map(({ title, second, what, state }) =>
    h("li", { class: state }, h("strong", {}, title), h("span", { class: "when" }, what,
      second === null ? null : h("b", {}, momentOf(second, facts.days)))))),
  facts.days.length === 0 ? null
    : h("p", { class: "quiet" }, facts.days.length === 1 ? `Times of ${facts.days[0]}, in UTC.` : "Times in UTC.")];

// Null for a round that has neither log nor beacon. `who` named the witnesses and beacons of the terms.
export function publicView(report, index, done, who = "you") {
  const facts = factsOf(report, index, done, who);
  if (facts === null) return null;
  const deck = deckText(facts);
  return h("div", { id: "public" }, deck === null ? null : h("p", { id: "unknown" }, deck), picture(facts),
    h("p", { id: "logged" }, loggedText(facts)));
}
