// One round as a platform plays it: over TLS, with deadlines, retries and error details.
//
//   node examples/node/round.mjs --server localhost:50051 --ca ca.pem --transcript round.jsonl
//
// A call may be repeated unchanged, at the same or another replica: the same request gets the same
// records. Several replicas are named as ipv4:10.0.0.1:50051,10.0.0.2:50051 with --server-name.
// A server in production requires credentials: --certificate and --key, or --token-file.
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
  message RetryInfo { Duration retry_delay = 1; message Duration { int64 seconds = 1; int32 nanos = 2; } }
  message BadRequest { repeated FieldViolation field_violations = 1;
    message FieldViolation { string field = 1; string description = 2; } }`).root;

const DEADLINE = 2_000;
// How long one step of a round may take in all, over every repetition.
const PATIENCE = 30_000;
const { UNAVAILABLE, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNKNOWN, INTERNAL, CANCELLED } = grpc.status;

/** A refusal of the engine: its reason, every field of bad input, and when to try again if it states that. */
class Refused extends Error {
  constructor(error) {
    const details = Refused.details(error);
    const fields = details.fields.map(({ field, description }) => `\n  ${field}: ${description}`).join("");
    super(`${grpc.status[error.code]} ${details.reason}: ${error.details}${fields}`);
    Object.assign(this, details, { code: error.code });
  }

  static details(error) {
    const found = { reason: "", fields: [], wait: undefined };
    const [bytes] = error.metadata?.get("grpc-status-details-bin") ?? [];
    for (const { type_url: url, typeUrl, value } of bytes ? rpc.lookupType("Status").decode(bytes).details : []) {
      const name = (url ?? typeUrl).split("/").pop();
      if (name === "google.rpc.ErrorInfo") {
        const info = rpc.lookupType(name).decode(value);
        if (info.domain === "paigow.v1") found.reason = info.reason;
      } else if (name === "google.rpc.BadRequest") {
        found.fields = rpc.lookupType(name).decode(value).fieldViolations;
      } else if (name === "google.rpc.RetryInfo") {
        const type = rpc.lookupType(name);
        const { retryDelay } = type.toObject(type.decode(value), { longs: Number, defaults: true });
        found.wait = retryDelay ? 1_000 * retryDelay.seconds + retryDelay.nanos / 1e6 : 0;
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
      // UNKNOWN or INTERNAL without a reason: the server died while it sent the response.
      const torn = !refused.reason && [UNKNOWN, INTERNAL, CANCELLED].includes(error.code);
      // A caller above its limits gets a time to wait. Without one it is a limit of another kind.
      const above = error.code === RESOURCE_EXHAUSTED && refused.wait !== undefined;
      const again = torn || above || [UNAVAILABLE, DEADLINE_EXCEEDED].includes(error.code);
      const wait = Math.max(pause, Math.ceil(refused.wait ?? 0));
      if (!again || Date.now() + wait > ends) throw refused;
      await sleep(wait);
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
    records: dealt.records,
    decisions: [{ seat: 1, houseWay: true }, { seat: 4, houseWay: true }],
  });
  for (const { seat, base, netMinor } of settled.seats) console.log("seat", seat, base.outcome, "net", netMinor);
  return [...dealt.records, ...settled.records];
}

/** For tests: a test acts on the servers now, between the two calls. */
async function waitForALine() {
  console.log("dealt");
  const lines = createInterface({ input: process.stdin });
  await new Promise((resolve) => lines.once("line", resolve));
  lines.close();
}

const USAGE = `usage: node round.mjs [OPTION...]

One round as a platform plays it: over TLS, with deadlines, retries and error details.

  --server ADDRESS    [default: localhost:50051]
  --server-name NAME  the name in the certificate, where addresses are given
  --ca FILE           the authority of the server's certificate (PEM); default: those of the system
  --certificate FILE  the caller's certificate (PEM)
  --key FILE          the key of that certificate (PEM)
  --token-file FILE   the caller's bearer token
  --plaintext         no TLS
  --table NAME        [default: node]
  --round N           [default: 1]
  --transcript FILE   [default: round.jsonl]
  --wait              wait for a line on the standard input after the deal
  --help              this text
`;

function parsed() {
  const { values } = parseArgs({ options: {
    server: { type: "string", default: "localhost:50051" },
    "server-name": { type: "string" },
    ca: { type: "string" },
    certificate: { type: "string" },
    key: { type: "string" },
    "token-file": { type: "string" },
    plaintext: { type: "boolean", default: false },
    table: { type: "string", default: "node" },
    round: { type: "string", default: "1" },
    transcript: { type: "string", default: "round.jsonl" },
    wait: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  } });
  if (!values.certificate !== !values.key) throw new Error("--certificate and --key go together");
  if (values.plaintext && (values.certificate || values["token-file"])) {
    throw new Error("--certificate and --token-file need TLS: leave out --plaintext");
  }
  return values;
}

function credentials(options) {
  if (options.plaintext) return grpc.credentials.createInsecure();
  const [ca, key, certificate] =
    ["ca", "key", "certificate"].map((name) => (options[name] ? readFileSync(options[name]) : null));
  const tls = grpc.credentials.createSsl(ca, key, certificate);
  if (!options["token-file"]) return tls;
  const metadata = new grpc.Metadata();
  metadata.set("authorization", `Bearer ${readFileSync(options["token-file"], "utf8").trimEnd()}`);
  const token = grpc.credentials.createFromMetadataGenerator((_, done) => done(null, metadata));
  return grpc.credentials.combineChannelCredentials(tls, token);
}

let options;
try {
  options = parsed();
} catch (error) {
  console.error(`round.mjs: ${error.message}\n\n${USAGE}`);
  process.exit(64);
}
if (options.help) {
  console.log(USAGE);
  process.exit();
}

const settings = {
  "grpc.service_config": readFileSync(root + "deploy/client/service-config.json", "utf8"),
  "grpc.max_reconnect_backoff_ms": 1000,
};
if (options["server-name"]) {
  settings["grpc.ssl_target_name_override"] = options["server-name"];
  settings["grpc.default_authority"] = options["server-name"];
}
let engine;
try {
  engine = new PaiGowService(options.server, credentials(options), settings);
  const records = await play(engine, options.table, options.round, options.wait ? waitForALine : () => {});
  const manifests = [];
  let next = "0";
  do {
    const page = await call(engine, "ListManifests", { afterSequence: next });
    manifests.push(...page.manifests);
    next = page.nextAfterSequence;
  } while (next !== "0");
  writeFileSync(options.transcript, Buffer.concat(
    [...manifests, ...records].flatMap(({ envelope }) => [envelope, Buffer.from("\n")])));
} catch (error) {
  // The system's message names a file that cannot be read or written.
  if (!(error instanceof Refused) && !error.syscall) throw error;
  console.error(`round.mjs: ${error.message}`);
  process.exitCode = 1;
} finally {
  engine?.close();
}
