// Environments, two points side by side, and links that a plan is reviewed by.
import { append, command, files, open, problems, ready, show, stored, untilPlan, untilSaved } from "../app.mjs";
import { accessible, assert, equal, journey, shot, until, untilEqual } from "../harness.mjs";

const pane = (page) => page.getByRole("region", { name: "Compare", exact: true });
const side = (page, name) => pane(page).getByLabel(name, { exact: true });
const chosen = async (page) =>
  Promise.all(["Before", "After"].map((name) => side(page, name).evaluate((select) => select.selectedOptions[0].textContent)));
const resource = (page, address) => page.locator(`.comparison-resource[data-address='${address}']`);
const environment = (page) => page.getByRole("combobox", { name: "Environment" });
const sentence = (page) => page.locator(".comparison-sentence");

const ENVIRONMENTS = { start: "environments" };

/** Keeps the text that is copied, in a page that has no clipboard. */
const listen = (page) =>
  page.evaluate(() => {
    navigator.clipboard.writeText = async (text) => void (window.copied = text);
  });

export async function comparing() {
  await journey("two environments stand side by side, each value with its place", ENVIRONMENTS, async (page) => {
    await ready(page);
    equal(await chosen(page), ["staging", "production"], "what is compared");
    await sentence(page).getByText(/^From staging to production: 1 resource added, 1 resource removed, 2 resources changed; 1 unchanged\./).waitFor();
    await sentence(page).getByText(/Applying production where staging is deployed: 1 to destroy, /).waitFor();
    const store = resource(page, "services.store");
    await store.getByText("rebuild", { exact: true }).waitFor();
    await store.getByText("512m").waitFor();
    await store.getByText("4g").waitFor();
    await page.getByText("services.pages needs services.mail").waitFor();
    await accessible(page, "the comparison");
    await shot(page, "comparison-1440-light");
    await resource(page, "services.replica").getByTitle(/^go to production\.yaml/).first().click();
    await page.locator(".editor-head .layer-name", { hasText: "production.yaml" }).waitFor();
    await pane(page).getByRole("button", { name: "Swap both sides" }).click();
    await sentence(page).getByText(/^From production to staging: 1 resource added/).waitFor();
    await show(page, "Plan");
    await show(page, "Compare");
    equal(await chosen(page), ["production", "staging"], "what was chosen is kept");
  });

  await journey("both graphs are one drawing, and a click on a resource leads to how it differs", ENVIRONMENTS, async (page) => {
    await ready(page);
    const drawing = pane(page).getByRole("figure", { name: /^Both graphs as one: \d+ of \d+ resources$/ });
    await drawing.waitFor();
    const drawn = async () => JSON.parse((await drawing.locator(".graph-view").getAttribute("data-drawn")) || "{}");
    const { all, sort } = await until(drawn, ({ all }) => all > 0, "the drawing");
    equal(sort, "comparison", "what is drawn");
    equal(all, 5, "the resources of both sides");
    await drawing.locator(".graph-node[data-address='services.replica']").click();
    await until(
      () => page.evaluate(() => document.activeElement?.dataset.address),
      (address) => address === "services.replica",
      "the resource in the list",
    );
    await accessible(page, "the drawing of a comparison");
    await shot(page, "comparison-drawing-1440-light");
  });

  await journey("any two points of time are pinned by mouse and by keyboard", async (page) => {
    await ready(page);
    await open(page, "prod.yaml");
    for (const name of ["cache", "queue"]) {
      await append(page, `\n  ${name}: {payload: web, network: default}\n`);
      await page.waitForTimeout(1200); // typing that goes on is one change
    }
    await untilPlan(page, "Plan: 6 to create");
    await show(page, "Compare");
    const [before, after] = ["Before", "After"].map((name) => pane(page).getByRole("slider", { name: `${name}, on the time line` }));
    await untilEqual(() => pane(page).locator(".timeline-dot").count(), 3, "two changes and now");
    await untilEqual(() => after.getAttribute("aria-valuetext"), "now", "the last point");
    await resource(page, "services.cache").getByText("added").waitFor();
    await before.focus();
    await page.keyboard.press("ArrowRight");
    await sentence(page).getByText(/^From before: typing in prod\.yaml, .+ to now: 1 resource added/).waitFor();
    equal(await resource(page, "services.cache").count(), 0, "it was there before the second change");
    const line = await pane(page).locator(".timeline-dots").boundingBox();
    await page.mouse.click(line.x + 2, line.y + line.height / 2);
    await sentence(page).getByText(/ to now: 2 resources added/).waitFor();
    await after.focus();
    await page.keyboard.press("ArrowLeft");
    await sentence(page).getByText(/ to before: typing in prod\.yaml, .+: 1 resource added/).waitFor();
    await accessible(page, "the time line");
    await shot(page, "comparison-timeline-1440-light");
  });

  await journey("a comparison is taken along as Markdown", ENVIRONMENTS, async (page) => {
    await ready(page);
    await sentence(page).waitFor();
    await listen(page);
    await pane(page).getByRole("button", { name: "Markdown" }).click();
    const text = await until(() => page.evaluate(() => window.copied), (text) => text, "the text");
    assert(text.startsWith("### `production` compared with `staging`") && text.includes("- − `services.mail` → **destroy**"), text);
  });

  await journey("an environment is named, used, kept and undone", async (page) => {
    await ready(page);
    equal(await page.locator(".environments").count(), 0, "nothing is said of environments before there is one");
    await page.getByRole("navigation", { name: "Files" }).getByRole("button", { name: "prod.yaml", exact: false }).first().focus();
    await page.keyboard.press("m");
    await page.getByRole("button", { name: "Save…" }).click();
    await page.getByLabel("Name of the environment").fill("development");
    await page.keyboard.press("Enter");
    await until(() => environment(page).evaluate((it) => it.selectedOptions[0].textContent), (name) => name === "development", "it is used");
    await environment(page).selectOption({ label: "All files" });
    await until(() => page.locator(".rail-row.muted").count(), (count) => count === 0, "all files are used");
    await untilSaved(page);
    await page.reload();
    await ready(page);
    await environment(page).selectOption({ label: "development" });
    await until(() => page.locator(".rail-row.muted").allTextContents(), (rows) => rows.length === 1 && rows[0].includes("prod.yaml"), "it is kept");
    await page.getByRole("button", { name: /^Undo use the environment development/ }).click();
    await until(() => page.locator(".rail-row.muted").count(), (count) => count === 0, "undone");
    await environment(page).selectOption({ label: "development" });
    await page.getByRole("button", { name: /^Remove the environment development/ }).click();
    await until(() => environment(page).evaluate((it) => it.selectedOptions[0].textContent), (name) => name === "1 muted", "its files stay as they are");
    await accessible(page, "environments");
  });

  await journey("how it was before a change is compared with now", async (page) => {
    await ready(page);
    await open(page, "prod.yaml");
    await append(page, "\n  cache: {payload: web, network: default}\n");
    await untilPlan(page, "Plan: 5 to create");
    await show(page, "Compare");
    equal(await chosen(page), ["before: typing in prod.yaml", "now"], "the first change and now");
    await resource(page, "services.cache").getByText("added").waitFor();
    const text = pane(page).getByRole("button", { name: /^prod\.yaml \d+ lines? added, 0 lines removed$/ });
    await text.press("Enter");
    const added = page.getByRole("region", { name: "now", exact: true }).locator(".changed");
    assert((await added.allTextContents()).includes("  cache: {payload: web, network: default}\n"), "the line that was added is marked");
    await accessible(page, "two texts beside each other");
    await text.press("Enter");
    equal(await added.count(), 0, "the texts are folded again");
    await append(page, "#");
    await resource(page, "services.cache").waitFor();
    await untilEqual(() => pane(page).locator(".comparison-resource").count(), 1, "a comment is no difference");
  });

  await journey("a state is compared with the files, and what cannot be read says so", { start: "release" }, async (page) => {
    await ready(page);
    await show(page, "Compare");
    equal(await chosen(page), ["recorded state, revision 11", "now"], "the state and the files");
    await resource(page, "services.mailer").getByText("removed", { exact: true }).waitFor();
    await open(page, "release.yaml");
    await append(page, "\nservices: [");
    await page.getByText("Nothing is compared").waitFor();
    await page.getByText(/^now has \d+ errors?\. Fix (it|them) first; then both can be compared\.$/).waitFor();
  });

  await journey("files of the disk are compared without being opened", async (page) => {
    await ready(page);
    await show(page, "Compare");
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), pane(page).getByRole("button", { name: "Files…" }).click()]);
    const text = await stored(page, "base.yaml");
    await chooser.setFiles([{ name: "base.yaml", mimeType: "application/yaml", buffer: Buffer.from(text) }]);
    await until(() => chosen(page), ([before]) => before === "base.yaml", "the file of the disk");
    await sentence(page).getByText(/^From base\.yaml to now: /).waitFor();
    await untilEqual(() => files(page), ["base.yaml", "prod.yaml"], "nothing was added");
  });

  await journey("a plan is reviewed by link: layers, environment, view and state, and no secret", ENVIRONMENTS, async (page, { context }) => {
    await ready(page);
    await open(page, "base.yaml");
    await append(page, "\n# under review\n");
    const vault = "payloads:\n  vault: {runtime: vm, capabilities: [vpn], params: {image_tag: forum/vault:1.0, password: hunter2hunter2}}\nservices:\n  vault: {payload: vault, network: inside}\n";
    await page.locator("#pick-files").setInputFiles({ name: "vault.yaml", mimeType: "application/yaml", buffer: Buffer.from(vault) });
    await until(() => files(page), (names) => names.includes("vault.yaml"), "the file with a secret");
    await show(page, "Plan");
    const state = {
      format: "planloom.state/1", deployment: "forum", lineage: "l", serial: 4, resources: {
        "services.old": { kind: "service", phase: "active", identity: { id: "x" }, spec: { token: { $sensitive: "0011223344556677.89ab" } }, outputs: {}, depends_on: [] },
      }, journal: [],
    };
    await page.locator("#pick-state").setInputFiles({ name: "forum.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(state)) });
    await until(() => page.locator(".chip-plan").getAttribute("title"), (said) => said.includes("1 to destroy"), "it is planned against the state");
    const said = await page.locator(".chip-plan").getAttribute("title");
    await listen(page);
    await command(page, "Copy a link");
    const link = await until(() => page.evaluate(() => window.copied), (text) => text?.includes("#s="), "the link");
    await page.getByText("Copied a link; it holds the files and the state, without secrets").waitFor();
    const inside = await page.evaluate(async (text) => {
      const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (it) => it.charCodeAt(0));
      return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
    }, link.split("#s=")[1]);
    assert(!inside.includes("hunter2") && !inside.includes("0011223344556677"), "a secret is in the link");
    const visitor = await context.browser().newPage();
    await visitor.goto(link);
    await visitor.waitForSelector(".plan-row[data-address='services.old']");
    await untilEqual(() => visitor.locator(".chip-plan").getAttribute("title"), said, "the same plan");
    equal(await environment(visitor).evaluate((it) => it.selectedOptions[0].textContent), "staging", "the environment");
    await visitor.getByRole("tab", { name: /^Plan/, selected: true }).waitFor();
    await visitor.close();
  });
}
