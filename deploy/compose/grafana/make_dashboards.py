#!/usr/bin/env python3
"""Writes the three dashboards. This file defines them, and the JSON is derived.

    python3 deploy/compose/grafana/make_dashboards.py [--check]

With --check nothing is written. The exit status is 1 if a file differs from what this would write.
"""

import json
import pathlib
import sys

FOLDER = pathlib.Path(__file__).parent / "dashboards"
DATASOURCE = {"type": "prometheus", "uid": "${datasource}"}
WIDTH = 24

# The selection in a query of the money dashboard. Recorded series carry the same labels.
BET = 'paigow_ruleset_id=~"$ruleset",paigow_bet=~"$bet",paigow_currency=~"$currency"'
THEORY = 'paigow_ruleset_id=~"$ruleset",paigow_bet=~"$bet"'
PER_BET = "{{paigow_ruleset_id}} {{paigow_bet}} {{paigow_set_by}} {{paigow_currency}}"
# Joins the figures of a bet, which have no currency, to its money.
ON_BET = "on (paigow_ruleset_id, paigow_bet) group_left ()"


def variable(name, label, query):
    """A choice among the values that a label has, all of them unless chosen."""
    return {
        "type": "query", "name": name, "label": label, "datasource": DATASOURCE,
        "query": {"query": query, "refId": name}, "definition": query,
        "refresh": 2, "sort": 1, "multi": True, "includeAll": True, "allValue": ".*",
        "current": {"selected": True, "text": ["All"], "value": ["$__all"]},
    }


DATASOURCE_VARIABLE = {
    "type": "datasource", "name": "datasource", "label": "Prometheus", "query": "prometheus",
    "refresh": 1, "current": {},
}
MONEY_VARIABLES = [
    variable("ruleset", "Ruleset", "label_values(paigow_stake_total, paigow_ruleset_id)"),
    variable("bet", "Bet", 'label_values(paigow_stake_total{paigow_ruleset_id=~"$ruleset"}, paigow_bet)'),
    variable("currency", "Currency", 'label_values(paigow_stake_total{paigow_ruleset_id=~"$ruleset"}, paigow_currency)'),
    {
        "type": "custom", "name": "window", "label": "Window", "query": "1d,30d",
        "multi": False, "includeAll": False,
        "current": {"selected": True, "text": "1d", "value": "1d"},
        "options": [{"text": value, "value": value, "selected": value == "1d"} for value in ("1d", "30d")],
    },
]


def target(expr, legend="", **more):
    return {"expr": expr, "legendFormat": legend or "__auto", "datasource": DATASOURCE, **more}


def panel(kind, title, description, targets, *, unit="short", width=8, height=8, steps=None,
          defaults=None, overrides=None, options=None, transformations=None):
    """One panel. `steps` are the lower bounds of its colours: [(None, "green"), (4, "red")]."""
    field = {"unit": unit, **(defaults or {})}
    if steps:
        field["thresholds"] = {
            "mode": "absolute", "steps": [{"value": value, "color": color} for value, color in steps]}
    if kind == "timeseries":
        field["custom"] = {"lineWidth": 1, "fillOpacity": 5, "showPoints": "never",
                           **({"thresholdsStyle": {"mode": "line"}} if steps else {})}
        options = {"legend": {"displayMode": "list", "placement": "bottom"},
                   "tooltip": {"mode": "multi", "sort": "desc"}, **(options or {})}
    if kind == "stat":
        options = {"reduceOptions": {"calcs": ["lastNotNull"]}, "colorMode": "value", **(options or {})}
    for letter, one in zip("ABCDEFGHIJ", targets):
        one["refId"] = letter
    return {
        "type": kind, "title": title, "description": description, "datasource": DATASOURCE,
        "targets": targets, "fieldConfig": {"defaults": field, "overrides": overrides or []},
        "options": options or {}, "gridPos": {"w": width, "h": height},
        **({"transformations": transformations} if transformations else {}),
    }


