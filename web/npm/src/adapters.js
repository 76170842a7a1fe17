// The entry of `planloom/adapters` for browsers and bundlers: `await init()` loads the engine and this part of it.
import { init as start, load } from "./index.js";
import { setLoaded } from "./runs.js";

export { apply, plan } from "./runs.js";

export async function init(source) {
  await start(source);
  await load("adapters");
  setLoaded("adapters");
}
