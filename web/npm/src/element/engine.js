// The engine, which all elements of a page share.
import { init, load, Workspace } from "./index.js";
import { BLOCKED } from "./words.js";

let started;

/** Starts the engine, with what the elements need of it. A failed download may be tried again. */
export function engine() {
  started ??= begin().catch((error) => {
    started = undefined;
    throw explained(error);
  });
  return started;
}

async function begin() {
  await init();
  await load("documents", "editing");
  return { workspace: () => new Workspace(), readPackage: Workspace.readPackage.bind(Workspace) };
}

/** Browsers report a policy that forbids WebAssembly as a failed compilation. */
function explained(error) {
  const isBlocked = error instanceof WebAssembly.CompileError && /unsafe-eval|content security policy|\bcsp\b/i.test(error.message);
  return isBlocked ? Object.assign(new Error(BLOCKED, { cause: error }), { code: "element/blocked" }) : error;
}
