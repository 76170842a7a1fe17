// Renaming in all files, references, the outline, and files that are left out.
import { append, chord, command, cursorAfter, files, open, ready, show, stored, untilPlan, untilProblems } from "../app.mjs";
import { accessible, assert, equal, journey, shot, until, untilEqual } from "../harness.mjs";
import { applied, dialog, pace, review, untilChip, world } from "../live.mjs";

/** Puts the cursor at the name that a line begins with. */
async function atName(page, line) {
  await page.locator(".cm-line", { hasText: line }).first().click();
  await page.keyboard.press("Home");
}

/** Renames what the cursor is at, and waits until that is done. */
async function rename(page, name) {
  await page.keyboard.press("F2");
  const field = dialog(page).getByLabel("New name");
  await field.waitFor();
  await field.fill(name);
  await dialog(page).getByText(/^Changes \d+ places? in \d+ files?\.$/).waitFor();
}

export async function renaming() {
  await journey("a recorded service is renamed in all files, and nothing happens to it", async (page) => {
    await ready(page);
    await pace(page, "Instant");
    await applied(page);
    await untilChip(page, /in sync/);
    const { made } = await world(page);
    await open(page, "base.yaml");
    await atName(page, /^ {2}db:$/);
    await rename(page, "store");
    await dialog(page).getByText(/A moved record is added/).waitFor();
    await shot(page, "rename");
    await accessible(page, "the dialog that renames");
    await page.keyboard.press("Enter");
    await untilPlan(page, "Plan: 1 to rename");
    const text = await stored(page, "base.yaml");
    assert(text.includes("  store:\n") && text.includes("${services.store.network_node.ip}:4001"), text);
    assert(text.includes("# The database's address is only known once it runs."), "comments stay");
    assert(text.endsWith("moved:\n  - {from: services.db, to: services.store}\n"), text);
    await show(page, "Plan");
    // The report of the run that did everything gives way to the plan of what was changed since.
    await page.locator(".plan-row[data-address='services.store']", { hasText: "it was recorded as services.db" }).waitFor();
    await review(page);
    await dialog(page).getByRole("button", { name: "Apply 1 change" }).click();
    await page.locator(".run-said", { hasText: /^Applied: 1 step done/ }).waitFor();
    await untilChip(page, /in sync/);
    equal((await world(page)).made, made, "nothing was created");
    await show(page, "State");
    await page.getByRole("table", { name: "Recorded resources" }).getByText("services.store").waitFor();
  });

  await journey("undo in the editor takes a rename back in all files", async (page) => {
    await ready(page);
    const texts = () => Promise.all(["base.yaml", "prod.yaml"].map((name) => stored(page, name)));
    const before = await texts();
    await open(page, "base.yaml");
    await atName(page, /^ {2}web:$/);
    await rename(page, "site");
    await page.keyboard.press("Enter");
    await until(texts, (now) => now.every((text) => text.includes("site:")), "both files have the new name");
    await page.locator(".cm-content").focus();
    await page.keyboard.type("x");
    for (let step = 0; step < 2; step += 1) {
      await page.waitForTimeout(300);
      await page.keyboard.press(chord("z"));
    }
    await until(texts, (now) => now.join() === before.join(), "both files are as before");
    await untilProblems(page, "No problems");
  });

  await journey("a file is formatted as one step that is undone", async (page) => {
    await ready(page);
    await open(page, "prod.yaml");
    const before = await stored(page, "prod.yaml");
    await append(page, "link_types:\n      sql:   {properties: []}   # the office\n\n\n\n");
    const typed = await stored(page, "prod.yaml");
    await page.locator(".cm-content").focus();
    await page.keyboard.press("Shift+Alt+f");
    const formatted = await until(() => stored(page, "prod.yaml"), (now) => now !== typed, "the text");
    assert(formatted.endsWith("link_types:\n  sql: { properties: [] } # the office\n"), formatted);
    await page.keyboard.press("Shift+Alt+f");
    await page.locator(".toast", { hasText: "prod.yaml is formatted already" }).waitFor();
    await command(page, "undo format");
    await until(() => stored(page, "prod.yaml"), (now) => now === typed, "as it was typed");
    await append(page, "a: [\n");
    await untilProblems(page, "2 errors");
    await command(page, "format the file");
    await page.locator(".toast", { hasText: /prod.yaml is not formatted: it has an error in line \d+/ }).waitFor();
    assert(before.length < typed.length, "it was typed");
  });

  await journey("renaming is one step that is undone, and a name that is taken is refused", async (page) => {
    await ready(page);
    await open(page, "base.yaml");
    const before = [await stored(page, "base.yaml"), await stored(page, "prod.yaml")];
    await atName(page, /^ {2}web:$/);
    await page.keyboard.press("F2");
    const field = dialog(page).getByLabel("New name");
    await field.fill("database");
    await dialog(page).getByText("`payloads.database` is declared already.").waitFor();
    await field.fill("site");
    await dialog(page).getByText("Changes 3 places in 2 files.").waitFor();
    await page.keyboard.press("Enter");
    await until(() => stored(page, "prod.yaml"), (text) => text.includes("  site:\n    # A newer image"), "the other file");
    await untilPlan(page, "Plan: 4 to create");
    await page.getByRole("button", { name: "Undo rename payloads.web to payloads.site" }).click();
    await until(async () => [await stored(page, "base.yaml"), await stored(page, "prod.yaml")].join(), (now) => now === before.join(), "both files");
  });

  await journey("references and the outline lead to their lines", async (page) => {
    await ready(page);
    await open(page, "base.yaml");
    await atName(page, /^ {2}db:$/);
    await page.keyboard.press("Shift+F12");
    const list = page.getByRole("listbox", { name: "Commands" });
    await list.getByRole("option", { name: /bin\/migrate/ }).click();
    await until(() => page.locator(".cm-activeLine").textContent(), (line) => line.includes("/bin/migrate"), "the line of the reference");
    await page.locator(".cm-content").focus();
    await page.keyboard.press(chord("Shift+o"));
    await list.getByRole("option", { name: /networks/ }).click();
    await until(() => page.locator(".cm-activeLine").textContent(), (line) => line.startsWith("networks:"), "the line of the outline");
  });

  await journey("a muted file is left out, and a file alone is soloed", async (page) => {
    await ready(page);
    const row = page.getByRole("navigation", { name: "Files" }).getByRole("button", { name: /prod\.yaml/ }).first();
    await row.focus();
    await page.keyboard.press("m");
    await untilPlan(page, "Plan: 3 to create");
    await page.locator(".rail-row.muted", { hasText: "prod.yaml" }).getByText("muted", { exact: true }).waitFor();
    await page.reload();
    await untilPlan(page, "Plan: 3 to create");
    await untilEqual(() => files(page), ["base.yaml", "prod.yaml"], "the file is still there");
    await row.focus();
    await page.keyboard.press("m");
    await untilPlan(page, "Plan: 4 to create");
    await page.getByRole("navigation", { name: "Files" }).getByRole("button", { name: /base\.yaml/ }).first().focus();
    await page.keyboard.press("s");
    await untilPlan(page, "Plan: 3 to create");
    await page.keyboard.press("s");
    await untilPlan(page, "Plan: 4 to create");
    await cursorAfter(page, "meta:");
  });
}
