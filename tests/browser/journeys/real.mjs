// Real things: the page that `planloom serve` serves, and the adapters beside it.
import { existsSync } from "node:fs";
import { example, keepFile, show } from "../app.mjs";
import { accessible, assert, equal, journey, shot, skipped, until, untilEqual, wants } from "../harness.mjs";
import { withGolemNetwork } from "../golem.mjs";
import { PLANLOOM, fetched, outputs, served } from "../home.mjs";
import { dialog, review, untilChip } from "../live.mjs";
import { withPodman } from "../podman.mjs";

const PROGRAMS = ["/usr/bin/redis-server", "/usr/bin/python3"];
const PROCESSES = "real: the example starts a store and a web server, is healed, and is destroyed";
const CONTAINERS = "real: the same in containers";
const GOLEM = "real: services are rented from the Golem network, used, and given back";
const OLD_TOKEN = "real: a page with an old token says what to do, and makes nothing real";

/** What started as processes. */
class Processes {
  name = "process";
  state = "visits.process";
  /** Where the web server is, as its outputs say. */
  address = ({ network_node }) => network_node && `http://${network_node.ip}:8000/`;
  started = new Set();

  see(id) {
    this.started.add(Number(id));
  }

  kill(id) {
    process.kill(Number(id), "SIGKILL");
  }

  async lives(id) {
    try {
      return process.kill(Number(id), 0);
    } catch {
      return false;
    }
  }

  /** Ends what a failed journey leaves. */
  async end() {
    for (const id of this.started) if (await this.lives(id)) this.kill(id);
  }
}

/** What started as containers. */
class Containers {
  name = "container";
  state = "visits-in-containers.container";
  address = ({ http_proxy }) => http_proxy?.ports[0].address;

  constructor(podman) {
    this.podman = podman;
  }

  /** Podman takes away what a failed journey leaves. */
  see() {}

  kill(id) {
    return this.podman("kill", id);
  }

  async lives(id) {
    return (await this.podman("ps", "--all", "--quiet", "--no-trunc")).split("\n").includes(id);
  }
}

/** What a page in another browser shows, which knows nothing but the link. */
async function elsewhere(page, at) {
  const context = await page.context().browser().newContext();
  try {
    const other = await context.newPage();
    await other.goto(at);
    await untilChip(other, /in sync/, "another browser finds everything made");
    await show(other, "State");
    await other.getByRole("region", { name: "History" }).getByText(/3 resources/).first().waitFor();
  } finally {
    await context.close();
  }
}

/** An adapter that does not answer any more is said to have been looked at some time ago, and nothing is called in sync. */
async function unanswered(page) {
  let answer;
  const answers = new Promise((resolve) => (answer = resolve));
  const adapter = /\/adapters\//;
  await page.context().route(adapter, async (route) => {
    await answers;
    await route.continue();
  });
  await show(page, "State");
  const seen = page.locator(".live-seen", { hasText: /^Last checked \d+ s ago$/ });
  await seen.waitFor();
  await untilChip(page, /^State: planned against the recorded state/, "it is not called in sync");
  await shot(page, "real-unanswered");
  await accessible(page, "what was observed a while ago");
  await show(page, "Plan");
  await seen.waitFor();
  answer();
  await seen.waitFor({ state: "detached" });
  await untilChip(page, /in sync/);
  await page.context().unroute(adapter);
}

/** From the review to the end, and that all of it is real. */
async function story(page, machine, meanwhile = async () => {}) {
  const { name } = machine;
  const read = async (address) => {
    const found = await outputs(page, machine.state, address);
    if (found.activity) machine.see(found.activity.id);
    return found;
  };
  const visit = async () => {
    const address = machine.address(await read("services.page"));
    return address && fetched(address);
  };
  await page.waitForSelector(".cm-content");
  equal(await page.evaluate(() => location.hash), "", "the token in the address");
  await untilEqual(() => page.locator(".editor-head .layer-name").innerText(), "app.yaml", "the file that is open");
  await show(page, "State");
  await page.locator(".live-said", { hasText: `${name} on this machine` }).waitFor();
  await page.locator(".live-said", { hasText: `kept by planloom serve as ${machine.state}` }).waitFor();
  await review(page);
  await dialog(page).getByText(`through ${name} on this machine`).waitFor();
  await shot(page, `real-review-${name}`);
  await dialog(page).getByRole("button", { name: "Apply 3 changes" }).click();
  await page.locator(".run-said", { hasText: "Applied: 3 steps done" }).waitFor();
  await shot(page, `real-report-${name}`);
  await page.getByRole("button", { name: "Close report" }).click();

  const store = await read("services.store");
  equal(await visit(), `visit 1, counted at ${store.network_node.ip}`, "what the web server says");
  equal(await visit(), `visit 2, counted at ${store.network_node.ip}`, "what it says then");
  assert(await machine.lives(store.activity.id), "the store is there");
  await meanwhile();

  await show(page, "State");
  const link = page.getByRole("table", { name: "Recorded resources" }).getByRole("link", { name: /^http:\/\/127\.0\.0\.1:\d+\/?$/ });
  const [opened] = await Promise.all([page.waitForEvent("popup"), link.click()]);
  await opened.getByText("visit 3, counted at").waitFor();
  equal(await opened.evaluate(() => window.opener), null, "what the page that is opened knows of this one");
  await opened.close();
  await machine.kill(store.activity.id);
  // The page looks again by itself while it can be seen.
  await untilChip(page, /drifted/);
  await page.locator(".phase-gone").waitFor();
  await page.getByRole("button", { name: "Keep in sync", exact: true }).click();
  await untilChip(page, /watching/);
  // A new store counts from the beginning.
  await until(visit, (said) => said?.startsWith("visit 1,"), "it is healed");
  await shot(page, `real-watch-${name}`);
  await page.locator(".live-strip").getByRole("button", { name: "Stop keeping in sync" }).click();
  await untilChip(page, /in sync/);
  const healed = await read("services.store");
  assert(healed.activity.id !== store.activity.id, "another one stores now");

  const address = machine.address(await read("services.page"));
  await page.getByRole("button", { name: "Destroy everything…" }).click();
  await dialog(page).getByRole("button", { name: "Destroy 3 resources" }).click();
  await page.locator(".run-said", { hasText: "Everything is destroyed" }).waitFor();
  equal(await fetched(address), undefined, "what the web server says when it is gone");
  assert(!(await machine.lives(healed.activity.id)), "the store is gone");
  await accessible(page, "the page after all");
}

