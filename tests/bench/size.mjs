// What users download.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { serving, withBrowser } from "../npm/harness.mjs";

const KB = 1000;
/** What each part of the npm package may weigh beside the core. */
const PARTS = { documents: 88 * KB, editing: 13 * KB, linking: 134 * KB, reports: 57 * KB, versions: 237 * KB };

export async function size({ root, target }) {
  const dist = join(root, "web/npm/dist");
  const core = brotli(join(dist, "planloom_bg.wasm"));
  const glue = ["planloom.js", "index.js"].reduce((sum, name) => sum + brotli(join(dist, name)), 0);
  return [
    result("npm core wasm, Brotli", core, 400 * KB),
    ...parts(dist, "planloom", "npm"),
    result("npm JavaScript, Brotli", glue, 12 * KB),
    ...(await firstLoad(join(target, "site"))),
    result("custom elements' loader, Brotli", brotli(join(dist, "element.js")), 4 * KB),
  ];
}

/** What loads later, by name; what several parts have in common is one. */
function parts(folder, name, of) {
  const files = readdirSync(folder).filter((file) => file.startsWith(`${name}_`) && file.endsWith(".wasm"));
  const sizes = new Map();
  for (const file of files.filter((it) => it !== `${name}_bg.wasm` && !it.includes("_runtime_"))) {
    const part = file.slice(name.length + 1, -".wasm".length).replace(/^shared_\d+$/, "shared");
    sizes.set(part, (sizes.get(part) ?? 0) + brotli(join(folder, file)));
  }
  return [...sizes].map(([part, bytes]) => {
    const what = `… ${of} part ${part}`;
    return of === "npm" && part in PARTS ? result(what, bytes, PARTS[part]) : { what, ours: kilobytes(bytes) };
  });
}

/** Everything a browser fetches until the app shows the example's plan: page, styles, UI, engine; the editor apart. */
async function firstLoad(site) {
  if (!existsSync(join(site, "index.html"))) {
    return [{ what: "app's first load, Brotli", ours: "not built: cargo xtask build", goal: "≤ 720 KB" }];
  }
  const names = await withBrowser((browser) => serving(site, (address) => fetched(browser, address)));
  const sizes = names.map((name) => [name, brotli(join(site, name))]).sort((a, b) => b[1] - a[1]);
  console.log(`first load of the app: ${sizes.map(([name, bytes]) => `${name} ${kilobytes(bytes)}`).join(", ")}`);
  const sum = (wanted) => sizes.filter(([name]) => wanted(name)).reduce((total, [, bytes]) => total + bytes, 0);
  const isEditor = (name) => name.startsWith("editor");
  const isEngine = (name) => name.startsWith("planloom-engine");
  const total = result("app's first load, Brotli", sum((name) => !isEditor(name)), 720 * KB);
  return [
    total,
    { what: "… of it the page and its UI", ours: kilobytes(sum((name) => !isEditor(name) && !isEngine(name))) },
    { what: "… of it the engine, in its worker", ours: kilobytes(sum(isEngine)) },
    { what: "… and then the editor", ours: kilobytes(sum(isEditor)) },
    ...parts(site, "planloom-engine", "app"),
  ];
}

async function fetched(browser, address) {
  const page = await browser.newPage();
  const names = new Set();
  page.context().on("request", (request) => {
    if (request.url().startsWith(address)) names.add(new URL(request.url()).pathname.slice(1) || "index.html");
  });
  await page.goto(address, { waitUntil: "networkidle" });
  await page.waitForSelector(".chip-plan .chip-action");
  // What a worker fetches is not seen from its page.
  for (const name of await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname.slice(1)))) {
    names.add(name);
  }
  await page.close();
  return [...names];
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
