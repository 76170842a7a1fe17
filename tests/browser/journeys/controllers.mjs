// The Controllers view: what carries out the plan of the workspace, live.
import { append, ready, show } from "../app.mjs";
import { accessible, asked, assert, equal, journey, shot, until, untilEqual } from "../harness.mjs";
import { apply, main, pace } from "../live.mjs";

const controller = (page, id) => page.locator(`[data-controller="${id}"]`);
const state = (page, id) => controller(page, id).locator(".controllers-state").innerText();
const ids = (page) => page.locator("[data-controller]").evaluateAll((rows) => rows.map((row) => row.dataset.controller));
const runs = async (page, id) => Number((await controller(page, id).locator(".controllers-runs").innerText()).match(/^(\d+) ok/)?.[1] ?? 0);

const all = ["observe", "plan", "schedule", "execute", "lease", "watch"];

export async function controllers() {
  await journey("controllers: those that carry out the plan are shown, and nothing else", async (page) => {
    await ready(page);
    for (const view of ["Merged", "Plan", "Graph"]) await show(page, view);
    equal(asked.filter((url) => /engine_apply|apply\.css/.test(url)), [], "nothing that applies is loaded before");
    await show(page, "Controllers");
    await until(() => ids(page), (now) => now.join() === all.join(), "the controllers");
    await until(() => runs(page, "observe"), (count) => count > 0, "it has looked");
    await until(() => runs(page, "plan"), (count) => count > 0, "and planned");
    await untilEqual(() => state(page, "watch"), "stopped", "nobody watches");
    await untilEqual(() => page.locator(".controllers-svg [data-node^='controller:']").count(), 5, "boxes of controllers");
    await controller(page, "execute").getByText("reads decisions").waitFor();
    await accessible(page, "the controllers");
    await shot(page, "controllers");
  });

  await journey("controllers: a run is seen in them while it goes on", async (page) => {
    await ready(page);
    await pace(page, "Slow");
    await apply(page);
    await show(page, "Controllers");
    await until(() => state(page, "execute"), (now) => now === "running", "it creates");
    await until(() => runs(page, "execute"), (count) => count >= 4, "all steps were carried out");
    await until(() => state(page, "execute"), (now) => now === "idle", "it is done");
    assert((await runs(page, "schedule")) >= 4, "each step was scheduled");
  });

  await journey("controllers: the watch is among them while it is on", async (page) => {
    await ready(page);
    await pace(page, "Instant");
    await apply(page);
    await page.locator(".run-said", { hasText: /^Applied/ }).waitFor();
    await show(page, "State");
    await page.getByRole("button", { name: "Keep in sync" }).click();
    await show(page, "Controllers");
    await until(() => state(page, "watch"), (now) => now === "running", "it watches");
    const before = await runs(page, "observe");
    await until(() => runs(page, "observe"), (count) => count > before, "it looks again and again");
  });

  await journey("controllers: files with errors are carried out by nobody", async (page) => {
    await ready(page);
    await append(page, "\nservices: [");
    await page.locator(".pl-problem-error").first().waitFor();
    await show(page, "Controllers");
    await page.getByText("Nothing is applied").waitFor();
    assert(await main(page, "Review plan").isVisible(), "the page works on");
  });

  await journey("controllers: the graph is copied as text", { permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
    await ready(page);
    await show(page, "Controllers");
    await until(() => ids(page), (now) => now.length === all.length, "the controllers");
    await page.getByRole("button", { name: "Copy the graph as Mermaid" }).click();
    await page.getByText("Copied the graph of the controllers").waitFor();
    assert((await page.evaluate(() => navigator.clipboard.readText())).startsWith("flowchart"), "Mermaid");
  });
}
