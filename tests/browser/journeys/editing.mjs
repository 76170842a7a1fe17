// Writing: mistakes are seen where they are made, and everything leads back to its source.
import { append, chord, command, cursorAfter, files as names, open, ready, show, stored, untilErrors, untilPlan, untilProblems } from "../app.mjs";
import { assert, equal, isShipped, journey, until, untilEqual } from "../harness.mjs";
import { countTraffic, forgetTraffic, traffic } from "../traffic.mjs";

export async function editing() {
  await journey("a mistake is underlined and its quick fix removes it", async (page) => {
    await ready(page);
    await open(page, "prod.yaml");
    await append(page, "    paylod: web\n");
    await page.locator(".pl-problem-error", { hasText: "paylod" }).waitFor();
    await untilProblems(page, "1 error");
    equal(await page.title(), "(1) sample-shop – Planloom", "title");
    await page.locator(".rail-row.selected .rail-problems").waitFor();
    const problem = page.getByRole("region", { name: "Problems" }).first();
    await problem.getByRole("button", { name: /Rename to/ }).first().click();
    await untilProblems(page, "No problems");
    equal(await page.locator(".pl-problem-error").count(), 0, "underlines");
    assert((await stored(page, "prod.yaml")).endsWith("    payload: web\n"), "the fix is in the text");
  });

  await journey("the quick fix in the editor's card works too", async (page) => {
    await ready(page);
    await open(page, "prod.yaml");
    await append(page, "    paylod: web\n");
    await page.locator(".pl-problem-error", { hasText: "paylod" }).hover();
    await page.locator(".cm-tooltip").getByRole("button", { name: /Rename to/ }).click();
    await untilProblems(page, "No problems");
    await page.locator(".cm-content").focus();
    await page.keyboard.press(chord("z"));
    await untilProblems(page, "1 error");
  });

  const counted = { before: countTraffic };
  await journey("a key press sends its edit alone, and draws again only what it changes", counted, async (page) => {
    await ready(page);
    await open(page, "prod.yaml");
    await append(page, "\n#");
    await page.waitForTimeout(1500); // the views of the first edit
    await forgetTraffic(page);
    await page.keyboard.insertText(" comment");
    await until(async () => (await traffic(page)).received, (all) => all.includes("Settled"), "the edit is settled");
    const { sent, received, bytes, drawn } = await traffic(page);
    equal(sent, ["Edit"], "messages to the workers");
    assert(bytes < 200, `an edit is ${bytes} bytes`);
    equal(received, ["Checked", "Settled"], "messages of the workers");
    if (isShipped) return; // its components note nothing
    const { Frame, EditorPane, ...others } = drawn;
    assert(Frame > 0 && EditorPane > 0, `the page is drawn: ${JSON.stringify(drawn)}`);
    equal(others, {}, "other components that are drawn");
  });

  await journey("undo in the editor stays within the workspace that is open", async (page) => {
    await ready(page);
    await open(page, "base.yaml");
    for (const [words, name, first] of [
      ["example: a release to review", "base.yaml", "# The recorded state"],
      ["example: packages from a catalog", "app.yaml", "# A shop that names packages"],
    ]) {
      await command(page, words);
      await page.locator(".cm-line").first().filter({ hasText: first }).waitFor();
      const before = await until(() => names(page), (all) => all[0] === name && !all.includes("prod.yaml"), "the files of the example");
      const text = await stored(page, name);
      await page.locator(".cm-content").focus();
      await page.keyboard.press(chord("z"));
      await page.waitForTimeout(300);
      equal(await stored(page, name), text, `${name} of the example`);
      equal(await names(page), before, "the files");
    }
  });

  await journey("a file that cannot be read keeps the last model on screen", async (page) => {
    await ready(page);
    await open(page, "prod.yaml");
    await append(page, "  broken: [1, 2\n");
    await untilErrors(page);
    await until(() => page.locator(".graph-node").count(), (count) => count === 4, "nodes");
    await page.locator(".pane-stale").waitFor();
    await page.locator(".chip-plan.stale").waitFor();
    await show(page, "Merged");
    await page.locator(".merged-line", { hasText: "sample-shop" }).waitFor();
    await page.getByRole("button", { name: "Undo typing in prod.yaml" }).click();
    await untilProblems(page, "No problems");
    equal(await page.locator(".pane-stale").count(), 0, "stale marks");
  });

  await journey("an override is seen in both places", async (page) => {
    await ready(page);
    await open(page, "prod.yaml");
    await cursorAfter(page, "version:");
    await page.keyboard.insertText("\n  author: Someone else");
    await show(page, "Merged");
    const line = page.locator(".merged-line", { hasText: "author" });
    await until(() => line.textContent(), (text) => text.includes("Someone else") && text.includes("Planloom"), "the line says who was overridden");
    await page.locator(".editor-summary", { hasText: "5 lines override" }).waitFor();
    await open(page, "base.yaml");
    await page.locator(".editor-summary", { hasText: "5 lines overridden" }).waitFor();
    await untilEqual(async () => await page.locator(".pl-bar-overridden").count() > 0, true, "hollow bars");
    await line.click();
    await page.locator(".editor-head .layer-name", { hasText: "prod.yaml" }).waitFor();
    await page.locator(".pl-revealed, .pl-revealed-line", { hasText: "Someone else" }).first().waitFor();
  });

  await journey("a node of the graph leads to its source", async (page) => {
    await ready(page);
    await open(page, "prod.yaml");
    await page.getByRole("button", { name: /^db, / }).click();
    await page.locator(".editor-head .layer-name", { hasText: "base.yaml" }).waitFor();
    await page.locator(".pl-revealed, .pl-revealed-line", { hasText: "db" }).first().waitFor();
  });

  await journey("a problem leads to its source", async (page) => {
    await ready(page);
    await open(page, "prod.yaml");
    await append(page, "  ghost:\n    payload: nowhere\n");
    await untilErrors(page);
    await open(page, "base.yaml");
    await page.locator(".problem-goto").first().click();
    await page.locator(".editor-head .layer-name", { hasText: "prod.yaml" }).waitFor();
    await page.locator(".pl-revealed, .pl-revealed-line", { hasText: "nowhere" }).first().waitFor();
  });

  await journey("the hover card says who set a value and what the plan does", async (page) => {
    await ready(page);
    await open(page, "prod.yaml");
    await page.locator(".cm-line", { hasText: "ip: 10.42" }).getByText("ip", { exact: true }).hover();
    const card = page.locator(".cm-tooltip");
    await card.waitFor();
    const text = await card.textContent();
    for (const part of ["networks.default.ip", "10.42.0.0/24", "prod.yaml:16", "base.yaml:29", "192.168.0.1/24"]) {
      assert(text.includes(part), `the card says ${part}: ${text}`);
    }
    await card.getByText("base.yaml:29").click();
    await page.locator(".editor-head .layer-name", { hasText: "base.yaml" }).waitFor();
  });

  await journey("a card by key replaces the one under the pointer", async (page) => {
    await ready(page);
    await open(page, "prod.yaml");
    const key = page.locator(".cm-line", { hasText: "ip: 10.42" }).getByText("ip", { exact: true });
    await key.click();
    await key.hover();
    await page.locator(".pl-card").waitFor();
    await page.keyboard.press(chord("."));
    await until(() => page.evaluate(() => document.activeElement.closest(".pl-card") !== null), Boolean, "the focus is in the card");
    await untilEqual(() => page.locator(".pl-card").count(), 1, "cards");
  });

  await journey("errors are seen first, several at a time, and counted alike", async (page) => {
    await ready(page);
    await untilEqual(async () => Math.round((await page.locator(".work-drawer").boundingBox()).height) < 40, true, "one line while nothing is wrong");
    await open(page, "prod.yaml");
    await append(page, "    paylod: x\n    labls: {}\n    entrypoint: 1\n    depends_on: [nothing]\n    unknown_key: 1\n");
    await untilErrors(page);
    const drawer = await page.locator(".work-drawer").boundingBox();
    const rows = await page.locator(".problem").evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().bottom));
    const seen = rows.filter((bottom) => bottom <= drawer.y + drawer.height).length;
    assert(seen >= 3, `${seen} of ${rows.length} problems are seen at once`);
    const cursor = await page.locator(".cm-cursor").first().boundingBox();
    assert(cursor.y + cursor.height <= drawer.y, "the line that is written stays in view");
    const order = await page.locator(".problem .severity-mark").evaluateAll((marks) => marks.map((mark) => ["error", "warning", "hint"].findIndex((name) => mark.className.includes(name))));
    equal(order, [...order].sort(), "errors, warnings, hints");
    const counted = await page.locator(".drawer-head .count").textContent();
    await untilEqual(async () => await page.locator(".rail-row.selected .rail-problems > span").first().textContent(), counted, "the file's number is the drawer's");
    await untilEqual(() => page.getByRole("tab", { selected: true }).getAttribute("title"), "4 resources", "what a tab counts");
  });

  await journey("the card of a merged line goes when the files change places", async (page) => {
    await ready(page);
    await open(page, "prod.yaml");
    await show(page, "Merged");
    await page.locator(".cm-line", { hasText: "instances" }).click();
    await page.locator(".merged-card").waitFor();
    await page.getByRole("navigation", { name: "Files" }).locator(".rail-open", { hasText: "prod.yaml" }).focus();
    await page.keyboard.press("Alt+ArrowUp");
    await page.locator(".merged-card").waitFor({ state: "detached" });
    await page.waitForTimeout(400);
    equal(await page.locator(".merged-card").count(), 0, "cards");
  });

  await journey("keys and references are completed", async (page) => {
    await ready(page);
    await open(page, "prod.yaml");
    await append(page, "    pay");
    await page.keyboard.press(chord("Space"));
    await page.locator(".cm-tooltip-autocomplete").getByText("payload").first().waitFor();
  });

  await journey("go to definition crosses files", async (page) => {
    await ready(page);
    await open(page, "prod.yaml");
    await append(page, "    payload: database\n");
    await untilProblems(page, "No problems");
    await page.locator(".cm-line", { hasText: "payload: database" }).getByText("database").click();
    await page.keyboard.press("F12");
    await page.locator(".editor-head .layer-name", { hasText: "base.yaml" }).waitFor();
  });

  await journey("typing is answered for the newest text only", async (page) => {
    await ready(page);
    await open(page, "prod.yaml");
    await cursorAfter(page, "instances: 2");
    await page.keyboard.press("Backspace");
    for (const digit of "12") await page.keyboard.type(digit, { delay: 5 });
    await untilPlan(page, "Plan: 14 to create");
    await command(page, "undo typing");
    await until(() => page.locator(".cm-line", { hasText: "instances" }).textContent(), (text) => text !== "    instances: 12", "undo from the palette");
  });
}
