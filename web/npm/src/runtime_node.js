// The entry of `planloom/runtime` for Node: the WebAssembly file is read when the module is.
import { readFileSync } from "node:fs";
import { initSync } from "./planloom_runtime.js";
import { setLoaded } from "./runtime_classes.js";

initSync({ module: readFileSync(new URL("./planloom_runtime_bg.wasm", import.meta.url)) });
setLoaded();

export async function init() {}

export { Runtime, Store } from "./runtime_classes.js";
