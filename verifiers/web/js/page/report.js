// The report: verdict, its meaning, the checks, and the rounds one at a time.

import { ALWAYS_OPEN, CLAIMS } from "../audit/claims.js";
import { auditRound } from "../audit/index.js";
import { CODES } from "../audit/report.js";
import { decimal } from "../money.js";
import { h, hashText, lazyDetails, plural, sentence } from "./dom.js";
import { cardRow, exposedDealer } from "./cards.js";
import { becauseOf, groupsView, headline, leadOf, plays } from "./lead.js";
import { shuffleView } from "./shuffle.js";
import { storyView } from "./story.js";
import { TableView } from "./table.js";
import { STATUSES, TITLES } from "./words.js";

const MARKS = { passed: "✓", failed: "✗", skipped: "–" };

const TICKS = { match: "✓", mismatch: "✗", incomplete: "…", pending: "…" };

// The conditions that a match rests on: keys that the reader has not pinned.
function conditionsOf(report, trust, reader) {
  // Nothing was read that could rest on a key.
  if (report.file === undefined) return [];
  return [
    trust.pinned ? null : ["The root is not pinned. ", "It was taken from the transcript itself, so the maker of the ",
      "transcript may have made it. Give the root key that the operator publishes."],
    hasNamedWitnesses(report) ? null : ["The witness is not pinned. ", "An operator can be its own witness, and choose ",
      "among salts. Give the public key that the witness publishes."],
    hasNamedCosigner(report) ? null : ["No witness of the public log is pinned. ", "An operator can show one log to ",
      "you and another to others. Give the public key of a witness that signs the log."],
    trust.byLink.length === 0 || reader.isCompared() ? null : [`The ${listed(trust.byLink)} ${trust.byLink.length > 1 ? "were" : "was"} named by the link. `,
      "The sender of the link may have made them up."],
  ].filter((condition) => condition !== null);
}

// Asks whether the keys of the link were compared. Only the reader can answer that.
function compareView({ keys, byLink }, { terms, file }, reader, again) {
  if (byLink.length === 0 || file === undefined) return null;
  const shown = { root: keys, witness: terms.witnesses, beacon: terms.beacons, "seat key": [terms.seat?.key] };
  const box = h("input", { id: "compared", type: "checkbox", checked: reader.isCompared(), onchange: () => {
    reader.compare(box.checked);
    again();
  } });
  return h("div", { class: "compare" }, h("ul", {}, byLink.map((name) =>
    h("li", {}, `${name}: `, shown[name].map((key) => [hashText(key), " "])))),
  h("p", {}, box, h("label", { for: "compared" }, " I compared these keys with a source that neither the link nor its "
    + "sender led me to.")));
}

// First the course of the round, in one sentence and one picture. Then the claims that are shown and those that are open.
function verdictView(report, trust, reader, index) {
  const conditions = conditionsOf(report, trust, reader);
  // Green means a match without a condition: the reader has pinned root and witnesses, and nothing waits.
  const isOpen = report.verdict === "match" && conditions.length > 0;
  const section = h("section", { class: `panel verdict ${isOpen ? "open" : report.verdict}`, "aria-labelledby": "verdict" },
    h("h2", { id: "verdict", tabindex: -1 },
      h("span", { class: "mark", "aria-hidden": "true" }, isOpen ? "!" : TICKS[report.verdict]),
      isOpen ? "Everything matches, under a condition" : headline(report)),
    report.rounds.length === 0 ? null : h("div", { id: "lead" }, leadOf(report, index, reader)),
    report.code === null ? h("p", { class: "because" }, becauseOf(report))
      : h("p", { class: "because" }, `It is not so that ${CODES[report.code]}. First failed check: `, h("code", {}, report.code), "."),
    conditions.map(([what, ...why]) => h("p", { class: "warning", role: "note" }, h("strong", {}, what), why)),
    compareView(trust, report, reader, () => {
      const next = verdictView(report, trust, reader, index);
      // It may show another round by now.
      next.querySelector("#lead")?.replaceWith(section.querySelector("#lead"));
      section.replaceWith(next);
      document.getElementById("compared").focus();
    }),
    groupsView(report, !trust.pinned || (trust.byLink.length > 0 && !reader.isCompared())));
  return section;
}

