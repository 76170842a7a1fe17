// From a keystroke to all problems of a large workspace, in Chromium, with the engine in a worker as in the app.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resultOf, serving, withBrowser } from "../npm/harness.mjs";
import { files } from "./generate.mjs";
import { milliseconds, summary } from "./measure.mjs";

const SERVICES = 1000;
const FILES = 5;
/** From a key to all diagnostics, in a worker; and until they are painted by the app. */
const GOALS = { engine: 16, painted: 25 };
const LONG_TASK = 50;
const TIMEOUT = 300_000;
const KEYS = 100;

export async function keystroke({ root, target }) {
  return [...(await engine(root)), ...(await app(root, join(target, "site")))];
}

/** The engine in a worker, without an app around it. */
async function engine(root) {
  const folder = mkdtempSync(join(tmpdir(), "planloom-bench-"));
  const open = (browser) => serving(folder, (address) => resultOf(browser, address, TIMEOUT));
  try {
    cpSync(join(root, "tests/bench/page"), folder, { recursive: true });
    cpSync(join(root, "web/npm/dist"), join(folder, "planloom"), { recursive: true });
    writeFileSync(join(folder, "files.json"), JSON.stringify(files(SERVICES, FILES)));
    return rows(JSON.parse(await withBrowser(open)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The app itself: a key that breaks the text and one that mends it, each until the number of problems is shown. */
async function app(root, site) {
  if (!existsSync(join(site, "index.html"))) return [{ what: "… in the app", ours: "not built: cargo xtask build", goal: `≤ ${GOALS.painted}` }];
  const { longTasks, times } = await withBrowser((browser) => serving(site, (address) => typing(root, browser, address)));
  if (times.length < KEYS * 0.9) throw new Error(`only ${times.length} of ${KEYS} keys were answered by the app`);
  return lines("… in the app, until the problems are shown", times, longTasks, GOALS.painted);
}

async function typing(root, browser, address) {
  const page = await browser.newPage();
  await page.addInitScript(seed, files(SERVICES, FILES));
  await page.goto(address);
  await page.waitForSelector(".cm-content");
  await page.waitForSelector(".chip-plan .chip-action", { timeout: TIMEOUT });
  await page.locator(".cm-line", { hasText: "network: inner" }).first().click();
  await page.keyboard.press("End");
  await page.waitForTimeout(2000);
  await page.evaluate(readFileSync(join(root, "tests/bench/app.js"), "utf8"));
  for (let key = 0; key < KEYS; key += 1) {
    await page.keyboard.press(key % 2 === 0 ? "x" : "Backspace"); // there is no network `innerx`
    await page.waitForFunction((count) => measured.times.length > count, key, { timeout: 5000 }).catch(() => {});
    await page.waitForTimeout(30); // people pause between keys
  }
  await page.waitForTimeout(200); // long tasks are reported late
  return page.evaluate(() => measured);
}

/** Runs in the page before the app: a workspace as the app stores it. */
function seed(files) {
  if (localStorage.length > 0) return;
  const entries = files.map(({ name }, index) => ({ key: index + 1, name, slot: index, package: null }));
  const index = { format: "planloom.workspace/1", files: entries, selected: 3, pristine: false, written: 1 };
  localStorage.setItem("planloom/workspace", JSON.stringify(index));
  files.forEach(({ text }, index) => localStorage.setItem(`planloom/text/${index + 1}`, text));
}

function rows({ times, longTasks, problems }) {
  // Every second keystroke makes a mistake, every second mends it.
  if (problems.some((count, index) => (index % 2 === 0 ? count === 0 : count !== 0))) {
    throw new Error(`the numbers of problems are not those of the text: ${problems.slice(0, 8)} …`);
  }
  return lines(`keystroke to all problems, ${SERVICES} services in ${FILES} files`, times, longTasks, GOALS.engine);
}

function lines(what, times, longTasks, goal) {
  const { median, p95 } = summary(times);
  const longest = Math.max(0, ...longTasks);
  const shown = longest === 0 ? "none over 50" : milliseconds(longest);
  return [
    { what: `${what}, p95 ms`, ours: `${milliseconds(p95)} (median ${milliseconds(median)})`, goal: `≤ ${goal}`, met: p95 <= goal, times },
    { what: "… longest task of the main thread, ms", ours: shown, goal: `≤ ${LONG_TASK}`, met: longest <= LONG_TASK, longTasks },
  ];
}
