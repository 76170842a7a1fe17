// Texts, places, history and the events that the app receives.
import assert from "node:assert/strict";

const check = (run, options) => ({ run, options });
const text = (page) => page.evaluate(() => editor.getText());
const set = (page, name, body, options) => page.evaluate(([n, b, o]) => editor.setDocument(n, b, o), [name, body, options]);
const content = (page) => page.locator(".cm-content");

export const checks = {
  "columns count characters, not UTF-16 units": check(async (page) => {
    await set(page, "a.yaml", "a: 😀😀é\u0301 x\nb: 1\n");
    await page.evaluate(() => editor.revealRange(1, 8, 1, 9));
    assert.deepEqual(await page.evaluate(() => events.cursor.at(-1)), [1, 8]);
    const moved = await page.evaluate(() => editor.applyEdits([{ line: 1, column: 8, end_line: 1, end_column: 9, new_text: "Y" }]));
    assert.equal(moved, true);
    assert.equal(await text(page), "a: 😀😀é\u0301Yx\nb: 1\n");
  }),

  "a cursor behind an emoji is one column further": check(async (page) => {
    await set(page, "a.yaml", "😀: 1\n");
    await content(page).focus();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("ArrowRight");
    assert.deepEqual(await page.evaluate(() => events.cursor.at(-1)), [1, 2]);
  }),

  "places outside the text are its ends": check(async (page) => {
    await set(page, "a.yaml", "ab\ncd");
    await page.evaluate(() => editor.revealRange(99, 1, 99, 1));
    assert.deepEqual(await page.evaluate(() => events.cursor.at(-1)), [2, 3]);
    await page.evaluate(() => editor.revealRange(1, 99, 1, 120));
    assert.deepEqual(await page.evaluate(() => events.cursor.at(-1)), [1, 3]);
  }),

  "another file begins at its first column, and Home goes all the way": check(async (page) => {
    const left = async () => {
      await page.waitForTimeout(150);
      return page.evaluate(() => document.querySelector(".cm-scroller").scrollLeft);
    };
    await set(page, "a.yaml", `      a: ${"long ".repeat(80)}\n`);
    await content(page).focus();
    await page.keyboard.press("End");
    const end = await left();
    assert.ok(end > 0);
    await page.keyboard.press("Home");
    assert.equal(await left(), 0);
    await page.keyboard.press("End");
    assert.equal(await left(), end);
    await set(page, "b.yaml", `b: ${"long ".repeat(80)}\n`);
    assert.equal(await left(), 0);
    await set(page, "a.yaml", `      a: ${"long ".repeat(80)}\n`);
    assert.equal(await left(), end);
  }),

  "each file keeps its own history and cursor": check(async (page) => {
    await set(page, "a.yaml", "a: 1\n");
    await content(page).focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("x: 2");
    await set(page, "b.yaml", "b: 1\n");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("y: 3");
    await set(page, "a.yaml", "a: 1\nx: 2");
    assert.deepEqual(await page.evaluate(() => events.cursor.at(-1)), [2, 5]);
    await page.keyboard.press("Control+z");
    assert.equal(await text(page), "a: 1\n");
    await set(page, "b.yaml", "b: 1\ny: 3");
    assert.equal(await text(page), "b: 1\ny: 3");
    assert.equal(await page.evaluate(() => editor.undo()), true);
    assert.equal(await text(page), "b: 1\n");
    assert.equal(await page.evaluate(() => editor.redo()), true);
    assert.equal(await text(page), "b: 1\ny: 3");
  }),

  "a text the app changed keeps the history unless it says otherwise": check(async (page) => {
    await set(page, "a.yaml", "a: 1\n");
    await content(page).focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("b: 2");
    const before = await page.evaluate(() => events.change.length);
    await set(page, "a.yaml", "a: 9\nb: 2");
    assert.equal(await page.evaluate(() => events.change.length), before, "the app was notified of its own change");
    await page.keyboard.press("Control+z");
    assert.equal(await text(page), "a: 1\nb: 2");
    await page.keyboard.press("Control+z");
    assert.equal(await text(page), "a: 1\n");
    await set(page, "a.yaml", "c: 3\n", { resetHistory: true });
    assert.equal(await page.evaluate(() => editor.undo()), false);
  }),

  "a renamed file keeps its history and is announced": check(async (page) => {
    await set(page, "a.yaml", "a: 1\n");
    await page.evaluate(() => editor.applyEdits([{ line: 1, column: 4, end_line: 1, end_column: 5, new_text: "2" }]));
    await set(page, "b.yaml", "b: 1\n");
    await page.evaluate(() => editor.renameDocument("a.yaml", "c.yaml"));
    await set(page, "c.yaml", "a: 2\n");
    assert.equal(await content(page).getAttribute("aria-label"), "Editor, c.yaml");
    assert.equal(await page.evaluate(() => editor.undo()), true);
    assert.equal(await text(page), "a: 1\n");
    await page.evaluate(() => editor.renameDocument("c.yaml", "d.yaml"));
    assert.equal(await content(page).getAttribute("aria-label"), "Editor, d.yaml");
    assert.equal((await page.evaluate(() => (editor.redo(), events.change.at(-1))))[0], "d.yaml");
    await page.evaluate(() => editor.dropDocument("d.yaml"));
    assert.equal(await text(page), "");
    await set(page, "d.yaml", "x: 1\n");
    assert.equal(await page.evaluate(() => editor.undo()), false, "a dropped file's history came back");
  }),

  "edits are one undo step and are reported once": check(async (page) => {
    await set(page, "a.yaml", "one: 1\ntwo: 2\n");
    const edits = [
      { line: 2, column: 1, end_line: 2, end_column: 4, new_text: "zwei" },
      { line: 1, column: 1, end_line: 1, end_column: 4, new_text: "eins" },
    ];
    assert.equal(await page.evaluate((e) => editor.applyEdits(e), edits), true);
    assert.equal(await text(page), "eins: 1\nzwei: 2\n");
    assert.deepEqual(await page.evaluate(() => events.change), [["a.yaml", "eins: 1\nzwei: 2\n"]]);
    await page.evaluate(() => editor.undo());
    assert.equal(await text(page), "one: 1\ntwo: 2\n");
  }),

  "overlapping edits change nothing": check(async (page) => {
    await set(page, "a.yaml", "abcdef\n");
    const edits = [
      { line: 1, column: 1, end_line: 1, end_column: 4, new_text: "x" },
      { line: 1, column: 3, end_line: 1, end_column: 5, new_text: "y" },
    ];
    assert.equal(await page.evaluate((e) => editor.applyEdits(e), edits), false);
    assert.equal(await text(page), "abcdef\n");
  }),

  "line ends come back as they were": check(async (page) => {
    await set(page, "a.yaml", "a: 1\r\nb: 2\r\n");
    await page.evaluate(() => editor.applyEdits([{ line: 2, column: 4, end_line: 2, end_column: 5, new_text: "3\nc: 4" }]));
    assert.equal(await text(page), "a: 1\r\nb: 3\r\nc: 4\r\n");
    await set(page, "mixed.yaml", "a: 1\r\nb: 2\nc: \r3");
    assert.equal(await text(page), "a: 1\r\nb: 2\nc: \r3");
  }),

  "a read-only document cannot be typed into, and Tab passes": check(async (page) => {
    await set(page, "a.yaml", "a: 1\n");
    await page.evaluate(() => editor.setReadOnly(true));
    await content(page).focus();
    await page.keyboard.type("zzz");
    assert.equal(await text(page), "a: 1\n");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.id), "after");
  }),

  "of 2 MB only what is seen is drawn, and edits reach it": check(async (page) => {
    const time = await page.evaluate(() => {
      const line = "  web-0001: {payload: web, network: default, init: [[/bin/sh, -c, \"echo ${services.db.network_node.ip}\"]]}\n";
      const big = `services:\n${line.repeat(Math.ceil(2 ** 21 / line.length))}`;
      const start = performance.now();
      editor.setDocument("big.yaml", big);
      const shown = performance.now();
      for (let n = 0; n < 20; n++) editor.applyEdits([{ line: 2, column: 3, end_line: 2, end_column: 3, new_text: "x" }]);
      const edited = performance.now();
      const lines = document.querySelectorAll(".cm-line");
      return { show: shown - start, edit: (edited - shown) / 20, lines: lines.length, line: lines[1].textContent.slice(0, 24) };
    });
    console.log(`  2 MB: shown in ${time.show.toFixed(0)} ms, one edit ${time.edit.toFixed(1)} ms`);
    assert.ok(time.lines > 5 && time.lines < 300, JSON.stringify(time));
    assert.equal(time.line, `  ${"x".repeat(20)}we`);
  }),
};
