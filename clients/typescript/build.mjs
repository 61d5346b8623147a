// Builds the package: stubs from the contract, the verifier from the page, then the compiler.
//
//   node build.mjs PAGE
//
// PAGE is a folder that `paigow-lab page` has made. Needs `buf`, `protoc-gen-es` and `tsc`.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const page = process.argv[2];
const run = (...[program, ...options]) => execFileSync(program, options, { cwd: here, stdio: "inherit" });

rmSync(`${here}dist`, { recursive: true, force: true });
rmSync(`${here}src/gen`, { recursive: true, force: true });
mkdirSync(`${here}src/gen`);
const template = JSON.stringify({ version: "v2", plugins: [
  { local: "protoc-gen-es", out: "src/gen", opt: ["target=ts", "import_extension=js"] }] });
for (const contract of ["../../proto", "proto"]) run("buf", "generate", contract, "--template", template);
run("tsc");
cpSync(`${page}/js`, `${here}dist/verifier`, { recursive: true });
rmSync(`${here}dist/verifier/page`, { recursive: true });
cpSync(`${page}/vendor`, `${here}dist/vendor`, { recursive: true });
// The modules of the page are for browsers too: nothing else says that they are modules.
for (const folder of ["verifier", "vendor"]) {
  writeFileSync(`${here}dist/${folder}/package.json`, '{ "type": "module" }\n');
}
