// The graph of the app in Chromium: frames while a drawing of many nodes is dragged and zoomed, and the time until its
// tree is open. The app is the built one.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { serving, withBrowser } from "../npm/harness.mjs";
import { milliseconds, summary } from "./measure.mjs";

const SIZES = [1000, 5000];
/** A frame at 60 a second, and one that is still fluent; milliseconds. */
const FRAME = { 1000: 17.5, 5000: 34 };
const TREE = 50;
const TIMEOUT = 300_000;
const STEPS = 240;
const REPS = 15;

export async function graph({ target }) {
  const site = join(target, "site");
  if (!existsSync(join(site, "index.html"))) return [{ what: "frames of the graph", ours: "not built: cargo xtask build" }];
  const results = [];
  for (const size of SIZES) {
    const measured = await withBrowser((browser) => serving(site, (address) => measure(browser, address, size)));
    results.push(...rows(size, measured));
  }
  return results;
}

/** Networks, and services on them in turn, each waiting for one before it. */
function text(count) {
  const networks = Array.from({ length: Math.ceil(count / 60) }, (_, at) => `  n${at}: {ip: 10.${at % 250}.0.0/16}\n`);
  const needs = (at) => (at > 0 ? `, depends_on: [s${Math.floor((at - 1) / 3)}]` : "");
  const services = Array.from({ length: count - networks.length }, (_, at) => `  s${at}: {payload: web, network: n${at % networks.length}${needs(at)}}\n`);
  return `meta: {name: bench}\npayloads:\n  web: {runtime: vm, params: {image_tag: me/web:1.0}}\nnetworks:\n${networks.join("")}services:\n${services.join("")}`;
}

async function measure(browser, address, size) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript(seed, text(size));
  await page.goto(address);
  await page.locator(".graph-view").waitFor({ timeout: TIMEOUT });
  const drawn = async () => JSON.parse((await page.locator(".graph-view").getAttribute("data-drawn")) || "{}");
  while ((await drawn()).all !== size) await page.waitForTimeout(200);
  await page.waitForTimeout(2000);
  const box = await page.locator(".graph-view").boundingBox();
  const frames = {};
  // As it is seen first, with names; then all of it, from far off.
  frames.near = await dragging(page, box);
  await page.getByRole("button", { name: "Show all", exact: true }).click();
  await page.waitForTimeout(500);
  const seen = await drawn();
  if (seen.nodes !== size) throw new Error(`${seen.nodes} of ${size} nodes are drawn`);
  frames.all = await dragging(page, box);
  frames.zoom = await zooming(page, box);
  const tree = await opening(page);
  await page.close();
  return { frames, tree };
}

/** Times between frames while the drawing is dragged around in a circle. */
async function dragging(page, box) {
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  const times = await timed(page, async () => {
    for (let step = 0; step < STEPS; step += 1) {
      const angle = (step / STEPS) * 4 * Math.PI;
      await page.mouse.move(x + Math.sin(angle) * 180, y + Math.cos(angle) * 140 - 140);
    }
  });
  await page.mouse.up();
  return times;
}

async function zooming(page, box) {
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.keyboard.down("Control");
  const times = await timed(page, async () => {
    for (let step = 0; step < 60; step += 1) await page.mouse.wheel(0, step < 30 ? -12 : 12);
  });
  await page.keyboard.up("Control");
  return times;
}

async function timed(page, move) {
  await page.evaluate(() => {
    globalThis.frames = [];
    let last;
    const next = (now) => {
      if (last !== undefined) globalThis.frames.push(now - last);
      last = now;
      globalThis.ticking = requestAnimationFrame(next);
    };
    globalThis.ticking = requestAnimationFrame(next);
  });
  await move();
  return page.evaluate(() => {
    cancelAnimationFrame(globalThis.ticking);
    return globalThis.frames;
  });
}

/** From a click on the button to the frame with the rows, each time anew. */
async function opening(page) {
  const button = page.getByRole("button", { name: "Tree", exact: true });
  await button.click(); // its code loads once
  await page.locator(".tree-row").first().waitFor();
  await button.click();
  const times = [];
  for (let rep = 0; rep < REPS; rep += 1) {
    times.push(
      await button.evaluate(
        (button) =>
          new Promise((resolve) => {
            const start = performance.now();
            button.click();
            const look = () =>
              document.querySelector(".tree-row") ? requestAnimationFrame(() => resolve(performance.now() - start)) : requestAnimationFrame(look);
            look();
          }),
      ),
    );
    await button.click();
    await page.locator(".graph-tree").waitFor({ state: "detached" });
  }
  return times;
}

/** Runs in the page before the app: a workspace as the app stores it. */
function seed(text) {
  if (localStorage.length > 0) return;
  const files = [{ key: 1, name: "app.yaml", slot: 0, package: null }];
  localStorage.setItem("planloom/workspace", JSON.stringify({ format: "planloom.workspace/1", files, selected: 1, pristine: false, written: 1 }));
  localStorage.setItem("planloom/text/1", text);
}

function rows(size, { frames, tree }) {
  const said = { near: `frames while dragging, ${size} nodes, with names`, all: "… all of them in view", zoom: "… while zooming" };
  const lines = Object.entries(said).map(([name, what]) => {
    const { median, p95 } = summary(frames[name]);
    const dropped = frames[name].filter((time) => time > 1.5 * (1000 / 60)).length;
    const ours = `${milliseconds(p95)} (median ${milliseconds(median)}, ${dropped} of ${frames[name].length} late)`;
    return { what: `${what}, p95 ms`, ours, goal: `≤ ${FRAME[size]}`, met: p95 <= FRAME[size], times: frames[name] };
  });
  const { median, p95 } = summary(tree);
  const ours = `${milliseconds(median)} (p95 ${milliseconds(p95)})`;
  return [...lines, { what: "… until the tree is open, ms", ours, goal: size === 1000 ? `≤ ${TREE}` : undefined, met: size === 1000 ? median <= TREE : undefined, times: tree }];
}
