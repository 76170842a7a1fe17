// Replays the suite through the npm package and compares every answer with the native one, byte for byte.
// `node suite.mjs [CASES]`: the file that the native suite writes, by default `target/suite-cases.json`. The package is
// that in the folder `PLANLOOM_PACKAGE`, by default `web/npm`.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, check, engine, equal, finish } from "./harness.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const { Workspace } = await engine();
const path = process.argv[2] ?? join(here, "../../target/suite-cases.json");
const cases = JSON.parse(readFileSync(path, "utf8"));

/** How each answer of a case is asked for. */
const QUESTIONS = {
  files: (workspace) => JSON.stringify(workspace.files()),
  check: (workspace) => JSON.stringify(workspace.diagnostics()),
  merged: (workspace) => JSON.stringify(workspace.merged({ origins: true })),
  graph: (workspace) => JSON.stringify(workspace.graph()),
  plan: (workspace, { plan }) => JSON.stringify(workspace.plan(plan)),
  merged_yaml: (workspace) => workspace.mergedYaml(),
  dot: (workspace) => workspace.graphText("dot"),
  mermaid: (workspace) => workspace.graphText("mermaid"),
  resolution: (workspace) => JSON.stringify(workspace.resolution()),
  upgrades: (workspace, { outputs }) =>
    Object.fromEntries(Object.keys(outputs.upgrades).map((it) => [it, JSON.stringify(workspace.upgrades(it))])),
  with_status: (workspace) => workspace.withStatus()[0].text,
  lock: (workspace) => workspace.lock(),
  specification: (workspace) => JSON.stringify(workspace.specification()),
  comparison: (workspace, { before }) => JSON.stringify(workspace.compare({ files: before.files })),
  service_changes: (workspace, { before }) => {
    const earlier = workspaceOf(before);
    const changes = workspace.serviceChanges(earlier);
    earlier.free();
    return JSON.stringify(changes);
  },
  generated: (workspace, { outputs }) =>
    Object.fromEntries(Object.keys(outputs.generated).map((it) => [it, JSON.stringify(workspace.generated(it))])),
  names: (workspace, { names }) =>
    JSON.stringify(Object.fromEntries(names.map((it) => [it, workspace.resourceName(it)]))),
  texts: (workspace, { texts }) =>
    JSON.stringify(texts.map((text) => ({ text, answer: workspace.nameOrRequest(text) }))),
  merges: (workspace, { merges }) =>
    JSON.stringify(
      merges.map(([type, resources]) => ({ type, resources, merged: workspace.mergeResources(type, resources) })),
    ),
  service_graph: (workspace) => JSON.stringify(workspace.serviceGraph()),
  service_graph_text: (workspace, { outputs }) =>
    Object.fromEntries(
      Object.keys(outputs.service_graph_text).map((it) => [it, JSON.stringify(workspace.serviceGraphText(it))]),
    ),
  cached: (workspace, { cached }) =>
    JSON.stringify(cached.map((question) => ({ question, answer: workspace.cached(question) }))),
  conversation: (workspace, { requests, service: options }) => {
    const service = workspace.openService(options);
    const answer = (it) => ("command" in it ? service.execute(it) : service.send(it));
    const exchanges = requests.map((request) => ({ request, response: answer(request) }));
    service.close();
    return JSON.stringify(exchanges);
  },
  links: (workspace, { before }) =>
    JSON.stringify(before === null ? workspace.links() : workspace.linksSince(linksOf(before))),
};

await check(`${path} holds cases`, () => assert(cases.length > 0, "it is empty"));
for (const example of cases) {
  await check(`${example.page} ${example.id}`, () => replay(example));
}
finish();

function replay(example) {
  for (const { name, hex, files } of example.packages) {
    const read = Workspace.readPackage(name, Uint8Array.from(Buffer.from(hex, "hex")));
    equal(JSON.stringify(read), JSON.stringify(files), `the package ${name}`);
  }
  const workspace = workspaceOf(example);
  for (const [name, expected] of Object.entries(example.outputs)) {
    const ask = QUESTIONS[name];
    assert(ask, `nothing is known of the answer "${name}"`);
    const answer = ask(workspace, example);
    if (typeof expected === "string") equal(spelt(answer), spelt(expected), name);
    else for (const key of Object.keys(expected)) equal(respelt(answer[key]), respelt(expected[key]), `${name} ${key}`);
  }
  workspace.free();
}

/** A workspace that holds the inputs of an example. */
function workspaceOf({ lenient, profile, versions, releases, catalogs, types, files }) {
  const workspace = new Workspace();
  workspace.setLenient(lenient);
  if (profile !== null) workspace.setProfile(profile);
  workspace.setVersions(versions);
  if (releases.length > 0) workspace.setReleases(releases);
  if (catalogs.length > 0) workspace.setCatalogs(catalogs);
  if (types.length > 0) workspace.setTypes(types);
  workspace.setFiles(files);
  return workspace;
}

/** The links of inputs that are compared with. */
function linksOf(inputs) {
  const workspace = workspaceOf(inputs);
  const links = workspace.links();
  workspace.free();
  return links;
}

/** The same for JSON with places to draw at: they are numbers with a point in one spelling and without in the other. */
function respelt(text) {
  return JSON.stringify(JSON.parse(text));
}

/** JSON as JavaScript spells it: it orders keys that are whole numbers and has its own way with huge and tiny ones. */
function spelt(text) {
  const differs = /"\d+":|\d[eE][+-]?\d/.test(text);
  return differs && text.startsWith("{") ? JSON.stringify(JSON.parse(text)) : text;
}
