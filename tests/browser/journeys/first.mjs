// The first visit: what is there, and how heavy it is.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { append, files, ready, show, untilPlan, untilProblems } from "../app.mjs";
import { accessible, asked, assert, equal, journey, shippedJourney, shot, site, until, untilEqual } from "../harness.mjs";
import { applied, dialog, main, untilChip } from "../live.mjs";

/** The editor loads by itself, beside what the first view needs. */
const EDITOR = "/editor.js";
/** What the first load may weigh without the editor, in KB (1,000 bytes) of Brotli. */
const HEAVIEST = 720;

/** Every example, carried out to its end with the simulator, and destroyed. */
async function simulated() {
  const plans = { release: /^Plan: 1 to destroy/, shop: /create/, render: /create/, links: /create/, versions: /create/ };
  for (const [name, plan] of Object.entries(plans)) {
    await journey(`the example ${name} is carried out to its end and destroyed`, { start: `${name}/plan` }, async (page) => {
      await until(() => page.locator(".chip-plan").getAttribute("title"), (said) => plan.test(said), "the plan");
      if (name === "release") {
        await main(page, "Apply…").click();
        await dialog(page).getByRole("button", { name: "Import the recorded resources" }).click();
        await dialog(page).getByRole("heading", { name: "Apply the plan" }).waitFor();
        await dialog(page).getByRole("button", { name: "Apply 5 changes" }).waitFor();
        await dialog(page).getByText("Simulated: nothing real is created, changed or destroyed.").waitFor();
        await shot(page, "review-simulated");
        const rows = await dialog(page).locator(".review-list li strong").allTextContents();
        equal(rows, ["services.mailer", "services.archive", "services.collector", "services.dashboard"], "what is destroyed and rebuilt");
        await dialog(page).getByRole("button", { name: "Apply 5 changes" }).click();
        await page.locator(".run-said", { hasText: /^Applied: .* in / }).waitFor();
      } else {
        await applied(page);
      }
      await untilPlan(page, "Plan: nothing to do");
      await untilChip(page, /^State: in sync/);
      await show(page, "State");
      await page.getByRole("button", { name: "Destroy everything…" }).click();
      await dialog(page).getByRole("button", { name: /^Destroy \d/ }).click();
      await page.locator(".run-said", { hasText: /^Everything is destroyed in / }).waitFor();
    });
  }

  await journey("a simulator that starts empty is said to miss what the state records", { start: "release/plan" }, async (page) => {
    await untilPlan(page, "Plan: 1 to destroy, 3 to rebuild, 1 to update");
    await main(page, "Apply…").click();
    await dialog(page).getByRole("button", { name: "Start empty" }).click();
    await untilPlan(page, "Plan: 5 to create, 1 to forget");
    await page.keyboard.press("Escape");
    await page.getByText("The simulator does not have 6 resources that this state records.").waitFor();
    await page.getByRole("button", { name: "Import into the simulator" }).click();
    await untilPlan(page, "Plan: 1 to destroy, 3 to rebuild, 1 to update");
    equal(await page.getByRole("button", { name: "Import into the simulator" }).count(), 0, "nothing is missing");
  });
}

