// Nothing is lost: reloads, links, other tabs.
import { append, chord, command, files, open, ready, show, stored, untilProblems } from "../app.mjs";
import { assert, equal, journey, until } from "../harness.mjs";

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
    const before = await stored(page, "prod.yaml");
    assert(before.includes("tier: gold"), "the text is stored");
    await page.reload();
    await ready(page);
    equal(await page.locator(".editor-head .layer-name").textContent(), "prod.yaml", "the open file");
    await page.locator(".cm-line", { hasText: "tier: gold" }).waitFor();
    equal(await page.getByRole("tab", { selected: true }).textContent().then((text) => text.replace(/\d/g, "")), "Plan", "the open view");
    equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark", "the colours");
    equal(await splitter.getAttribute("aria-valuenow"), "268", "the width of the files");
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
    await visitor.getByText("This link holds another workspace.").waitFor();
    assert((await stored(visitor, "base.yaml")).includes("# mine"), "work is kept");
    await visitor.getByRole("button", { name: "Open it here" }).click();
    await until(() => stored(visitor, "base.yaml"), (text) => !text.includes("# mine"), "opened when asked");
    await visitor.reload();
    await ready(visitor);
    await command(visitor, "bring back the files");
    await until(() => stored(visitor, "base.yaml"), (text) => text.includes("# mine"), "brought back after a reload");
    await fresh.close();
  });

  await journey("a link that was cut is reported", async (page, { address }) => {
    await ready(page);
    await page.goto("about:blank");
    await page.goto(`${address}#s=AAAA`);
    await page.getByText("The workspace in this link cannot be read.").waitFor();
    equal(await files(page), ["base.yaml", "prod.yaml"], "files");
  });

  await journey("another tab's change is said", async (page, { context, address }) => {
    await ready(page);
    const other = await context.newPage();
    await other.goto(address);
    await ready(other);
    const said = page.getByText("Another tab has changed this workspace.");
    await show(other, "Merged");
    // Longer than what is on screen waits before it is stored.
    await other.waitForTimeout(600);
    equal(await said.count(), 0, "what is said while nothing has changed");
    await append(other, "\n# from the other tab");
    await said.waitFor();
  });
}
