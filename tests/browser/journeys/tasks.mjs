// The tasks that a person comes with, each by keyboard alone: nothing is clicked, and what is waited for is what is read.
import { chord, example, keepFile, ready, services, settledPlan, stored, untilErrors, untilPlan, untilProblems } from "../app.mjs";
import { accessible, assert, equal, journey, shot, until } from "../harness.mjs";

const dialog = (page) => page.getByRole("dialog");

/** Presses keys one after the other. */
async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

/** Gives a command of the palette. */
async function give(page, words) {
  await press(page, chord("k"));
  await page.getByRole("combobox", { name: "Find a command" }).waitFor();
  await page.keyboard.type(words);
  await press(page, "Enter");
}

/** Goes on with Tab until something has the focus. */
async function tabTo(page, locator, key = "Tab") {
  for (let times = 0; times < 150; times += 1) {
    if ((await locator.count()) > 0 && (await locator.first().evaluate((it) => it === document.activeElement))) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${locator} never had the focus; it is at ${await page.evaluate(() => document.activeElement.outerHTML.slice(0, 120))}`);
}

/** Puts the focus into the view. */
async function inView(page) {
  for (let times = 0; times < 6; times += 1) {
    if (await page.evaluate(() => document.activeElement.closest(".work-view") !== null)) return;
    await press(page, "F6");
  }
}

/** Puts the focus into the text. */
async function inEditor(page) {
  for (let times = 0; times < 6; times += 1) {
    if (await page.evaluate(() => document.activeElement.classList.contains("cm-content"))) return;
    await press(page, "F6");
  }
}

const VIEW = { Graph: 1, Merged: 2, Plan: 3, Links: 4, Versions: 5, State: 6, Compare: 7 };
const go = (page, view) => press(page, `Alt+Digit${VIEW[view]}`);

/** Opens the merged document and goes to the line of the version, whose card is then open. */
async function toVersion(page) {
  await go(page, "Merged");
  await page.locator(".merged-lines").waitFor();
  await inView(page);
  await tabTo(page, page.locator(".merged-lines"));
  const card = page.getByRole("group", { name: "Origin of meta.version" });
  for (let times = 0; times < 30 && (await card.count()) === 0; times += 1) await press(page, "ArrowDown");
  return card;
}

export async function tasks() {
  await journey("task: the first minute", { start: "" }, async (page) => {
    await ready(page);
    await page.getByText("Planloom shows what a deployment will do").waitFor();
    await untilPlan(page, "Plan: 1 to destroy, 3 to rebuild, 1 to update");
    await give(page, "show all examples");
    const gallery = page.getByRole("dialog", { name: "Examples" });
    await gallery.waitFor();
    await tabTo(page, gallery.getByRole("button", { name: /Services that find each other/ }));
    await press(page, "Enter");
    await page.getByRole("tab", { name: /^Links/, selected: true }).waitFor();
  });

  await journey("task: find who set a value", async (page) => {
    await ready(page);
    const card = await toVersion(page);
    await card.getByText("prod.yaml").first().waitFor();
    await press(page, "Enter");
    await page.locator(".editor-head .layer-name", { hasText: "prod.yaml" }).waitFor();
    await page.locator(".pl-overridden, .pl-revealed, .pl-revealed-line").first().waitFor();
  });

  await journey("task: fix a broken reference", async (page) => {
    await ready(page);
    await give(page, "Open prod.yaml");
    await page.locator(".editor-head .layer-name", { hasText: "prod.yaml" }).waitFor();
    await inEditor(page);
    await press(page, chord("End"));
    await page.keyboard.insertText("  cache: {payload: web, network: defalt}\n");
    await untilErrors(page);
    await press(page, "F8", chord("."));
    await page.locator(".pl-fix").first().waitFor();
    await until(() => page.evaluate(() => document.activeElement.classList.contains("pl-fix")), Boolean, "the fix has the focus");
    await press(page, "Enter");
    await untilProblems(page, "No problems");
    assert((await stored(page, "prod.yaml")).includes("network: default}"), "the reference is written");
  });

  await journey("task: see what a change destroys, and why", { start: "release" }, async (page) => {
    await ready(page);
    await go(page, "Plan");
    await inView(page);
    await tabTo(page, page.locator(".plan-row[data-address='services.mailer'] .plan-row-toggle"));
    await press(page, "Shift+?");
    await page.getByRole("dialog", { name: "Why services.mailer" }).waitFor();
    await accessible(page, "the reasons");
    await shot(page, "why-1440-light");
    await press(page, "Escape");
    await tabTo(page, page.locator(".plan-group[data-action='rebuild'] .plan-row-toggle, .plan-row-toggle").nth(1));
    await press(page, "Shift+?");
    const why = page.getByRole("dialog", { name: /^Why / });
    await why.locator(".why-value").first().waitFor();
    await tabTo(page, why.locator(".why-value .place").first());
    await press(page, "Enter");
    await page.locator(".editor-head .layer-name", { hasText: ".yaml" }).waitFor();
    equal(await why.count(), 0, "the place is shown");
  });

  await journey("task: compare two environments", { start: "environments" }, async (page) => {
    await ready(page);
    await go(page, "Compare");
    await page.locator(".comparison-sentence", { hasText: "From staging to production" }).waitFor();
    await inView(page);
    await tabTo(page, page.getByLabel("After", { exact: true }));
    await press(page, "ArrowUp");
    await page.locator(".comparison-sentence", { hasText: /^From staging to (?!production)/ }).or(page.getByText("The same point on both sides")).waitFor();
    await press(page, "ArrowDown");
    await page.locator(".comparison-sentence", { hasText: "From staging to production" }).waitFor();
    await tabTo(page, page.locator(".comparison-resource .place").first());
    await press(page, "Enter");
    await page.locator(".editor-head .layer-name").waitFor();
  });

  await journey("task: rename a service safely", async (page) => {
    await ready(page);
    const before = await settledPlan(page);
    await give(page, "Open base.yaml");
    await inEditor(page);
    await give(page, "Outline of the file");
    await page.getByRole("combobox", { name: "Find a command" }).waitFor();
    await page.keyboard.type("db");
    await press(page, "Enter");
    await until(() => page.evaluate(() => document.activeElement.classList.contains("cm-content")), Boolean, "the text has the focus");
    await press(page, "F2");
    await dialog(page).getByLabel("New name").waitFor();
    await page.keyboard.type("store");
    await dialog(page).getByText(/^Changes \d+ places? in \d+ files?\.$/).waitFor();
    await press(page, "Enter");
    await until(() => stored(page, "base.yaml"), (text) => text.includes("${services.store.network_node.ip}"), "the references follow");
    await untilPlan(page, before);
    await untilProblems(page, "No problems");
  });

  await journey("task: write a merged value to the right file", async (page) => {
    await ready(page);
    await toVersion(page);
    await press(page, "e");
    const field = page.getByLabel("New value, as YAML");
    await until(() => field.evaluate((it) => it === document.activeElement), Boolean, "the field has the focus");
    await press(page, chord("a"));
    await page.keyboard.type('"0.3.0"');
    await press(page, "Enter");
    await until(() => stored(page, "prod.yaml"), (text) => text.includes('version: "0.3.0"'), "it is written where it counts");
    assert(!(await stored(page, "base.yaml")).includes("0.3.0"), "and nowhere else");
  });

  await journey("task: carry out an example to its end, and destroy it", async (page) => {
    await ready(page);
    await go(page, "Plan");
    const main = (name) => page.locator(".main-button").and(page.getByRole("button", { name, exact: true })).first();
    await tabTo(page, main("Apply…"));
    await press(page, "Enter");
    const approve = dialog(page).getByRole("button", { name: /^Apply \d/ });
    await approve.waitFor();
    await tabTo(page, approve);
    await press(page, "Enter");
    await page.locator(".run-said", { hasText: /^Applied/ }).waitFor();
    await tabTo(page, page.getByRole("button", { name: "Close report" }));
    await press(page, "Enter");
    await inView(page);
    await tabTo(page, page.getByRole("group", { name: "Mode" }).getByRole("button", { name: "Destroy" }));
    await press(page, "Enter");
    await untilPlan(page, "Plan: 4 to destroy");
    await tabTo(page, page.locator(".main-button").first(), "Shift+Tab");
    await press(page, "Enter");
    const destroy = dialog(page).getByRole("button", { name: /^Destroy \d/ });
    await destroy.waitFor();
    const typed = dialog(page).getByRole("textbox");
    if ((await typed.count()) > 0) {
      await tabTo(page, typed.first());
      await page.keyboard.type("sample-shop");
    }
    await tabTo(page, destroy);
    await press(page, "Enter");
    await page.locator(".run-said", { hasText: "Everything is destroyed" }).waitFor();
  });

  await journey("task: review a plan by link", { start: "release" }, async (page, { context }) => {
    await ready(page);
    await page.evaluate(() => {
      navigator.clipboard.writeText = async (text) => void (window.copied = text);
    });
    const said = await settledPlan(page);
    await give(page, "Copy a link");
    const link = await until(() => page.evaluate(() => window.copied), (text) => text?.includes("#s="), "the link");
    const reviewer = await (await context.browser().newContext({ serviceWorkers: "block" })).newPage();
    await reviewer.goto(link);
    await reviewer.locator(".plan-row[data-address='services.mailer']").waitFor();
    await untilPlan(reviewer, said);
    await inView(reviewer);
    await tabTo(reviewer, reviewer.locator(".plan-row .plan-row-toggle").first());
    await press(reviewer, "Enter");
    await reviewer.locator(".plan-row.open").waitFor();
    await reviewer.context().close();
  });

  await journey("task: find one of a thousand services and its neighbours", { before: (_, context) => keepFile(context, services(1_000)) }, async (page) => {
    const view = page.locator(".graph-view");
    await view.waitFor();
    await go(page, "Graph");
    await inView(page);
    await tabTo(page, view);
    await press(page, "/");
    await page.keyboard.type("s777");
    await page.locator(".pane-hits", { hasText: "1 match" }).waitFor();
    await press(page, "Enter");
    await page.locator(".graph-node[data-address='services.s777'][data-selected]").waitFor();
    await press(page, "Escape", "Escape");
    await until(() => page.evaluate(() => document.activeElement.className), (now) => now === "graph-view", "the drawing has the focus");
    await press(page, "Enter");
    await page.getByRole("button", { name: "Around services.s777" }).waitFor();
  });

  await journey("task: a graph is exported in four forms", async (page) => {
    await ready(page);
    await page.locator(".graph-view").hover();
    const save = page.getByRole("button", { name: "Save the graph" });
    for (const [what, name] of [["SVG", "graph.svg"], ["PNG", "graph.png"], ["DOT", "graph.dot"], ["Mermaid", "graph.mmd"]]) {
      await save.click();
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: `Save as ${what}` }).click()]);
      equal(download.suggestedFilename(), name, "the file's name");
    }
  });

  await journey("task: a catalog of 50 MB is there after a reload", async (page) => {
    await ready(page);
    const bundle = (number) => [
      "---",
      "schema: olm.bundle",
      "package: large",
      `name: large.v1.${number}.0`,
      "properties:",
      `- {type: olm.package, value: {packageName: large, version: 1.${number}.0}}`,
      "- type: olm.csv.metadata",
      `  value: {description: "${"One of many words in it. ".repeat(100)}"}`,
    ].join("\n");
    const numbers = Array.from({ length: 20_000 }, (_, number) => number);
    const channel = `schema: olm.channel\npackage: large\nname: stable\nentries:\n${numbers.map((number) => `- {name: large.v1.${number}.0${number > 0 ? `, replaces: large.v1.${number - 1}.0` : ""}}`).join("\n")}`;
    const large = ["---\nschema: olm.package\nname: large\ndefaultChannel: stable", `---\n${channel}`, ...numbers.map(bundle)].join("\n");
    const catalog = `${example("versions", "catalog.yaml")}${large}\n`;
    const began = Date.now();
    await page.evaluate((text) => {
      const files = new DataTransfer();
      files.items.add(new File([text], "catalog.yaml"));
      const field = document.getElementById("pick-files");
      field.files = files.files;
      field.dispatchEvent(new Event("change", { bubbles: true }));
    }, catalog);
    await until(() => page.locator(".rail-name").allTextContents(), (names) => names.includes("catalog.yaml"), "the catalog");
    await page.waitForSelector("html:not([data-unsaved])", { state: "attached" });
    const size = (await stored(page, "catalog.yaml")).length;
    assert(size > 50_000_000, `${size} bytes are kept`);
    await page.reload();
    await page.getByText("catalog.yaml").first().waitFor();
    equal((await stored(page, "catalog.yaml")).length, size, "all of it is there");
    await page.getByRole("tab", { name: /^Versions/ }).click();
    await page.getByRole("button", { name: /^Catalogs|^Packages/ }).first().waitFor();
    console.log(`     ${Math.round((Date.now() - began) / 1_000)} seconds from dropping it to its versions after the reload`);
  });
}
