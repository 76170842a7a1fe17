// The elements on bare pages, under the strictest policy.
import { assert, check, equal } from "../npm/harness.mjs";
import { accessible, assemble, onPage, ready, serving, STRICT } from "./page.mjs";

export async function elements(context) {
  const { browser } = context;
  const folder = assemble(context);
  const strictly = (name, page, use, options) => check(name, () => serving(folder, (at) => onPage(browser, at + page, use, options), STRICT));

  await strictly("three elements show one set of files", "three.html", three);
  await strictly("what is typed changes the graph and the plan", "three.html", typing);
  await strictly("the editor completes, explains and goes to definitions", "three.html", assisting);
  await strictly("a listing shows lines, problems and no editor", "three.html", listed);
  await strictly("the graph is walked by keyboard", "three.html", walking);
  await strictly("the graph leaves the wheel to the page", "three.html", wheel);
  await strictly("a classic script loads files by address, and nothing moves", "classic.html", classic);
  await strictly("an element far below is loaded when it comes near", "far.html", far);
  await strictly("a fragment leads into an element", "far.html#far:services.web", fragment);
  await strictly("properties that were set before are kept", "three.html", upgraded);
  await strictly("axe-core finds nothing", "three.html", async (page) => {
    await all(page);
    await page.locator("#graph .node").first().click();
    await accessible(page);
  });
  await strictly("axe-core finds nothing in the dark", "classic.html", async (page) => {
    await ready(page, "plan");
    await page.locator("#plan summary").first().click();
    await accessible(page);
  }, { colorScheme: "dark" });
  await strictly("without JavaScript the files are readable", "three.html", async (page) => {
    const text = await page.locator("#files pre").innerText();
    assert(text.includes("image_tag: me/p:1") && (await page.locator("#files pre").isVisible()), "the YAML is not shown");
  }, { javaScriptEnabled: false });
  await check("a policy without WebAssembly leaves the files and names the header", () => blocked(browser, folder));
  await check("the theme is that of the page", () => themes(browser, folder));
}

const all = (page) => Promise.all(["files", "graph", "plan", "listing"].map((id) => ready(page, id)));

async function three(page) {
  await all(page);
  equal(await page.locator("#graph .node .name").allTextContents().then((it) => it.join()), "lan,db,web", "the resources");
  equal(await page.locator("#plan .sentence").innerText(), "Everything is new: 3 resources will be created.", "the sentence");
  equal(await page.locator("#files [role=tab]").allInnerTexts().then((it) => it.join()), "app.yaml,prod.yaml", "the tabs");
  const rows = await page.locator("#graph [data-row='services.web'] td").allInnerTexts();
  assert(rows.join("|").includes("depends on services.db"), `the table says ${rows}`);
  const modules = await page.evaluate(() => performance.getEntriesByType("resource").filter((it) => it.name.endsWith("planloom_bg.wasm")).length);
  equal(String(modules), "1", "how often the engine was fetched");
  const styled = await page.evaluate(() => [...document.querySelectorAll("planloom-graph")].flatMap((it) => [...it.shadowRoot.querySelectorAll("style, link")]).length);
  equal(String(styled), "0", "style elements");
}