def row(title):
    return {"type": "row", "title": title, "collapsed": False, "panels": [], "gridPos": {"w": WIDTH, "h": 1}}


def dashboard(uid, title, description, variables, panels):
    """Places the panels from left to right and numbers them."""
    x = y = tallest = 0
    for number, one in enumerate(panels, 1):
        place = one["gridPos"]
        if x + place["w"] > WIDTH:
            x, y, tallest = 0, y + tallest, 0
        place.update(x=x, y=y)
        x, tallest = x + place["w"], max(tallest, place["h"])
        one["id"] = number
    return {
        "uid": uid, "title": title, "description": description, "tags": ["paigow"],
        "schemaVersion": 39, "version": 1, "editable": False, "graphTooltip": 1,
        "timezone": "utc", "refresh": "30s", "time": {"from": "now-6h", "to": "now"},
        "templating": {"list": [DATASOURCE_VARIABLE, *variables]},
        "annotations": {"list": []},
        "links": [{"type": "dashboards", "tags": ["paigow"], "title": "paigow", "asDropdown": True,
                   "includeVars": False, "keepTime": True, "icon": "external link", "targetBlank": False,
                   "tooltip": "", "url": ""}],
        "panels": panels,
    }


def service():
    calls = "rpc_server_call_duration_seconds"
    return dashboard("paigow-service", "paigow: service health", "Calls, load and replicas.", [], [
        panel("stat", "Replicas", "Replicas that answer.", [target('sum(up{job=~"paigow|.+/paigow"})')],
              width=4, height=4, steps=[(None, "red"), (1, "orange"), (2, "green")]),
        panel("stat", "Calls", "Calls a second, all methods.",
              [target(f"sum(rate({calls}_count[$__rate_interval]))")], unit="reqps", width=4, height=4),
        panel("stat", "Faults", "The share of the service's calls that failed because of the server. A caller's bad request does not count, nor does a manifest or an engine that no replica has. Health and unknown methods are not counted.",
              [target("paigow:rpc_faults:ratio_rate5m")], unit="percentunit", width=4, height=4,
              steps=[(None, "green"), (0.001, "orange"), (0.01, "red")]),
        panel("stat", "Deal, slowest of 100", "99th percentile of the duration of Deal over 5 minutes.",
              [target('paigow:rpc_duration_seconds:p99_5m{rpc_method="paigow.v1.PaiGowService/Deal"}')],
              unit="s", width=4, height=4, steps=[(None, "green"), (0.025, "orange"), (0.1, "red")]),
        panel("stat", "Connections", "Open connections, all replicas.", [target("sum(paigow_connections)")],
              width=4, height=4),
        panel("stat", "Calls in flight", "Calls being answered now, all replicas.",
              [target("sum(paigow_calls_in_flight)")], width=4, height=4),
        row("Calls"),
        panel("timeseries", "Calls by method", "Answered calls a second.",
              [target(f"sum by (rpc_method) (rate({calls}_count[$__rate_interval]))", "{{rpc_method}}")], unit="reqps"),
        panel("timeseries", "Calls by status", "Every status but OK.",
              [target(f'sum by (rpc_status_code) (rate({calls}_count{{rpc_status_code!="OK"}}[$__rate_interval]))',
                      "{{rpc_status_code}}")], unit="reqps"),
        panel("timeseries", "Refused, by reason", "ErrorInfo.reason of the refused calls.",
              [target("sum by (paigow_reason) (rate(paigow_requests_refused_total[$__rate_interval]))",
                      "{{paigow_reason}}")], unit="reqps"),
        panel("timeseries", "Median duration", "Half of the calls are faster.",
              [target(f"histogram_quantile(0.5, sum by (rpc_method, le) (rate({calls}_bucket[$__rate_interval])))",
                      "{{rpc_method}}")], unit="s"),
        panel("timeseries", "99th percentile of the duration", "99 of 100 calls are faster. Points are sampled calls: each leads to its trace.",
              [target(f"histogram_quantile(0.99, sum by (rpc_method, le) (rate({calls}_bucket[$__rate_interval])))",
                      "{{rpc_method}}", exemplar=True)], unit="s"),
        panel("timeseries", "Duration by replica", "Mean duration of play, by replica: one that is slower than the others has a bad disk or neighbour.",
              [target(f'sum by (instance) (rate({calls}_sum{{rpc_method=~".*/(OpenRound|Deal|SetHouseWay|Settle)"}}[$__rate_interval]))'
                      f' / (sum by (instance) (rate({calls}_count{{rpc_method=~".*/(OpenRound|Deal|SetHouseWay|Settle)"}}[$__rate_interval])) > 0)',
                      "{{instance}}")], unit="s"),
        row("Load"),
        panel("timeseries", "Turned away", "Calls that were rejected because of load, by reason and tenant.",
              [target("sum by (paigow_reason, paigow_tenant) (rate(paigow_calls_shed_total[$__rate_interval]))",
                      "{{paigow_reason}} {{paigow_tenant}}")], unit="reqps"),
        panel("timeseries", "Calls in flight by replica", "Calls being answered now.",
              [target("paigow_calls_in_flight", "{{instance}}")]),
        panel("timeseries", "Connections by replica", "Open connections.",
              [target("paigow_connections", "{{instance}}")]),
        panel("timeseries", "Connections that failed", "Connections that were refused, failed before a call or were closed for a flood of control frames, by reason. TLS is a certificate or an authority, LEFT a peer that only checked whether the port is open.",
              [target("sum by (paigow_reason) (rate(paigow_connections_failed_total[$__rate_interval]))",
                      "{{paigow_reason}}")], unit="cps"),
        row("Replicas"),
        panel("timeseries", "Up", "1 while a replica answers.", [target('up{job=~"paigow|.+/paigow"}', "{{instance}}")],
              defaults={"min": 0, "max": 1}),
        panel("timeseries", "Processor time", "Processors that a replica uses.",
              [target("sum by (instance) (rate(process_cpu_time_seconds_total[$__rate_interval]))", "{{instance}}")]),
        panel("timeseries", "Memory", "Physical memory of a replica.",
              [target("process_memory_usage_bytes", "{{instance}}")], unit="bytes"),
        panel("timeseries", "Threads and file descriptors", "Of a replica.",
              [target("process_thread_count", "{{instance}} threads"),
               target("process_unix_file_descriptor_count", "{{instance}} descriptors")]),
        panel("stat", "Certificate ends in", "Time until the certificate of one of the replicas expires. Empty without TLS.",
              [target("min(paigow_certificate_remaining_seconds)")], unit="s", width=4,
              steps=[(None, "red"), (86400, "orange"), (1209600, "green")]),
        panel("table", "Builds", "What runs where.",
              [target('max by (instance, service_version, vcs_ref_head_revision, deployment_environment_name) (target_info{service_name="paigow"})',
                      format="table", instant=True)], width=12,
              transformations=[{"id": "organize", "options": {"excludeByName": {"Time": True, "Value": True}}}]),
    ])


