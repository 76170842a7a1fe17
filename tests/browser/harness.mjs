// What the journeys share: serving the site, opening pages that must stay without errors, counting checks, axe.
import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
export const root = join(here, "../..");

/** The built app. */
export const site = process.env.PLANLOOM_SITE ?? join(root, "target/site");
/** Whether it is built as it ships: in parts, small, and kept for use without a network. */
export const isShipped = existsSync(join(site, "service-worker.js"));
const shots = join(root, "target/shots");
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const counts = { passed: 0, failed: 0 };
let browser;
let address;

/** Narrows the run: only journeys whose name holds one of the arguments. */
const wanted = process.argv.slice(2);

/** Whether a journey is run. */
export const wants = (name) => wanted.length === 0 || wanted.some((part) => name.includes(part));

/** Starts browser and server for as long as `journeys` runs, prints the counts, sets the exit code. */
export async function running(journeys) {
  if (!existsSync(join(site, "index.html"))) throw new Error(`there is no built app in ${site}`);
  if (process.env.PLANLOOM_SHIPPED && !isShipped) throw new Error(`the app in ${site} has no service worker, so it is not as it ships`);
  mkdirSync(shots, { recursive: true });
  const server = createServer(answer);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${server.address().port}/`;
  browser = await chromium.launch({
    executablePath: process.env.CHROME ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    await journeys();
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
    console.log(`${counts.passed} passed, ${counts.failed} failed`);
    process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;
  }
}

const TYPES = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** What was asked of the server, by pages and workers, since the last journey began. */
export const asked = [];

/** How long a journey waits for what comes in a second on a machine that has nothing else to do, in milliseconds. */
export const PATIENCE = 60_000;

/** The example that journeys start with, unless they keep files or name another address. */
const EXAMPLE = "shop/graph";

/** What else the server answers: by a part of the path, a function of request, response and the file's text. */
export const answers = new Map();

function answer(request, response) {
  asked.push(new URL(request.url, "http://x").pathname);
  const path = join(site, normalize(new URL(request.url, "http://x").pathname).replace(/\/$/, "/index.html"));
  const special = [...answers].find(([part]) => request.url.includes(part));
  if (special) return special[1](request, response, existsSync(path) ? readFileSync(path, "utf8") : "");
  if (!existsSync(path) || !statSync(path).isFile()) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" });
  response.end(readFileSync(path));
}

/**
 * One journey on a page of its own. It fails by throwing, and when the page logs an error or throws one that
 * `expected` does not match. Its last screen is kept in target/shots.
 *
 * Chromium ends all requests when a network of the machine comes or goes, as those of containers do in the other lane. A journey that
 * was hit by that is begun once more, where nothing but its page remembers it.
 */
export async function journey(name, options, body) {
  if (typeof options === "function") return journey(name, {}, options);
  if (!wants(name)) return;
  const began = performance.now();
  let failure = await attempt(name, options, body);
  if (failure?.isDisturbed && !options.at) {
    console.log(`again ${name}: a network of the machine has changed`);
    failure = await attempt(name, options, body);
  }
  counts[failure ? "failed" : "passed"] += 1;
  console.log(failure ? `FAIL ${name}\n${failure.said}` : `ok   ${name} (${Math.round(performance.now() - began)} ms)`);
}

/** A journey of what only an app has that is built as it ships. */
export async function shippedJourney(name, ...rest) {
  if (isShipped) return journey(name, ...rest);
  if (wants(name)) skipped(name, "only in an app that is built as it ships");
}

/** What went wrong, if anything. */
async function attempt(name, options, body) {
  const { width = 1440, height = 900, theme = "light", expected, before, start = EXAMPLE, at = start ? `${address}#example=${start}` : address, ...rest } = options;
  asked.length = 0;
  answers.clear();
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, acceptDownloads: true, serviceWorkers: "block", ...rest });
  const errors = [];
  const watch = (page) => {
    const note = (text) => expected?.test(text) || errors.push(text);
    page.on("console", (message) => message.type() === "error" && note(message.text()));
    page.on("pageerror", (error) => note(error.stack || error.message || `an error without a message: ${error.name}`));
    page.setDefaultTimeout(PATIENCE);
  };
  context.on("page", watch);
  const page = await context.newPage();
  try {
    await before?.(page, context);
    await page.goto(at);
    await body(page, { context, address: options.at ?? address });
    if (errors.length > 0) throw new Error(`the page logged errors:\n${errors.join("\n")}`);
    return null;
  } catch (error) {
    const logged = errors.length > 0 ? `\nlogged: ${errors.join("\n")}` : "";
    const screen = await page.evaluate(() => document.body.innerText).catch(() => "");
    const stack = error.stack ?? String(error);
    const said = `${indent(stack + logged)}\n     on screen: ${JSON.stringify(screen.slice(0, 2000))}`;
    return { said, isDisturbed: (stack + logged).includes("ERR_NETWORK_CHANGED") };
  } finally {
    await page.screenshot({ path: join(shots, `${name.replaceAll(/[^a-z0-9]+/gi, "-")}.png`) }).catch(() => {});
    await context.close();
  }
}

const indent = (text) => text.split("\n").slice(0, 30).map((line) => `     ${line}`).join("\n");

export function assert(condition, message) {
  if (!condition) throw new Error(message);
}

export function equal(actual, expected, what) {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: expected ${b}, got ${a}`);
}

/** Says that something cannot be tried here, and why. It counts neither as passed nor as failed. */
export function skipped(name, why) {
  console.log(`skip ${name}: ${why}`);
}

/** Waits until `read` gives a value that `holds`; throws with the last one. */
export async function until(read, holds, what, patience = PATIENCE) {
  const end = Date.now() + patience;
  let value;
  do {
    value = await read();
    if (holds(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  } while (Date.now() < end);
  throw new Error(`${what}: last seen ${JSON.stringify(value)}`);
}

/** Waits until `read` gives that value. */
export const untilEqual = (read, expected, what) =>
  until(read, (value) => JSON.stringify(value) === JSON.stringify(expected), `${what}: expected ${JSON.stringify(expected)}`);

/** Keeps a picture of the page. */
export async function shot(page, name) {
  await page.screenshot({ path: join(shots, `${name}.png`) });
}

/** Fails when axe finds anything, at whatever level. */
export async function accessible(page, what) {
  // Colours in the middle of a fade are not those that stay.
  await page.waitForTimeout(250);
  await page.evaluate(`if (!window.axe) { ${axeSource} }`);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  const said = violations.map(({ id, impact, help, nodes }) => {
    const places = nodes.slice(0, 4).map(({ html, failureSummary }) => `  ${html.slice(0, 160)}\n    ${failureSummary.split("\n").slice(1, 3).join(" ")}`);
    return `${id}, ${impact}: ${help} (${nodes.length})\n${places.join("\n")}`;
  });
  assert(violations.length === 0, `axe on ${what}:\n${said.join("\n")}`);
}