async function typing(page) {
  await all(page);
  await page.locator("#files .cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("\n");
  await page.keyboard.press("Home");
  await page.keyboard.type("  cache: {payload: p, network: lan}");
  await page.locator("#graph .node[data-address='services.cache']").waitFor();
  await page.locator("#plan details[data-address='services.cache']").waitFor();
  const change = await page.evaluate(() => said.filter((it) => it.name === "change").at(-1));
  assert(change.id === "files" && change.detail.file === "app.yaml" && change.detail.text.includes("cache:"), "the event does not say what changed");
  await page.keyboard.type("\n  bad: {payload: nowhere}");
  await page.locator("#files .pl-problem-error").first().waitFor();
  assert(/error/.test(await page.locator("#files .strip").innerText()), "the strip does not count the error");
  const [problem] = await page.evaluate(() => said.filter((it) => it.name === "diagnostics").at(-1).detail);
  assert(problem.code.includes("/"), "the problem has no code");
}

async function assisting(page) {
  await all(page);
  await page.locator("#files .cm-line", { hasText: "depends_on" }).getByText("depends_on").hover();
  await page.locator("#files .pl-card").first().waitFor();
  assert(/started|active/.test(await page.locator("#files .pl-card").first().innerText()), "the card does not explain the key");
  await page.mouse.move(0, 0);
  await page.locator("#files .cm-line", { hasText: "network: lan" }).last().click();
  await page.keyboard.press("End");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Control+Space");
  await page.locator("#files .cm-tooltip-autocomplete li").first().waitFor();
  assert((await page.locator("#files .cm-tooltip-autocomplete").innerText()).includes("lan"), "the network is not offered");
  await page.keyboard.press("Escape");
  await page.keyboard.type("n");
  await page.keyboard.press("F12");
  await page.waitForFunction(() => said.some((it) => it.name === "select" && it.detail.file === "app.yaml" && it.detail.line === 4));
}

async function listed(page) {
  await all(page);
  equal(String(await page.locator("#listing .cm-editor").count()), "0", "editors");
  equal(await page.locator("#listing .line code").nth(3).innerText(), "  lan: {ip: 10.0.0.0/24}", "the fourth line");
  equal(await page.locator("#listing a.number").nth(3).getAttribute("href"), "#listing%3Aapp.yaml%3A4", "the link of a line");
  await page.evaluate(() => (document.getElementById("listing").focusTarget = "app.yaml:4"));
  await page.locator("#listing .line.current[data-number='4']").waitFor();
}

async function walking(page) {
  await all(page);
  const stops = await page.locator("#graph .node[tabindex='0']").count();
  equal(String(stops), "1", "stops for Tab in the graph");
  await page.locator("#graph .node").first().focus();
  await page.keyboard.press("ArrowRight");
  const address = () => page.evaluate(() => document.getElementById("graph").shadowRoot.activeElement.dataset.address);
  assert((await address()).startsWith("services."), "the arrow did not follow an edge");
  await page.locator("#graph .node[data-address='services.web']").focus();
  await page.keyboard.press("ArrowLeft");
  equal(await address(), "services.db", "what services.web needs");
  await page.keyboard.press("Enter");
  const card = await page.locator("#graph .card").innerText();
  assert(/will be created/.test(card) && /app\.yaml:6/.test(card), `the card says ${card}`);
  await page.keyboard.press("Escape");
  equal(String(await page.locator("#graph .card").count()), "0", "cards");
  equal(await address(), "services.db", "where the focus is afterwards");
  const selected = await page.evaluate(() => said.filter((it) => it.name === "select").at(-1).detail);
  equal(selected.address, "services.db", "what was selected");
}

async function wheel(page) {
  await all(page);
  await page.locator("#graph .drawing").hover();
  const box = () => page.locator("#graph .drawing").getAttribute("viewBox");
  const before = await box();
  await page.mouse.wheel(0, 120);
  await page.waitForFunction(() => scrollY > 0);
  equal(await box(), before, "the view box after the wheel");
  await page.locator("#graph .drawing").hover();
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -120);
  await page.keyboard.up("Control");
  await page.waitForFunction((before) => document.getElementById("graph").shadowRoot.querySelector(".drawing").getAttribute("viewBox") !== before, before);
}

async function classic(page) {
  await Promise.all([ready(page, "graph"), ready(page, "plan")]);
  await page.waitForTimeout(300);
  equal(await page.locator("#plan .heading").allInnerTexts().then((it) => it.map((text) => text.replace(/\s+/g, " ").trim()).join()), "Destroy 1,Rebuild: destroy and create again 3,Update in place 1", "the sections");
  await page.locator("#plan details[data-address='services.archive'] summary").click();
  const row = await page.locator("#plan details[data-address='services.archive']").innerText();
  assert(/station\/archive:2\.0/.test(row) && /station\/archive:2\.1/.test(row) && /release\.yaml:5/.test(row), `the row says ${row}`);
  assert((await page.locator("#graph .gone").innerText()).includes("services.mailer"), "what is destroyed is not named");
  const shift = await page.evaluate(() => moved);
  assert(shift < 0.01, `things moved: ${shift}`);
}

