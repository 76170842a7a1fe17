// The Controllers view: a chain at work, in a worker that is loaded only for it.
import { ready, show } from "../app.mjs";
import { accessible, asked, assert, equal, journey, shot, until } from "../harness.mjs";

const table = (page, kind) => page.locator(`[data-kind="${kind}"]`);
const row = (page, kind, id) => table(page, kind).locator(`[data-resource="${id}"]`);
const said = (page, kind, id) => row(page, kind, id).locator(".controllers-says").innerText();
const ids = (page, kind) => table(page, kind).locator("tbody tr").evaluateAll((rows) => rows.map((row) => row.dataset.resource));
const controller = (page, id) => page.locator(`[data-controller="${id}"]`);
const state = (page, id) => controller(page, id).locator(".controllers-state").innerText();

/** How often something went through an edge. */
const count = async (page, edge) => Number(await page.locator(`[data-edge="${edge}"] .wire-count`).textContent());

/** The view, once nothing is left to do. */
async function settled(page) {
  await until(() => ids(page, "Sentences"), (now) => now.length >= 5, "the first sentences");
  await until(() => page.locator(".controllers-state").allInnerTexts(), (all) => all.every((it) => it === "idle"), "all idle");
}

async function add(page, number) {
  await page.getByRole("textbox", { name: "New number" }).fill(number);
  await page.keyboard.press("Enter");
}

