// Large graphs: what cannot be seen costs nothing.
import { drawn as digest, keepFile, services, show } from "../app.mjs";
import { accessible, assert, equal, journey, shot, until, untilEqual } from "../harness.mjs";

const elements = (page) => page.locator(".graph-tree *").count();
const focused = (page) => page.evaluate(() => document.activeElement.dataset.address ?? document.activeElement.textContent);
const inView = (page) =>
  page.evaluate(() => {
    const [row, pane] = [document.activeElement, document.querySelector(".graph-tree")].map((it) => it.getBoundingClientRect());
    return row.top >= pane.top && row.bottom <= pane.bottom;
  });

export async function large() {
  await journey("the tree of a thousand services draws what can be seen", { before: (_, context) => keepFile(context, services(1_000)) }, async (page) => {
    await page.locator(".graph-view").waitFor();
    await until(() => digest(page), (now) => now?.all === 1_001, "nodes");
    const drawn = () => page.evaluate(() => window.drawn.splice(0).reduce((sum, { addedNodes, removedNodes }) => sum + addedNodes.length + removedNodes.length, 0));
    await page.evaluate(() => {
      window.drawn = [];
      const options = { subtree: true, childList: true };
      new MutationObserver((changes) => window.drawn.push(...changes)).observe(document.querySelector(".graph-figure"), options);
    });
    const tree = page.getByRole("button", { name: "Tree", exact: true });
    for (let time = 0; time < 3; time += 1) {
      await tree.click();
      const grid = page.getByRole("treegrid", { name: "Resources by wave" });
      await grid.waitFor();
      await until(() => elements(page), (count) => count > 300 && count < 2_500, "elements of the tree");
      await tree.click();
      await grid.waitFor({ state: "detached" });
    }
    const changes = await drawn();
    assert(changes < 15_000, `${changes} nodes were added or removed by opening and closing three times`);

    await tree.click();
    const grid = page.getByRole("treegrid", { name: "Resources by wave" });
    const rows = Number(await grid.getAttribute("aria-rowcount"));
    assert(rows > 1_001, `every resource has a row: ${rows}`);
    const row = (address) => grid.locator(`.tree-row[data-address='${address}']`);
    await untilEqual(() => row("networks.lan").locator(".tree-links").last().locator(".count").textContent(), "1000", "who uses the network");
    await shot(page, "tree-large");
    await accessible(page, "the tree");

    // By key: to the end, to a name, back to the heading; what has the focus is in view.
    await row("networks.lan").focus();
    await page.keyboard.press("End");
    await until(() => focused(page), (address) => /^services\.s\d+$/.test(address), "the last row");
    equal([await page.evaluate(() => document.activeElement.getAttribute("aria-rowindex")), await inView(page)], [String(rows), true], "it is the last one");
    await page.keyboard.press("l");
    await until(() => focused(page), (address) => address === "networks.lan", "by its first letter");
    equal(await inView(page), true, "in view");
    await page.keyboard.press("ArrowLeft");
    await until(() => focused(page), (words) => words.startsWith("Wave 1"), "the heading");
    await page.keyboard.press("ArrowLeft");
    await until(() => grid.getAttribute("aria-rowcount"), (count) => Number(count) < rows, "the wave is folded");
    equal(await page.evaluate(() => document.activeElement.getAttribute("aria-expanded")), "false", "and keeps the focus");
    await page.keyboard.press("ArrowRight");
    await until(() => grid.getAttribute("aria-rowcount"), (count) => Number(count) === rows, "unfolded");

    // By wheel: rows come as they are scrolled to, and the one with the focus stays.
    await page.locator(".graph-tree").evaluate((pane) => pane.scrollTo(0, pane.scrollHeight));
    await until(() => grid.locator(".tree-row").last().getAttribute("aria-rowindex"), (at) => at === String(rows), "the last row is drawn");
    assert((await focused(page)).startsWith("Wave 1"), "the focus is where it was");

    // The number leads to all of them.
    await page.locator(".graph-tree").evaluate((pane) => pane.scrollTo(0, 0));
    await row("services.s0").locator(".tree-links").last().locator(".count").click();
    await page.getByRole("button", { name: "Around services.s0" }).waitFor();
    await page.getByRole("button", { name: "Around services.s0" }).click();
    await until(() => grid.getAttribute("aria-rowcount"), (count) => Number(count) === rows, "all again");
  });

  for (const theme of ["light", "dark"]) {
    await journey(`the tree on a phone, ${theme}`, { theme, width: 390, height: 844, hasTouch: true, before: (_, context) => keepFile(context, services(60)) }, async (page) => {
      await page.waitForSelector(".chip-plan .chip-action:not(.chip-zero)");
      await page.getByRole("navigation", { name: "Screens" }).getByRole("button", { name: "View" }).tap();
      await show(page, "Graph");
      await page.getByRole("button", { name: "Tree", exact: true }).tap();
      await page.getByRole("treegrid", { name: "Resources by wave" }).waitFor();
      await shot(page, `tree-phone-${theme}`);
      await accessible(page, "the tree on a phone");
    });
  }
}
