// The types against strict compilers, against what the module really exports, and against what it really answers.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { assert, check, equal, run } from "./harness.mjs";

/** Type checkers and the ways in which they find modules. `lib` has no DOM: Node programs need not know it. */
const MODES = [
  { module: "nodenext", moduleResolution: "nodenext" },
  { module: "esnext", moduleResolution: "bundler" },
];
const STRICT = {
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  target: "es2022",
  lib: ["es2022"],
  types: [],
};

export async function types({ here, work }) {
  const folder = join(work, "types");
  cpSync(join(here, "fixtures/types"), folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  for (const compiler of ["typescript", "typescript-5"]) {
    const tsc = tscOf(here, compiler);
    for (const mode of MODES) {
      await check(`strict ${tsc.version} compiles a consumer (${mode.moduleResolution})`, () => compile(tsc, folder, mode));
    }
  }
  for (const mode of MODES) {
    await check(`strict programs use the elements (${mode.moduleResolution})`, () => compile(tscOf(here, "typescript"), join(folder, "page"), mode));
  }
  await check("the types name what the class has, no more and no less", () => sameMethods(here, work));
  await check("the capabilities that are declared can be loaded, and are documented", () => sameCapabilities(work));
  await check("what the package answers has the types it promises", () => answers(here, work, folder));
}

function tscOf(here, name) {
  const home = join(here, "node_modules", name);
  const { version, bin } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  return { version: `tsc ${version}`, path: join(home, bin.tsc) };
}

async function compile(tsc, folder, mode, include = ["*.ts", "*.cts"]) {
  // A CommonJS file has a meaning only where Node's rules hold.
  const files = mode.moduleResolution === "bundler" ? include.filter((name) => !name.endsWith(".cts")) : include;
  const project = join(folder, "tsconfig.json");
  writeFileSync(project, JSON.stringify({ compilerOptions: { ...STRICT, ...mode }, include: files }));
  await run(process.execPath, [tsc.path, "--project", project]);
}

async function sameMethods(here, work) {
  const home = join(work, "node_modules/planloom/dist");
  const { Workspace } = await import(join(home, "node.js"));
  const { Runtime, Store } = await import(join(home, "runtime_node.js"));
  const { WorkerEngine } = await import(join(home, "worker_node.js"));
  sameMembers(here, join(home, "index.d.ts"), "Workspace", Workspace);
  sameMembers(here, join(home, "worker.d.ts"), "WorkerEngine", WorkerEngine);
  sameMembers(here, join(home, "runtime.d.ts"), "Store", Store);
  sameMembers(here, join(home, "runtime.d.ts"), "Runtime", Runtime);
}

/** The names of capabilities that declarations have. */
export function declaredCapabilities(path) {
  const [, names] = /export type Capability =([^;]*);/.exec(readFileSync(path, "utf8"));
  return [...names.matchAll(/"(\w+)"/g)].map(([, name]) => name);
}

async function sameCapabilities(work) {
  const home = join(work, "node_modules/planloom");
  const declared = declaredCapabilities(join(home, "dist/index.d.ts"));
  const { load } = await import(join(home, "dist/node.js"));
  const [, loadable] = await load("none").catch((error) => error.message.split("; there are "));
  equal(declared.join(", "), loadable.split(", ").sort().join(", "), "the capabilities that are declared");
  await load(...declared);
  const [, documentation] = /\/\*\*((?:(?!\*\/)[^])*)\*\/\nexport function load\(/.exec(readFileSync(join(home, "dist/index.d.ts"), "utf8"));
  for (const [text, where] of [[documentation, "load()"], [readFileSync(join(home, "README.md"), "utf8"), "README.md"]]) {
    const missing = declared.filter((name) => !text.includes(`\`${name}\``));
    assert(missing.length === 0, `${where} does not say what these are: ${missing.join(", ")}`);
  }
}

function sameMembers(here, path, name, class_) {
  const ts = createRequire(join(here, "x.js"))("typescript-5");
  const file = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const declared = file.statements.find((node) => ts.isClassDeclaration(node) && node.name.text === name);
  const undocumented = declared.members.filter((member) => ts.isMethodDeclaration(member) && !documented(ts, member));
  const isStatic = (member) => member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) ?? false;
  const promised = declared.members.filter((member) => ts.isMethodDeclaration(member) || ts.isPropertyDeclaration(member)).map((member) => (isStatic(member) ? "static " : "") + member.name.text);
  const own = prototypes(class_).flatMap(Object.getOwnPropertyNames).filter((name) => name !== "constructor" && !name.startsWith("__"));
  const statics = Object.getOwnPropertyNames(class_).filter((name) => !["length", "name", "prototype"].includes(name));
  const there = [...new Set(own), ...statics.map((name) => `static ${name}`)];
  equal([...new Set(promised)].sort().join("\n"), there.sort().join("\n"), `the list of methods of ${name}`);
  assert(undocumented.length === 0, `without a comment: ${undocumented.map((member) => member.name.text).join(", ")}`);
}

/** What an object of the class has: also from the class it extends, if that is the glue's. */
function prototypes(class_) {
  const base = Object.getPrototypeOf(class_.prototype);
  return base === Object.prototype ? [class_.prototype] : [class_.prototype, base];
}

/** Overloads after the first need no comment of their own. */
function documented(ts, member) {
  const index = member.parent.members.indexOf(member);
  const before = member.parent.members[index - 1];
  return ts.getJSDocCommentsAndTags(member).length > 0 || before?.name?.text === member.name.text;
}

const OUTPUTS = { check: "Check", merged: "MergeWithOrigins", graph: "Graph", plan: "Plan" };

/** Writes real answers into a program that says which types they have, and compiles it. */
async function answers(here, work, folder) {
  const sample = JSON.parse(await run(process.execPath, [join(work, "node/esm.mjs")]));
  const named = [
    [sample.diagnostics, "Check"],
    [sample.broken, "Check"],
    [sample.merged, "MergeWithOrigins"],
    [sample.graph, "Graph"],
    [sample.layout, "Layout"],
    [sample.plan, "Plan"],
    [sample.planOfState, "Plan"],
    [sample.report, "Report"],
    [sample.hover, "Hover | null"],
    [sample.complete, "Completion[]"],
    [sample.definition, "Location | null"],
    [sample.setValue, "Edit[] | null"],
    [sample.references, "References | null"],
    [sample.rename, "Rename | { refused: string }"],
    [sample.outline, "OutlineItem[]"],
    [sample.format, "FormattedFile"],
    ...suiteAnswers(here),
  ];
  const lines = named.map(([data, type], index) => `export const a${index} = ${JSON.stringify(data)} satisfies ${type};`);
  const names = "Check, Completion, Edit, FormattedFile, Graph, Hover, Layout, Location, Merge, MergeWithOrigins, OutlineItem, Plan, References, Rename, Report";
  mkdirSync(join(folder, "answers"), { recursive: true });
  writeFileSync(join(folder, "answers/answers.ts"), `import type { ${names} } from "planloom";\n${lines.join("\n")}\n`);
  await compile(tscOf(here, "typescript"), folder, MODES[0], ["answers/*.ts"]);
}

/** What the suite expects, where it has been run. */
function suiteAnswers(here) {
  const path = join(process.env.PLANLOOM_TARGET ?? join(here, "../../target"), "suite-cases.json");
  if (!existsSync(path)) return [];
  const outputs = JSON.parse(readFileSync(path, "utf8")).flatMap(({ outputs }) => Object.entries(outputs));
  return outputs.filter(([name]) => name in OUTPUTS).map(([name, json]) => [JSON.parse(json), OUTPUTS[name]]);
}
