// For everyone: axe in both themes and at every width, a whole path by keyboard, calm when asked for.
import { append, chord, command, files, open, ready, show, untilProblems, untilPlan } from "../app.mjs";
import { accessible, assert, equal, journey, shot, until, untilEqual } from "../harness.mjs";

export async function access() {
  for (const theme of ["light", "dark"]) {
    await journey(`axe finds nothing, ${theme}`, { theme }, async (page) => {
      await ready(page);
      await accessible(page, "the graph");
      await command(page, "example: a release");
      await untilPlan(page, "Plan: 1 to destroy, 3 to rebuild, 1 to update");
      await open(page, "release.yaml");
      await append(page, "    paylod: x\n");
      await page.locator(".pl-problem-error").waitFor();
      for (const view of ["Merged", "Plan", "Links", "Versions", "State", "Compare", "Controllers", "Services", "Graph"]) {
        await show(page, view);
        await accessible(page, view);
      }
      await page.keyboard.press(chord("k"));
      await accessible(page, "the commands");
      await page.keyboard.press("Escape");
      await page.getByRole("tab", { selected: true }).focus();
      await page.keyboard.press("?");
      await accessible(page, "the keys");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Import and export" }).click();
      await accessible(page, "a menu");
    });

    await journey(`axe finds nothing on a phone, ${theme}`, { theme, width: 390, height: 844, hasTouch: true }, async (page) => {
      await page.waitForSelector(".chip-plan .chip-action:not(.chip-zero)");
      const screens = page.getByRole("navigation", { name: "Screens" });
      for (const screen of ["Files", "Edit", "View", "Plan", "Problems"]) {
        await screens.getByRole("button", { name: screen }).click();
        await accessible(page, screen);
      }
    });
  }

  await journey("a whole path by keyboard", async (page) => {
    await ready(page);
    // The parts of the page, in order.
    const part = () => page.evaluate(() => ["top", "work-rail", "work-editor", "work-view", "work-drawer"].find((name) => document.activeElement.closest(`.${name}`)));
    const visited = [];
    for (let press = 0; press < 5; press += 1) {
      await page.keyboard.press("F6");
      visited.push(await part());
    }
    equal(visited, ["top", "work-rail", "work-editor", "work-view", "work-drawer"], "F6");
    // Choose a file, write in it, leave the editor, read the problem, fix it.
    await page.keyboard.press("Shift+F6");
    await page.keyboard.press("Shift+F6");
    await page.keyboard.press("Shift+F6");
    equal(await part(), "work-rail", "back in the files");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.locator(".editor-head .layer-name", { hasText: "prod.yaml" }).waitFor();
    await page.keyboard.press("F6");
    await page.keyboard.press(chord("End"));
    await page.keyboard.insertText("    paylod: web\n");
    await untilProblems(page, "1 error");
    // Below the text stands how to leave. The first Escape may close what is open at the cursor.
    const rule = page.locator(".pl-status-said");
    await untilEqual(() => rule.textContent(), "Tab indentsEsc, then Tab, leaves the editor", "what Tab does");
    for (let press = 0; press < 3 && !(await rule.textContent()).includes("now"); press += 1) {
      await page.keyboard.press("Escape");
    }
    await page.keyboard.press("Tab");
    assert((await part()) !== "work-editor", "Escape and Tab leave the editor");
    const fix = page.getByRole("button", { name: /Rename to/ }).first();
    for (let press = 0; press < 40 && !(await fix.evaluate((element) => element === document.activeElement)); press += 1) {
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Enter");
    await untilProblems(page, "No problems");
    // Views by their numbers, tabs by arrows.
    await page.keyboard.press("Alt+Digit3");
    await page.locator(".plan-sentence").waitFor();
    await page.getByRole("tab", { selected: true }).focus();
    await page.keyboard.press("ArrowLeft");
    await page.locator(".merged-lines").waitFor();
  });

  await journey("Tab passes through the editor, and indents once something is written", async (page) => {
    await ready(page);
    const editing = () => page.evaluate(() => document.activeElement.classList.contains("cm-content"));
    const text = () => page.locator(".cm-line").allTextContents();
    const before = await text();
    const rule = page.locator(".pl-status-said");
    await page.locator(".rail-open").first().focus();
    for (let press = 0; press < 40 && !(await editing()); press += 1) await page.keyboard.press("Tab");
    await untilEqual(async () => [await editing(), await rule.textContent()], [true, "Tab leavesonce you write, it indents"], "in the editor, by key");
    await page.keyboard.press("Tab");
    equal([await editing(), await text()], [false, before], "passed through, and nothing was written");
    await page.keyboard.press("Shift+Tab");
    equal(await editing(), true, "back by Shift and Tab");
    await page.keyboard.press("Shift+Tab");
    equal(await editing(), false, "and out on the other side");
    await page.keyboard.press("Tab");
    await page.keyboard.press(chord("Home"));
    await page.keyboard.type("#");
    await page.keyboard.press("Tab");
    equal([await editing(), (await text())[0].startsWith("# ")], [true, true], "indented");
    await untilEqual(() => rule.textContent(), "Tab indentsEsc, then Tab, leaves the editor", "what is said now");
    await shot(page, "editor-tab");
    await page.keyboard.press("Control+m");
    await untilEqual(() => rule.textContent(), "Tab leavesit never indents", "switched by key");
    await page.keyboard.type("#");
    await page.keyboard.press("Tab");
    equal(await editing(), false, "Tab leaves");
  });

  await journey("dialogs keep the focus and give it back", async (page) => {
    await ready(page);
    const button = page.getByRole("button", { name: "Commands" });
    await button.focus();
    await page.keyboard.press("Enter");
    // A key that comes before the dialog moves the focus that is given back.
    await page.getByRole("dialog").waitFor();
    for (let press = 0; press < 6; press += 1) {
      await page.keyboard.press("Tab");
      const inside = await page.evaluate(() => document.activeElement === document.body || document.activeElement.closest("dialog") !== null);
      assert(inside, "the focus stays in the dialog");
    }
    await page.keyboard.press("Escape");
    await until(() => page.locator("dialog").count(), (count) => count === 0, "closed");
    equal(await button.evaluate((element) => element === document.activeElement), true, "the focus comes back");
  });

  await journey("nothing moves when motion is not wanted", { reducedMotion: "reduce" }, async (page) => {
    await ready(page);
    await page.keyboard.press(chord("k"));
    const moving = await page.evaluate(() => document.getAnimations().filter((animation) => animation.playState === "running").length);
    equal(moving, 0, "animations");
  });

  await journey("forced colours keep what is selected visible", { forcedColors: "active" }, async (page) => {
    await ready(page);
    const outline = await page.locator(".rail-row.selected").evaluate((element) => getComputedStyle(element).outlineStyle);
    equal(outline, "solid", "outline of the selected file");
  });

  await journey("everything is reached with a thumb", { width: 390, height: 844, hasTouch: true }, async (page) => {
    await page.waitForSelector(".chip-plan .chip-action:not(.chip-zero)");
    const screens = page.getByRole("navigation", { name: "Screens" });
    await screens.getByRole("button", { name: "Files" }).tap();
    await untilEqual(() => files(page), ["base.yaml", "prod.yaml"], "files");
    await page.getByRole("button", { name: "Actions for prod.yaml" }).tap();
    await page.getByRole("menuitem", { name: "Move up" }).tap();
    await until(() => files(page), (now) => now[0] === "prod.yaml", "moved without dragging");
    await page.getByRole("navigation", { name: "Files" }).locator(".rail-open", { hasText: "base.yaml" }).tap();
    await page.locator(".editor-head .layer-name", { hasText: "base.yaml" }).waitFor();
    await screens.getByRole("button", { name: "Plan" }).tap();
    await page.locator(".plan-sentence").waitFor();
    await screens.getByRole("button", { name: "Problems" }).tap();
    await page.locator(".pane").getByText("replaces nothing: no earlier file sets").first().waitFor();
    const small = await page.evaluate(() => {
      const shown = [...document.querySelectorAll("button")].filter((button) => button.checkVisibility() && !button.closest("[hidden]"));
      return shown.filter((button) => { const { width, height } = button.getBoundingClientRect(); return width < 24 || height < 24; }).map((button) => button.outerHTML.slice(0, 120));
    });
    equal(small, [], "targets below 24 pixels");
  });

  await journey("a phone shows whole addresses, undoes, and keeps its words off the buttons", { width: 390, height: 844, hasTouch: true }, async (page) => {
    await page.waitForSelector(".chip-plan .chip-action:not(.chip-zero)");
    const screens = page.getByRole("navigation", { name: "Screens" });
    await screens.getByRole("button", { name: "View" }).tap();
    await command(page, "example: a release to review");
    await page.getByRole("tab", { name: /^Graph/ }).tap();
    await page.locator(".graph-zoom").waitFor();
    const toast = await page.locator(".toast").boundingBox();
    for (const part of [".tabs", ".graph-zoom", ".bottom"]) {
      const { y, height } = await page.locator(part).boundingBox();
      assert(toast.y + toast.height <= y || toast.y >= y + height, `the word ${JSON.stringify(toast)} lies on ${part}`);
    }
    await page.getByRole("button", { name: "Dismiss" }).tap();
    await page.getByRole("tab", { name: /^State/ }).tap();
    const addresses = page.locator(".inputs-table tbody th");
    await addresses.first().waitFor();
    const cut = await addresses.evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth || !cell.textContent.includes(".")).length);
    await untilEqual(async () => [await addresses.count(), cut], [6, 0], "addresses, and those that are cut");
    await page.getByRole("button", { name: /^Undo/ }).tap();
    await screens.getByRole("button", { name: "Files" }).tap();
    await until(() => files(page), (now) => now.includes("prod.yaml"), "undone");
  });
}