async function processes() {
  if (![PROCESSES, OLD_TOKEN].some(wants)) return;
  const missing = [PLANLOOM, ...PROGRAMS].filter((path) => !existsSync(path));
  if (missing.length > 0) return skipped(PROCESSES, `${missing.join(", ")} not there`);
  const machine = new Processes();
  const allowed = PROGRAMS.flatMap((path) => ["--allow", path]);
  try {
    await served(allowed, {}, async (home) => {
      await journey(PROCESSES, { at: home.page }, (page) =>
        story(page, machine, async () => {
          await elsewhere(page, home.page);
          await unanswered(page);
        }));
      await journey(OLD_TOKEN, { at: home.page.replace(/token=.*/, "token=0123456789abcdef"), expected: /401/ }, async (page) => {
        const bar = page.locator(".machine-bar");
        await bar.getByText("Open the link that it printed last.").waitFor();
        await show(page, "Plan");
        const press = page.getByRole("button", { name: "Apply…", description: /not connected/ });
        await untilEqual(() => press.getAttribute("aria-disabled"), "true", "Apply");
        await untilChip(page, /not connected/);
        await shot(page, "real-old-token");
        await accessible(page, "a page that is not connected");
        await page.reload();
        await show(page, "State");
        await page.locator(".live-said", { hasText: "Not connected" }).waitFor();
        await bar.getByRole("button", { name: "Use the simulator" }).click();
        await bar.waitFor({ state: "detached" });
        await page.locator(".live-said", { hasText: "Simulator" }).waitFor();
        await untilChip(page, /nothing is deployed yet/);
        await page.reload();
        await page.locator(".live-said", { hasText: "Simulator" }).waitFor();
        equal(await bar.count(), 0, "bars once the simulator was chosen");
      });
    });
  } finally {
    await machine.end();
  }
}

/** The images are built of this machine's programs: not every machine can pull them. */
async function containers() {
  if (!wants(CONTAINERS)) return;
  if (!existsSync(PLANLOOM)) return skipped(CONTAINERS, `${PLANLOOM} not there`);
  const why = await withPodman(async (socket, podman) => {
    const words = ["--adapter", "container", "--allow", "docker.io/library"];
    await served(words, socket, async (home) => {
      const text = example("visits-in-containers", "app.yaml");
      const before = (_, context) => keepFile(context, text);
      // What the app asks for while a network comes is asked for again.
      await journey(CONTAINERS, { at: home.page, before, expected: /ERR_NETWORK_CHANGED/ }, (page) => story(page, new Containers(podman)));
    });
  });
  if (why !== undefined) skipped(CONTAINERS, why);
}

const RENTED = `payloads:
  page:
    runtime: vm
    params: {image_tag: "me/page:1.0"}
networks:
  lan: {ip: 10.0.0.0/24}
services:
  page:
    payload: page
    network: lan
    http_proxy: {ports: ["80"]}
`;

/** The daemons are real, the providers are not, and there is no virtual machine. */
async function golem() {
  if (!wants(GOLEM)) return;
  if (!existsSync(PLANLOOM)) return skipped(GOLEM, `${PLANLOOM} not there`);
  const why = await withGolemNetwork(async (daemon) => {
    await served(["--adapter", "golem", "--budget", "5"], daemon, async (home) => {
      const before = (_, context) => keepFile(context, RENTED);
      await journey(GOLEM, { at: home.page, before }, rented);
    });
  });
  if (why !== undefined) skipped(GOLEM, why);
}

async function rented(page) {
  await show(page, "State");
  await page.locator(".live-said", { hasText: "the Golem network" }).waitFor();
  await review(page);
  await dialog(page).getByText("this rents from the Golem network, for money").waitFor();
  await shot(page, "real-review-golem");
  await dialog(page).getByRole("button", { name: "Apply 2 changes" }).click();
  await page.locator(".run-step", { hasText: "pending: " }).waitFor();
  await page.locator(".run-said", { hasText: "Applied: 2 steps done" }).waitFor();
  await page.getByRole("button", { name: "Close report" }).click();
  await show(page, "State");
  const { state, http_proxy } = await outputs(page, "deployment.golem", "services.page");
  equal(state, "running", "the state of the service");
  await page.getByText(http_proxy.ports[0].address).waitFor();
  const said = await fetched(http_proxy.ports[0].address);
  assert(said?.startsWith("simulated provider"), said);
  await shot(page, "real-rented-golem");
  await accessible(page, "what is rented");
  await page.getByRole("button", { name: "Destroy everything…" }).click();
  await dialog(page).getByRole("button", { name: "Destroy 2 resources" }).click();
  await page.locator(".run-said", { hasText: "Everything is destroyed" }).waitFor();
}

export async function real() {
  await processes();
  await containers();
  await golem();
}
