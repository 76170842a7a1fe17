// The entry of `planloom/runtime` for browsers and bundlers: `await init()` loads the WebAssembly file.
import load from "./planloom_runtime.js";
import { setLoaded } from "./runtime_classes.js";

export { Runtime, Store } from "./runtime_classes.js";

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
  await load({ module_or_path: source ?? new URL("./planloom_runtime_bg.wasm", import.meta.url) });
  setLoaded();
}
