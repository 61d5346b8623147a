// The page under test: the folder that `paigow-lab page FOLDER` wrote, which TEST_PAGE names.
// The sources alone are not a page: the build makes js/data.js and verifier.js.

import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

if (!process.env.TEST_PAGE) {
  throw new Error("TEST_PAGE is not set: run `paigow-lab page FOLDER` and set it to FOLDER");
}

export const PAGE = resolve(process.env.TEST_PAGE);

// Imports a module of the page by its path there.
export const load = (path) => import(pathToFileURL(join(PAGE, path)).href);
