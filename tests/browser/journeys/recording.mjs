// What is recorded, and what is not as it was recorded: accepted, written into the file, compared, restored, moved.
import { ready, show, stored } from "../app.mjs";
import { accessible, assert, equal, journey, shot, until, untilEqual } from "../harness.mjs";
import { applied, kept, pace, untilChip, world } from "../live.mjs";

const drift = (page) => page.getByRole("region", { name: "Drift" });
const section = (page, name) => page.getByRole("region", { name, exact: true });

/** Somebody changes a thing behind everybody's back. */
async function change(page, address) {
  await show(page, "State");
  const resource = page.getByRole("combobox", { name: "Resource" });
  if (!(await resource.isVisible())) await page.getByText("Speed and faults").click();
  await resource.selectOption(address);
  await page.getByRole("button", { name: "Modify" }).click();
  await drift(page).getByText(address).waitFor();
}

/** The example, applied without waiting. */
async function begun(page) {
  await ready(page);
  await pace(page, "Instant");
  await applied(page);
  await untilChip(page, /in sync/);
}

/** The state as the page saves it. */
async function saved(page) {
  await show(page, "State");
  const button = section(page, "Recorded").getByRole("button", { name: "Save as a file" });
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  return { name: download.suggestedFilename(), text: Buffer.concat(chunks).toString() };
}

export async function recording() {
  await journey("recording: what was seen is accepted, and the plan then wants it back", async (page) => {
    await begun(page);
    await change(page, "services.db");
    const path = await drift(page).locator(".drift-path").innerText();
    const seen = await drift(page).locator(".drift-is").innerText();
    await drift(page).getByRole("button", { name: "Accept into the state" }).click();
    await until(() => drift(page).count(), (count) => count === 0, "it is no drift any more");
    const { text } = await saved(page);
    const at = path.split("/").slice(1).reduce((value, key) => value?.[key], JSON.parse(text).resources["services.db"].spec);
    assert(seen.includes(at) && at.endsWith("-changed"), `${path} is recorded as ${at}, seen was ${seen}`);
    await show(page, "Plan");
    await page.locator(".plan-row, [data-address]").filter({ hasText: "services.db" }).first().waitFor();
    await applied(page);
    await untilChip(page, /in sync/);
  });

  await journey("recording: what was seen is written into the file, and can be undone", async (page) => {
    await begun(page);
    const names = ["base.yaml", "prod.yaml"];
    const texts = async () => (await Promise.all(names.map((name) => stored(page, name)))).join("");
    const before = await texts();
    await change(page, "services.db");
    await drift(page).getByRole("button", { name: "Write into the file" }).click();
    await until(texts, (text) => text.includes("-changed"), "it stands in a file");
    await until(() => drift(page).count(), (count) => count === 0, "file and thing agree");
    await untilChip(page, /in sync/);
    await page.getByRole("button", { name: /^Undo/ }).first().click();
    await until(texts, (text) => text === before, "undone");
  });

  await journey("recording: one value is put back, and what else somebody changed stays as it is", async (page) => {
    await begun(page);
    const { made } = await world(page);
    await change(page, "services.db");
    await change(page, "services.web[0]");
    const row = (address) => drift(page).locator(`.drift-row[data-address="${address}"]`);
    await untilEqual(() => drift(page).locator(".drift-row").count(), 2, "resources that are not as they were recorded");
    const [path, was] = await Promise.all([".drift-path", ".drift-was"].map((it) => row("services.db").locator(it).innerText()));
    const other = await row("services.web[0]").locator(".drift-is").innerText();
    await accessible(page, "the drift");
    const recorded = JSON.parse((await saved(page)).text).resources;
    await row("services.db").getByRole("button", { name: "Revert" }).click();
    await until(() => row("services.db").count(), (count) => count === 0, "it is no drift any more");
    await untilEqual(() => row("services.web[0]").locator(".drift-is").innerText(), other, "the other value");
    await untilChip(page, /1 resource drifted from/);
    const { simulator } = JSON.parse((await kept(page))["world/sample-shop"]);
    const { actual } = simulator.things.find(({ address }) => address === "services.db");
    const at = path.split("/").slice(1).reduce((value, key) => value?.[key], actual);
    assert(was.includes(at) && !at.endsWith("-changed"), `${path} really is ${at}, recorded was ${was}`);
    const after = JSON.parse((await saved(page)).text).resources;
    for (const address of ["services.db", "services.web[0]"]) {
      equal(JSON.stringify(after[address].spec), JSON.stringify(recorded[address].spec), `what was recorded of ${address}`);
    }
    await row("services.web[0]").getByRole("button", { name: "Revert" }).click();
    await untilChip(page, /in sync/);
    equal((await world(page)).made, made, "things that were ever made");
  });

  await journey("recording: versions are compared and restored, and nothing real is changed by that", async (page) => {
    await begun(page);
    await show(page, "State");
    await page.getByRole("button", { name: "Destroy everything…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Destroy 4 resources" }).click();
    await page.locator(".run-said", { hasText: "Everything is destroyed" }).waitFor();
    await show(page, "State");
    const slider = page.getByRole("slider", { name: "Revision" });
    await slider.focus();
    await page.keyboard.press("Home");
    const differences = (what) => until(() => page.locator(".history-diff > ul > li").count(), (count) => count === 4, what);
    await differences("what became of it");
    // The list of revisions is read anew after each look.
    await page.getByRole("button", { name: "Check for drift" }).click();
    await page.getByRole("button", { name: "Check for drift" }).and(page.locator(":not([disabled])")).waitFor();
    await page.waitForTimeout(500);
    await differences("what became of it, after a look");
    await page.getByLabel("Compared with").selectOption({ index: 1 });
    await shot(page, "recording-compared");
    await accessible(page, "the history");
    await page.getByRole("button", { name: "Restore", exact: true }).click();
    await untilChip(page, /4 resources drifted/);
    equal((await world(page)).things, 0, "things after restoring what was recorded");
    await page.locator(".drift-row", { hasText: "is gone" }).first().waitFor();
    await shot(page, "recording-restored");
    await applied(page);
    await untilChip(page, /in sync/);
    equal((await world(page)).things, 4, "things after applying");
  });

  await journey("recording: a state is saved as a file and taken in by another browser", async (page, { context, address }) => {
    await begun(page);
    const file = await saved(page);
    equal(file.name, "sample-shop.state.json", "what it is called");
    equal(JSON.parse(file.text).format, "planloom.state/1", "its format");
    const other = await (await context.browser().newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    try {
      await other.goto(`${address}#example=shop/graph`);
      await ready(other);
      await show(other, "State");
      const [chooser] = await Promise.all([
        other.waitForEvent("filechooser"),
        section(other, "Recorded").getByRole("button", { name: "Choose a file…" }).click(),
      ]);
      await chooser.setFiles({ name: file.name, mimeType: "application/json", buffer: Buffer.from(file.text) });
      await section(other, "Recorded").getByRole("button", { name: "Use as current state" }).click();
      await other.getByRole("dialog").getByRole("button", { name: "Start empty" }).click();
      // Its things are not in this browser's simulator.
      await untilChip(other, /4 resources drifted/);
      const [whole] = Object.entries(await kept(other)).filter(([key]) => key.startsWith("whole/"));
      equal(Object.keys(JSON.parse(whole[1]).resources).length, 4, "resources that are kept");
      await other.reload();
      await untilChip(other, /4 resources drifted/);
    } finally {
      await other.context().close();
    }
  });
}