async function far(page) {
  await page.waitForTimeout(300);
  const loaded = () => page.evaluate(() => performance.getEntriesByType("resource").some((it) => /element_parts|\.wasm/.test(it.name)));
  assert(!(await loaded()), "something was loaded although no element is near");
  await page.locator("#far").scrollIntoViewIfNeeded();
  await ready(page, "far");
  await page.waitForTimeout(200);
  assert((await page.evaluate(() => moved)) < 0.01, `things moved: ${await page.evaluate(() => moved)}`);
  assert(await page.locator("#clicked pre").isVisible(), "the files of an element that waits for a click are not shown");
  await page.locator("#clicked [part=start]").click();
  await ready(page, "clicked");
}

async function fragment(page) {
  await ready(page, "far");
  await page.locator("#far .node.current[data-address='services.web']").waitFor();
  await page.waitForFunction(() => scrollY > 1000);
  await page.evaluate(() => (location.hash = "#clicked:services.db"));
  await ready(page, "clicked");
  await page.locator("#clicked details[open][data-address='services.db']").waitFor();
}

async function upgraded(page) {
  await all(page);
  const got = await page.evaluate(async () => {
    const plan = document.createElement("planloom-plan");
    const given = document.implementation.createHTMLDocument("").createElement("planloom-plan");
    given.files = [{ name: "late.yaml", text: "networks: {lan: {ip: 10.0.0.0/24}}\n" }];
    given.focus = "networks.lan";
    given.id = "given";
    given.loading = "eager";
    given.height = "200";
    document.querySelector("main").append(given);
    await new Promise((done) => given.addEventListener("planloom-ready", done, { once: true }));
    plan.theme = "dark";
    plan.readOnly = true;
    const mirrored = plan.getAttribute("theme") + plan.hasAttribute("readonly") + typeof plan.focus;
    return [mirrored, given.getAttribute("focus"), given.files[0].name, given.shadowRoot.querySelector("details[open]").dataset.address].join();
  });
  equal(got, "darktruefunction,networks.lan,late.yaml,networks.lan", "the properties");
}

async function blocked(browser, folder) {
  const policy = STRICT.replace(" 'wasm-unsafe-eval'", "");
  const use = async (page) => {
    await page.waitForFunction(() => said.some((it) => it.name === "error" && it.id === "files"));
    const said = await page.evaluate(() => globalThis.said.find((it) => it.name === "error" && it.id === "files").detail);
    equal(said.code, "element/blocked", "the code");
    assert((await page.locator("#files [part=error]").innerText()).includes("script-src 'self' 'wasm-unsafe-eval'"), "the header is not named");
    assert(await page.locator("#files pre").isVisible(), "the files are not shown");
  };
  const permitted = (it) => /unsafe-eval|WebAssembly|Content Security Policy/i.test(it);
  await serving(folder, (at) => onPage(browser, `${at}three.html`, use, { permitted }), policy);
}

async function themes(browser, folder) {
  const colour = (page) => page.evaluate(() => getComputedStyle(document.getElementById("graph").shadowRoot.querySelector(".frame")).backgroundColor);
  const use = async (page) => {
    await all(page);
    const seen = [await colour(page)];
    for (const [scheme, theme] of [["dark", "auto"], ["dark", "light"], ["light", "dark"], ["light", "auto"]]) {
      await page.evaluate(([scheme, theme]) => {
        document.documentElement.style.colorScheme = scheme;
        document.getElementById("graph").theme = theme;
      }, [scheme, theme]);
      seen.push(await colour(page));
    }
    const [light, dark] = ["rgb(255, 255, 255)", "rgb(25, 26, 29)"];
    equal(seen.join(" "), [dark, dark, light, dark, light].join(" "), "the backgrounds");
  };
  await serving(folder, (at) => onPage(browser, `${at}three.html`, use, { colorScheme: "dark" }), STRICT);
}