export async function controllers() {
  await journey("controllers: the first load does not fetch them", async (page) => {
    await ready(page);
    for (const view of ["Merged", "Plan", "State", "Graph"]) await show(page, view);
    assert(asked.some((url) => url.includes("planloom-engine_bg.wasm")), "the engine is fetched");
    equal(asked.filter((url) => url.includes("planloom-controllers")), [], "what is fetched of the controllers");
    await show(page, "Controllers");
    await settled(page);
    assert(asked.some((url) => url.includes("planloom-controllers_bg.wasm")), "they are fetched when the view is opened");
  });

  await journey("controllers: a number goes through the chain", async (page) => {
    await ready(page);
    await show(page, "Controllers");
    await settled(page);
    equal(await page.locator(".controllers-svg [data-node]").count(), 7, "boxes");
    const before = await count(page, "root|exclusive|example|Roots|");
    await add(page, "25");
    await until(() => ids(page, "Roots"), (now) => now.includes("d"), "its root");
    equal(await said(page, "Roots", "d"), "√25 = 5", "the root");
    equal(await state(page, "tell"), "running", "the slow step is seen");
    await until(() => ids(page, "Sentences"), (now) => now.includes("d"), "its sentence");
    equal(await said(page, "Sentences", "d"), "The square root of 25 is 5.", "the sentence");
    equal(await said(page, "Sentences", "all-odd"), "2 odd numbers add up to 34.", "the sum");
    equal(await row(page, "Numbers", "d").locator('[data-label="Held by"]').innerText(), "root", "who holds it");
    const after = await count(page, "root|exclusive|example|Roots|");
    assert(after > before, `the count of the edge moves: ${before}, then ${after}`);
    assert((await page.locator('[data-edge="root|exclusive|example|Roots|"] .wire-pulse').count()) === 1, "the edge pulses");
    // Changed in place.
    const field = page.getByRole("textbox", { name: "Number a" });
    await field.fill("100");
    await field.press("Enter");
    await until(() => said(page, "Sentences", "a"), (now) => now === "The square root of 100 is 10.", "the changed sentence");
    await settledAgain(page);
    await shot(page, "controllers-moving");
  });

  await journey("controllers: what fails is tried again, and goes with all that came of it", async (page) => {
    await ready(page);
    await show(page, "Controllers");
    await settled(page);
    const field = page.getByRole("textbox", { name: "Number b" });
    await field.fill("-4");
    await field.press("Enter");
    await until(() => state(page, "root"), (now) => now === "backing off", "root backs off");
    const error = controller(page, "root").locator(".controllers-error");
    await until(() => error.innerText(), (now) => /−4 has no square root\. It is retried at \d\d:\d\d:\d\d/.test(now), "the error in words");
    await until(() => page.locator('[data-node="controller:root"]').textContent(), (now) => /[2-9] failed/.test(now), "failures are counted");
    await shot(page, "controllers-failing");
    // What came of it before stays until it goes.
    equal(await said(page, "Roots", "b"), "√2 = 1.414", "the last good root");
    await page.getByRole("button", { name: "Remove b" }).click();
    await row(page, "Numbers", "b").locator('[data-label="Phase"]', { hasText: "tearing down" }).waitFor();
    await until(() => ids(page, "Roots"), (now) => !now.includes("b"), "its root is gone");
    await until(() => ids(page, "Numbers"), (now) => !now.includes("b"), "it is gone");
    equal((await ids(page, "Sentences")).includes("b"), false, "its sentence");
    await settledAgain(page);
  });

  await journey("controllers: a stopped runtime lets nothing go", async (page) => {
    await ready(page);
    await show(page, "Controllers");
    await settled(page);
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.getByText("The runtime is stopped").waitFor();
    await page.getByRole("button", { name: "Remove c" }).click();
    await row(page, "Numbers", "c").locator('[data-label="Phase"]', { hasText: "tearing down" }).waitFor();
    await page.waitForTimeout(1500);
    equal(await row(page, "Numbers", "c").locator('[data-label="Held by"]').innerText(), "root", "who holds it");
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await until(() => ids(page, "Numbers"), (now) => !now.includes("c"), "it is gone");
    // The view can be left: the chain is there still.
    await show(page, "Graph");
    await show(page, "Controllers");
    equal(await ids(page, "Numbers"), ["a", "b"], "numbers");
  });

  await journey("controllers: by keyboard, and taken along", async (page, { context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await ready(page);
    await page.keyboard.press("Alt+Digit7");
    await settled(page);
    await page.getByRole("button", { name: "Copy the graph as Mermaid" }).press("Enter");
    const copied = await until(() => page.evaluate(() => navigator.clipboard.readText()), (text) => text.startsWith("flowchart"), "Mermaid");
    assert(copied.includes("root") && copied.includes("example/Numbers"), copied);
    const link = controller(page, "tell").getByRole("button", { name: "Sentences" });
    await link.focus();
    await page.keyboard.press("Enter");
    equal(await page.evaluate(() => document.activeElement.id), "controllers-kind-Sentences", "the focus follows the link");
    await add(page, "x");
    await page.getByText("Write a whole number up to a billion.").waitFor();
    // What is being written stays while the table changes.
    const field = page.getByRole("textbox", { name: "Number a" });
    await field.fill("1");
    await add(page, "36");
    await until(() => ids(page, "Sentences"), (now) => now.includes("d"), "the other sentence");
    equal(await field.inputValue(), "1", "what was written");
  });

  await journey("controllers: when they cannot be loaded", { expected: /planloom-controllers|ERR_FAILED|Failed to load/ }, async (page, { context }) => {
    await context.route("**/planloom-controllers*", (route) => route.abort());
    await ready(page);
    await show(page, "Controllers");
    await page.getByText("The controllers are not available").waitFor();
    await accessible(page, "the error");
    await shot(page, "controllers-error");
    await context.unroute("**/planloom-controllers*");
    await page.getByRole("button", { name: "Try again" }).click();
    await settled(page);
  });

  for (const theme of ["light", "dark"]) {
    for (const [name, width, height] of [["wide", 1440, 900], ["narrow", 390, 844]]) {
      await journey(`controllers: ${name} ${theme} is for everyone`, { width, height, theme, hasTouch: name === "narrow" }, async (page) => {
        await page.waitForSelector(".chip-plan .chip-action:not(.chip-zero)");
        if (name === "narrow") await page.getByRole("navigation", { name: "Screens" }).getByRole("button", { name: "View" }).click();
        await show(page, "Controllers");
        await settled(page);
        await add(page, "-9");
        await until(() => state(page, "root"), (now) => now === "backing off", "root backs off");
        await accessible(page, "the controllers");
        await shot(page, `controllers-${name}-${theme}`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert(wide <= 0, `it is ${wide} pixels wider than the screen`);
        const pane = await page.locator(".controllers-scroll").evaluate((it) => it.scrollWidth - it.clientWidth);
        assert(pane <= 0, `the pane is ${pane} pixels too wide`);
        await page.locator(".controllers-scroll").evaluate((it) => it.scrollTo(0, it.scrollHeight / 3));
        await shot(page, `controllers-${name}-${theme}-2`);
        await page.locator(".controllers-scroll").evaluate((it) => it.scrollTo(0, it.scrollHeight));
        await shot(page, `controllers-${name}-${theme}-3`);
      });
    }
  }

  await journey("controllers: nothing pulses when motion is not wanted", { reducedMotion: "reduce" }, async (page) => {
    await ready(page);
    await show(page, "Controllers");
    await settled(page);
    await add(page, "49");
    await until(() => ids(page, "Sentences"), (now) => now.includes("d"), "its sentence");
    equal(await page.evaluate(() => document.getAnimations().filter((it) => it.playState === "running").length), 0, "animations");
    const shown = await page.locator(".wire-pulse").first().evaluate((it) => getComputedStyle(it).display);
    equal(shown, "none", "the pulse");
  });

  await journey("controllers: an idle chain tells nothing", async (page) => {
    await ready(page);
    await page.evaluate(() => {
      window.told = 0;
      new MutationObserver((changes) => (window.told += changes.length)).observe(document.querySelector(".work-view"), { subtree: true, childList: true, characterData: true, attributes: true });
    });
    await show(page, "Controllers");
    await settled(page);
    await page.waitForTimeout(600);
    const before = await page.evaluate(() => window.told);
    await page.waitForTimeout(1500);
    equal(await page.evaluate(() => window.told), before, "changes of the page while nothing happens");
  });
}

async function settledAgain(page) {
  await until(() => page.locator(".controllers-state").allInnerTexts(), (all) => all.every((it) => it === "idle"), "all idle again");
}
