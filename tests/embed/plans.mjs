// Plans on bare pages: copied, applied in the simulator, refused; and the files that they are made from.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { assert, check, equal } from "../npm/harness.mjs";
import { assemble, onPage, ready, serving, STRICT } from "./page.mjs";

export async function plans(context) {
  const { browser, home } = context;
  const folder = assemble(context);
  await zip(folder, home);
  const strictly = (name, page, use, options) => check(name, () => serving(folder, (at) => onPage(browser, at + page, use, options), STRICT));

  await strictly("a plan is copied as Markdown", "classic.html", copying, { permissions: ["clipboard-read", "clipboard-write"] });
  await strictly("a plan is applied in the simulator, and goes on from its result", "classic.html", simulating);
  await strictly("files with errors are neither simulated nor applied", "three.html", refusing);
  await strictly("a zip package is read, and another address replaces it for all that show it", "three.html", packaged);
  await strictly("an address without a file is an error, and files can be set afterwards", "three.html", missing, { permitted: (it) => it.includes("404") });
}

/** The files of the first page as a package. */
async function zip(folder, home) {
  const { Workspace } = await import(pathToFileURL(join(home, "dist/node.js")).href);
  const workspace = new Workspace();
  workspace.setFiles([{ name: "net.yaml", text: "networks: {zipped: {ip: 10.0.0.0/24}}\n" }]);
  writeFileSync(join(folder, "net.zip"), workspace.writePackage());
}

async function copying(page) {
  await ready(page, "plan");
  await page.locator("#plan [data-copy]").click();
  await page.locator("#plan [role=status]", { hasText: "Copied" }).waitFor();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  assert(text.includes("| − destroy | `services.mailer` |"), `the text is ${text}`);
}

async function simulating(page) {
  await ready(page, "plan");
  const run = page.locator("#plan [data-simulate=run]");
  await run.click();
  await page.locator("#plan .row[data-state=running]").first().waitFor();
  assert(await run.isDisabled(), "the simulation can be begun twice");
  // Three are rebuilt, in two steps each; one is destroyed, one updated.
  await page.locator("#plan .simulation [role=status]", { hasText: "Simulated: 8 steps done. Nothing real was changed." }).waitFor();
  equal(String(await page.locator("#plan .row[data-state=done]").count()), "5", "rows that are done");
  const steps = await page.evaluate(() => said.filter((it) => it.name === "step" && it.detail.state === "done").map(({ detail }) => `${detail.verb} ${detail.address}`));
  equal(steps.sort().filter((it) => it.endsWith("archive")).join(), "create services.archive,destroy services.archive", "the steps of a rebuild");
  await page.locator("#plan [data-simulate=keep]").click();
  await page.locator("#plan .sentence", { hasText: "Nothing to do" }).waitFor();
  assert(await run.isDisabled(), "nothing can be simulated");
  await page.locator("#plan [data-simulate=reset]").click();
  await page.locator("#plan .sentence", { hasText: "services.mailer will be destroyed" }).waitFor();
}

async function refusing(page) {
  await Promise.all(["files", "plan"].map((id) => ready(page, id)));
  await page.evaluate(() => (document.getElementById("plan").allowNetwork = "https://adapter.example"));
  await page.locator("#plan [data-adapter=plan]", { hasText: "Apply at https://adapter.example…" }).waitFor();
  await page.evaluate(() => (document.getElementById("files").files = [{ name: "app.yaml", text: "services:\n  web: {payload: nowhere}\n" }]));
  await page.locator("#plan .sentence", { hasText: "There is no plan that can be applied: " }).waitFor();
  assert(await page.locator("#plan [data-simulate=run]").isDisabled(), "a plan with errors can be simulated");
  assert(await page.locator("#plan [data-adapter=plan]").isDisabled(), "a plan with errors can be applied");
}

/** An element with these properties at the end of the page. */
function appended(page, name, properties) {
  return page.evaluate(([name, properties]) => {
    document.querySelector("main").append(Object.assign(document.createElement(name), { loading: "eager", ...properties }));
  }, [name, properties]);
}

async function packaged(page) {
  await appended(page, "planloom-plan", { id: "zip", src: "net.zip" });
  await appended(page, "planloom-graph", { id: "follower", from: "zip" });
  await page.locator("#follower .node[data-address='networks.zipped']").waitFor();
  await page.evaluate(() => (document.getElementById("zip").src = "release/base.yaml"));
  await page.locator("#zip details[data-address='services.weather']").waitFor();
  await page.locator("#follower .node[data-address='services.weather']").waitFor();
}

async function missing(page) {
  await appended(page, "planloom-plan", { id: "none", src: "nowhere.yaml" });
  await page.locator("#none [part=error]", { hasText: "nowhere.yaml could not be loaded: the server answered 404" }).waitFor();
  equal(await page.evaluate(() => said.find((it) => it.name === "error" && it.id === "none").detail.code), "element/not-found", "the code");
  await page.evaluate(() => (document.getElementById("none").files = [{ name: "a.yaml", text: "networks: {set: {ip: 10.0.0.0/24}}\n" }]));
  await ready(page, "none");
  await page.locator("#none details[data-address='networks.set']").waitFor();
}
