// The entry of `planloom/adapters` for Node: the WebAssembly file is read when the module is.
import { readFileSync } from "node:fs";
import { initSync } from "./planloom_adapters.js";
import { setLoaded } from "./adapters_run.js";

initSync({ module: readFileSync(new URL("./planloom_adapters_bg.wasm", import.meta.url)) });
setLoaded();

export async function init() {}

export { apply, plan } from "./adapters_run.js";
