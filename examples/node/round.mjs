// One round as a platform plays it: over TLS, with deadlines, retries and error details.
//
//   node examples/node/round.mjs --server localhost:50051 --ca ca.pem --transcript round.jsonl
//
// A call may be repeated as it was, here or at another replica: the same request gets the same
// records. Several replicas are named as ipv4:10.0.0.1:50051,10.0.0.2:50051 with --server-name.
import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";

import grpc from "@grpc/grpc-js";
import loader from "@grpc/proto-loader";
import protobuf from "protobufjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const definition = loader.loadSync("paigow/v1/paigow_service.proto", {
  includeDirs: [root + "proto"], longs: String, enums: String, defaults: true, oneofs: true,
});
const { PaiGowService } = grpc.loadPackageDefinition(definition).paigow.v1;

// The parts of google.rpc that an error of the engine carries.
const rpc = protobuf.parse(`syntax = "proto3"; package google.rpc;
  message Any { string type_url = 1; bytes value = 2; }
  message Status { int32 code = 1; string message = 2; repeated Any details = 3; }
  message ErrorInfo { string reason = 1; string domain = 2; }
  message BadRequest { repeated FieldViolation field_violations = 1;
    message FieldViolation { string field = 1; string description = 2; } }`).root;

const DEADLINE = 2_000;
// How long one step of a round may take in all, over every repetition.
const PATIENCE = 30_000;
const { UNAVAILABLE, DEADLINE_EXCEEDED, UNKNOWN, INTERNAL, CANCELLED } = grpc.status;

/** The engine's no: its reason, and for bad input every field. */
class Refused extends Error {
  constructor(error) {
    const details = Refused.details(error);
    const fields = details.fields.map(({ field, description }) => `\n  ${field}: ${description}`).join("");
    super(`${grpc.status[error.code]} ${details.reason}: ${error.details}${fields}`);
    Object.assign(this, details, { code: error.code });
  }

  static details(error) {
    const found = { reason: "", fields: [] };
    const [bytes] = error.metadata?.get("grpc-status-details-bin") ?? [];
    for (const { type_url: url, typeUrl, value } of bytes ? rpc.lookupType("Status").decode(bytes).details : []) {
      const name = (url ?? typeUrl).split("/").pop();
      if (name === "google.rpc.ErrorInfo") {
        const info = rpc.lookupType(name).decode(value);
        if (info.domain === "paigow.v1") found.reason = info.reason;
      } else if (name === "google.rpc.BadRequest") {
        found.fields = rpc.lookupType(name).decode(value).fieldViolations;
      }
    }
    return found;
  }
}

function once(engine, method, request) {
  return new Promise((resolve, reject) => {
    engine[method](request, { deadline: Date.now() + DEADLINE }, (error, answer) =>
      error ? reject(error) : resolve(answer));
  });
}

/** Calls until there is an answer or a refusal. The request is the same each time. */
async function call(engine, method, request) {
  const ends = Date.now() + PATIENCE;
  for (let pause = 50; ; pause = Math.min(1_000, 2 * pause)) {
    try {
      return await once(engine, method, request);
    } catch (error) {
      const refused = new Refused(error);
      // UNKNOWN or INTERNAL without a reason is an answer that a dying process has torn.
      const torn = !refused.reason && [UNKNOWN, INTERNAL, CANCELLED].includes(error.code);
      const again = torn || [UNAVAILABLE, DEADLINE_EXCEEDED].includes(error.code);
      if (!again || Date.now() > ends) throw refused;
      await sleep(pause);
    }
  }
}

async function play(engine, table, roundNo, between) {
  const dealt = await call(engine, "Deal", {
    open: { table, roundNo, ruleset: "express" },
    sheet: {
      currency: { code: "USD", exponent: 2 },
      wagers: [
        { seat: 1, bet: "base", amountMinor: "2500" },
        { seat: 1, bet: "dynasty", amountMinor: "500" },
        { seat: 4, bet: "base", amountMinor: "10000" },
      ],
    },
  });
  for (const hand of dealt.hands) console.log("seat", hand.seat, ...hand.cards);
  await between();
  const settled = await call(engine, "Settle", {
    records: dealt.records, disposition: "DISPOSITION_SETTLE",
    decisions: [{ seat: 1, houseWay: true }, { seat: 4, houseWay: true }],
  });
  for (const { seat, base, netMinor } of settled.seats) console.log("seat", seat, base.outcome, "net", netMinor);
  return [...dealt.records, ...settled.records];
}

/** For tests: what happens to the servers between the two calls happens now. */
async function waitForALine() {
  console.log("dealt");
  const lines = createInterface({ input: process.stdin });
  await new Promise((resolve) => lines.once("line", resolve));
  lines.close();
}

const { values: options } = parseArgs({ options: {
  server: { type: "string", default: "localhost:50051" },
  "server-name": { type: "string" },
  ca: { type: "string" },
  plaintext: { type: "boolean", default: false },
  table: { type: "string", default: "node" },
  round: { type: "string", default: "1" },
  transcript: { type: "string", default: "round.jsonl" },
  wait: { type: "boolean", default: false },
} });

const credentials = options.plaintext
  ? grpc.credentials.createInsecure()
  : grpc.credentials.createSsl(options.ca ? readFileSync(options.ca) : null);
const settings = {
  "grpc.service_config": readFileSync(root + "deploy/client/service-config.json", "utf8"),
  "grpc.max_reconnect_backoff_ms": 1000,
};
if (options["server-name"]) {
  settings["grpc.ssl_target_name_override"] = options["server-name"];
  settings["grpc.default_authority"] = options["server-name"];
}
const engine = new PaiGowService(options.server, credentials, settings);
try {
  const records = await play(engine, options.table, options.round, options.wait ? waitForALine : () => {});
  const { manifests } = await call(engine, "GetEngine", {});
  writeFileSync(options.transcript, Buffer.concat(
    [...manifests, ...records].flatMap(({ envelope }) => [envelope, Buffer.from("\n")])));
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  console.error(`round.mjs: ${error.message}`);
  process.exitCode = 1;
} finally {
  engine.close();
}
