// Real manifests of BOSH, resolved through the npm package and compared with what another program says of them. They are
// not part of this repository: they lie in `$PLANLOOM_SHARED/data/bosh`, or in `../shared/data/bosh` beside it.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, check, engine, equal, finish } from "./harness.mjs";

const { Workspace } = await engine();
const here = dirname(fileURLToPath(import.meta.url));
const folder = join(process.env.PLANLOOM_SHARED ?? join(here, "../../../shared"), "data/bosh");

/** A manifest of newer releases than the specs at hand: its provider has moved away. */
const STUB = `- type: replace
  path: /instance_groups/name=diego-cell/jobs/name=garden-cni/consumes?/cloud_controller_container_networking_info
  value: {instances: [], properties: {}}
`;
const NATS_BLOCKED = `- type: replace
  path: /instance_groups/name=nats/jobs/name=nats-tls/provides/nats-tls
  value: nil
`;

/** What makes each expected answer: a manifest, operations among the data, and our own. */
const SCENARIOS = {
  "cf-base": ["cf-deployment.yml", [], []],
  "cf-base-stubbed": ["cf-deployment.yml", [], [STUB]],
  "cf-nats-blocked": ["cf-deployment.yml", [], [STUB, NATS_BLOCKED]],
  concourse: ["concourse-cluster.yml", [], []],
  "nats-acceptance": ["nats-acceptance.yml", [], []],
  "postgres-bbr": ["postgres.yml", ["postgres__use_bbr.yml"], []],
  prometheus: ["prometheus.yml", [], []],
  zookeeper: ["zookeeper.yml", [], []],
};

await check("a manifest of our own", own);
if (existsSync(folder)) {
  for (const name of readdirSync(join(folder, "expected")).sort()) {
    const scenario = name.replace(".json", "");
    for (const profile of ["bosh", "strict"]) await check(`${scenario}, ${profile}`, () => compare(scenario, profile));
  }
} else {
  console.log(`skipped: there is no ${folder}`);
}
finish();

/** What needs no data of others: one provider, one consumer. */
function own() {
  const workspace = new Workspace();
  workspace.setReleases([
    { name: "r__store.yml", text: "name: store\nprovides: [{name: kv, type: kv}]\n" },
    { name: "r__api.yml", text: "name: api\nconsumes: [{name: backend, type: kv}]\n" },
  ]);
  const group = (job) => `- {name: ${job}, instances: 1, networks: [{name: net}], jobs: [{name: ${job}, release: r}]}\n`;
  workspace.setFiles([{ name: "d.yml", text: `name: d\ninstance_groups:\n${group("api")}${group("store")}` }]);
  const { links } = workspace.links();
  workspace.free();
  equal(lines(links.map(ofLink)), lines([["api", "api", "backend", "kv", false, false, "linked", ["store", "store", "kv"]]]), "links");
}

function compare(name, profile) {
  assert(SCENARIOS[name], `what is the scenario ${name}?`);
  const expected = JSON.parse(read("expected", `${name}.json`));
  const { links, providers } = resolve(SCENARIOS[name], profile);
  equal(lines(providers.map(ofProvider)), lines(expected.providers.map(ofExpectedProvider)), "providers");
  equal(lines(links.map(ofLink)), lines(expected.links.map(ofExpected)), "links");
  if (profile === "bosh") {
    const errors = (all) => lines(all.map(({ error }) => error ?? null).filter((error) => error !== null));
    equal(errors(links), errors(expected.links), "errors");
  }
}

function resolve([manifest, operations, own], profile) {
  const workspace = new Workspace();
  workspace.setProfile(profile);
  workspace.setReleases(readdirSync(join(folder, "specs")).sort().map((name) => ({ name, text: read("specs", name) })));
  const further = operations.map((name) => ({ name, text: read("ops", name) }));
  const ours = own.map((text, index) => ({ name: `own-${index}.yml`, text }));
  workspace.setFiles([{ name: manifest, text: read("manifests", manifest) }, ...further, ...ours]);
  const links = workspace.links();
  workspace.free();
  return links;
}

function read(...path) {
  return readFileSync(join(folder, ...path), "utf8");
}

function lines(items) {
  return items.map((item) => JSON.stringify(item)).join("\n");
}

function ofProvider({ instance_group, job, name, alias, type, shared, consumable }) {
  return [instance_group, job, name, alias ?? name, type, shared, consumable];
}

function ofExpectedProvider({ instance_group, job, original_name, name, type, shared, consumable }) {
  return [instance_group, job, original_name, name, type, shared, consumable];
}

function ofLink({ instance_group, job, link, type, optional, explicit, outcome, provider }) {
  const who = provider && [provider.instance_group, provider.job, provider.name];
  return [instance_group, job, link, type, optional, explicit, outcome, who];
}

function ofExpected({ instance_group, job, link, type, optional, explicit, result, provider }) {
  const outcome = result === "no-provider" ? "none_found" : result;
  const who = provider && result === "linked" ? [provider.instance_group, provider.job, provider.original_name] : null;
  return [instance_group, job, link, type, optional, explicit, outcome, who];
}
