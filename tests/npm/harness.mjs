// What the packaging tests share: counting checks, running programs, serving folders, opening pages.
import { execFile } from "node:child_process";
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";

/** The folder of the package that is tested. */
export const packageFolder = process.env.PLANLOOM_PACKAGE ?? join(dirname(fileURLToPath(import.meta.url)), "../../web/npm");

/** What the package exports to Node. */
export const engine = () => import(pathToFileURL(join(packageFolder, "dist/node.js")).href);

const counts = { passed: 0, failed: 0 };

/** Runs one check and prints how it went; a check fails by throwing. Returns what it returns. */
export async function check(name, body) {
  const start = performance.now();
  try {
    const result = await body();
    counts.passed += 1;
    console.log(`ok   ${name} (${Math.round(performance.now() - start)} ms)`);
    return result;
  } catch (error) {
    counts.failed += 1;
    console.log(`FAIL ${name}\n${indent(error.stack ?? String(error))}`);
    return undefined;
  }
}

/** Prints the last line and says by the exit code whether all is well. */
export function finish() {
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;
}

export function assert(condition, message) {
  if (!condition) throw new Error(message);
}

export function equal(actual, expected, what) {
  if (actual === expected) return;
  const at = [...expected].findIndex((character, index) => actual?.[index] !== character);
  const around = (text) => JSON.stringify(String(text).slice(Math.max(0, at - 60), at + 60));
  throw new Error(`${what} differs at ${at}:\n  expected ${around(expected)}\n  got      ${around(actual)}`);
}

/** What a program prints on standard output; throws with all that it printed when it fails. */
export async function run(program, args, options = {}) {
  try {
    const { stdout } = await promisify(execFile)(program, args, { maxBuffer: 1 << 26, ...options });
    return stdout;
  } catch (error) {
    throw new Error(`${program} ${args.join(" ")} failed\n${tail(error.stdout)}${tail(error.stderr)}`);
  }
}

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".json": "application/json",
};

/** Serves a folder on a free loopback port for as long as `use` runs. */
export async function serving(folder, use, headers = {}) {
  const server = createServer((request, response) => {
    const path = join(folder, normalize(new URL(request.url, "http://x").pathname).replace(/\/$/, "/index.html"));
    if (!existsSync(path) || !statSync(path).isFile()) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream", ...headers });
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

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A browser for as long as `use` runs. */
export async function withBrowser(use) {
  const executablePath = process.env.CHROME ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
}

/** What a page leaves in `globalThis.result`; throws when it prints an error or asks for what is not there. */
export async function resultOf(browser, address, timeout = 30_000) {
  const page = await browser.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.stack ?? String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("response", (response) => response.status() >= 400 && errors.push(`${response.status()} ${response.url()}`));
  try {
    await page.goto(address);
    const wait = page.waitForFunction(() => globalThis.result !== undefined, null, { timeout });
    await wait.catch((error) => errors.push(error.message));
    if (errors.length > 0) throw new Error(errors.join("\n"));
    return await page.evaluate(() => globalThis.result);
  } finally {
    await page.close();
  }
}

/** The end of what a program printed, where it says what is wrong. */
function tail(text) {
  const lines = (text ?? "").split("\n").map((line) => line.slice(0, 300));
  return lines.slice(-40).join("\n");
}

function indent(text) {
  return text.replace(/^/gm, "     ");
}
