// The page dies after each record of the journal, and another page goes on: nothing is lost, nothing is made twice.
import { keepFile, show } from "../app.mjs";
import { PATIENCE, answers, assert, equal, journey, until } from "../harness.mjs";
import { applied, apply, dialog, kept, untilChip, world } from "../live.mjs";

const NAME = "crashing";
/** Six resources: a network, two pairs of which one waits for the other, and one that waits for nobody. */
const APP = `meta: {name: ${NAME}}
networks:
  inside: {ip: 10.9.0.0/24}
payloads:
  any: {runtime: vm, params: {image_hash: demo}}
services:
${[1, 2].map((at) => `  store${at}: {payload: any, network: inside}\n  page${at}: {payload: any, network: inside, depends_on: [store${at}]}`).join("\n")}
  alone: {payload: any}
`;
const COUNT = 6;

/**
 * From now on the worker of a page hangs, dead to the world, as soon as so many records are on the disk; `died` is a
 * promise of that. What the page does meanwhile changes nothing: only the worker writes.
 */
function dieAfter(records) {
  const patch = `
    const plain = IDBDatabase.prototype.transaction;
    let left = ${records};
    IDBDatabase.prototype.transaction = function (stores, mode, options) {
      const transaction = plain.call(this, stores, mode, options);
      if (mode === "readwrite" && options?.durability === "strict") {
        transaction.addEventListener("complete", () => {
          left -= 1;
          if (left > 0) return;
          const request = new XMLHttpRequest();
          request.open("GET", "/died", false);
          request.send();
        });
      }
      return transaction;
    };
  `;
  answers.set("fetch.js", (_, response, text) => response.writeHead(200, { "content-type": "text/javascript" }).end(patch + text));
  return new Promise((resolve) => answers.set("/died", resolve));
}

const survive = () => answers.clear();

/** A page with the app, which has looked how things are. */
async function open(context, address) {
  const page = await context.newPage();
  await page.goto(address);
  await page.waitForSelector(".chip-plan .chip-action:not(.chip-zero), .chip-plan");
  await show(page, "State");
  await until(() => page.locator(".chip-state").getAttribute("title"), (said) => !/looking|loading/i.test(said ?? "looking"), "it has looked");
  return page;
}

async function atOnce(page) {
  await page.getByText("Speed and faults").click();
  await page.getByRole("button", { name: "Instant", exact: true }).click();
  await until(() => kept(page), (all) => JSON.parse(all[`world/${NAME}`] ?? "{}").latency === 0, "it is kept that calls take no time");
}

async function destroy(page) {
  await show(page, "State");
  await page.getByRole("button", { name: "Destroy everything…" }).click();
  await dialog(page).getByRole("button", { name: /^Destroy \d/ }).click();
}

const isOver = (page, words) => page.locator(".run-said", { hasText: words }).waitFor();

/** Goes on until everything is there: whatever is left of the plan is applied. */
async function finishApply(page) {
  await until(() => page.locator(".chip-state").getAttribute("title"), (said) => /in sync|recorded|nothing|drifted/i.test(said), "it has looked");
  await show(page, "Plan");
  const nothing = page.getByText("Nothing to do", { exact: true });
  const press = page.getByRole("button", { name: "Apply…" });
  await nothing.or(press.and(page.locator(":not([aria-disabled=true]):not([disabled])"))).first().waitFor();
  if (await nothing.isVisible()) return;
  await apply(page);
  await isOver(page, /^Applied/);
}

async function finishDestroy(page) {
  await show(page, "State");
  // It says what is recorded once it has looked.
  await until(() => page.locator(".chip-state").getAttribute("title"), (said) => !/checking for drift|not connected/i.test(said), "it has looked");
  await page.getByRole("button", { name: "Check for drift" }).and(page.locator(":not([disabled])")).waitFor();
  const press = page.getByRole("button", { name: "Destroy everything…" });
  if (!(await press.isVisible())) return;
  await press.click();
  const go = dialog(page).getByRole("button", { name: /^Destroy \d/ });
  const nothing = dialog(page).getByText("There is nothing to do");
  await go.or(nothing).first().waitFor();
  if (await nothing.isVisible()) return;
  await go.click();
  await isOver(page, "Everything is destroyed");
}

/**
 * One death: `begin` starts what dies after so many records, `finish` goes on in a new page, `check` sees that all is
 * as it should be. Whether it died at all: once there are fewer records, it did not.
 */
async function die(browser, address, records, { prepare, begin, over, finish, check }) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(PATIENCE);
  try {
    await keepFile(context, APP);
    survive();
    if (prepare) {
      const page = await open(context, address);
      await prepare(page);
      await page.close();
    }
    const died = dieAfter(records);
    const run = async () => {
      const page = await open(context, address);
      await begin(page);
      await over(page);
    };
    // Once it has died, what was waited for does not come.
    const running = run().then(() => "over");
    running.catch(() => {});
    const end = await Promise.race([died.then(() => "died"), running]);
    survive();
    for (const page of context.pages()) await page.close();
    const next = await open(context, address);
    await finish(next);
    await check(next, `after ${records} records`);
    return end === "died";
  } finally {
    await context.close();
  }
}

async function everyRecord(browser, address, steps) {
  let records = 1;
  while (await die(browser, address, records, steps)) records += 1;
  return records - 1;
}

export async function crashing() {
  await journey("crashing: an apply that dies after each record is finished without duplicates", async (page, { context, address }) => {
    const records = await everyRecord(context.browser(), address, {
      begin: async (page) => {
        await atOnce(page);
        await apply(page);
      },
      over: (page) => isOver(page, /^Applied/),
      finish: finishApply,
      check: async (page, when) => {
        await untilChip(page, /in sync/);
        equal(await world(page, NAME), { things: COUNT, made: COUNT }, `things and how many were made, ${when}`);
      },
    });
    console.log(`     died ${records} times`);
    assert(records >= COUNT, `only ${records} records`);
  });

  await journey("crashing: a destroy that dies after each record is finished, and nothing is left", async (page, { context, address }) => {
    const records = await everyRecord(context.browser(), address, {
      prepare: async (page) => {
        await atOnce(page);
        await applied(page);
        await untilChip(page, /in sync/);
      },
      begin: destroy,
      over: (page) => isOver(page, "Everything is destroyed"),
      finish: finishDestroy,
      check: async (page, when) => {
        const { things, made } = await world(page, NAME);
        equal({ things, made }, { things: 0, made: COUNT }, `things that are left, ${when}`);
      },
    });
    console.log(`     died ${records} times`);
    assert(records >= COUNT, `only ${records} records`);
  });
}
