// The entry for Node: the WebAssembly file is read when the module is, so there is nothing to wait for.
import { readFileSync } from "node:fs";
import { Entities, solver } from "./entities.js";
import { initSync, solveProblem, Workspace } from "./planloom.js";

initSync({ module: readFileSync(new URL("./planloom_bg.wasm", import.meta.url)) });

export async function init() {}

export const solve = solver(solveProblem);

export { Entities, Workspace };
