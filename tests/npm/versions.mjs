// Versions in JavaScript: problems with sources and constraints of one's own, and real catalogs where those are there.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, check, engine, equal, finish } from "./harness.mjs";

const { Entities, solve, Workspace } = await engine();

const ids = ({ selection }) => selection.map((it) => it.id).join(" ");

/** Two packages with versions, told as entities; a source for what is wanted, one for what there can be one of. */
const ENTITIES = [
  { id: "web@2", properties: { package: "web", needs: "api@2" } },
  { id: "web@1", properties: { package: "web", needs: "api@1" } },
  { id: "api@1", properties: { package: "api" } },
];

const wanted = (name) => (entities) => [
  { id: `want ${name}`, constraints: ["mandatory", { dependency: versions(entities, name), text: `${name} is wanted` }] },
];

const bundles = (entities) =>
  [...entities].map(({ id, properties: { needs } }) => ({
    id,
    constraints: needs ? [{ dependency: entities.get(needs) ? [needs] : [], text: `${id} needs ${needs}` }] : [],
  }));

const unique = (entities) =>
  [...entities.groupBy((it) => it.properties.package)].map(([name, list]) => ({
    id: `one ${name}`,
    constraints: [{ at_most: { n: 1, of: list.map((it) => it.id) } }],
  }));

const versions = (entities, name) => entities.filter((it) => it.properties.package === name).map((it) => it.id);

await check("sources generate variables from entities", () => {
  const answer = solve({ entities: ENTITIES, sources: [wanted("web"), bundles, unique] });
  equal(answer.outcome, "solved", answer.sentence);
  equal(ids(answer), "want web web@1 api@1", "what is chosen");
});

await check("what cannot be is told in one's own words", () => {
  const entities = new Entities(ENTITIES.slice(0, 1));
  const { outcome, conflict, fixes } = solve({ entities, sources: [wanted("web"), bundles] });
  equal(outcome, "unsolvable", "the outcome");
  equal(conflict.map((it) => it.constraint).join("; "), "want web is mandatory; web is wanted; web@2 needs api@2", "the facts");
  equal(fixes.map((it) => it.title).join("; "), "remove “want web is mandatory”; remove “web is wanted”; remove “web@2 needs api@2”", "the fixes");
  equal(fixes[2].selection.join(" "), "want web web@2", "what is chosen then");
});

await check("variables are told when the search reaches them", () => {
  const asked = [];
  const told = { a: [{ id: "a", constraints: [{ dependency: ["b", "c"] }] }], b: [{ id: "b", constraints: ["prohibited"] }] };
  const problem = { variables: [{ id: "r", constraints: ["mandatory", { dependency: ["a", "far"] }] }] };
  const answer = solve(problem, { expand: (id) => (asked.push(id), told[id]) });
  equal(ids(answer), "r a c", "what is chosen");
  assert(!asked.includes("far") && new Set(asked).size === asked.length, `each once, and only what is reached: ${asked}`);
});

await check("hooks see the life of a search", () => {
  const seen = [];
  const problem = { variables: [{ id: "a", constraints: ["mandatory", { dependency: ["x", "y"] }] }, { id: "x", constraints: ["prohibited"] }, { id: "y" }] };
  solve(problem, {
    before: (variables) => seen.push(`before ${variables}`),
    trace: ({ event, candidate, verdict }) => seen.push([event, candidate, verdict].filter(Boolean).join(" ")),
    after: (outcome) => seen.push(`after ${outcome}`),
  });
  equal(seen[0], "before 3", "first");
  equal(seen.at(-1), "after solved", "last");
  assert(seen.includes("candidate x refused"), `what was refused: ${seen}`);
});

await check("a search can be broken off", () => {
  const hard = { variables: pigeons(9, 8) };
  equal(solve(hard, { isCancelled: () => true }).outcome, "stopped", "cancelled");
  equal(solve(hard, { steps: 100 }).outcome, "stopped", "out of steps");
});

await check("what a hook throws is thrown on", () => {
  const problem = { variables: [{ id: "a", constraints: ["mandatory", { dependency: ["b"] }] }] };
  const whole = { variables: [...problem.variables, { id: "b" }] };
  const fails = (options) => {
    try {
      solve(options.expand ? problem : whole, options);
    } catch (error) {
      return error.message;
    }
    return "nothing was thrown";
  };
  equal(fails({ expand: () => { throw new Error("no"); } }), "no", "of expand");
  equal(fails({ before: () => { throw new Error("nor here"); } }), "nor here", "of before");
  equal(fails({ trace: 1 }), "`trace` must be a function", "a wrong argument");
});

await check("mistakes in a problem are diagnostics", () => {
  const { outcome, diagnostics } = solve({ variables: [{ id: "a", constraints: [{ dependency: ["zz"] }] }, { id: "a" }] });
  equal(outcome, "refused", "the outcome");
  equal(diagnostics.map((it) => it.code).sort().join(" "), "resolve/duplicate-variable resolve/unknown-variable", "the codes");
  equal(solve("not: a problem").outcome, "refused", "another document");
});

const folder = join(dirname(fileURLToPath(import.meta.url)), "../../../shared/data/fbc");
if (existsSync(folder)) {
  for (const name of readdirSync(folder).filter((it) => /\.(yaml|json)$/.test(it)).sort()) {
    await check(`the catalog ${name} loads`, () => loads(name, readFileSync(join(folder, name), "utf8")));
  }
} else {
  console.log(`skipped: there is no ${folder}`);
}
finish();

/** It is read, what it breaks of the rules is told with a place, and each of its packages can be asked for. */
function loads(name, text) {
  const workspace = new Workspace();
  workspace.setCatalogs([{ name, text, package: "c" }]);
  workspace.setFiles([{ name: "wanted.yaml", text: "kind: ActiveResolution\nspec: {constraints: []}\n" }]);
  const { catalogs } = workspace.resolution();
  assert(catalogs[0].packages.length > 0, "it has packages");
  for (const diagnostic of workspace.diagnostics().diagnostics) {
    assert(diagnostic.line > 0 && diagnostic.code.startsWith("catalog/"), JSON.stringify(diagnostic));
    const allowed = diagnostic.severity !== "error" || name.includes("template");
    assert(allowed, `${diagnostic.line}: ${diagnostic.message}`);
  }
  for (const one of catalogs[0].packages) assert(workspace.upgrades(one).bundles !== undefined, one);
  workspace.free();
}

/** So many pigeons for one hole less: hard for a search that only learns clauses. */
function pigeons(birds, holes) {
  const place = (bird, hole) => `${bird} in ${hole}`;
  const range = (n) => [...Array(n).keys()];
  const of = range(birds).flatMap((bird) => range(holes).map((hole) => ({ id: place(bird, hole) })));
  const each = range(birds).map((bird) => ({
    id: `bird ${bird}`,
    constraints: ["mandatory", { dependency: range(holes).map((hole) => place(bird, hole)) }],
  }));
  const single = range(holes).flatMap((hole) =>
    range(birds).flatMap((one) =>
      range(one).map((other) => ({
        id: `hole ${hole}: ${one} ${other}`,
        constraints: [{ at_most: { n: 1, of: [place(one, hole), place(other, hole)] } }],
      })),
    ),
  );
  return [...each, ...of, ...single];
}
