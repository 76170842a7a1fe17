// The entry of `planloom/adapters` for browsers and bundlers: `await init()` loads the WebAssembly file.
import load from "./planloom_adapters.js";
import { setLoaded } from "./adapters_run.js";

export { apply, plan } from "./adapters_run.js";

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
  await load({ module_or_path: source ?? new URL("./planloom_adapters_bg.wasm", import.meta.url) });
  setLoaded();
}
