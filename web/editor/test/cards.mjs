// Problems, the hover card, layer marks and going to definitions.
import assert from "node:assert/strict";

const check = (run, options) => ({ run, options });
const body = "services:\n  web:\n    pyload: 😀 web\n    image: ${services.db.ip}\n";
const problem = {
  file: "a.yaml",
  line: 3,
  column: 5,
  end_line: 3,
  end_column: 11,
  severity: "error",
  message: "unknown key `pyload` <img src=x onerror=alert(1)>",
  code: "lower/unknown-key",
  help: "write `payload`",
  related: [{ file: "base.yaml", line: 7, column: 3, end_line: 7, end_column: 6, message: "the service is declared here" }],
  fixes: [{ title: "Change to `payload`", edits: [{ file: "a.yaml", line: 3, column: 5, end_line: 3, end_column: 11, new_text: "payload" }] }],
};
const warning = { ...problem, line: 4, column: 12, end_line: 4, end_column: 99, severity: "warning", message: "db has no ip", fixes: [], related: [] };
const hover = {
  range: { file: "a.yaml", line: 4, column: 5, end_line: 4, end_column: 10 },
  pointer: "/services/web/image",
  title: "image",
  doc: "The image to run.",
  shape: "text",
  value: "nginx:2",
  origins: [
    { file: "prod.yaml", line: 2, column: 3, end_line: 2, end_column: 8, rule: "set", value: "nginx:2" },
    { file: "base.yaml", line: 9, column: 3, end_line: 9, end_column: 8, rule: "set", value: "nginx:1" },
  ],
  plan: "web will be rebuilt: its image changed.",
  action: "rebuild",
};
const start = (page) => page.evaluate((b) => editor.setDocument("a.yaml", b), body);
const show = (page, problems) => page.evaluate((p) => editor.setProblems(p), problems);
const card = (page) => page.locator(".pl-card");