const listed = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`);

// Whether the reader has named every witness that a manifest of the file lists.
function hasNamedWitnesses({ world, terms }) {
  if (!world?.reliable) return true;
  return world.manifests.witnesses.every((key) => terms.witnesses.includes(key));
}

// Whether the reader has named a witness, if a manifest of the file lists a public log.
const hasNamedCosigner = ({ world, terms }) =>
  !world?.reliable || terms.witnesses.length > 0 || world.manifests.logs.length === 0;

function claimRow({ name, status, why }) {
  const { shows } = CLAIMS.find((claim) => claim.name === name);
  return h("li", { class: `claim ${status}` },
    h("span", { class: "mark", "aria-hidden": "true" }, { shown: "✓", pending: "…", not_shown: "–" }[status]),
    h("div", {}, h("p", { class: "check-name" }, h("strong", {}, TITLES[name]),
      h("span", { class: "tag" }, STATUSES[status])),
    status === "shown" ? h("p", {}, shows) : null, why ? h("p", { class: "why" }, sentence(why)) : null));
}

const claimsView = (report) => h("details", { class: "panel meaning" },
  h("summary", {}, "Each claim, with its reason"),
  h("ol", { class: "checks claims" }, report.claims.map(claimRow)),
  h("h3", {}, "What no audit shows"),
  h("ul", {}, ALWAYS_OPEN.map((text) => h("li", {}, text))));

// By rounds, where they differ.
function countText({ passed, failed, skipped }) {
  const parts = [[passed, "passed"], [failed, "failed"], [skipped, "skipped"]]
    .filter(([count]) => count > 0);
  return parts.length < 2 ? null
    : h("p", { class: "why" }, `By rounds: ${parts.map(([count, what]) => `${count} ${what}`).join(", ")}.`);
}

function checkRow({ code, status, where, expected, found }, counts) {
  const short = (value) => {
    const text = String(value);
    return text.length > 400 ? `${text.slice(0, 400)} …` : text;
  };
  const why = status === "failed"
    ? [h("dl", { class: "difference" }, h("dt", {}, "expected"), h("dd", {}, short(expected)),
      h("dt", {}, "found"), h("dd", {}, short(found)))]
    : status === "skipped" ? [h("p", { class: "why" }, sentence(found))] : [];
  return h("li", { class: `check ${status}` },
    h("span", { class: "mark", "aria-hidden": "true" }, MARKS[status]),
    h("div", {}, h("p", { class: "check-name" }, h("code", {}, code),
      h("span", { class: "tag" }, status), where ? h("span", { class: "where" }, where) : null),
    h("p", {}, sentence(CODES[code])), why, counts ? countText(counts) : null));
}

const checkList = (checks, counts = {}) =>
  h("ol", { class: "checks" }, checks.map((check) => checkRow(check, counts[check.code])));

function checksView(report) {
  const count = (status) => report.checks.filter((check) => check.status === status).length;
  return h("details", { class: "panel", id: "checks" },
    h("summary", {}, `The checks: ${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`),
    checkList(report.checks, report.counts));
}

function voidView(round, audit) {
  const lock = round.hasUnreadableWagers ? null : round.lock;
  const { exponent = 0, code = "" } = lock?.json.currency ?? {};
  const returns = Object.entries(round.settle.json.returns);
  return h("div", {}, h("p", {}, "The round is void: every stake and fee goes back."),
    h("ul", {}, returns.map(([seat, amount]) => h("li", {},
      `${seat === "0" ? "Player-dealer" : `Seat ${seat}`}: ${decimal(BigInt(amount), exponent)} ${code}`))));
}

// Cards without their rules, or without results.
function handsView(round, audit) {
  if (round.deal === null) return h("p", {}, "No cards were dealt in this file.");
  return h("div", {}, h("p", {}, audit.listed.ruleset === null
    ? "The rules of this round are not among those of this page: cards only. The operator has their files; choose them with the transcript."
    : "The results could not be recomputed: cards only."),
  exposedDealer(round.deal),
  Object.entries(round.deal.json.visible).map(([seat, cards]) =>
    h("p", {}, `Seat ${seat} `, cardRow(cards, `Cards of seat ${seat}`))));
}

function tableView(round, audit) {
  if (audit.recomputed) return new TableView(round, audit).view();
  return round.settle?.json.disposition === "void" ? voidView(round, audit) : handsView(round, audit);
}

function roundBody(report, index) {
  const round = report.file.rounds[index];
  const { outcomes, audit } = auditRound(round, report.world);
  if (outcomes[0].status !== "passed" || audit.listed === null) {
    return h("div", {}, h("p", {}, "This round's records cannot be relied on."),
      checkList(outcomes.filter(({ status }) => status !== "passed").slice(0, 3)));
  }
  const { ticket } = audit;
  const failed = outcomes.filter(({ status }) => status === "failed");
  const names = { Round: hashText(ticket.round_id), Tenant: ticket.tenant, Table: ticket.table,
    Epoch: `${ticket.epoch} (${ticket.suite} suite)`, Number: ticket.round_no };
  return h("div", {},
    h("p", { class: "round-facts" },
      h("strong", {}, audit.listed.ruleset?.title ?? "Unknown ruleset"), ` · table ${ticket.table}`),
    failed.length === 0 ? null : h("div", { class: "warning", role: "note" },
      h("p", {}, h("strong", {}, "Checks of this round failed. "),
        "What is drawn below is what this page computed, not what was recorded."),
      checkList(failed)),
    tableView(round, audit),
    lazyDetails("What was fixed, and when", () => storyView(round, audit)),
    audit.played ? shuffleView(audit) : null,
    lazyDetails("The records of this round", () => h("div", { class: "scroll", tabindex: 0,
      role: "region", "aria-label": "Records" },
    h("dl", { class: "difference" }, Object.entries(names).map(([name, value]) =>
      [h("dt", {}, name), h("dd", {}, value)])),
    round.records.map((record) =>
      h("div", {}, h("p", { class: "quiet" }, `line ${record.line}, ${record.kind} `, hashText(record.hash)),
        h("pre", {}, JSON.stringify(record.json, null, 1)))))));
}

// `onShown` gets the number of the round that is shown, counted from 0.
function roundsView(report, onShown) {
  const total = report.rounds.length;
  if (total === 0) return null;
  const body = h("div", { id: "round-body" });
  const failed = report.rounds.filter((round) => round.failed !== null);
  const number = h("input", { id: "round-number", type: "number", min: 1, max: total, value: 1,
    inputmode: "numeric", onchange: () => show(Number(number.value)) });
  const button = (label, move) => h("button", { type: "button", class: "button",
    onclick: () => show(move(Number(number.value))) }, label);
  const nextFailed = (at) => (failed.find((round) => round.number > at) ?? failed[0]).number;
  function show(wanted) {
    const at = Math.min(total, Math.max(1, Math.trunc(wanted) || 1));
    number.value = String(at);
    body.replaceChildren(roundBody(report, at - 1));
    onShown(at - 1);
  }
  show(firstShown(report) + 1);
  const chooser = total === 1 ? null : h("div", { class: "row chooser" },
    button("Back", (at) => at - 1), h("label", { for: "round-number" }, "Round"), number,
    h("span", {}, `of ${total}`), button("Next", (at) => at + 1),
    failed.length > 0 ? button(`Next of ${failed.length} failed`, nextFailed) : null);
  return h("section", { class: "panel round", "aria-labelledby": "rounds" },
    h("h2", { id: "rounds" }, total === 1 ? "The round" : "The rounds"), chooser, body);
}

// The round that is shown first, counted from 0: the first that failed, or the first of the reader's seat.
function firstShown({ rounds, file, terms: { seat } }) {
  const failed = rounds.findIndex((round) => round.failed !== null);
  const mine = seat === null ? -1 : file.rounds.findIndex((round) => plays(round, seat.number));
  return Math.max(failed >= 0 ? failed : mine, 0);
}

// The parts of the report. `reader` has the reader's actions: `isCompared`, `compare`, `chooseSeat`.
export function reportView(report, trust, reader) {
  const first = report.rounds.length === 0 ? 0 : firstShown(report);
  const verdict = verdictView(report, trust, reader, first);
  const lead = (index) => document.getElementById("lead")?.replaceChildren(...leadOf(report, index, reader));
  return [verdict, roundsView(report, lead), claimsView(report), checksView(report)].filter((part) => part !== null);
}
