// Applying: against the simulator, in a worker that is loaded only for it; and connecting adapters.
import { createServer } from "node:http";
import { append, chord, command, keepFile, planSaid, ready, show, untilPlan, untilSaved, untilProblems } from "../app.mjs";
import { accessible, asked, assert, equal, journey, shot, until, untilEqual } from "../harness.mjs";
import { applied, apply, dialog, kept, looks, main, pace, review, untilChip, world } from "../live.mjs";

/** A deployment with one service. */
const LONE = "meta: {name: lone}\npayloads: {p: {runtime: vm, params: {image_hash: abc}}}\nservices:\n  web:\n    payload: p\n";

export async function applying() {
  await journey("applying: the first load does not fetch it", async (page) => {
    await ready(page);
    for (const view of ["Merged", "Plan", "Graph"]) await show(page, view);
    equal(asked.filter((url) => /engine_apply|apply\.css/.test(url)), [], "what is fetched of it");
    await page.getByRole("button", { name: "Review plan" }).click();
    await untilChip(page, /nothing is deployed yet/);
    assert(asked.some((url) => url.includes("apply.css")), "it is fetched when somebody reviews");
  });

  await journey("applying: a plan is reviewed, carried out, and still in step after a reload", async (page) => {
    await ready(page);
    await page.getByRole("button", { name: "Review plan" }).click();
    await review(page);
    await accessible(page, "the review");
    await shot(page, "apply-review");
    await untilEqual(() => dialog(page).getByRole("button", { name: /^Apply/ }).innerText(), "Apply 4 changes", "what the button does");
    await dialog(page).getByRole("button", { name: "Apply 4 changes" }).click();
    await untilChip(page, /applying \d of 4/);
    await until(() => looks(page), (all) => all.some(([, look]) => look === "look-running"), "a step is at work");
    await shot(page, "apply-running");
    await show(page, "Graph");
    await until(() => page.locator(".graph-node[class*='look-']").count(), (count) => count === 4, "nodes say how far they are");
    await shot(page, "apply-running-graph");
    await show(page, "Plan");
    await page.locator(".run-said", { hasText: "Applied: 4 steps done" }).waitFor();
    assert((await looks(page)).every(([, look]) => look === "look-done"), "every step is done");
    await accessible(page, "the report");
    await shot(page, "apply-report");
    await untilChip(page, /in sync/);
    await page.getByRole("button", { name: "Close report" }).click();
    await page.getByText("Nothing to do", { exact: true }).waitFor();
    equal(await world(page), { things: 4, made: 4 }, "the simulated world");
    await page.reload();
    await untilChip(page, /in sync with the recorded state/, "in step after a reload");
    equal(await world(page), { things: 4, made: 4 }, "the simulated world after a reload");
  });

  await journey("applying: a page closed in the middle is resumed without duplicates", async (page, { context, address }) => {
    await ready(page);
    await pace(page, "Slow");
    await apply(page);
    await until(() => looks(page), (all) => all.some(([, look]) => look === "look-running"), "a step is at work");
    await until(() => kept(page), (all) => Object.keys(all).some((key) => key.startsWith("world/") && JSON.parse(all[key]).simulator.things.length > 0), "a thing is made");
    await page.close();
    const again = await context.newPage();
    await again.goto(address);
    await again.waitForSelector(".chip-state");
    await untilChip(again, /recorded state|nothing|drift/i);
    await show(again, "State");
    await until(() => again.locator(".live-note").allInnerTexts(), (all) => all.some((said) => said.includes("interrupted")), "that it was interrupted is said");
    await pace(again, "Instant").catch(() => {});
    await apply(again);
    await again.locator(".run-said", { hasText: /^Applied/ }).waitFor();
    await untilChip(again, /in sync/);
    equal(await world(again), { things: 4, made: 4 }, "nothing was made twice");
  });

  await journey("applying: what fails is shown with its place, and what was skipped says because of whom", async (page) => {
    await ready(page);
    await show(page, "State");
    await page.getByText("Speed and faults").click();
    await page.getByRole("combobox", { name: "Resource" }).selectOption("services.db");
    await page.getByRole("button", { name: "Fail the next call" }).click();
    await apply(page);
    await page.locator(".run-said", { hasText: /^Incomplete/ }).waitFor();
    const failed = page.locator(".run-step.look-failed");
    await untilEqual(() => failed.getAttribute("data-address"), "services.db", "what failed");
    await failed.getByText("injected this failure").waitFor();
    await page.locator(".run-step", { hasText: "skipped because of services.db" }).first().waitFor();
    await shot(page, "apply-failed");
    await accessible(page, "a failed run");
    await failed.locator(".place").click();
    await until(() => page.locator(".cm-content .cm-lintRange-error, .cm-content [class*='error']").count(), (count) => count > 0, "it is underlined in the editor");
    await untilChip(page, /^State: the last run failed, \d of 4 steps done$/);
    await untilProblems(page, "1 error; the last run failed");
    await page.getByRole("button", { name: "Close report" }).click();
    await untilProblems(page, "No problems; the last run failed");
    equal(await page.locator(".chip-problems .severity-none").count(), 0, "it is not called valid");
    await untilChip(page, /the last run failed/);
    await shot(page, "apply-failed-chips");
    await applied(page);
    await untilChip(page, /in sync/);
    await untilProblems(page, "No problems");
  });

  await journey("applying: a run is stopped, and goes on later", async (page) => {
    await ready(page);
    await pace(page, "Slow");
    await apply(page);
    await until(() => looks(page), (all) => all.some(([, look]) => look === "look-running"), "a step is at work");
    await main(page, "Stop").click();
    await main(page, "Stop at once").waitFor();
    await page.locator(".run-said", { hasText: /^Stopped:/ }).waitFor({ timeout: 15_000 });
    await untilProblems(page, "No problems; the last run was stopped");
    assert((await looks(page)).some(([, look]) => look === "look-waiting"), "something was not started");
    await page.getByRole("button", { name: "Close report" }).click();
    await pace(page, "Instant").catch(() => {});
    await applied(page);
    equal(await world(page), { things: 4, made: 4 }, "nothing was made twice");
  });

  await journey("applying: a page that is reloaded in the middle of a first run knows what was made", async (page) => {
    await ready(page);
    await pace(page, "Slow");
    await apply(page);
    await until(() => looks(page), (all) => all.some(([, look]) => look === "look-done"), "a step is done");
    await page.reload();
    await untilChip(page, /recorded state|looking/);
    await untilChip(page, /planned against the recorded state/);
    assert(!(await planSaid(page)).includes("4 to create"), await planSaid(page));
    await pace(page, "Instant").catch(() => {});
    await applied(page);
    equal(await world(page), { things: 4, made: 4 }, "nothing was made twice");
  });

  await journey("applying: drift is shown, watched and repaired", async (page) => {
    await ready(page);
    await show(page, "State");
    await untilChip(page, /nothing is deployed yet/);
    await applied(page);
    await show(page, "State");
    await page.getByText("Speed and faults").click();
    await page.getByRole("combobox", { name: "Resource" }).selectOption("services.web[0]");
    await page.getByRole("button", { name: "Modify" }).click();
    await untilChip(page, /1 resource drifted from its recorded values/);
    const drift = page.getByRole("region", { name: "Drift" });
    await drift.getByText("services.web[0]").waitFor();
    await drift.getByRole("button", { name: "Accept into the state" }).waitFor();
    await shot(page, "apply-drift");
    await accessible(page, "drift");
    await page.getByRole("button", { name: "Keep in sync", exact: true }).click();
    await untilChip(page, /watching/);
    await until(() => drift.count(), (count) => count === 0, "it is repaired");
    await page.locator(".live-strip").getByRole("button", { name: "Stop keeping in sync" }).click();
    await untilChip(page, /in sync/);
    await page.getByRole("slider", { name: "Revision" }).waitFor();
    await shot(page, "apply-state");
    await accessible(page, "the State view");
  });

  await journey("applying: what is kept in sync says what it restored, and names what waits for Apply", async (page) => {
    await ready(page);
    await pace(page, "Instant");
    await applied(page);
    await append(page, "\n  worker:\n    payload: web\n");
    await untilPlan(page, "Plan: 1 to create");
    await show(page, "State");
    await page.getByRole("button", { name: "Keep in sync", exact: true }).click();
    await untilChip(page, /watching/);
    const notes = () => page.locator(".live-note").allInnerTexts();
    await untilEqual(notes, ["Only drift is restored. Apply to create services.worker."], "what waits");
    await page.getByText("Speed and faults").click();
    await page.getByRole("combobox", { name: "Resource" }).selectOption("services.db");
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await until(notes, (all) => all.length === 2 && /^Restored .*services\.db/.test(all[1]), "what was restored");
    await shot(page, "apply-restored");
    await accessible(page, "what keeping in sync says");
    await page.locator(".live-strip").getByRole("button", { name: "Stop keeping in sync" }).click();
    await until(notes, (all) => all.length === 1 && all[0].startsWith("Restored"), "what was restored can still be read");
    await untilPlan(page, "Plan: 1 to create");
  });

  await journey("applying: a reload that ends Keep in sync says so once", async (page) => {
    await ready(page);
    await applied(page);
    await show(page, "State");
    await page.getByRole("button", { name: "Keep in sync", exact: true }).click();
    await untilChip(page, /watching/);
    const said = page.locator(".toast", { hasText: "Keep in sync ended with the page that was open before. Start it again in the State view." });
    equal(await said.count(), 0, "what is said before");
    await page.reload();
    await said.waitFor();
    await untilChip(page, /in sync with the recorded state/);
    await page.reload();
    await untilChip(page, /in sync with the recorded state/);
    equal(await said.count(), 0, "what the next page says");
  });

  await journey("applying: Keep in sync does not begin with errors or before everything is destroyed, and says why", async (page) => {
    await ready(page);
    await applied(page);
    await show(page, "State");
    const keep = page.getByRole("button", { name: "Keep in sync", exact: true });
    const reason = async () => [await keep.getAttribute("aria-disabled"), await page.locator(".live-strip [role=tooltip]").allTextContents()];
    await untilEqual(reason, [null, []], "it can begin");
    await append(page, "\nservices: [");
    await untilEqual(reason, ["true", ["The files have errors. Fix them first."]], "with errors");
    await keep.focus();
    await shot(page, "apply-unwatchable");
    await accessible(page, "the State view with errors in the files");
    await keep.press("Enter");
    await command(page, "undo typing");
    await untilEqual(reason, [null, []], "without errors");
    await show(page, "Plan");
    await page.getByRole("group", { name: "Mode" }).getByRole("button", { name: "Destroy" }).click();
    await show(page, "State");
    await untilEqual(reason, ["true", ["Everything is about to be destroyed. Cancel that before you keep it in sync."]], "before everything is destroyed");
    await untilChip(page, /^(?!.*watching)/, "nothing is watched");
  });

  await journey("applying: what may be a renamed resource is said before it is destroyed", { before: (_, context) => keepFile(context, LONE) }, async (page) => {
    await ready(page);
    await applied(page);
    await page.locator(".cm-content").focus();
    await page.keyboard.press(chord("a"));
    await page.keyboard.press("Delete");
    await page.keyboard.insertText(LONE.replace("web:", "site:"));
    await untilPlan(page, "Plan: 1 to destroy, 1 to create");
    await review(page);
    await dialog(page).getByText("services.web is destroyed, and services.site, which is almost the same, is created").waitFor();
    await dialog(page).getByText("moved: [{from: services.web, to: services.site}]").waitFor();
    await shot(page, "apply-renamed");
    await accessible(page, "the review of what may be renamed");
    await dialog(page).getByRole("button", { name: "Cancel" }).click();
    equal((await world(page, "lone")).things, 1, "nothing was done");
  });

  await journey("applying: everything is destroyed only after it was said loudly", async (page) => {
    await ready(page);
    await page.getByRole("button", { name: "Review plan" }).click();
    await applied(page);
    await show(page, "State");
    await page.getByRole("button", { name: "Destroy everything…" }).click();
    const press = dialog(page).getByRole("button", { name: "Destroy 4 resources" });
    await press.waitFor();
    await dialog(page).getByText("This cannot be undone.").waitFor();
    await untilEqual(() => dialog(page).locator(".review-list li").count(), 4, "all are named");
    await shot(page, "apply-destroy");
    await press.click();
    await page.locator(".run-said", { hasText: "Everything is destroyed" }).waitFor();
    await untilPlan(page, "Plan: 4 to create");
    equal((await world(page)).things, 0, "things that are left");
  });

  await journey("applying: whoever does not destroy after all is where they were", async (page) => {
    await ready(page);
    await page.getByRole("button", { name: "Review plan" }).click();
    await applied(page);
    await page.getByRole("button", { name: "Close report" }).click();
    await untilPlan(page, "Plan: nothing to do");
    for (const leave of [
      () => dialog(page).getByRole("button", { name: "Cancel" }).click(),
      () => page.keyboard.press("Escape"),
      () => dialog(page).getByRole("button", { name: "Close", exact: true }).click(),
    ]) {
      await show(page, "State");
      await page.getByRole("button", { name: "Destroy everything…" }).click();
      await dialog(page).getByRole("button", { name: "Destroy 4 resources" }).waitFor();
      // Another dialog must not take the place of this one, which is not answered yet.
      await page.keyboard.press("Control+k");
      await untilEqual(() => page.getByRole("dialog").count(), 1, "dialogs");
      await leave();
      await dialog(page).waitFor({ state: "detached" });
      await untilPlan(page, "Plan: nothing to do");
      await main(page, "Apply…").waitFor();
      await page.getByText("Nothing to do", { exact: true }).waitFor();
      await show(page, "Graph");
      await page.locator(".graph-node").first().waitFor();
      equal(await page.locator(".graph-node.action-destroy").count(), 0, "nodes that are to be destroyed");
      await untilChip(page, /in sync/);
    }
    await untilEqual(() => page.getByRole("button", { name: "Undo", exact: true }).isDisabled(), true, "there is nothing to undo");
    await page.reload();
    await untilPlan(page, "Plan: nothing to do");
    equal((await world(page)).things, 4, "things that are left");
  });

  await journey("applying: a second tab is told who holds the state", async (page, { context, address }) => {
    await ready(page);
    await untilSaved(page);
    const other = await context.newPage();
    await other.goto(address);
    await show(other, "State");
    await other.getByText("Speed and faults").waitFor();
    equal(await other.locator(".live-held").count(), 0, "nobody holds it yet");
    await pace(page, "Slow");
    await apply(page);
    await until(() => looks(page), (all) => all.some(([, look]) => look === "look-running"), "a step is at work");
    // Headless pages are always visible.
    await other.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await until(() => other.locator(".live-held").allInnerTexts(), (all) => all.some((said) => /locked by the tab that was opened at \d\d:\d\d:\d\d \(apply\)/.test(said)), "who holds it");
    await shot(other, "apply-held");
    await other.getByRole("button", { name: /^State: locked by another run/ }).waitFor();
    await page.locator(".run-said", { hasText: /^Applied/ }).waitFor();
    await other.locator(".live-held").waitFor({ state: "detached" });
  });

  await journey("applying: what is in the way of an adapter is told apart", { expected: /Failed to load resource|CORS|ERR_/ }, async (page) => {
    const server = createServer(adapter);
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const at = (path) => `http://127.0.0.1:${server.address().port}/${path}`;
    try {
      await ready(page);
      await show(page, "State");
      await page.getByRole("button", { name: "Connect an adapter…" }).click();
      await accessible(page, "the dialog");
      for (const [address, said] of [
        ["http://127.0.0.1:9/nobody", "No server responds"],
        [at("silent-origin"), "does not allow this page to read"],
        [at("locked"), "requires a token"],
        [at("other-version"), "another version"],
        [at("page"), "is not an adapter"],
        [at("nothing"), "no adapter at this path"],
      ]) {
        await dialog(page).getByRole("textbox", { name: "Address" }).fill(address);
        await dialog(page).getByRole("button", { name: "Connect", exact: true }).click();
        await dialog(page).getByRole("alert").getByText(said).waitFor();
      }
      await shot(page, "apply-connect");
      await dialog(page).getByRole("textbox", { name: "Address" }).fill(at("locked"));
      await dialog(page).getByLabel("Token").fill("sesam");
      await dialog(page).getByRole("button", { name: "Connect", exact: true }).click();
      await dialog(page).getByRole("alert").getByText("does not accept this token").waitFor();
      await dialog(page).getByLabel("Token").fill("sesame");
      await dialog(page).getByRole("button", { name: "Connect", exact: true }).click();
      await page.locator(".live-said", { hasText: at("locked") }).waitFor();
      const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
      assert(!stored.includes("sesame"), "the token is kept in memory only");
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  for (const theme of ["light", "dark"]) {
    await journey(`applying: ${theme} on a phone`, { width: 390, height: 844, theme }, async (page) => {
      await page.waitForSelector(".chip-plan .chip-action:not(.chip-zero)");
      await page.getByRole("navigation", { name: "Screens" }).getByRole("button", { name: "Plan" }).click();
      const target = page.locator(".chip-target .chip-word", { hasText: "simulator" });
      await target.waitFor();
      await until(() => target.boundingBox(), (box) => box.x + box.width <= 390, "the target is named on the screen");
      await page.getByRole("button", { name: "Apply…" }).click();
      await dialog(page).getByRole("button", { name: "Apply 4 changes" }).waitFor();
      await shot(page, `apply-phone-${theme}-review`);
      await accessible(page, "the review on a phone");
      await dialog(page).getByRole("button", { name: "Apply 4 changes" }).click();
      await page.locator(".run-said", { hasText: "Applied: 4 steps done" }).waitFor();
      await shot(page, `apply-phone-${theme}-report`);
      await page.getByRole("navigation", { name: "Screens" }).getByRole("button", { name: "View" }).click();
      await show(page, "State");
      await page.getByRole("region", { name: "History" }).waitFor();
      await shot(page, `apply-phone-${theme}-state`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert(wide <= 0, `it is ${wide} pixels wider than the screen`);
      await accessible(page, "the State view on a phone");
    });
  }

  await journey("applying: with the keyboard alone", async (page) => {
    await ready(page);
    // A button that cannot be used yet takes no focus or does nothing, for a pointer as well.
    const usable = page.locator(":not([aria-disabled=true]):not([disabled])");
    for (const name of ["Review plan", "Apply…"]) {
      const button = page.getByRole("button", { name }).and(usable);
      await button.waitFor();
      await button.focus();
      await page.keyboard.press("Enter");
    }
    const press = dialog(page).getByRole("button", { name: "Apply 4 changes" }).and(usable);
    await press.waitFor();
    for (let tab = 0; tab < 8 && !(await press.evaluate((it) => it === document.activeElement)); tab += 1) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator(".run-said", { hasText: "Applied: 4 steps done" }).waitFor();
  });
}

/** Servers that are no adapters, each in its own way, and one that requires a token. */
function adapter(request, response) {
  const path = new URL(request.url, "http://x").pathname;
  const cors = {
    "access-control-allow-origin": request.headers.origin ?? "*",
    "access-control-allow-headers": "authorization,content-type,idempotency-key,if-match,adapter-protocol,prefer",
    "access-control-allow-methods": "GET,PUT,PATCH,POST,DELETE",
  };
  const answer = (status, type, body) => response.writeHead(status, { ...cors, "content-type": type }).end(body);
  const problem = (status, code) => answer(status, "application/problem+json", JSON.stringify({ code, detail: code, status }));
  if (path.startsWith("/silent-origin")) return response.writeHead(200).end("{}");
  if (request.method === "OPTIONS") return response.writeHead(204, cors).end();
  if (path.startsWith("/other-version")) return problem(412, "unsupported_protocol");
  if (path.startsWith("/page")) return answer(200, "text/html", "<h1>hello</h1>");
  if (!path.startsWith("/locked")) return problem(404, "not_found");
  if (request.headers.authorization !== "Bearer sesame") return problem(401, "unauthorized");
  answer(200, "application/json", JSON.stringify({ protocol: 1, name: "locked", types: { service: null, network: null } }));
}
