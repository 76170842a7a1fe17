// Pages that are served with a policy, and what they complain of.
import { createReadStream, cpSync, existsSync, mkdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, normalize } from "node:path";
import { assert, equal } from "../npm/harness.mjs";

/** The strictest policy under which WebAssembly and fetching run. */
export const STRICT =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; require-trusted-types-for 'script'";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
  ".yaml": "text/yaml",
};

/** Serves a folder on a free loopback port for as long as `use` runs; addresses without extension are pages. */
export async function serving(folder, use, policy = null) {
  const server = createServer((request, response) => {
    const path = fileAt(folder, decodeURIComponent(new URL(request.url, "http://x").pathname));
    if (request.url === "/favicon.ico") return response.writeHead(204).end();
    if (path === null) return response.writeHead(404, { "content-type": "text/plain" }).end("not found");
    const headers = { "content-type": TYPES[extname(path)] ?? "application/octet-stream", ...(policy && { "content-security-policy": policy }) };
    response.writeHead(200, headers);
    createReadStream(path).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await use(`http://127.0.0.1:${server.address().port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function fileAt(folder, path) {
  const wanted = join(folder, normalize(path));
  const tried = [wanted, `${wanted}.html`, join(wanted, "index.html")];
  return tried.find((it) => it.startsWith(folder) && existsSync(it) && statSync(it).isFile()) ?? null;
}

/** The pages of this folder with the package and an example beside them. */
export function assemble({ here, work, home }) {
  const folder = join(work, "pages");
  if (existsSync(folder)) return folder;
  mkdirSync(folder);
  cpSync(join(here, "pages"), folder, { recursive: true });
  cpSync(join(home, "dist"), join(folder, "planloom"), { recursive: true });
  cpSync(join(here, "../../static/examples/release"), join(folder, "release"), { recursive: true });
  return folder;
}

/** Opens a page, uses it, and fails for everything that it complained of. */
export async function onPage(browser, address, use, { permitted = () => false, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 760 }, ...options });
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.stack ?? String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("response", (response) => response.status() >= 400 && errors.push(`${response.status()} ${response.url()}`));
  page.setDefaultTimeout(20_000);
  await page.addInitScript(record);
  try {
    await page.goto(address);
    const result = await use(page);
    equal(errors.filter((it) => !permitted(it)).join("\n"), "", "what the page complained of");
    return result;
  } catch (error) {
    if (errors.length > 0 && !errors.every(permitted)) error.message += `\nthe page said: ${errors.join("\n").slice(0, 1500)}`;
    throw error;
  } finally {
    await context.close();
  }
}

/** Runs in the page before anything else: keeps the events of elements and how much moved. */
export function record() {
  globalThis.said = [];
  globalThis.moved = 0;
  for (const name of ["change", "diagnostics", "plan", "select", "ready", "error", "step", "applied"]) {
    addEventListener(`planloom-${name}`, ({ target, detail }) => said.push({ name, id: target.id, detail }));
  }
  new PerformanceObserver((list) => list.getEntries().forEach((it) => (moved += it.value))).observe({ type: "layout-shift", buffered: true });
}

/** Waits until an element has said that it is drawn. */
export function ready(page, id) {
  return page.waitForFunction((id) => said.some((it) => it.name === "ready" && it.id === id), id);
}

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Fails for each finding of axe-core inside the elements of a page. */
export async function accessible(page, include = ["planloom-editor", "planloom-graph", "planloom-plan"]) {
  const run = await page.evaluate(await source(), undefined).catch(() => null);
  assert(run !== null, "axe-core could not be loaded");
  const found = await page.evaluate(async (include) => {
    const there = include.filter((it) => document.querySelector(it)).map((it) => [it]);
    const { violations } = await axe.run({ include: there }, { resultTypes: ["violations"] });
    return violations.map((it) => `${it.id}: ${it.help}\n  ${it.nodes.slice(0, 3).map((node) => `${node.target.join(" ")} ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ""}`).join("\n  ")}`);
  }, include);
  equal(found.join("\n"), "", "what axe-core found");
}

async function source() {
  const { readFileSync } = await import("node:fs");
  return `${readFileSync(axe, "utf8")}; true`;
}
