// The plan: against what was recorded, in what order, and why.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command, example, keepFile, open, ready, show, untilPlan } from "../app.mjs";
import { accessible, assert, equal, journey, shot, until, untilEqual } from "../harness.mjs";

const summary = "Plan: 1 to destroy, 3 to rebuild, 1 to update";

/** A service that starts with a program, which is a value of many lines. */
const PROGRAM = `meta: {name: program}
payloads: {p: {runtime: vm, params: {image_hash: abc}}}
services:
  web:
    payload: p
    init:
      - run:
          args:
            - sh
            - -c
            - |
              echo one
              echo two
              echo three
`;

async function release(page) {
  await ready(page);
  await command(page, "example: a release to review");
  await untilPlan(page, summary);
}

export async function planning() {
  await journey("a plan against a recorded state says what is dangerous first", async (page) => {
    await release(page);
    await page.locator(".plan-group-title").first().waitFor();
    const titles = await page.locator(".plan-group-title").allTextContents();
    equal(titles.slice(0, 3).map((title) => title.replaceAll(/[^A-Za-z]/g, "")), ["Destroy", "Rebuilddestroyandcreateagain", "Updateinplace"], "order of groups");
    await page.getByRole("button", { name: /^State: planned against the recorded state, revision 11/ }).waitFor();
  });

  await journey("a row of the plan leads to the value that caused it", async (page) => {
    await release(page);
    await show(page, "Plan");
    const row = page.locator(".plan-row[data-address='services.archive']");
    await row.getByRole("button").first().click();
    await row.getByText("station/archive:2.1").first().waitFor();
    await row.getByRole("button", { name: /release\.yaml/ }).first().click();
    await page.locator(".editor-head .layer-name", { hasText: "release.yaml" }).waitFor();
  });

  await journey("the recorded state can be looked at, taken away and chosen", async (page) => {
    await release(page);
    await show(page, "State");
    const recorded = page.getByRole("table", { name: "Recorded resources" });
    await untilEqual(() => recorded.getByRole("row").count(), 7, "rows, the heading included");
    const section = page.getByRole("region", { name: "Recorded" });
    await section.getByRole("button", { name: "Remove" }).click();
    await untilPlan(page, "Plan: 5 to create");
    const path = join(mkdtempSync(join(tmpdir(), "planloom-browser-")), "state.json");
    writeFileSync(path, example("release", "state.json"));
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), section.getByRole("button", { name: "Choose a file…" }).click()]);
    await chooser.setFiles(path);
    await untilPlan(page, summary);
    await page.getByRole("button", { name: "Undo recorded state" }).click();
    await untilPlan(page, "Plan: 5 to create");
  });

  await journey("a state that is none says so", async (page) => {
    await ready(page);
    await show(page, "State");
    const path = join(mkdtempSync(join(tmpdir(), "planloom-browser-")), "state.json");
    writeFileSync(path, "not json");
    const section = page.getByRole("region", { name: "Recorded" });
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), section.getByRole("button", { name: "Choose a file…" }).click()]);
    await chooser.setFiles(path);
    await section.getByText("This is not JSON.").waitFor();
  });

  await journey("the state of another deployment destroys nothing", async (page) => {
    await ready(page);
    await show(page, "State");
    const path = join(mkdtempSync(join(tmpdir(), "planloom-browser-")), "payroll.json");
    const resources = { "services.ledger": { kind: "service", phase: "active", identity: "x-1", spec: {}, outputs: {} } };
    writeFileSync(path, JSON.stringify({ format: "planloom.state/1", deployment: "payroll", serial: 1, resources }));
    const section = page.getByRole("region", { name: "Recorded" });
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), section.getByRole("button", { name: "Choose a file…" }).click()]);
    await chooser.setFiles(path);
    await show(page, "Plan");
    const plan = page.getByRole("region", { name: "Plan" });
    await plan.getByText("The state belongs to the deployment").waitFor();
    equal(await plan.locator(".plan-row").count(), 0, "actions");
    await page.getByRole("button", { name: "State: it cannot be used for these files" }).waitFor();
    await page.getByRole("button", { name: "No plan", exact: true }).waitFor();
    await plan.locator(".place", { hasText: "base.yaml:4" }).click();
    await page.locator(".cm-content").waitFor();
  });

  await journey("destroying is planned only when asked for", async (page) => {
    await release(page);
    await show(page, "Plan");
    await page.getByRole("button", { name: "Destroy", exact: true }).click();
    await untilPlan(page, "Plan: 6 to destroy");
    await page.getByRole("button", { name: "Apply", exact: true, pressed: true }).or(page.getByRole("group", { name: "Mode" }).getByRole("button", { name: "Apply" })).first().click();
    await untilPlan(page, summary);
  });

  await journey("a program in the plan is one line until it is opened", { before: (_, context) => keepFile(context, PROGRAM) }, async (page) => {
    await ready(page);
    await show(page, "Plan");
    await page.locator(".plan-row[data-address='services.web'] .plan-row-toggle").click();
    const value = page.locator(".value-long");
    const said = async () => [await value.locator("code").innerText(), await value.getByRole("button").innerText()];
    const folded = ['[sh, "-c", echo one …]', "+5 lines"];
    await untilEqual(said, folded, "its beginning");
    await accessible(page, "a folded value");
    await value.getByRole("button").click();
    await untilEqual(said, ['- sh\n- "-c"\n- |\n  echo one\n  echo two\n  echo three', "Show less"], "all of it");
    await shot(page, "plan-program");
    await value.getByRole("button").click();
    await untilEqual(said, folded, "its beginning again");
  });

  await journey("the graph shows what the plan does", async (page) => {
    await release(page);
    await show(page, "Graph");
    await until(() => page.locator(".graph-node.action-rebuild").count(), (count) => count === 3, "rebuilt nodes");
    await open(page, "release.yaml");
    const said = await page.getByRole("button", { name: /^archive, / }).getAttribute("aria-label");
    assert(said.includes("rebuild"), `a node says what happens to it: ${said}`);
  });
}
