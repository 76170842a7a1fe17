// How a person applies: the words those journeys are written in.
import { database, show } from "./app.mjs";
import { until } from "./harness.mjs";

export const chip = (page) => page.locator(".chip-state").getAttribute("title");
export const untilChip = (page, pattern, what) => until(() => chip(page), (said) => pattern.test(said), what ?? `the state is ${pattern}`);
export const looks = (page) => page.locator(".run-step").evaluateAll((rows) => rows.map((row) => [row.dataset.address, row.dataset.look]));
export const main = (page, name) => page.locator(".main-button").and(page.getByRole("button", { name, exact: true })).first();
export const dialog = (page) => page.getByRole("dialog");

/** Everything that the page keeps about the deployment. */
export const kept = database;

/** The simulated things, and how many were ever made. */
export async function world(page, deployment = "sample-shop") {
  const { simulator } = JSON.parse((await kept(page))[`world/${deployment}`]);
  return { things: simulator.things.length, made: simulator.tally.made };
}

/** Sets how slow the simulator is. */
export async function pace(page, words) {
  await show(page, "State");
  await page.getByText("Speed and faults").click();
  await page.getByRole("button", { name: words, exact: true }).click();
}

/** Opens the review from anywhere. */
export async function review(page) {
  await show(page, "Plan");
  await page.getByRole("button", { name: "Apply…" }).click();
  await dialog(page).getByRole("button", { name: /^(Apply|Destroy) \d/ }).waitFor();
}

export async function apply(page) {
  await review(page);
  await dialog(page).getByRole("button", { name: /^Apply \d/ }).click();
}

export async function applied(page) {
  await apply(page);
  await page.locator(".run-said", { hasText: /^Applied/ }).waitFor();
}
