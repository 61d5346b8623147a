// Calls GetEngine as many times as each line of standard input says, with the published service
// config, and answers "done". For replicas_share.py.
//
//   node replicas_share.mjs TARGET CONFIG PACKAGES
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const [target, config, packages] = process.argv.slice(2);
const require = createRequire(packages + "/");
const grpc = require("@grpc/grpc-js");
const definition = require("@grpc/proto-loader").loadSync("paigow/v1/paigow_service.proto", {
  includeDirs: [fileURLToPath(new URL("../../proto", import.meta.url))],
});
const { PaiGowService } = grpc.loadPackageDefinition(definition).paigow.v1;

// Several addresses are no name that a server may be called by.
const settings = { "grpc.service_config": config, "grpc.default_authority": "localhost" };
const engine = new PaiGowService(target, grpc.credentials.createInsecure(), settings);
const call = () => new Promise((resolve, reject) =>
  engine.getEngine({}, { deadline: Date.now() + 30_000 }, (error, answer) => (error ? reject(error) : resolve(answer))));

for await (const line of createInterface({ input: process.stdin })) {
  for (let i = 0; i < Number(line); i += 1) await call();
  console.log("done");
}
engine.close();
