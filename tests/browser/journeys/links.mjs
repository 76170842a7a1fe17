// The Links view: a BOSH manifest with the specs of its jobs, a descriptor with links of its own.
import { command, cursorAfter, drawn, files, keepFile, keepFiles, ready, show, untilErrors, untilProblems } from "../app.mjs";
import { accessible, assert, equal, journey, shot, until, untilEqual } from "../harness.mjs";

const MANIFEST = `name: shop
releases: [{name: shop, version: "1"}]
stemcells: [{alias: default, os: ubuntu-jammy, version: "1"}]
update: {canaries: 1, max_in_flight: 1, canary_watch_time: 1, update_watch_time: 1}
instance_groups:
- name: db
  instances: 1
  azs: [z1]
  vm_type: small
  stemcell: default
  networks: [{name: default}]
  jobs:
  - name: sql
    release: shop
    properties: {port: 5432, password: ((sql_password))}
- name: web
  instances: 2
  azs: [z1]
  vm_type: small
  stemcell: default
  networks: [{name: default}]
  jobs:
  - name: app
    release: shop
`;

const SQL = `name: sql
provides: [{name: db, type: database, properties: [port, password]}]
properties: {port: {default: 1}, password: {}}
`;

const APP = `name: app
provides: [{name: site, type: http}]
consumes:
- {name: store, type: database}
- {name: cache, type: cache, optional: true}
- {name: peers, type: http}
`;

const NATIVE = `payloads:
  p: {runtime: vm}
services:
  api:
    payload: p
    provides:
      http: {properties: {port: 8080}}
  site:
    payload: p
    consumes:
      http: {}
`;

const SITE = [
  ["shop.yml", MANIFEST],
  ["shop__sql.yml", SQL],
  ["shop__app.yml", APP],
];

const withSite = (files = SITE) => ({ before: (_, context) => keepFiles(context, files) });

const opened = async (page) => {
  await page.waitForSelector(".cm-content");
  await show(page, "Links");
  await page.locator(".links-row").first().waitFor();
};

const rows = (page) => page.locator(".links-list .links-row-pick");
const row = (page, link) => rows(page).filter({ has: page.locator("strong", { hasText: new RegExp(`^${link}$`) }) });
const why = (page) => page.locator(".links-why");
const segment = (page, name) => page.getByRole("group", { name: "Show as" }).getByRole("button", { name, exact: true });

/** Drops files as a person does. */
async function drop(page, files) {
  const data = await page.evaluateHandle((files) => {
    const transfer = new DataTransfer();
    files.forEach(([name, text]) => transfer.items.add(new File([text], name, { type: "application/yaml" })));
    return transfer;
  }, files);
  await page.dispatchEvent("body", "dragenter", { dataTransfer: data });
  await page.dispatchEvent("body", "drop", { dataTransfer: data });
}

