// The report: verdict, what it means, the checks, and the rounds one at a time.

import { ALWAYS_OPEN, CLAIMS } from "../audit/claims.js";
import { auditRound } from "../audit/index.js";
import { CODES } from "../audit/report.js";
import { decimal } from "../money.js";
import { h, hashText, lazyDetails, plural, sentence } from "./dom.js";
import { cardRow } from "./cards.js";
import { shuffleView } from "./shuffle.js";
import { storyView } from "./story.js";
import { TableView } from "./table.js";
import { STATUSES, TITLES, VERDICTS } from "./words.js";

const MARKS = { passed: "✓", failed: "✗", skipped: "–" };

const TICKS = { match: "✓", mismatch: "✗", incomplete: "…", pending: "…" };

function verdictView(report, trust) {
  const failed = report.code === null ? null : h("p", {}, "First failed check: ",
    h("code", {}, report.code), `. It is not so that ${CODES[report.code]}.`);
  // Green is for what stands without a condition: the root and the witnesses are pinned, and nothing waits.
  const isWitnessed = hasNamedWitnesses(report);
  const isOpen = report.verdict === "match" && !(trust.pinned && isWitnessed);
  return h("section", { class: `panel verdict ${isOpen ? "open" : report.verdict}`, "aria-labelledby": "verdict" },
    h("h2", { id: "verdict", tabindex: -1 },
      h("span", { class: "mark", "aria-hidden": "true" }, TICKS[report.verdict]), VERDICTS[report.verdict]),
    failed ?? h("p", {}, sentence(report.because)),
    h("p", { class: "quiet" }, `${plural(report.rounds.length, "round")}, `,
      plural(report.file?.records ?? 0, "record"), "."),
    trust.pinned ? null : h("p", { class: "warning", role: "note" },
      h("strong", {}, "The root is not pinned. "), "It was taken from the transcript itself, so whoever wrote the ",
      "transcript may have made it. Give the root key that the operator publishes."),
    isWitnessed ? null : h("p", { class: "warning", role: "note" },
      h("strong", {}, "The witness is not pinned. "), "An operator can be its own witness, and choose among salts. ",
      "Give the public key that the witness publishes."));
}

// Whether the reader has named every witness that a manifest of the file lists.
function hasNamedWitnesses({ world, terms }) {
  if (!world?.reliable) return true;
  return world.manifests.witnesses.every((key) => terms.witnesses.includes(key));
}

function claimRow({ name, status, why }) {
  const { shows } = CLAIMS.find((claim) => claim.name === name);
  return h("li", { class: `claim ${status}` },
    h("span", { class: "mark", "aria-hidden": "true" }, { shown: "✓", pending: "…", not_shown: "–" }[status]),
    h("div", {}, h("p", { class: "check-name" }, h("strong", {}, TITLES[name]),
      h("span", { class: "tag" }, STATUSES[status])),
    status === "shown" ? h("p", {}, shows) : null, why ? h("p", { class: "why" }, sentence(why)) : null));
}

const meaningView = (report) => h("section",
  { class: "panel meaning", "aria-labelledby": "claims" },
  h("h2", { id: "claims" }, "What this shows"),
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
  return h("section", { class: "panel", "aria-labelledby": "checks" },
    h("h2", { id: "checks" }, "The checks"),
    h("p", { class: "quiet" },
      `${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped.`),
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

// Cards without rules behind them, or without results.
function handsView(round, audit) {
  if (round.deal === null) return h("p", {}, "No cards were dealt in this file.");
  return h("div", {}, h("p", {}, audit.listed.ruleset === null
    ? "The rules of this round are not among those of this page: cards only. The operator has their files; choose them with the transcript."
    : "The results could not be recomputed: cards only."),
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
  return h("div", {},
    h("p", { class: "round-facts" },
      h("strong", {}, audit.listed.ruleset?.title ?? "Unknown ruleset"),
      ` · table ${ticket.table} · number ${ticket.round_no}`),
    h("p", { class: "quiet" }, "Round ", hashText(ticket.round_id)),
    failed.length === 0 ? null : h("div", { class: "warning", role: "note" },
      h("p", {}, h("strong", {}, "Checks of this round failed. "),
        "What is drawn below is what this page computed, not what was recorded."),
      checkList(failed)),
    tableView(round, audit),
    h("h3", {}, "What was fixed, and when"), storyView(round, audit),
    audit.played ? shuffleView(audit) : null,
    lazyDetails("The records of this round", () => h("div", { class: "scroll", tabindex: 0,
      role: "region", "aria-label": "Records" }, round.records.map((record) =>
      h("div", {}, h("p", { class: "quiet" }, `line ${record.line}, ${record.kind} `, hashText(record.hash)),
        h("pre", {}, JSON.stringify(record.json, null, 1)))))));
}

function roundsView(report) {
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
  }
  show(failed[0]?.number ?? 1);
  const chooser = total === 1 ? null : h("div", { class: "row chooser" },
    button("Back", (at) => at - 1), h("label", { for: "round-number" }, "Round"), number,
    h("span", {}, `of ${total}`), button("Next", (at) => at + 1),
    failed.length > 0 ? button(`Next of ${failed.length} failed`, nextFailed) : null);
  return h("section", { class: "panel round", "aria-labelledby": "rounds" },
    h("h2", { id: "rounds" }, total === 1 ? "The round" : "The rounds"), chooser, body);
}

export const reportView = (report, trust) => [
  verdictView(report, trust), meaningView(report), roundsView(report), checksView(report)];
