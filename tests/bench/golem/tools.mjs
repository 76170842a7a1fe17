// Both tools, with the same words: `start` returns what runs, with `running`, the time when all of its services were
// reported as running; `kill` ends all of its processes at once; `end` ends the application as its user does.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
/** Longer than any start and any end. */
const LONGEST = 300_000;
const BUDGET = "5";
const CONFIG = `yagna: {subnet_tag: public, app_key: $YAGNA_APPKEY}
payment: {budget: ${BUDGET}, driver: erc20, network: holesky}
`;

/** The state of a service after each verb of ours. */
const DONE = { create: "running", destroy: "terminated" };

/** Planloom, which has done its work when the application runs; what keeps it running is its requestor agent. */
export class Planloom {
  name = "planloom";

  constructor(target, place) {
    Object.assign(this, place, { program: join(target, "debug/planloom"), states: {}, log: [] });
  }

  start() {
    const { child, ended } = this.run("apply");
    return { child, running: ended };
  }

  end() {
    return this.run("destroy").ended;
  }

  /** Runs a command; `ended` is the time of its successful end. */
  run(verb) {
    const { network, folder, descriptor } = this;
    const state = join(folder, "state.json");
    const words = [descriptor, "--state", state, "--adapter", "golem", "--budget", BUDGET, "--auto-approve", "--format", "json"];
    const env = { PATH: process.env.PATH, HOME: folder, ...environment(network), GOLEM_REGISTRY_URL: network.registry };
    const errors = openSync(join(folder, `${verb}.log`), "a");
    const child = spawn(this.program, [verb, ...words], { cwd: folder, env, stdio: ["ignore", "pipe", errors] });
    createInterface({ input: child.stdout }).on("line", (line) => this.read(line));
    const ended = once(child, "exit").then(([code, signal]) => {
      if (code === 0) return performance.now();
      throw new Error(`planloom ${verb} ended with ${code ?? signal}:\n${this.log.join("\n")}`);
    });
    ended.catch(() => {}); // Who kills it does not wait for it.
    return { child, ended };
  }

  read(line) {
    this.log.push(line);
    const { type, address, verb, state, message } = JSON.parse(line);
    if (type !== "step" || !address.startsWith("services.")) return;
    const word = state === "done" ? DONE[verb] : /^(pending|starting|stopping): /.exec(message)?.[1];
    if (word) note(this.states, address.slice(9), word);
  }

  /** What the state says about each service. */
  outputs() {
    const words = ["state", "show", "--state", join(this.folder, "state.json"), "--format", "json"];
    const { resources } = JSON.parse(execFileSync(this.program, words, { cwd: this.folder, encoding: "utf8" }));
    const services = Object.entries(resources).filter(([address]) => address.startsWith("services."));
    return Object.fromEntries(services.map(([address, { outputs }]) => [address.slice(9), outputs?.state]));
  }
}

/** The reference runner, which runs as long as the application. */
export class DappRunner {
  name = "dapp-runner";

  constructor(program, place) {
    Object.assign(this, place, { program, states: {}, log: [] });
  }

  start() {
    const { network, folder, descriptor, program } = this;
    const [config, state, file] = ["config.yaml", "states", "log"].map((name) => join(folder, name));
    writeFileSync(config, CONFIG);
    const words = ["start", "--config", config, "--state", state, "--data", join(folder, "data"), "--log", file, "--silent", descriptor];
    const env = { PATH: `${here}:${process.env.PATH}`, HOME: folder, ...environment(network) };
    const errors = openSync(join(folder, "printed.log"), "a");
    const child = spawn(program, words, { cwd: folder, env, stdio: ["ignore", errors, errors] });
    this.child = child;
    this.exited = once(child, "exit").then(() => performance.now());
    return { child, running: this.until(state) };
  }

  /** The time at which its stream says that all runs. */
  async until(file) {
    const end = performance.now() + LONGEST;
    while (performance.now() < end && this.child.exitCode === null && this.child.signalCode === null) {
      const state = this.read(file).at(-1);
      if (state?.app === "running" && Object.values(state.nodes).every((it) => it[0] === "running")) {
        return Date.parse(state.timestamp) - performance.timeOrigin;
      }
      await pause(20);
    }
    return undefined;
  }

  read(file) {
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, "utf8").split("\n").slice(0, -1).map((line) => JSON.parse(line));
    this.states = {};
    for (const { nodes } of lines) {
      Object.entries(nodes).forEach(([name, instances]) => Object.values(instances).forEach((it) => note(this.states, name, it)));
    }
    return lines;
  }

  async end() {
    this.child.kill("SIGINT");
    const ended = await this.exited;
    this.read(join(this.folder, "states"));
    return ended;
  }
}

/** Ends all processes of a tool at once; those that work for it name its folder. */
export function kill(tool, child) {
  child?.kill("SIGKILL");
  left(tool).forEach((pid) => tryKill(pid));
}

/** The processes that name the folder of a tool in their words or their environment. */
function left({ folder }) {
  const names = (pid, file) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, "utf8").includes(folder);
    } catch {
      return false; // It has ended.
    }
  };
  const others = readdirSync("/proc").filter((it) => /^\d+$/.test(it) && Number(it) !== process.pid);
  return others.filter((pid) => names(pid, "cmdline") || names(pid, "environ")).map(Number);
}

export function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function tryKill(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

function environment({ url, key }) {
  return { YAGNA_API_URL: url, YAGNA_APPKEY: key };
}

/** Adds a state if it is another one than the last. */
function note(states, name, state) {
  const list = (states[name] ??= []);
  if (list.at(-1) !== state) list.push(state);
}
