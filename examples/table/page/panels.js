// The panels beside the felt: fair play, pay tables, history.

import { h } from "./dom.js";
import { amountText, netText, shortText } from "./money.js";
import { loadHistory } from "./store.js";

export function fairPlay(steps) {
  return [
    h("h2", { id: "fair-title" }, "Fair play"),
    h("ol", { class: "steps" }, steps.map(([words, isDone]) => h("li", { class: isDone ? "is-done" : "" },
      h("span", { class: "unseen" }, isDone ? "Done: " : "Later: "), words))),
    h("p", { class: "quiet" },
      "The engine committed to its own seed before it knew yours. Anyone can check the round afterwards."),
  ];
}

function payTable(bet, currency) {
  const hasOthers = bet.rows.some((one) => one.others_minor);
  const hasRows = bet.rows.length > 0;
  return h("details", { class: "pay-table", "data-keep": `pays-${bet.id}` },
    h("summary", {}, bet.title),
    h("p", { class: "quiet" }, `${shortText(bet.minimum_minor, currency)} to ${shortText(bet.maximum_minor, currency)}.`,
      bet.needs_base ? " Needs a base wager." : "",
      bet.others === null ? ""
        : ` ${bet.others.title}: from a bet of ${shortText(bet.others.threshold_minor, currency)} on, `
          + "the hands of other seats pay you too."),
    hasRows ? h("table", { class: "pays" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Hand"), h("th", { scope: "col" }, "Pays"),
        hasOthers ? h("th", { scope: "col" }, bet.others?.title ?? "Other seats") : null)),
      h("tbody", {}, bet.rows.map((one) => h("tr", {}, h("th", { scope: "row" }, one.title), h("td", {}, one.pays),
        hasOthers ? h("td", {}, one.others_minor ? shortText(one.others_minor, currency) : "–") : null))))
      : h("p", {}, "You win if both hands beat the dealer's hands. One win is a push. The dealer wins a copy."));
}

export function payTables(rules) {
  const { currency, fees } = rules;
  return [
    h("h2", { id: "pays-title" }, "Bets and pay tables"),
    rules.bets.map((bet) => payTable(bet, currency)),
    (fees ?? []).length === 0 ? null : h("details", { class: "pay-table", "data-keep": "fees" }, h("summary", {}, "Fees"),
      h("table", { class: "pays" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Base wager"), h("th", { scope: "col" }, "Fee"))),
        h("tbody", {}, fees.map((band) => h("tr", {},
          h("th", { scope: "row" }, band.up_to_minor === null ? "above" : `up to ${shortText(band.up_to_minor, currency)}`),
          h("td", {}, amountText(band.fee_minor, currency))))))),
    h("p", { class: "quiet rules-of" }, rules.title, ". House way: ", h("code", {}, rules.house_way), "."),
  ];
}

export function history() {
  const rounds = loadHistory();
  return [
    h("h2", { id: "history-title" }, "Your last rounds"),
    rounds.length === 0 ? h("p", { class: "quiet" }, "You have not finished a round in this session.")
      : h("ol", { class: "history" }, rounds.map((one) => h("li", {},
        h("span", {}, `${one.game}, round ${one.round_no}`),
        h("strong", { class: one.net_minor > 0 ? "gain" : one.net_minor < 0 ? "loss" : "even" },
          one.end === "void" ? "void" : netText(one.net_minor, one.currency)),
        h("a", { href: one.link, target: "_blank", rel: "noopener",
          "aria-label": `Check round ${one.round_no} of ${one.game}` }, "Check")))),
  ];
}

// The address of the verifier page, with what it has to trust (verifiers/web/js/page/link.js).
export function verifierLink({ roots, threshold, witnesses, beacons }, file, mine) {
  const parts = [...roots.map((root) => `root=${root}`), `threshold=${threshold}`,
    ...witnesses.map((key) => `witness=${key}`), ...beacons.map((chain) => `beacon=${chain}`)];
  if (mine !== null) parts.push(`seat=${mine.seat}=${mine.publicKey}`);
  return `/verify/#${[...parts, `file=${file}`].join("&")}`;
}
