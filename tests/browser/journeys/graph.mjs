// The graph: drawn on a canvas, found, filtered, grouped, described and saved; by pointer and by keyboard.
import { readFileSync } from "node:fs";
import { append, drawn, keepFile, node, open, ready, show, untilProblems } from "../app.mjs";
import { accessible, assert, equal, journey, shot, until } from "../harness.mjs";

/** Three networks, and services on them in turn, each waiting for one before it. */
export const fleet = (count) => {
  const networks = ["lan", "dmz", "mesh"];
  const service = (_, at) =>
    `  s${at}: {payload: web, network: ${networks[at % 3]}${at > 0 ? `, depends_on: [s${Math.floor((at - 1) / 3)}]` : ""}}\n`;
  const ips = networks.map((name, at) => `  ${name}: {ip: 10.${at}.0.0/16}\n`).join("");
  return `meta: {name: fleet}\npayloads:\n  web: {runtime: vm, params: {image_tag: me/web:1.0}}\nnetworks:\n${ips}services:\n${Array.from({ length: count }, service).join("")}`;
};

const view = (page) => page.locator(".graph .graph-view");
const card = (page) => page.getByRole("dialog", { name: /^About / });
const find = (page) => page.getByRole("searchbox", { name: "Find a resource" });
const described = (page) => view(page).evaluate((it) => document.getElementById(it.getAttribute("aria-activedescendant"))?.getAttribute("aria-label") ?? null);
const fleetOf = (count) => ({ before: (_, context) => keepFile(context, fleet(count)) });

/** How many colours are on the canvas, and how much of it is not the ground. */
const ink = (page) =>
  page.locator(".graph-sheet").evaluate((canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const pixels = new Uint32Array(data.buffer);
    const ground = pixels[0];
    return { colors: new Set(pixels).size, share: pixels.filter((pixel) => pixel !== ground).length / pixels.length };
  });

