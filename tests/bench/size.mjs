// What users download.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";

const KB = 1000;

export async function size({ root, target }) {
  const dist = join(root, "web/npm/dist");
  const core = brotli(join(dist, "planloom_bg.wasm"));
  const glue = ["planloom.js", "index.js"].reduce((sum, name) => sum + brotli(join(dist, name)), 0);
  return [
    result("npm core wasm, Brotli", core, 250 * KB),
    result("npm JavaScript, Brotli", glue, 12 * KB),
    ...firstLoad(join(target, "site")),
    { what: "custom element's loader", ours: "does not exist yet", goal: "≤ 4 KB" },
  ];
}

/** Everything the app's page names: what a browser fetches before the app is up. The editor comes later, lazily. */
function firstLoad(site) {
  const page = join(site, "index.html");
  if (!existsSync(page)) return [{ what: "app's first load, Brotli", ours: "not built: cargo xtask build", goal: "≤ 450 KB" }];
  const html = readFileSync(page, "utf8");
  const named = readdirSync(site, { recursive: true }).filter((name) => html.includes(name) && /\.(wasm|js|css)$/.test(name));
  const files = ["index.html", ...named];
  const total = files.reduce((sum, name) => sum + brotli(join(site, name)), 0);
  const parts = files.map((name) => `${name} ${kilobytes(brotli(join(site, name)))}`).join(", ");
  console.log(`first load of the app: ${parts}`);
  return [result("app's first load, Brotli", total, 450 * KB)];
}

function brotli(path) {
  return brotliCompressSync(readFileSync(path)).length;
}

function result(what, bytes, goal) {
  return { what, ours: kilobytes(bytes), bytes, goal: `≤ ${kilobytes(goal)}`, met: bytes <= goal };
}

function kilobytes(bytes) {
  return `${bytes < 10 * KB ? (bytes / KB).toFixed(1) : Math.round(bytes / KB)} KB`;
}
