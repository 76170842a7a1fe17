// The entry for Node: the WebAssembly file is read when the module is, and capabilities are read when something needs
// them, so there is nothing to wait for.
import { readFileSync } from "node:fs";
import { load, Service, setFetch } from "./capabilities.js";
import { Entities, solver } from "./entities.js";
import { addPart, initSync, setLoader, solveProblem, Workspace } from "./planloom.js";
import { loadPartNow } from "./planloom_parts.js";

initSync({ module: readFileSync(new URL("./planloom_bg.wasm", import.meta.url)) });
setLoader(loadNow);
setFetch(loadNow);

export async function init() {}

function loadNow(name) {
  loadPartNow(name, readFileSync);
  return addPart(name);
}

export const solve = solver(solveProblem);

export { Entities, load, Service, Workspace };