export async function first() {
  await journey("the first visit says what this is and opens on a plan that destroys something", { start: "" }, async (page) => {
    await ready(page);
    await page.getByText("Planloom shows what a deployment will do, before, while and after it happens.").waitFor();
    await untilEqual(() => files(page), ["base.yaml", "release.yaml"], "files");
    equal(await page.title(), "field-station – Planloom", "title");
    await untilProblems(page, "No problems");
    await page.getByRole("button", { name: "Plan: 1 to destroy, 3 to rebuild, 1 to update" }).waitFor();
    await page.locator(".plan-row[data-address='services.mailer']").waitFor();
    await page.getByRole("button", { name: "Target: the simulator. Apply creates nothing real" }).waitFor();
    await page.getByRole("button", { name: "All examples" }).first().click();
    const gallery = page.getByRole("dialog", { name: "Examples" });
    await until(() => gallery.locator(".picture-node").count(), (count) => count > 20, "the examples are drawn");
    await shot(page, "gallery");
    await accessible(page, "the gallery");
    await gallery.getByRole("button", { name: /Services that find each other/ }).click();
    await page.getByRole("tab", { name: /^Links/, selected: true }).waitFor();
    await untilEqual(() => files(page), ["shop.yaml", "infra.yaml"], "files of the example");
    equal(await page.getByText("Planloom shows what a deployment will do, before").count(), 0, "the welcome is over");
    await page.getByRole("navigation", { name: "Files" }).getByRole("button", { name: "Examples" }).click();
    await gallery.waitFor();
  });

  await journey("a link to an example opens it, and asks where there is work", async (page, { address }) => {
    await ready(page);
    await append(page, "\n# mine");
    await page.goto(`${address}#example=links`);
    await page.getByText("This link leads to an example.").waitFor();
    await untilEqual(() => files(page), ["base.yaml", "prod.yaml"], "nothing is replaced unasked");
    await page.getByRole("button", { name: "Open it here" }).click();
    await until(() => files(page), (now) => now.join() === "shop.yaml,infra.yaml", "the example is there");
    await page.getByRole("button", { name: /^Undo / }).click();
    await until(() => files(page), (now) => now.join() === "base.yaml,prod.yaml", "what was there before is back");
  });

  await journey("a link to an example that does not exist says so and shows those that do", async (page, { address }) => {
    await ready(page);
    await page.goto(`${address}#example=gone`);
    await page.getByRole("dialog", { name: "Examples" }).waitFor();
    await page.getByText("There is no example named “gone”.").waitFor();
    await untilEqual(() => files(page), ["base.yaml", "prod.yaml"], "nothing is replaced");
  });

  await simulated();

  await journey("nothing is asked of another host", async (page, { address }) => {
    const requests = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.reload();
    await ready(page);
    const elsewhere = requests.filter((url) => !url.startsWith(address) && !url.startsWith("data:") && !url.startsWith("blob:"));
    equal(elsewhere, [], "requests elsewhere");
    assert(requests.some((url) => url.endsWith("editor.js")), "the editor is loaded by the app");
  });

  await shippedJourney("the first load does not grow", { start: "" }, async (page) => {
    await ready(page);
    const loaded = [...new Set(asked.map((path) => path.replace(/\/$/, "/index.html")))].filter((path) => path !== EDITOR);
    const weights = loaded.map((path) => [path.slice(1), weight(join(site, path))]);
    const sum = Math.round(weights.reduce((sum, [, bytes]) => sum + bytes, 0) / 1000);
    console.log(`     ${sum} KB in Brotli (at most ${HEAVIEST}): ${weights.map(([name, bytes]) => `${name} ${Math.round(bytes / 1000)}`).join(", ")}`);
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
        for (const view of ["Merged", "Plan", "Links", "Versions", "State", "Compare", "Controllers", "Services", "Graph"]) {
          await page.getByRole("tab", { name: new RegExp(`^${view}`) }).click();
          await accessible(page, view);
          await shot(page, `view-${name}-${theme}-${view.toLowerCase()}`);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert(wide <= 0, `${view} is ${wide} pixels wider than the screen`);
          await untilEqual(() => page.locator(".work-rail").isVisible(), name !== "narrow", `the files beside ${view}`);
        }
      });
    }
  }
}

/** How many nodes are not wholly in their pane. */
const outside = (page) =>
  page.evaluate(() => {
    const pane = document.querySelector(".graph-canvas")?.getBoundingClientRect();
    if (!pane) return -1; // The view is loaded when it is first shown.
    const nodes = [...document.querySelectorAll(".graph-node")].map((node) => node.getBoundingClientRect());
    const within = ({ left, top, right, bottom }) => left >= pane.left && top >= pane.top && right <= pane.right && bottom <= pane.bottom;
    return nodes.length === 0 ? -1 : nodes.filter((node) => !within(node)).length;
  });

const weight = (path) =>
  brotliCompressSync(readFileSync(path), { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } }).length;
