// The whole community catalog, as strangers wrote it: 333 packages, 7,016 bundles. One requirement after loading.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Workspace } from "../../web/npm/dist/node.js";
import { measure, spread } from "./measure.mjs";

/** What an answer may take in WebAssembly, in milliseconds, and the memory for the catalog, in MB. */
const BUDGET = 50;
const MOST_MEMORY = 150;

export async function catalog({ root }) {
  const shared = process.env.PLANLOOM_SHARED ?? join(root, "../shared");
  const path = join(shared, "data/fbc/derived-community-operators-prod.jsonl.gz");
  if (!existsSync(path)) {
    console.log(`skipped: there is no ${path}`);
    return [];
  }
  const text = gunzipSync(readFileSync(path)).toString("utf8");
  const workspace = new Workspace();
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const start = performance.now();
  workspace.setCatalogs([{ name: "community.jsonl", text, package: "community" }]);
  const { catalogs } = ask(workspace, "eclipse-che");
  const load = performance.now() - start;
  globalThis.gc?.();
  const memory = (process.memoryUsage().rss - before) / 1e6;
  const names = catalogs[0].packages;
  let next = 0;
  const { one, each } = measure({
    one: () => ask(workspace, "eclipse-che"),
    each: () => ask(workspace, names[next++ % names.length]),
  });
  const size = `${names.length} packages, ${catalogs[0].bundles} bundles`;
  return [
    row(`one requirement on the community catalog (${size})`, one),
    row("… each of its packages in turn", each),
    { what: "… reading it, once", ours: `${load.toFixed(0)} ms`, times: { median: load } },
    { what: "… memory for it", ours: `${memory.toFixed(0)} MB`, goal: `≤ ${MOST_MEMORY} MB`, met: memory <= MOST_MEMORY },
  ];
}

let edits = 0;

/** An answer to one requirement; the text differs each time, so that nothing is remembered. */
function ask(workspace, name) {
  const text = `# ${edits++}\nkind: ActiveResolution\nmetadata: {name: w}\nspec: {constraints: [{required: {name: ${name}}}]}\n`;
  workspace.setFiles([{ name: "wanted.yaml", text }]);
  return workspace.resolution();
}

function row(what, times) {
  return { what, ours: `${spread(times)} ms`, goal: `≤ ${BUDGET} ms`, met: times.median <= BUDGET, times };
}
