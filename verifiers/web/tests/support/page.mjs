// The page under test: the folder that `paigow-lab page FOLDER` has written, which TEST_PAGE names.
// The sources alone are no page: js/data.js and verifier.js are made by the build.

import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

if (!process.env.TEST_PAGE) {
  throw new Error("TEST_PAGE is not set: run `paigow-lab page FOLDER` and set it to FOLDER");
}

export const PAGE = resolve(process.env.TEST_PAGE);

// Imports a module of the page by its path there.
export const load = (path) => import(pathToFileURL(join(PAGE, path)).href);
