// A Golem network of this machine, and what is open at its requestor's daemon.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** What an hour costs at most, in GLM: less than both tools accept. */
const HOUR = "0.5";
/** What a daemon can have open, as its REST API names it. */
const LISTS = {
  demands: ["/market-api/v1/demands", "demandId"],
  allocations: ["/payment-api/v1/allocations", "allocationId"],
  networks: ["/net-api/v2/vpn/net", "id"],
};
const NAMES = { demands: "demand", agreements: "agreement", activities: "activity", allocations: "allocation", networks: "network" };

/** Starts a network with three providers. Its `stop` ends it. */
export async function golemNetwork(target) {
  const program = join(target, "debug/golem-network");
  const child = spawn(program, ["--json", "--hour", HOUR], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const started = once(createInterface({ input: child.stdout }), "line");
  const line = await Promise.race([started, ended.then(() => null)]);
  if (line === null) throw new Error("the network of this machine does not start");
  const { api_url: url, app_key: key, registry_url: registry } = JSON.parse(line[0]);
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  return { url, key, registry, stop };
}

/** What is open: lists of ids. */
export async function open(network) {
  const found = {};
  for (const [what, [path, id]] of Object.entries(LISTS)) found[what] = (await get(network, path)).map((it) => it[id]);
  const states = ["Proposal", "Pending", "Approved"].map((state) => get(network, `/market-api/v1/agreements?state=${state}`));
  found.agreements = (await Promise.all(states)).flat().map((it) => it.id);
  found.activities = [];
  for (const id of await activities(network)) {
    // Without its provider its state is not known, and it may be open.
    const state = await get(network, `/activity-api/v1/activity/${id}/state`).catch(() => null);
    if (state?.state?.[0] !== "Terminated") found.activities.push(id);
  }
  return found;
}

/** The activities of all agreements, also ended ones. */
export async function activities(network) {
  const agreements = await get(network, "/market-api/v1/agreements");
  const of = ({ id }) => get(network, `/activity-api/v1/activity?agreementId=${id}`);
  return (await Promise.all(agreements.map(of))).flat();
}

export function isEmpty(found) {
  return Object.values(found).every((ids) => ids.length === 0);
}

/** `2 agreements, 1 allocation`, or `nothing`. */
export function counted(found) {
  const plural = (what, { length }) => `${length} ${length === 1 ? NAMES[what] : what}`;
  const some = Object.keys(NAMES).filter((what) => found[what].length > 0);
  return some.map((what) => plural(what, found[what])).join(", ") || "nothing";
}

async function get({ url, key }, path) {
  const answer = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
  if (!answer.ok) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