def money():
    expected = f"paigow:bet_return_expected:max{{{THEORY}}}"
    best_play = f"paigow:bet_return_best_play:max{{{THEORY}}}"
    deviation = f"paigow:bet_return_deviation:max{{{THEORY}}}"

    def of(name):
        return f"{name}{{{BET}}}"

    def over_range(name):
        return f"sum by (paigow_ruleset_id, paigow_bet, paigow_set_by, paigow_currency) (increase(paigow_{name}_total{{{BET}}}[$__range]))"

    # The return that chance allows: as many standard deviations as the alerts allow. Joined
    # to the money, so that each currency has its own band.
    spread = (f"sqrt({of('paigow:stake_squares:increase$window')}) / ({of('paigow:stake:increase$window')} > 0)"
              f" * {ON_BET} {deviation}")
    middle = f"({of('paigow:return_ratio:$window')} * 0 + {ON_BET} {expected})"
    band = {"hideFrom": {"legend": True, "tooltip": False, "viz": False}}
    styles = [
        {"matcher": {"id": "byFrameRefID", "options": "B"}, "properties": [
            {"id": "custom.lineStyle", "value": {"fill": "dash", "dash": [8, 4]}}]},
        *({"matcher": {"id": "byFrameRefID", "options": letter}, "properties": [
            {"id": "custom.lineWidth", "value": 0}, {"id": "custom.hideFrom", "value": band["hideFrom"]},
            {"id": "custom.fillOpacity", "value": 0}]} for letter in "CD"),
        {"matcher": {"id": "byFrameRefID", "options": "D"}, "properties": [
            {"id": "custom.fillBelowTo", "value": "lower"}, {"id": "custom.fillOpacity", "value": 10}]},
    ]
    table = [("A", "Stake"), ("B", "Return"), ("C", "Actual"), ("D", "Expected"), ("E", "z"), ("F", "Wagers, effective")]
    return dashboard(
        "paigow-money", "paigow: rounds and money",
        "Wagers and returns, against the exact expected return. Money is in minor units; amounts of different currencies are never added up.",
        MONEY_VARIABLES, [
            row("Actual against theoretical"),
            panel("timeseries", "Return, actual and expected, with its band",
                  "Return per unit staked over the window. Dashed: exact expected return by house way. By best play: that of the base wager of a player who sets every hand for the highest return. Band: 4 standard deviations to each side. The alerts leave room for jackpots above it, and none below it. Choose one ruleset, bet and currency.",
                  [target(of("paigow:return_ratio:$window"), f"actual {PER_BET}"),
                   target(middle, f"expected {PER_BET}"),
                   target(f"{middle} - 4 * {spread}", "lower"),
                   target(f"{middle} + 4 * {spread}", "upper"),
                   target(f"({of('paigow:return_ratio:$window')} * 0 + {ON_BET} {best_play})",
                          f"by best play {PER_BET}")],
                  unit="percentunit", width=12, height=10, overrides=styles),
            panel("timeseries", "Hands set by players, between house way and best play",
                  "Return per unit staked of bets on hands that players set themselves. A player who sets every hand for the highest return reaches the upper line; the lower one is the house way. Players choose how they set a hand after they have seen it, so no alert uses this.",
                  [target(f'paigow:return_ratio:$window{{{BET},paigow_set_by="player"}}', f"actual {PER_BET}"),
                   target(f'(paigow:return_ratio:$window{{{BET},paigow_set_by="player"}} * 0 + {ON_BET} {expected})', "by house way"),
                   target(f'(paigow:return_ratio:$window{{{BET},paigow_set_by="player"}} * 0 + {ON_BET} {best_play})', "by best play")],
                  unit="percentunit", width=12, height=10, overrides=[
                      {"matcher": {"id": "byFrameRefID", "options": letter}, "properties": [
                          {"id": "custom.lineStyle", "value": {"fill": "dash", "dash": [8, 4]}},
                          *([{"id": "custom.fillBelowTo", "value": "by house way"}, {"id": "custom.fillOpacity", "value": 10}]
                            if letter == "C" else [])]} for letter in "BC"]),
            panel("timeseries", "z-score",
                  "How many standard deviations the return of the window is off. An alert below -4 and above 6.",
                  [target(of("paigow:return_z:$window"), PER_BET)], width=12, height=10,
                  steps=[(None, "red"), (-4, "green"), (6, "red")]),
            panel("table", "Bets, over the time shown",
                  "Stake and return in minor units, return per unit staked, exact expected return, z-score. Effective wagers: the number of equal wagers with as much information. No expected return: no exact figure exists for the bet.",
                  [target(over_range("stake"), format="table", instant=True),
                   target(over_range("return"), format="table", instant=True),
                   target(f"{over_range('return')} / ({over_range('stake')} > 0)", format="table", instant=True),
                   target(f"{over_range('stake')} * 0 + {ON_BET} {expected}", format="table", instant=True),
                   target(f"({over_range('return')} - {over_range('stake')} * {ON_BET} {expected})"
                          f" / (sqrt({over_range('stake_squares')} > 0) * {ON_BET} ({deviation} > 0))",
                          format="table", instant=True),
                   target(f"{over_range('stake')} ^ 2 / ({over_range('stake_squares')} > 0)",
                          format="table", instant=True)],
                  width=24, height=10,
                  overrides=[
                      *({"matcher": {"id": "byName", "options": name}, "properties": [
                          {"id": "unit", "value": "percentunit"}, {"id": "decimals", "value": 3}]}
                        for name in ("Actual", "Expected")),
                      {"matcher": {"id": "byName", "options": "z"}, "properties": [
                          {"id": "decimals", "value": 2},
                          {"id": "custom.cellOptions", "value": {"type": "color-text"}},
                          {"id": "thresholds", "value": {"mode": "absolute", "steps": [
                              {"value": None, "color": "red"}, {"value": -4, "color": "green"},
                              {"value": 6, "color": "red"}]}}]},
                  ],
                  transformations=[
                      {"id": "merge", "options": {}},
                      {"id": "organize", "options": {"excludeByName": {"Time": True}, "renameByName": {
                          "paigow_ruleset_id": "Ruleset", "paigow_bet": "Bet", "paigow_set_by": "Set by", "paigow_currency": "Currency",
                          **{f"Value #{letter}": name for letter, name in table}}}},
                  ]),
            row("Rounds"),
            panel("timeseries", "Rounds", "Rounds closed a second, by ruleset.",
                  [target('sum by (paigow_ruleset_id) (rate(paigow_rounds_total{paigow_ruleset_id=~"$ruleset"}[$__rate_interval]))',
                          "{{paigow_ruleset_id}}")], unit="ops"),
            panel("timeseries", "Void rounds", "Rounds that were voided, of all closed ones.",
                  [target('(sum by (paigow_ruleset_id) (rate(paigow_rounds_total{paigow_ruleset_id=~"$ruleset",paigow_disposition="void"}[$__rate_interval]))'
                          ' or sum by (paigow_ruleset_id) (rate(paigow_rounds_total{paigow_ruleset_id=~"$ruleset"}[$__rate_interval])) * 0)'
                          ' / (sum by (paigow_ruleset_id) (rate(paigow_rounds_total{paigow_ruleset_id=~"$ruleset"}[$__rate_interval])) > 0)',
                          "{{paigow_ruleset_id}}")], unit="percentunit"),
            panel("timeseries", "Rounds by tenant", "Rounds closed a second.",
                  [target('sum by (paigow_tenant) (rate(paigow_rounds_total{paigow_ruleset_id=~"$ruleset"}[$__rate_interval]))',
                          "{{paigow_tenant}}")], unit="ops"),
            panel("timeseries", "Outcomes of base wagers", "Win, lose and push, of all.",
                  [target('sum by (paigow_ruleset_id, paigow_outcome) (rate(paigow_settlements_total{paigow_ruleset_id=~"$ruleset"}[$__rate_interval]))'
                          ' / on (paigow_ruleset_id) group_left () (sum by (paigow_ruleset_id) (rate(paigow_settlements_total{paigow_ruleset_id=~"$ruleset"}[$__rate_interval])) > 0)',
                          "{{paigow_ruleset_id}} {{paigow_outcome}}")], unit="percentunit"),
            panel("timeseries", "Deals", "Deals a second. Deals without a settlement are open rounds.",
                  [target('sum by (paigow_ruleset_id) (rate(paigow_deals_total{paigow_ruleset_id=~"$ruleset"}[$__rate_interval]))',
                          "{{paigow_ruleset_id}}")], unit="ops"),
            panel("timeseries", "House way, by clause", "Which clause set the hands, of all that its house way set.",
                  [target("topk(20, sum by (paigow_house_way_id, paigow_house_way_clause) (rate(paigow_house_way_settings_total[$__rate_interval]))"
                          " / on (paigow_house_way_id) group_left () (sum by (paigow_house_way_id) (rate(paigow_house_way_settings_total[$__rate_interval])) > 0))",
                          "{{paigow_house_way_clause}}")], unit="percentunit"),
            row("Money"),
            panel("timeseries", "Stake an hour", "Minor units.",
                  [target(f"sum by (paigow_currency) (rate(paigow_stake_total{{{BET}}}[$__rate_interval])) * 3600", "{{paigow_currency}}")],
                  width=6),
            panel("timeseries", "Kept an hour", "Stake less return, before commission. Minor units.",
                  [target(f"(sum by (paigow_currency) (rate(paigow_stake_total{{{BET}}}[$__rate_interval]))"
                          f" - sum by (paigow_currency) (rate(paigow_return_total{{{BET}}}[$__rate_interval]))) * 3600", "{{paigow_currency}}")],
                  width=6),
            panel("timeseries", "Commission an hour", "Minor units.",
                  [target(f"sum by (paigow_currency) (rate(paigow_commission_total{{{BET}}}[$__rate_interval])) * 3600", "{{paigow_currency}}")],
                  width=6),
            panel("timeseries", "Stake an hour, by tenant", "Minor units.",
                  [target("sum by (paigow_tenant, paigow_currency) (rate(paigow_tenant_stake_total[$__rate_interval])) * 3600",
                          "{{paigow_tenant}} {{paigow_currency}}")], width=8),
            panel("timeseries", "Kept an hour, by tenant", "Stake less return, before commission. Minor units.",
                  [target("(sum by (paigow_tenant, paigow_currency) (rate(paigow_tenant_stake_total[$__rate_interval]))"
                          " - sum by (paigow_tenant, paigow_currency) (rate(paigow_tenant_return_total[$__rate_interval]))) * 3600",
                          "{{paigow_tenant}} {{paigow_currency}}")], width=8),
            panel("timeseries", "Commission an hour, by tenant", "Minor units.",
                  [target("sum by (paigow_tenant, paigow_currency) (rate(paigow_tenant_commission_total[$__rate_interval])) * 3600",
                          "{{paigow_tenant}} {{paigow_currency}}")], width=8),
            panel("timeseries", "Wagers by bet", "Wagers a second.",
                  [target(f"sum by (paigow_ruleset_id, paigow_bet) (rate(paigow_wagers_total{{{BET}}}[$__rate_interval]))",
                          "{{paigow_ruleset_id}} {{paigow_bet}}")], unit="ops", width=6),
        ])


