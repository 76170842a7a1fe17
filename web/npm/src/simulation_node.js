// The entry of `planloom/simulation` for Node: the WebAssembly file is read when the module is.
import { readFileSync } from "node:fs";
import { initSync } from "./planloom_simulation.js";
import { setLoaded } from "./simulation_run.js";

initSync({ module: readFileSync(new URL("./planloom_simulation_bg.wasm", import.meta.url)) });
setLoaded();

export async function init() {}

export { simulate } from "./simulation_run.js";