export async function links() {
  await journey("a manifest's links are listed and said why", withSite(), async (page) => {
    await opened(page);
    await untilEqual(() => rows(page).count(), 3, "consumers");
    assert((await row(page, "store").textContent()).includes("→ db/sql db"), "who provides the store");
    await row(page, "store").click();
    await why(page).getByText("requested by web/app").waitFor();
    await why(page).locator(".links-candidate.won", { hasText: "chosen" }).waitFor();
    const learns = await why(page).locator(".links-content").textContent();
    assert(learns.includes("port: 5432"), `what it learns: ${learns}`);
    await why(page).locator(".links-line .place").first().click();
    await page.locator(".editor-head .layer-name", { hasText: "shop.yml" }).waitFor();
    await row(page, "cache").click();
    await why(page).locator(".links-outcome", { hasText: "absent" }).waitFor();
    await page.keyboard.press("Escape");
    await why(page).getByText("2 of 3 linked").waitFor();
    await why(page).getByRole("button", { name: "Overview" }).click();
    await why(page).getByText("2 of 3 consumers have a provider; 1 absent.").waitFor();
  });

  await journey("dropping the specs makes the links known", withSite(SITE.slice(0, 1)), async (page) => {
    await page.waitForSelector(".cm-content");
    await show(page, "Links");
    await page.getByText("2 jobs have no spec.").waitFor();
    await drop(page, SITE.slice(1));
    await until(() => rows(page).count(), (count) => count === 3, "consumers");
    await untilProblems(page, "No problems");
  });

  await journey("who breaks is said of a provider, across owners", withSite(), async (page) => {
    await opened(page);
    await row(page, "store").click();
    await why(page).getByRole("button", { name: "db/sql db" }).first().click();
    await why(page).getByText("1 consumer in web.").waitFor();
    await why(page).getByRole("button", { name: "web", exact: true }).click();
    await why(page).getByText("Consumes 3").waitFor();
  });

  await journey("the matrix is walked by keys", withSite(), async (page) => {
    await opened(page);
    await segment(page, "Matrix").click();
    const cells = page.locator("[data-cell]");
    await cells.first().waitFor();
    await untilEqual(() => page.locator("[data-cell][tabindex='0']").count(), 1, "tab stops");
    await page.locator("[data-cell][tabindex='0']").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await why(page).locator(".links-outcome", { hasText: "absent" }).waitFor();
    await page.getByRole("button", { name: "web", exact: true, expanded: false }).click();
    await untilEqual(() => page.locator(".matrix-single").count(), 3, "a row for each consumer");
    await page.getByRole("group", { name: "Columns" }).getByRole("button", { name: "Types" }).click();
    await page.locator(".matrix-column", { hasText: "database" }).waitFor();
  });

  await journey("the map lifts neighbours and selects", withSite(), async (page) => {
    await opened(page);
    await segment(page, "Map").click();
    await until(() => page.locator(".links-map .graph-node").count(), (count) => count === 2, "owners");
    await until(() => drawn(page, ".links-map"), (now) => now?.edges.link > 0, "links are drawn");
    const web = page.locator(".links-map .graph-node").nth(1);
    await web.hover();
    await until(() => drawn(page, ".links-map"), (now) => now.lifted > 0, "its links are lifted");
    await web.click();
    await page.locator(".links-map .graph-node[data-selected]").waitFor();
    await why(page).getByText(/^Consumes /).waitFor();
  });

  await journey("a filter leaves what it names, and says when that is nothing", withSite(), async (page) => {
    await opened(page);
    const field = page.getByRole("searchbox", { name: "Filter the links" });
    await field.fill("database");
    await until(() => rows(page).count(), (count) => count === 1, "consumers");
    await field.fill("nothing like it");
    await page.getByText("No link matches.").waitFor();
    await field.fill("");
    await page.getByRole("group", { name: "Show only one outcome" }).getByRole("button", { name: /absent/ }).click();
    await until(() => rows(page).count(), (count) => count === 1, "absent ones");
  });

  const broken = [["shop.yml", MANIFEST], ["shop__sql.yml", SQL.replace("database", "sql")], ["shop__app.yml", APP]];
  await journey("what cannot be linked is counted, explained and put right", withSite(broken), async (page) => {
    await opened(page);
    await untilErrors(page);
    await page.getByRole("tab", { name: /^Links/ }).locator(".tab-failed", { hasText: "1" }).waitFor();
    await why(page).getByText("1 of 3 linked, 1 to fix").waitFor();
    await why(page).getByRole("button", { name: "Overview" }).click();
    await why(page).getByRole("heading", { name: "To fix", exact: true }).waitFor();
    await why(page).locator(".links-row-pick").first().click();
    await why(page).locator(".links-outcome", { hasText: "none found" }).waitFor();
    equal(await why(page).getByText("Message of the director").count(), 0, "the director, whose rules do not count");
    await page.getByRole("group", { name: "Rules" }).getByRole("button", { name: "BOSH" }).click();
    await why(page).getByText("Message of the director").waitFor();
    await page.keyboard.press("Alt+Digit1");
    await page.keyboard.press("Alt+Digit4");
    await page.locator(".links-row").first().waitFor();
  });

  await journey("native services are linked, and the graph's links lead to their line", { before: (_, context) => keepFile(context, NATIVE) }, async (page) => {
    await ready(page);
    await show(page, "Links");
    await row(page, "http").click();
    await why(page).getByText("requested by services.site").waitFor();
    await cursorAfter(page, "http: {}");
    await page.keyboard.type(" # edited");
    await untilProblems(page, "No problems");
    await why(page).getByText("requested by services.site").waitFor();
  });

  for (const theme of ["light", "dark"]) {
    for (const [name, width, height] of [["wide", 1440, 900], ["narrow", 390, 844]]) {
      await journey(`links are legible and accessible, ${name} ${theme}`, { ...withSite(broken), width, height, theme }, async (page) => {
        if (name === "narrow") {
          await page.getByRole("navigation", { name: "Screens" }).getByRole("button", { name: "View" }).click();
          await show(page, "Links");
          await page.locator(".links-row").first().waitFor();
        } else {
          await opened(page);
        }
        for (const mode of ["Matrix", "Map", "List"]) {
          await segment(page, mode).click();
          await accessible(page, mode);
          await shot(page, `links-${name}-${theme}-${mode.toLowerCase()}`);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert(wide <= 0, `${mode} is ${wide} pixels wider than the screen`);
        }
        await rows(page).first().click();
        await accessible(page, "why");
        await shot(page, `links-${name}-${theme}-why`);
      });
    }
  }

  await journey("the empty view says what would fill it, and opens an example", async (page) => {
    await ready(page);
    await command(page, "show links");
    await page.getByText("No links yet").waitFor();
    await page.getByRole("button", { name: "Open an example" }).click();
    await until(() => files(page), (names) => names.join() === "shop.yaml,infra.yaml", "the example is open");
  });
}