export const checks = {
  "problems are underlined where they are and marked in the gutter": check(async (page) => {
    await start(page);
    await show(page, [problem, warning]);
    assert.deepEqual(await page.locator(".pl-problem-error").allTextContents(), ["pyload"]);
    assert.equal((await page.locator(".pl-problem-warning").allTextContents()).join(""), "${services.db.ip}");
    const icons = page.locator(".pl-problem-icon[role=img]");
    assert.match(await icons.nth(1).getAttribute("aria-label"), /^error: unknown key/);
    await show(page, []);
    assert.equal(await page.locator(".pl-problem").count(), 0);
  }),

  "a problem moves with the text until the next answer": check(async (page) => {
    await start(page);
    await show(page, [problem]);
    await page.evaluate(() => editor.applyEdits([{ line: 3, column: 1, end_line: 3, end_column: 1, new_text: "# 😀\n  " }]));
    assert.deepEqual(await page.locator(".pl-problem-error").allTextContents(), ["pyload"]);
  }),

  "problems of other files and without a place are left out but counted": check(async (page) => {
    await start(page);
    await show(page, [{ ...problem, file: "b.yaml" }, { ...problem, line: null, column: null }, problem]);
    assert.equal(await page.locator(".pl-problem-error").count(), 1);
    await page.evaluate(() => editor.gotoNextProblem(1));
    await card(page).locator(".pl-fix").click();
    assert.deepEqual(await page.evaluate(() => events.fix), [[2, 0]]);
  }),

  "an empty range shows, also at the end of a line, on an empty line and beside an emoji": check(async (page) => {
    await page.evaluate(() => editor.setDocument("a.yaml", "a: 😀\n\nb: 1\n"));
    const at = (line, column) => ({ ...problem, line, column, end_line: line, end_column: column });
    await show(page, [at(1, 5)]);
    assert.deepEqual(await page.locator(".pl-problem-error").allTextContents(), ["😀"]);
    await show(page, [at(1, 4)]);
    assert.deepEqual(await page.locator(".pl-problem-error").allTextContents(), ["😀"]);
    await show(page, [at(2, 1)]);
    assert.equal(await page.locator(".pl-problem-point").count(), 1);
  }),

  "the pointer brings up message, help, code, related place and fix, as text": check(async (page) => {
    await start(page);
    await show(page, [problem]);
    await page.locator(".pl-problem-error").hover();
    await card(page).waitFor();
    const said = await card(page).innerText();
    const plain = (text) => text.replaceAll("`", "");
    for (const part of [plain(problem.message), plain(problem.help), problem.code, "base.yaml:7", "declared here", "Change to payload"]) {
      assert.ok(said.includes(part), `${part} is missing in ${said}`);
    }
    assert.equal(await card(page).locator(".pl-code").getAttribute("title"), `planloom explain ${problem.code}`);
    assert.equal(await page.locator("img").count(), 0);
    assert.deepEqual(await card(page).locator("del, ins").allTextContents(), ["pyload", "payload"]);
    await card(page).locator(".pl-link").click();
    assert.deepEqual(await page.evaluate(() => events.goto), [{ file: "base.yaml", line: 7, column: 3, end_line: 7, end_column: 6 }]);
    await card(page).locator(".pl-fix").click();
    assert.deepEqual(await page.evaluate(() => events.fix), [[0, 0]]);
  }),

  "F8 walks the problems and asks the app after the last": check(async (page) => {
    await start(page);
    await show(page, [warning, problem]);
    await page.locator(".cm-content").focus();
    await page.keyboard.press("F8");
    assert.deepEqual(await page.evaluate(() => events.cursor.at(-1)), [3, 5]);
    await page.keyboard.press("F8");
    assert.deepEqual(await page.evaluate(() => events.cursor.at(-1)), [4, 12]);
    assert.match(await page.locator(".cm-announced").innerText(), /warning: db has no ip. Line 4, 2 of 2/);
    await page.evaluate(() => (answers.command = true));
    await page.keyboard.press("F8");
    assert.deepEqual(await page.evaluate(() => events.command), ["next-problem"]);
    assert.deepEqual(await page.evaluate(() => events.cursor.at(-1)), [4, 12]);
    await page.evaluate(() => (answers.command = false));
    await page.keyboard.press("F8");
    assert.deepEqual(await page.evaluate(() => events.cursor.at(-1)), [3, 5]);
    await page.keyboard.press("Shift+F8");
    assert.deepEqual(await page.evaluate(() => events.cursor.at(-1)), [4, 12]);
  }),

  "the card has four parts and the keyboard goes in and out": check(async (page) => {
    await start(page);
    await page.evaluate((h) => {
      answers.hover = h;
      editor.setLayers([{ file: "prod.yaml", letter: "B", color: "var(--layer-2)" }]);
    }, hover);
    await page.evaluate(() => editor.revealRange(4, 6, 4, 6));
    await page.keyboard.press("F1");
    await page.waitForFunction(() => document.activeElement.classList.contains("pl-card"));
    assert.deepEqual(await page.evaluate(() => events.requested.hover.at(-1)), [4, 6]);
    const said = await card(page).innerText();
    for (const part of ["image", "text", "The image to run.", "nginx:2", "prod.yaml:2", "base.yaml:9", hover.plan]) {
      assert.ok(said.includes(part), `${part} is missing in ${said}`);
    }
    assert.equal(await card(page).locator("section").count(), 4);
    assert.equal(await card(page).locator(".pl-badge").innerText(), "B");
    assert.equal(await card(page).getAttribute("role"), "dialog");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "base.yaml:9");
    await page.keyboard.press("Enter");
    assert.equal((await page.evaluate(() => events.goto.at(-1))).file, "base.yaml");
    await page.keyboard.press("Escape");
    assert.equal(await card(page).count(), 0);
    assert.ok(await page.evaluate(() => document.activeElement.classList.contains("cm-content")));
  }),

  "a card by key replaces the one under the pointer": check(async (page) => {
    await start(page);
    await page.evaluate((h) => (answers.hover = h), hover);
    await page.evaluate(() => editor.revealRange(4, 6, 4, 6));
    await page.locator(".cm-line", { hasText: "image" }).first().getByText("image").first().hover();
    await card(page).waitFor();
    await page.keyboard.press("Control+.");
    await page.waitForFunction(() => document.activeElement.closest(".pl-card"));
    assert.equal(await card(page).count(), 1);
  }),

  "a card closes when the focus goes elsewhere, and a late answer opens none": check(async (page) => {
    await start(page);
    await page.evaluate((h) => (answers.hover = h), hover);
    await page.evaluate(() => editor.revealRange(4, 6, 4, 6));
    await page.keyboard.press("Alt+F1");
    await card(page).waitFor();
    await page.locator("#after").focus();
    await card(page).waitFor({ state: "detached" });
    await page.evaluate(() => (answers.delay = 200));
    const opened = page.evaluate(() => editor.openCard());
    await page.evaluate(() => editor.applyEdits([{ line: 1, column: 1, end_line: 1, end_column: 1, new_text: "#" }]));
    assert.equal(await opened, false);
    assert.equal(await card(page).count(), 0);
  }),

  "a fix finds its problem again when the answers came in another order": check(async (page) => {
    await start(page);
    await show(page, [problem]);
    await page.evaluate(() => editor.gotoNextProblem(1));
    await show(page, [warning, problem]);
    await card(page).locator(".pl-fix").click();
    assert.deepEqual(await page.evaluate(() => events.fix), [[1, 0]]);
  }),

  "cards do not come back with the file": check(async (page) => {
    await start(page);
    await page.evaluate((h) => (answers.hover = h), hover);
    await page.evaluate(() => editor.revealRange(4, 6, 4, 6));
    await page.keyboard.press("F1");
    await card(page).waitFor();
    await page.evaluate((b) => (editor.setDocument("b.yaml", ""), editor.setDocument("a.yaml", b)), body);
    assert.equal(await card(page).count(), 0);
  }),

  "of ten thousand problems only what is seen is drawn, and typing goes on": check(async (page) => {
    const time = await page.evaluate((p) => {
      editor.setDocument("big.yaml", "key: value\n".repeat(10000));
      const many = Array.from({ length: 10000 }, (_, n) => ({ ...p, file: null, line: n + 1, column: 1, end_line: n + 1, end_column: 4 }));
      const start = performance.now();
      editor.setProblems(many);
      const set = performance.now();
      editor.applyEdits([{ line: 1, column: 1, end_line: 1, end_column: 1, new_text: "x" }]);
      const edit = performance.now() - set;
      const line = document.querySelector(".cm-line").textContent;
      return { set: set - start, edit, line, drawn: document.querySelectorAll(".cm-editor *").length };
    }, problem);
    console.log(`  10,000 problems: shown in ${time.set.toFixed(0)} ms, one edit ${time.edit.toFixed(1)} ms`);
    assert.equal(time.line, "xkey: value");
    assert.ok(time.drawn < 3000, JSON.stringify(time));
  }),

  "the pointer can enter the hover card": check(async (page) => {
    await start(page);
    await page.evaluate((h) => (answers.hover = h), hover);
    await page.getByText("image", { exact: true }).first().hover();
    await card(page).waitFor();
    await card(page).locator(".pl-link").first().hover();
    await page.waitForTimeout(400);
    await card(page).locator(".pl-link").first().click();
    assert.equal((await page.evaluate(() => events.goto.at(-1))).file, "prod.yaml");
  }),

  "a card that is too high for the window scrolls": check(
    async (page) => {
      await page.evaluate((b) => editor.setDocument("a.yaml", b), body);
      await show(page, [{ ...warning, column: 5, end_column: 10 }]);
      await page.evaluate((h) => (answers.hover = { ...h, doc: "A long text.\n".repeat(40) }), hover);
      await page.getByText("image", { exact: true }).first().hover();
      await page.locator(".pl-doc").waitFor();
      const fits = await page.locator(".cm-tooltip-hover").evaluate((host) => {
        const { top, bottom } = host.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight && host.scrollHeight > host.clientHeight && getComputedStyle(host).overflowY === "auto";
      });
      assert.ok(fits);
    },
    { viewport: { width: 700, height: 360 } },
  ),

  "Mod-. goes straight to the fix": check(async (page) => {
    await start(page);
    await show(page, [problem]);
    await page.evaluate(() => editor.revealRange(3, 6, 3, 6));
    await page.keyboard.press("Control+.");
    await page.waitForFunction(() => document.activeElement.classList.contains("pl-fix"));
    await page.keyboard.press("Enter");
    assert.deepEqual(await page.evaluate(() => events.fix), [[0, 0]]);
  }),

  "layer marks are hollow or filled, with a letter where they begin": check(async (page) => {
    await start(page);
    const mark = (line, kind, letter) => ({ line, kind, letter, color: "rgb(1, 2, 3)", title: `${kind} ${letter}` });
    await page.evaluate((m) => editor.setLayerMarks(m), [mark(2, "overridden", "B"), mark(3, "overridden", "B"), mark(4, "overrides", "A")]);
    assert.deepEqual(await page.locator(".pl-letter").allInnerTexts(), ["B", "", "A"]);
    assert.deepEqual(await page.locator(".pl-bar-overridden").count(), 2);
    assert.equal(await page.locator(".pl-layer[title='overrides A']").count(), 1);
    const color = await page.locator(".pl-bar-overrides").evaluate((node) => getComputedStyle(node).backgroundColor);
    assert.equal(color, "rgb(1, 2, 3)");
  }),

  "the line with the cursor says where a later layer wins": check(async (page) => {
    await start(page);
    const mark = (line, kind, letter) => ({ line, kind, letter, color: "rgb(1, 2, 3)", title: `${kind} ${letter}` });
    await page.evaluate((m) => editor.setLayerMarks(m), [mark(2, "overridden", "B"), mark(4, "overrides", "A")]);
    const said = page.locator(".pl-overridden");
    await page.evaluate(() => editor.revealRange(2, 1, 2, 1));
    assert.equal(await said.innerText(), "overridden B");
    await page.evaluate(() => editor.revealRange(4, 1, 4, 1));
    assert.equal(await said.count(), 0);
  }),

  "F12 and a click with the modifier go to the definition": check(async (page) => {
    await start(page);
    const place = { file: "base.yaml", line: 3, column: 1, end_line: 3, end_column: 4 };
    await page.evaluate((p) => (answers.definition = p), place);
    await page.evaluate(() => editor.revealRange(4, 16, 4, 16));
    await page.keyboard.press("F12");
    await page.waitForFunction(() => events.goto.length === 1);
    assert.deepEqual(await page.evaluate(() => [events.requested.definition.at(-1), events.goto[0]]), [[4, 16], place]);
    await page.keyboard.down("Control");
    const reference = page.locator(".pl-ref").first();
    await reference.hover();
    await page.locator(".pl-goto").first().waitFor();
    assert.equal((await page.locator(".pl-goto").allTextContents()).join(""), "${services.db.ip}");
    await reference.click();
    await page.keyboard.up("Control");
    await page.waitForFunction(() => events.goto.length === 2);
    assert.equal(await page.locator(".pl-goto").count(), 0);
  }),

  "does not wrap because it was opened hidden": check(async (page) => {
    await page.evaluate(() => (document.querySelector("#editor").style.display = "none"));
    await start(page);
    await page.waitForTimeout(100);
    assert.equal(await page.locator(".cm-lineWrapping").count(), 0);
    await page.evaluate(() => (document.querySelector("#editor").style.display = ""));
    await page.waitForTimeout(100);
    assert.equal(await page.locator(".cm-lineWrapping").count(), 0);
  }),

  "works the same inside a shadow root": check(async (page) => {
    const family = await page.evaluate(async () => {
      const { createEditor } = await import("/editor.js");
      const host = document.body.appendChild(document.createElement("div"));
      const root = host.attachShadow({ mode: "open" });
      const parent = root.appendChild(document.createElement("div"));
      const inner = createEditor(parent);
      inner.setDocument("a.yaml", "a: 1\n");
      inner.focus();
      const size = getComputedStyle(root.querySelector(".cm-editor")).fontSize;
      const focused = root.activeElement?.className ?? "";
      inner.destroy();
      return { size, focused, left: root.querySelectorAll(".cm-editor").length };
    });
    assert.equal(family.size, "12.5px");
    assert.match(family.focused, /cm-content/);
    assert.equal(family.left, 0);
  }),
};
