// The first visit: what is there, and how heavy it is.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { files, ready, untilProblems } from "../app.mjs";
import { asked, assert, equal, journey, shot, site, until } from "../harness.mjs";

/** The editor loads by itself, beside what the first view needs. */
const EDITOR = "/editor.js";
/** What the first load may weigh without the editor, in KB (1,000 bytes) of Brotli. */
const HEAVIEST = 740;

export async function first() {
  await journey("the first visit opens on an example", async (page) => {
    await ready(page);
    equal(await files(page), ["base.yaml", "prod.yaml"], "files");
    equal(await page.title(), "sample-shop – Planloom", "title");
    await untilProblems(page, "No problems");
    await page.getByRole("button", { name: "Plan: 4 to create" }).waitFor();
    await page.getByRole("button", { name: /^State: not connected/ }).waitFor();
    equal(await page.locator(".graph-node").count(), 4, "nodes");
  });

  await journey("nothing is asked of another host", async (page, { address }) => {
    const requests = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.reload();
    await ready(page);
    const elsewhere = requests.filter((url) => !url.startsWith(address) && !url.startsWith("data:") && !url.startsWith("blob:"));
    equal(elsewhere, [], "requests elsewhere");
    assert(requests.some((url) => url.endsWith("editor.js")), "the editor is loaded by the app");
  });

  await journey("the first load does not grow", async (page) => {
    await ready(page);
    const loaded = [...new Set(asked.map((path) => path.replace(/\/$/, "/index.html")))].filter((path) => path !== EDITOR);
    const weights = loaded.map((path) => [path.slice(1), weight(join(site, path))]);
    const sum = Math.round(weights.reduce((sum, [, bytes]) => sum + bytes, 0) / 1000);
    console.log(`     ${sum} KB in Brotli (at most ${HEAVIEST}): ${weights.map(([name, bytes]) => `${name} ${Math.round(bytes / 1000)}`).join(", ")}`);
    if (process.env.PLANLOOM_DEBUG_SITE) return console.log("     skipped: a debug build is not weighed");
    assert(weights.some(([name]) => name.includes("planloom-engine_bg")), "the engine is among what is loaded");
    assert(sum <= HEAVIEST, `the first load is ${sum} KB, and may be ${HEAVIEST}`);
  });

  for (const [width, height] of [[1440, 900], [1024, 768], [390, 844]]) {
    await journey(`the whole graph is seen at ${width}, and what is not is shown small`, { width, height }, async (page) => {
      await page.waitForSelector(".chip-plan .chip-action:not(.chip-zero)");
      if (width < 700) await page.getByRole("navigation", { name: "Screens" }).getByRole("button", { name: "View" }).click();
      await until(() => outside(page), (count) => count === 0, "nodes that are cut off");
      await page.setViewportSize({ width: width - 30, height: height - 40 });
      await until(() => outside(page), (count) => count === 0, "nodes that are cut off after a resize");
      equal(await page.locator(".graph-minimap").count(), 0, "minimap while all is seen");
      for (let press = 0; press < 5; press += 1) await page.getByRole("button", { name: "Zoom in" }).click();
      await until(() => outside(page), (count) => count > 0, "zoomed in, something is cut off");
      await page.locator(".graph-minimap").waitFor();
      await page.getByRole("button", { name: "Show all" }).click();
      await until(() => outside(page), (count) => count === 0, "nodes that are cut off when all is shown");
    });
  }

  for (const theme of ["light", "dark"]) {
    for (const [name, width, height] of [["wide", 1440, 900], ["medium", 1024, 768], ["narrow", 390, 844]]) {
      await journey(`${name} ${theme} shows every view without scrolling sideways`, { width, height, theme }, async (page) => {
        await page.waitForSelector(".chip-plan .chip-action:not(.chip-zero)");
        if (name === "narrow") await page.getByRole("navigation", { name: "Screens" }).getByRole("button", { name: "View" }).click();
        for (const view of ["Merged", "Plan", "Links", "Versions", "State", "Controllers", "Services", "Graph"]) {
          await page.getByRole("tab", { name: new RegExp(`^${view}`) }).click();
          await page.waitForTimeout(200);
          await shot(page, `view-${name}-${theme}-${view.toLowerCase()}`);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert(wide <= 0, `${view} is ${wide} pixels wider than the screen`);
        }
      });
    }
  }
}

/** How many nodes are not wholly in their pane. */
const outside = (page) =>
  page.evaluate(() => {
    const pane = document.querySelector(".graph-canvas").getBoundingClientRect();
    const nodes = [...document.querySelectorAll(".graph-node")].map((node) => node.getBoundingClientRect());
    const within = ({ left, top, right, bottom }) => left >= pane.left && top >= pane.top && right <= pane.right && bottom <= pane.bottom;
    return nodes.length === 0 ? -1 : nodes.filter((node) => !within(node)).length;
  });

const weight = (path) =>
  brotliCompressSync(readFileSync(path), { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } }).length;
