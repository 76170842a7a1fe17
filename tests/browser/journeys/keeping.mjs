// Nothing is lost: reloads, links, other tabs.
import { append, chord, command, example, files, keepFile, open, ready, show, stored, untilProblems, untilSaved } from "../app.mjs";
import { answers, asked, assert, equal, journey, until, untilEqual } from "../harness.mjs";

/** As an earlier version of the app kept a workspace, and a copy of other files. */
const keptBefore = async (_, context) => {
  await keepFile(context, "meta: {name: old}\nservices: {web: {payload: p}}\npayloads: {p: {runtime: vm}}\n");
  await context.addInitScript(() => {
    const copied = [{ name: "copied.yaml", text: "meta: {name: copied}\n" }];
    localStorage.setItem("planloom/backup", JSON.stringify(copied));
  });
};

/** From here on the database of this page answers to nobody, as when a page is gone before it has. */
const silence = () => {
  const request = () => ({});
  IDBDatabase.prototype.transaction = () => ({ objectStore: () => ({ get: request, getAll: request }) });
};

export async function keeping() {
  await journey("a reload brings everything back", async (page) => {
    await ready(page);
    await open(page, "prod.yaml");
    await append(page, "    labels: {tier: gold}\n");
    await show(page, "Plan");
    await page.getByRole("button", { name: /^Colours/ }).click();
    await page.getByRole("button", { name: /^Colours: light/ }).click();
    const splitter = page.getByRole("separator", { name: "Width of the files" });
    await splitter.focus();
    for (let press = 0; press < 3; press += 1) await page.keyboard.press("ArrowRight");
    await untilEqual(() => splitter.getAttribute("aria-valuenow"), "268", "the width after three presses");
    await untilSaved(page);
    const before = await stored(page, "prod.yaml");
    assert(before.includes("tier: gold"), "the text is stored");
    await page.reload();
    await ready(page);
    await untilEqual(() => page.locator(".editor-head .layer-name").textContent(), "prod.yaml", "the open file");
    await page.locator(".cm-line", { hasText: "tier: gold" }).waitFor();
    await untilEqual(async () => await page.getByRole("tab", { selected: true }).textContent().then((text) => text.replace(/\d/g, "")), "Plan", "the open view");
    equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark", "the colours");
    await untilEqual(() => splitter.getAttribute("aria-valuenow"), "268", "the width of the files");
  });

  await journey("what was changed before a reload can be undone after it, across files", async (page) => {
    await ready(page);
    const [base, prod] = [await stored(page, "base.yaml"), await stored(page, "prod.yaml")];
    await open(page, "prod.yaml");
    await append(page, "    labels: {tier: gold}\n");
    await open(page, "base.yaml");
    await page.getByRole("navigation", { name: "Files" }).locator(".rail-open", { hasText: "base.yaml" }).focus();
    await page.keyboard.press("Delete");
    await until(() => files(page), (now) => now.join() === "prod.yaml", "the file is gone");
    await untilSaved(page);
    await page.reload();
    await until(() => files(page), (now) => now.join() === "prod.yaml", "the files after the reload");
    await command(page, "undo delete");
    await until(() => files(page), (now) => now.join() === "base.yaml,prod.yaml", "the file is back");
    await untilSaved(page);
    await page.reload();
    await ready(page);
    await command(page, "undo typing");
    await until(() => stored(page, "prod.yaml"), (now) => now === prod, "what was typed is gone");
    equal(await stored(page, "base.yaml"), base, "the other file");
  });

  await journey("what was undone before a reload can be redone after it, across files", async (page) => {
    await ready(page);
    await open(page, "prod.yaml");
    await append(page, "    labels: {tier: gold}\n");
    await open(page, "base.yaml");
    await page.getByRole("navigation", { name: "Files" }).locator(".rail-open", { hasText: "base.yaml" }).focus();
    await page.keyboard.press("Delete");
    await until(() => files(page), (now) => now.join() === "prod.yaml", "the file is gone");
    const prod = await stored(page, "prod.yaml");
    await command(page, "undo delete");
    await command(page, "undo typing");
    await until(() => stored(page, "prod.yaml"), (text) => !text.includes("gold"), "what was typed is gone");
    await page.reload();
    await ready(page);
    await command(page, "redo typing");
    await until(() => stored(page, "prod.yaml"), (text) => text === prod, "what was typed is back");
    await page.reload();
    await ready(page);
    await command(page, "redo delete");
    await until(() => files(page), (now) => now.join() === "prod.yaml", "the file is gone again");
    await untilSaved(page);
    await page.reload();
    await until(() => files(page), (now) => now.join() === "prod.yaml", "the files after the reload");
    await command(page, "undo delete");
    await until(() => files(page), (now) => now.join() === "base.yaml,prod.yaml", "and it comes back");
  });

  await journey("of examples that are opened one after another the last is there, and undo brings the one before back", async (page) => {
    await ready(page);
    await append(page, "\n# mine");
    const mine = await stored(page, "base.yaml");
    const opens = (example) => command(page, `example: ${example}`);
    const has = (names) => until(() => files(page), (now) => now.join() === names, `the files are ${names}`);
    let answer;
    const late = new Promise((resolve) => (answer = resolve));
    answers.set("/examples/links/", (_, response, text) => void late.then(() => response.end(text)));
    await opens("services that find each other");
    await until(() => asked.filter((url) => url.includes("/examples/links/")).length, (count) => count === 2, "the first is requested");
    await opens("a rendering farm");
    await has("farm.yaml,workers.yaml,night.yaml");
    const came = page.waitForResponse(/examples\/links\/infra\.yaml/);
    answer();
    await (await came).finished();
    await page.waitForTimeout(200);
    await has("farm.yaml,workers.yaml,night.yaml");
    await untilProblems(page, "No problems");
    await command(page, "undo opened");
    await has("base.yaml,prod.yaml");
    equal(await stored(page, "base.yaml"), mine, "what was edited before");
    await opens("staging and production");
    await has("base.yaml,staging.yaml,production.yaml");
    equal(await stored(page, "base.yaml"), example("environments", "base.yaml"), "a file of the same name");
    await untilProblems(page, "No problems");
    await command(page, "undo opened");
    await has("base.yaml,prod.yaml");
    equal(await stored(page, "base.yaml"), mine, "what was edited before, once more");
  });

  await journey("a workspace of twelve megabytes is there after a reload", async (page) => {
    await ready(page);
    const line = `# ${"x".repeat(1_022)}\n`;
    const large = (name, lines) => ({ name, mimeType: "application/yaml", buffer: Buffer.from(line.repeat(lines)) });
    await page.locator("#pick-files").setInputFiles([large("six.yaml", 6_144), large("other.yaml", 6_144)]);
    await until(() => files(page), (now) => now.includes("other.yaml"), "both are taken in");
    equal((await stored(page, "other.yaml")).length, 6_144 * line.length, "what is kept");
    await page.reload();
    await until(() => files(page), (now) => now.join() === "other.yaml,six.yaml", "the files");
    await page.locator(".large-file, .editor-head").first().waitFor();
    await untilEqual(async () => [(await stored(page, "six.yaml")).length, await page.getByRole("alert").count()], [6_144 * line.length, 0], "after the reload");
  });

  await journey("what an earlier version kept is moved over, with its copy", { before: keptBefore }, async (page) => {
    await ready(page);
    assert((await stored(page, "app.yaml")).startsWith("meta: {name: old}"), "the text");
    equal(await page.evaluate(() => Object.keys(localStorage).filter((key) => /^planloom\/(workspace|text|backup)/.test(key))), [], "what is left behind");
    await command(page, "restore the files");
    await until(() => files(page), (now) => now.join() === "copied.yaml", "the copy");
  });

  await journey("what was written while the page went is kept", async (page, { context, address }) => {
    await ready(page);
    await append(page, "\n# kept");
    await stored(page, "base.yaml");
    await page.evaluate(silence);
    await append(page, "\n# the very last words");
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide")));
    const journal = await page.evaluate(() => localStorage.getItem("planloom/journal"));
    assert(journal.includes("the very last words") && !journal.includes("# kept"), `only what is not kept yet: ${journal}`);
    await page.goto("about:blank");
    const other = await context.newPage();
    await other.goto(address);
    await ready(other);
    assert((await stored(other, "base.yaml")).endsWith("\n# kept\n# the very last words"), "all of it");
    equal(await other.evaluate(() => localStorage.getItem("planloom/journal")), null, "the journal is done with");
  });

  await journey("a page that was opened too early still gets what the one before it wrote last", async (page, { context, address }) => {
    await ready(page);
    await untilSaved(page);
    const early = await context.newPage();
    await early.goto(address);
    await ready(early);
    await page.evaluate(silence);
    await append(page, "\n# mine");
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide")));
    await early.getByText("Another tab has changed this workspace. This one follows it.").waitFor();
    assert((await stored(early, "base.yaml")).endsWith("\n# mine"), "it follows, and keeps it");
  });

  await journey("a closed page keeps the last keystroke", async (page, { context, address }) => {
    await ready(page);
    await append(page, "\n# the last words");
    await page.evaluate(() => {
      Object.defineProperty(document, "visibilityState", { value: "hidden" });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    const other = await context.newPage();
    await other.goto(address);
    await other.waitForSelector(".cm-content");
    await other.locator(".cm-content").focus();
    await other.keyboard.press(chord("End"));
    await other.locator(".cm-line", { hasText: "# the last words" }).waitFor();
  });

  await journey("a link carries the workspace and never overwrites work", { permissions: ["clipboard-read", "clipboard-write"] }, async (page, { context }) => {
    await ready(page);
    await append(page, "\n# shared");
    await untilProblems(page, "No problems");
    await page.getByRole("button", { name: "Copy a link to this workspace" }).click();
    await page.getByText(/^Copied a link/).waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert(link.includes("#s=") && link.length < 16_384, `a short link: ${link.length}`);

    const fresh = await context.browser().newContext();
    const visitor = await fresh.newPage();
    await visitor.goto(link);
    await ready(visitor);
    await visitor.getByText("Opened the workspace of the link").waitFor();
    assert((await stored(visitor, "base.yaml")).includes("# shared"), "the shared text");
    equal(await visitor.evaluate(() => location.hash), "", "the address is plain again");

    await append(visitor, "\n# mine");
    await stored(visitor, "base.yaml");
    await visitor.goto("about:blank");
    await visitor.goto(link);
    await visitor.getByText("This link contains another workspace.").waitFor();
    assert((await stored(visitor, "base.yaml")).includes("# mine"), "work is kept");
    await visitor.getByRole("button", { name: "Open it here" }).click();
    await until(() => stored(visitor, "base.yaml"), (text) => !text.includes("# mine"), "opened when asked");
    await visitor.reload();
    await ready(visitor);
    await command(visitor, "restore the files");
    await until(() => stored(visitor, "base.yaml"), (text) => text.includes("# mine"), "brought back after a reload");
    await fresh.close();
  });

  await journey("a link that was cut is reported", async (page, { address }) => {
    await ready(page);
    await page.goto("about:blank");
    await page.goto(`${address}#s=AAAA`);
    await page.getByText("The workspace in this link cannot be read.").waitFor();
    await untilEqual(() => files(page), ["base.yaml", "prod.yaml"], "files");
  });

  await journey("a tab follows another one as long as nothing was written in it", async (page, { context, address }) => {
    await ready(page);
    await untilSaved(page);
    const other = await context.newPage();
    await other.goto(address);
    await ready(other);
    const said = page.getByText("Another tab has changed this workspace.");
    await show(other, "Merged");
    await untilSaved(other);
    equal(await said.count(), 0, "what is said while nothing has changed");
    await append(other, "\n# from the other tab");
    await said.waitFor();
    assert((await stored(page, "base.yaml")).endsWith("# from the other tab"), "it follows");
    await append(page, "\n# from this one");
    await stored(page, "base.yaml");
    await other.getByRole("status").getByText("Another tab has changed this workspace.").waitFor();
    await other.getByRole("button", { name: "Reload" }).click();
    await ready(other);
    assert((await stored(other, "base.yaml")).endsWith("# from the other tab\n# from this one"), "what was written last");
  });
}