export async function graph() {
  await journey("the graph is painted, and again in the other theme", async (page) => {
    await ready(page);
    await until(() => drawn(page), (now) => now?.nodes === 4 && now.detail !== "far", "what is drawn");
    const light = await until(() => ink(page), ({ colors, share }) => colors > 20 && share > 0.02, "what is painted");
    const ground = () => page.locator(".graph-sheet").evaluate((canvas) => [...canvas.getContext("2d").getImageData(1, canvas.height - 2, 1, 1).data.slice(0, 3)]);
    const before = await ground();
    await page.emulateMedia({ colorScheme: "dark" });
    const after = await until(ground, (now) => Math.max(...now) < 60, "the ground in the dark");
    assert(Math.min(...before) > 200 && after.length === 3 && light.share < 0.9, `the ground was ${before}`);
  });

  await journey("a node is walked to, described and left by keyboard", async (page) => {
    await ready(page);
    await open(page, "prod.yaml");
    await view(page).focus();
    await page.keyboard.press("Home");
    await until(() => described(page), (said) => /1 of 4$/.test(said ?? ""), "the first node");
    await page.keyboard.type("db");
    await until(() => described(page), (said) => said?.startsWith("db, service, "), "by its name");
    await page.keyboard.press("F1");
    await card(page).waitFor();
    await until(() => page.evaluate(() => document.activeElement?.classList.contains("graph-card")), Boolean, "the card has the focus");
    const text = await card(page).innerText();
    for (const part of ["db", "services.db", "Set by", "Depends on", "Required by", "create"]) assert(text.includes(part), `the card says ${part}: ${text}`);
    await accessible(page, "the card");
    await page.keyboard.press("Escape");
    await card(page).waitFor({ state: "detached" });
    equal(await page.evaluate(() => document.activeElement.className), "graph-view", "what has the focus");
    await page.keyboard.press("Space");
    await page.locator(".editor-head .layer-name", { hasText: "base.yaml" }).waitFor();
  });

  await journey("a card leads to what needs it, and to the source", async (page) => {
    await ready(page);
    await open(page, "prod.yaml");
    await node(page, "db").click();
    await card(page).waitFor();
    await card(page).locator("dd").last().locator("button").first().click();
    await until(() => card(page).getAttribute("aria-label"), (now) => now !== "About services.db", "the card is about another one");
    await card(page).locator(".place").first().click();
    await page.locator(".pl-revealed, .pl-revealed-line").first().waitFor();
    await card(page).getByRole("button", { name: "Close (Escape)" }).click();
    await card(page).waitFor({ state: "detached" });
  });

  await journey("a resource among a thousand is found, and its neighbourhood drawn", fleetOf(1_000), async (page) => {
    await view(page).waitFor();
    await until(() => drawn(page), (now) => now?.all === 1_003, "nodes");
    await page.getByRole("button", { name: "Show all", exact: true }).click();
    const all = await until(() => drawn(page), (now) => now.detail === "far", "seen from far off");
    assert(all.nodes === 1_003 && all.names > 3 && all.names < 71, `names stand between the nodes: ${JSON.stringify(all)}`);
    assert((await page.locator(".graph-node").count()) < 5, "what cannot be read has no element");
    await shot(page, "graph-1000-all");
    await view(page).focus();
    await page.keyboard.press("/");
    await find(page).fill("s77");
    await page.locator(".pane-hits", { hasText: "11 matches" }).waitFor();
    await until(() => drawn(page), (now) => now.faded === 992, "the rest is faded");
    await page.keyboard.press("Enter");
    await page.locator(".pane-hits", { hasText: "1 of 11" }).waitFor();
    await until(() => drawn(page), (now) => now.detail === "near", "it is seen near by");
    await page.locator(".graph-node[data-address='services.s77'][data-selected]").waitFor();
    const [node, pane] = [await page.locator(".graph-node[data-selected]").boundingBox(), await view(page).boundingBox()];
    assert(Math.abs(node.x + node.width / 2 - pane.x - pane.width / 2) < 40, "in the middle");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await find(page).waitFor({ state: "detached" });
    await until(() => page.evaluate(() => document.activeElement.className), (now) => now === "graph-view", "the drawing has the focus");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Around services.s77" }).waitFor();
    const around = await until(() => drawn(page), (now) => now.all < 60, "only its neighbourhood");
    assert(around.nodes === around.all && around.detail !== "far", `all of it can be read: ${JSON.stringify(around)}`);
    await shot(page, "graph-1000-around");
    await page.keyboard.press("Escape");
    await until(() => drawn(page), (now) => now.all === 1_003, "everything again");
  });

  await journey("resources are grouped, groups unfold and fold", fleetOf(300), async (page) => {
    await until(() => view(page).count(), Boolean, "the drawing");
    await page.getByRole("button", { name: "Find", exact: true }).click();
    await page.getByRole("combobox", { name: "Group by" }).selectOption("network");
    const grouped = await until(() => drawn(page), (now) => now?.all === 3, "three groups");
    assert(grouped.nodes === 3 && grouped.detail !== "far", JSON.stringify(grouped));
    await node(page, "lan").waitFor();
    assert(/101 resources/.test(await node(page, "lan").getAttribute("aria-label")), "a group says how many are in it");
    await shot(page, "graph-grouped");
    await accessible(page, "groups");
    await node(page, "lan").click();
    await until(() => drawn(page), (now) => now.all === 103, "its members are drawn");
    await view(page).focus();
    await page.keyboard.type("s0");
    await until(() => described(page), (said) => said?.startsWith("s0, "), "a member");
    await page.keyboard.press("Backspace");
    await until(() => drawn(page), (now) => now.all === 3, "folded again");
    await page.getByRole("button", { name: "Grouped by network" }).click();
    await until(() => drawn(page), (now) => now.all === 303, "single resources");
  });

  await journey("filters fade what they leave out, and the tree leaves it out", fleetOf(30), async (page) => {
    await ready(page);
    await page.getByRole("button", { name: "Find", exact: true }).click();
    await page.getByRole("group", { name: "Show only some kinds" }).getByRole("button", { name: "network 3" }).click();
    await until(() => drawn(page), (now) => now?.faded === 30, "services are faded");
    await page.getByRole("button", { name: "Tree", exact: true }).click();
    await until(() => page.locator(".tree-row[data-address]").count(), (count) => count === 3, "rows");
    await page.getByRole("button", { name: "3 of 33", exact: true }).click();
    await until(() => drawn(page), (now) => now.faded === 0, "nothing is faded");
    await until(() => page.locator(".tree-row[data-address]").count(), (count) => count === 33, "all rows");
  });

  await journey("the graph is saved as SVG, PNG, DOT and Mermaid", async (page) => {
    await ready(page);
    await view(page).hover();
    for (const [what, name, begins] of [
      ["SVG", "graph.svg", "<svg"],
      ["PNG", "graph.png", "\x89PNG"],
      ["DOT", "graph.dot", "digraph"],
      ["Mermaid", "graph.mmd", "flowchart"],
    ]) {
      await page.getByRole("button", { name: "Save the graph" }).click();
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: `Save as ${what}` }).click()]);
      equal(download.suggestedFilename(), name, "the file's name");
      const bytes = readFileSync(await download.path());
      assert(bytes.toString("latin1").includes(begins) && bytes.length > 200, `${name} is ${bytes.length} bytes`);
    }
  });

  await journey("what one looks at stays when a resource is added", fleetOf(120), async (page) => {
    await ready(page);
    await until(() => drawn(page), (now) => now?.all === 123, "nodes");
    await page.getByRole("button", { name: "Find", exact: true }).click();
    await find(page).fill("s60");
    await page.keyboard.press("Enter");
    const place = async () => (await page.locator(".graph-node[data-address='services.s60']").boundingBox()) ?? {};
    await page.locator(".graph-node[data-address='services.s60'][data-selected]").waitFor();
    await page.keyboard.press("Escape");
    await page.waitForTimeout(300);
    const before = await place();
    await append(page, "  extra: {payload: web, network: lan}\n");
    await untilProblems(page, "No problems");
    await until(() => drawn(page), (now) => now?.all === 124, "one more");
    const after = await until(place, ({ x }) => x !== undefined, "its place");
    const moved = Math.hypot(after.x - before.x, after.y - before.y);
    assert(moved < 4, `it moved by ${moved} pixels`);
  });

  for (const theme of ["light", "dark"]) {
    for (const [width, height] of [[1440, 900], [1024, 768], [390, 844]]) {
      await journey(`the graph's tools are legible, ${width} ${theme}`, { width, height, theme, ...fleetOf(12) }, async (page) => {
        await page.waitForSelector(".chip-plan .chip-action:not(.chip-zero)");
        if (width < 700) await page.getByRole("navigation", { name: "Screens" }).getByRole("button", { name: "View" }).click();
        await show(page, "Graph");
        await page.getByRole("button", { name: "Find", exact: true }).click();
        await find(page).fill("s1");
        await page.getByRole("button", { name: "Legend", exact: true }).click();
        await view(page).focus();
        await page.keyboard.press("Home");
        await page.keyboard.press("F1");
        await card(page).waitFor();
        await shot(page, `graph-tools-${width}-${theme}`);
        await accessible(page, "the graph with its tools");
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert(wide <= 0, `the page is ${wide} pixels wider than the screen`);
      });
    }
  }
}
