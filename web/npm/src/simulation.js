// The entry of `planloom/simulation` for browsers and bundlers: `await init()` loads the WebAssembly file.
import load from "./planloom_simulation.js";
import { setLoaded } from "./simulation_run.js";

export { simulate } from "./simulation_run.js";

let loading;

export function init(source) {
  loading ??= start(source).catch((error) => {
    loading = undefined; // A failed download may be tried again.
    throw error;
  });
  return loading;
}

async function start(source) {
  // Bundlers look for exactly this expression to find the file.
  await load({ module_or_path: source ?? new URL("./planloom_simulation_bg.wasm", import.meta.url) });
  setLoaded();
}