def fairness():
    good = [(None, "green"), (1, "red")]
    return dashboard("paigow-fairness", "paigow: fairness and evidence",
                     "Epochs, manifests, self-verification, reloads, evidence and the findings of its verification.", [], [
        panel("stat", "Open epoch ends in", "Until no new round can begin on one of the replicas; 0 while none can.",
              [target("min(paigow_new_rounds_remaining_seconds)")], unit="s", width=4, height=4,
              steps=[(None, "red"), (86400, "orange"), (604800, "green")]),
        panel("stat", "Self-verification", "1 where every replica is what was signed.",
              [target("min(paigow_verification_passed)")], width=4, height=4, steps=[(None, "red"), (1, "green")]),
        panel("stat", "Manifest", "Sequence number of the manifest in force.",
              [target("max(paigow_manifest_sequence)")], width=4, height=4),
        panel("stat", "Forks", "Rounds with two contradicting sets of records, found by sink verify.",
              [target("max(paigow_sink_forks)")], width=4, height=4, steps=good),
        panel("stat", "Faults in the evidence", "Lines dropped, repeated, moved or altered, found by sink verify.",
              [target("max(paigow_sink_faults)")], width=4, height=4, steps=good),
        panel("stat", "Open tickets", "Rounds opened and not closed when sink verify last ran: all, and those of more than a day.",
              [target("max(paigow_sink_open_tickets)", "all"),
               target("max(paigow_sink_old_tickets)", "more than a day")], width=4, height=4,
              overrides=[{"matcher": {"id": "byFrameRefID", "options": "B"}, "properties": [
                  {"id": "thresholds", "value": {"mode": "absolute", "steps": [
                      {"value": value, "color": color} for value, color in good]}}]}]),
        row("Engine and keys"),
        panel("timeseries", "Epochs", "Seconds until an epoch closes for new rounds.",
              [target("max by (paigow_epoch) (paigow_epoch_remaining_seconds)", "epoch {{paigow_epoch}}")], unit="s"),
        panel("timeseries", "Manifest by replica", "Separate lines are replicas that follow different manifests.",
              [target("paigow_manifest_sequence", "{{instance}}")]),
        panel("timeseries", "Reloads", "Changed files accepted or refused.",
              [target("sum by (instance, paigow_reload_part, paigow_reload_outcome) (increase(paigow_reloads_total[$__rate_interval]))",
                      "{{instance}} {{paigow_reload_part}} {{paigow_reload_outcome}}")]),
        panel("timeseries", "Refused files in place", "1 while a bad file is in place: the one before is in force, and a restart would fail.",
              [target("max by (instance, paigow_reload_part) (paigow_reload_refused)", "{{instance}} {{paigow_reload_part}}")],
              defaults={"min": 0, "max": 1}),
        panel("timeseries", "Since files were last found good", "Seconds, by replica. Files are read when they change.",
              [target("time() - max by (instance, paigow_reload_part) (paigow_reload_succeeded_timestamp_seconds)",
                      "{{instance}} {{paigow_reload_part}}")], unit="s"),
        panel("timeseries", "Since the last good self-verification", "Seconds, by replica.",
              [target("time() - max by (instance) (paigow_verification_passed_timestamp_seconds)", "{{instance}}")], unit="s",
              steps=[(None, "green"), (90000, "red")]),
        panel("timeseries", "Self-verification by replica", "1 passed, 0 failed.",
              [target("paigow_verification_passed", "{{instance}}")], defaults={"min": 0, "max": 1}),
        panel("timeseries", "Self-verifications run", "By verdict, since the replicas that answer were started.",
              [target("sum by (paigow_verification_verdict) (paigow_verification_runs_total)",
                      "{{paigow_verification_verdict}}")]),
        panel("timeseries", "Refused by the engine itself", "A broken invariant, a failed sink or a replica that is not verified. Must stay at zero.",
              [target('sum by (paigow_reason) (increase(paigow_requests_refused_total{paigow_reason=~"DECK_MISMATCH|CONSERVATION|SERVER|ENTROPY|NOT_RECORDED|ENGINE_UNVERIFIED"}[$__rate_interval]))',
                      "{{paigow_reason}}")]),
        panel("timeseries", "Refused at a gate", "Epoch, policy, chain, lock or switch.",
              [target('sum by (paigow_reason) (rate(paigow_requests_refused_total{paigow_reason=~"EPOCH_.*|KEY_.*|LOCK_.*|CHAIN_.*|POLICY_.*|SEAT_AUTH_.*|OPEN_FIRST|RULESET_DISABLED|CLOSED_TO_NEW_ROUNDS|HALTED|MANIFEST_UNKNOWN"}[$__rate_interval]))',
                      "{{paigow_reason}}")], unit="reqps"),
        panel("timeseries", "Deals by suite", "How seeds are made.",
              [target("sum by (paigow_suite_id) (rate(paigow_deals_total[$__rate_interval]))", "{{paigow_suite_id}}")], unit="ops"),
        panel("timeseries", "Audits by verdict", "A mismatch is an auditor's finding, or a file that an auditor altered on purpose.",
              [target("sum by (paigow_audit_verdict) (rate(paigow_audits_total[$__rate_interval]))", "{{paigow_audit_verdict}}")], unit="ops"),
        row("Evidence"),
        panel("timeseries", "Lines written", "Lines of evidence a second, by replica.",
              [target("rate(paigow_evidence_lines_total[$__rate_interval])", "{{instance}}")], unit="ops"),
        panel("timeseries", "Lines waiting", "A queue that grows is a disk that is too slow.",
              [target("paigow_evidence_queue", "{{instance}}")]),
        panel("timeseries", "Cannot be written", "1 while the disk is full or broken.",
              [target("max by (instance) (paigow_evidence_failing)", "{{instance}}")], defaults={"min": 0, "max": 1}),
        panel("timeseries", "Lines not kept", "Lines that no call waited for. Must stay at zero.",
              [target("sum by (instance) (paigow_evidence_dropped_total)", "{{instance}}")]),
        panel("timeseries", "Sync duration (99 %)", "How long a sync of the file of evidence takes. A call waits for one, at most evidence.stall_ms.",
              [target("histogram_quantile(0.99, sum by (instance, le) (rate(paigow_evidence_sync_duration_seconds_bucket[$__rate_interval])))", "{{instance}}")], unit="s"),
        panel("timeseries", "Free space", "Of the volume of the evidence, by replica. Evidence that cannot be kept closes play.",
              [target("paigow_evidence_volume_free_bytes / paigow_evidence_volume_size_bytes", "{{instance}}")],
              unit="percentunit", defaults={"min": 0, "max": 1}, steps=[(None, "red"), (0.1, "green")]),
        panel("timeseries", "Not shipped", "How long the oldest file of evidence has waited to be shipped. Empty without evidence.shipped.",
              [target("max by (instance) (paigow_evidence_unshipped_age_seconds)", "{{instance}}")], unit="s",
              steps=[(None, "green"), (3600, "red")]),
        panel("timeseries", "Files that wait to be shipped", "By replica.",
              [target("max by (instance) (paigow_evidence_unshipped_files)", "{{instance}}")]),
        panel("stat", "Missing records", "Records that a line of more than an hour ago names, and that no file has, found by sink verify.",
              [target("max(paigow_sink_missing_records)")], width=8, steps=good),
        panel("timeseries", "Lost files", "Live files of evidence that were lost, and that no operator has acknowledged. Must stay at zero.",
              [target("paigow_evidence_lost_unacknowledged", "{{instance}}")]),
        panel("timeseries", "Re-opens",
              "Rounds opened again before a lock, and locks superseded, found by sink verify: no forks.",
              [target("max(paigow_sink_reopens)")], width=8),
        panel("timeseries", "Evidence verified", "Lines that sink verify read, and when.",
              [target("max(paigow_sink_lines)", "lines")], width=8),
        panel("timeseries", "Since the last verification", "Seconds.",
              [target('time() - max(paigow_sink_verified_timestamp_seconds)', "age")], unit="s", width=8,
              steps=[(None, "green"), (93600, "red")]),
    ])


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit(__doc__)
    changed = []
    for name, made in (("service", service()), ("money", money()), ("fairness", fairness())):
        file = FOLDER / f"{name}.json"
        text = json.dumps(made, indent=1, ensure_ascii=False) + "\n"
        if not file.exists() or file.read_text() != text:
            changed.append(str(file))
            if not check:
                file.write_text(text)
    if check and changed:
        sys.exit("not what make_dashboards.py writes: " + ", ".join(changed))


main()
