// Typing: completion, indentation, brackets, the way out, search, folding, themes.
import assert from "node:assert/strict";

const check = (run, options) => ({ run, options });
const text = (page) => page.evaluate(() => editor.getText());
const set = (page, body) => page.evaluate((b) => editor.setDocument("a.yaml", b), body);
const atEnd = async (page) => {
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+End");
};
const view = (label, edit, kind = "key") => ({ label, kind, detail: "", doc: `About ${label}`, edit: { file: "a.yaml", ...edit } });
const list = (page) => page.locator(".cm-tooltip-autocomplete li");
const settle = (page) => page.waitForTimeout(120);

/** Types lines into an empty file. */
const types = (keys, expected) =>
  check(async (page) => {
    await set(page, "");
    await atEnd(page);
    for (const key of keys) await (key.length > 1 && /^[A-Z]/.test(key) ? page.keyboard.press(key) : page.keyboard.type(key));
    assert.equal(await text(page), expected);
  });

export const checks = {
  "an edit is reported as what it changes, and a change by the app is not": check(async (page) => {
    await set(page, "😀: 1\r\nb: 2\r\n");
    await page.evaluate(() => {
      const edit = (line, column, end_column, new_text) => editor.applyEdits([{ line, column, end_line: line, end_column, new_text }]);
      edit(1, 2, 2, "x\r\ny");
      edit(3, 1, 2, "");
      editor.setDocument("a.yaml", "c: 3\n");
    });
    assert.deepEqual(await page.evaluate(() => events.edit), [
      ["a.yaml", [2, [0, "x", "y"], 9]],
      ["a.yaml", [9, [1], 4]],
    ]);
  }),

  "a key is completed in place": check(async (page) => {
    await set(page, "😀: 1\npa: web\n");
    await page.evaluate((c) => (answers.completion = c), [
      view("payload", { line: 2, column: 1, end_line: 2, end_column: 3, new_text: "payload" }),
      view("parameters", { line: 2, column: 1, end_line: 2, end_column: 3, new_text: "parameters" }),
    ]);
    await page.evaluate(() => editor.revealRange(2, 2, 2, 2));
    await page.keyboard.press("Control+Space");
    await list(page).first().waitFor();
    assert.deepEqual(await page.evaluate(() => events.requested.completion.at(-1)), [2, 2, true]);
    assert.match(await page.locator(".cm-completionInfo").innerText(), /About payload/);
    await settle(page);
    await page.keyboard.press("Enter");
    assert.equal(await text(page), "😀: 1\npayload: web\n");
    assert.deepEqual(await page.evaluate(() => events.cursor.at(-1)), [2, 8]);
  }),

  "typing inside ${ asks, filters without asking again, and replaces the path": check(async (page) => {
    await set(page, "😀a: ");
    await page.evaluate(
      (c) => (answers.completion = c),
      ["services.db.ip", "services.web.ip"].map((path) =>
        view(path, { line: 1, column: 7, end_line: 1, end_column: 7, new_text: path }, "reference"),
      ),
    );
    await atEnd(page);
    await page.keyboard.type("${");
    await list(page).first().waitFor();
    assert.deepEqual(await page.evaluate(() => events.requested.completion.at(-1)), [1, 7, false]);
    const requested = await page.evaluate(() => events.requested.completion.length);
    await page.keyboard.type("web");
    await page.waitForFunction(() => document.querySelectorAll(".cm-tooltip-autocomplete li").length === 1);
    assert.equal(await page.evaluate(() => events.requested.completion.length), requested);
    await settle(page);
    await page.keyboard.press("Tab");
    assert.equal(await text(page), "😀a: ${services.web.ip}");
  }),

  "an answer that comes too late is thrown away": check(async (page) => {
    await set(page, "");
    await page.evaluate(
      (c) => Object.assign(answers, { delay: 300, completion: c }),
      [view("payload", { line: 1, column: 1, end_line: 1, end_column: 2, new_text: "payload" })],
    );
    await atEnd(page);
    await page.keyboard.type("p");
    await page.waitForTimeout(150);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Enter");
    await page.waitForTimeout(500);
    assert.equal(await list(page).count(), 0);
    assert.equal(await text(page), "p\n");
  }),

  "nothing is asked in a comment": check(async (page) => {
    await set(page, "");
    await atEnd(page);
    await page.keyboard.type("# word");
    await page.waitForTimeout(300);
    assert.equal(await page.evaluate(() => events.requested.completion.length), 0);
  }),

  "a new line goes one step in below a key": types(["a:", "Enter", "b: 1"], "a:\n  b: 1"),
  "a new line stays beside a pair": types(["a: 1", "Enter", "b"], "a: 1\nb"),
  "a map in a list goes on below its first key": types(["- name: x", "Enter", "y"], "- name: x\n  y"),
  "a plain item is followed by the dash's column": types(["- x", "Enter", "- y"], "- x\n- y"),
  "a block scalar begins one step in and stays there": types(["a: |", "Enter", "x: ", "Enter", "y"], "a: |\n  x: \n  y"),
  "a bracket opens over two lines": types(["a: [", "Enter", "x"], "a: [\n  x\n]"),
  "Tab goes to the next step": types(["a", "Tab", "b"], "a b"),
  "Backspace takes back a step": types(["a:", "Enter", "Backspace", "b"], "a:\nb"),
  "brackets close and quotes do": types(["a: {b: \"c"], "a: {b: \"c\"}"),

  "Escape then Tab leaves, and the status line says so": check(async (page) => {
    await set(page, "a: 1\n");
    await page.locator("#before").focus();
    await page.keyboard.press("Tab");
    const status = page.locator(".pl-status-said");
    const says = async (words) => assert.equal((await status.innerText()).replaceAll(/\s+/g, " "), words);
    await says("Tab leaves once you write, it indents");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.id), "after", "who only passes through is not caught");
    assert.equal(await text(page), "a: 1\n");
    await page.locator(".cm-line").first().click();
    await page.keyboard.press("Control+Home");
    await says("Tab indents Esc, then Tab, leaves the editor");
    const described = await page.evaluate(() => document.getElementById(document.querySelector(".cm-content").getAttribute("aria-describedby")).textContent);
    assert.match(described, /Escape, then Tab, leaves the editor/);
    await page.keyboard.press("Tab");
    assert.equal(await text(page), "  a: 1\n");
    await page.keyboard.press("Escape");
    await says("Tab leaves the editor now");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.id), "after");
    assert.equal(await text(page), "  a: 1\n");
  }),

  "Tab indents once something was written, and never where that was chosen": check(async (page) => {
    await set(page, "a: 1\n");
    await page.locator("#before").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("b");
    await page.keyboard.press("Tab");
    assert.equal(await text(page), "b a: 1\n");
    await page.keyboard.press("Control+m");
    const status = page.locator(".pl-status-said");
    assert.match(await status.innerText(), /it never indents/);
    await page.evaluate(() => window.editor.setDocument("other.yaml", "c: 2\n"));
    assert.match(await status.innerText(), /it never indents/, "also in another document");
    await page.locator(".cm-line").first().click();
    await page.keyboard.type("d");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.id), "after");
    await page.getByRole("button", { name: "Tab leaves" }).click();
    assert.match(await status.innerText(), /^Tab indents/);
  }),

  "search counts, steps and replaces": check(async (page) => {
    await set(page, "web: 1\nx: web\ny: Web\n");
    await page.locator(".cm-content").focus();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Control+f");
    await page.keyboard.type("web");
    const count = page.locator(".pl-search-count");
    assert.equal(await count.innerText(), "3");
    await page.keyboard.press("Enter");
    assert.match(await count.innerText(), /^\d of 3$/);
    await page.getByRole("button", { name: "Match case" }).click();
    assert.match(await count.innerText(), /2$/);
    await page.getByLabel("Replace with", { exact: true }).fill("db");
    await page.getByRole("button", { name: "Replace all" }).click();
    assert.equal(await text(page), "db: 1\nx: db\ny: Web\n");
    await page.getByRole("button", { name: "Regular expression" }).click();
    await page.getByLabel("Find", { exact: true }).fill("(");
    assert.equal(await count.innerText(), "not a pattern");
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".pl-search").count(), 0);
  }),

  "references, tags and numbers are told apart": check(async (page) => {
    await set(page, "a: \"x ${services.db.ip} $${no}\"\nb: !override [1, true]\nc: !reset\n");
    // What is parsed late is marked late.
    await page.waitForFunction(() => document.querySelectorAll(".pl-tag-layer").length === 2);
    assert.equal((await page.locator(".pl-ref").allTextContents()).join(""), "${services.db.ip}");
    assert.deepEqual(await page.locator(".pl-escape").allTextContents(), ["$${"]);
    assert.deepEqual(await page.locator(".pl-tag-layer").allTextContents(), ["!override", "!reset"]);
    assert.deepEqual(await page.locator(".pl-number").allTextContents(), ["1"]);
    assert.deepEqual(await page.locator(".pl-word").allTextContents(), ["true"]);
  }),

  "a theme is only a matter of custom properties": check(async (page) => {
    await set(page, "a: 1\n");
    const color = () => page.locator(".cm-editor").evaluate((node) => getComputedStyle(node).backgroundColor);
    assert.equal(await color(), "rgb(255, 255, 255)");
    await page.evaluate(() => document.documentElement.classList.add("dark"));
    assert.equal(await color(), "rgb(25, 26, 29)");
    await page.evaluate(() => editor.setTheme("dark"));
    assert.equal(await color(), "rgb(25, 26, 29)");
  }),

  "lines wrap where it is narrow": check(
    async (page) => {
      await set(page, `a: ${"long ".repeat(60)}\n`);
      await page.waitForFunction(() => document.querySelector(".cm-lineWrapping"));
      const fits = await page.evaluate(() => {
        const scroller = document.querySelector(".cm-scroller");
        return scroller.scrollWidth <= scroller.clientWidth && document.documentElement.scrollWidth <= innerWidth;
      });
      assert.ok(fits);
    },
    { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true },
  ),

  "the app's keys reach the app": check(async (page) => {
    await set(page, "a: 1\n");
    await page.locator(".cm-content").focus();
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Control+s");
    assert.deepEqual(await page.evaluate(() => events.command), ["palette", "save"]);
    assert.equal(await text(page), "a: 1\n");
  }),
};
