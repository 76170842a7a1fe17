// The capabilities of the engine that are separate WebAssembly files, and how a workspace loads them.
import { addPart, askReports, askServices, Workspace } from "./planloom.js";
import { loadPart, PARTS } from "./planloom_parts.js";

let fetchPart = loadPart;

/** Sets how a part is loaded, if it is not fetched. */
export function setFetch(fetch) {
  fetchPart = fetch;
}

/** Loads capabilities. One that is there already is not fetched again; a failed download may be tried again. */
export async function load(...names) {
  const unknown = names.find((name) => !PARTS.includes(name));
  if (unknown !== undefined) {
    const message = `there is no capability "${unknown}"; there are ${PARTS.join(", ")}`;
    throw Object.assign(new Error(message), { code: "wasm/bad-argument" });
  }
  await Promise.all(names.map(loadOne));
}

async function loadOne(name) {
  try {
    await fetchPart(name);
  } catch (cause) {
    throw Object.assign(new Error(`"${name}" could not be loaded`, { cause }), { code: "capability/not-loaded" });
  }
  addPart(name);
}

Workspace.prototype.ready = async function ready() {
  const loaded = [];
  // A loaded capability may require others.
  for (let missing = this.notLoaded(); missing.length > 0; missing = this.notLoaded()) {
    await load(...missing);
    loaded.push(...missing);
  }
  return loaded;
};

/** A service in memory, with the API of the specifications that its workspace had when it was opened. */
export class Service {
  #workspace;
  #number;

  constructor(workspace, number) {
    this.#workspace = workspace;
    this.#number = number;
  }

  send({ method, path, headers = {}, body = "", wait_seconds = 0 }) {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const request = { method, path, headers, body: text, wait_seconds };
    return askServices(this.#workspace, "send", JSON.stringify([this.#number, request]));
  }

  execute(command) {
    return askServices(this.#workspace, "execute", `${this.#number} ${JSON.stringify(command)}`);
  }

  close() {
    askServices(this.#workspace, "close", String(this.#number));
  }
}

/** The text of a file from its bytes, or what is wrong with them; for the command. */
export function readText(name, bytes) {
  return askReports(workspaceOfCommand(), "text", name, bytes);
}

/** What is reported of a file that could not be read; for the command. */
export function unreadable(name, error) {
  return askReports(workspaceOfCommand(), "unreadable", name, error).problem;
}

let ofCommand;

function workspaceOfCommand() {
  ofCommand ??= new Workspace();
  return ofCommand;
}

Object.assign(Workspace.prototype, {
  report(options) {
    const { command, format, origins, checkout, problems, missing_state, codes, ...plan } = options ?? {};
    return askReports(this, "report", JSON.stringify({ command, format, origins, checkout, problems, missing_state, codes }), plan);
  },
  specification() {
    return askServices(this, "services", "");
  },
  generated(artifact) {
    return askServices(this, "generated", artifact);
  },
  serviceGraph() {
    return askServices(this, "graph", "");
  },
  serviceGraphText(format) {
    return askServices(this, "graph", format);
  },
  cached(question) {
    return askServices(this, "cached", JSON.stringify(question));
  },
  resourceName(text) {
    return askServices(this, "resource_name", text);
  },
  mergeResources(type, resources) {
    return askServices(this, "merged", JSON.stringify([type, resources]));
  },
  serviceOverview() {
    return askServices(this, "overview", "");
  },
  nameOrRequest(text) {
    return askServices(this, "name_or_request", text);
  },
  deletionTrial(resources, remove) {
    return askServices(this, "deletion_trial", JSON.stringify({ resources, delete: remove }));
  },
  changesBetween(before, after) {
    return askServices(this, "changes", JSON.stringify([before, after]));
  },
  openService(options = {}) {
    const number = askServices(this, "open", JSON.stringify(options));
    return number === null ? null : new Service(this, number);
  },
});
