// The command of the npm package against the native program: the same bytes, and the same exit codes. SARIF against its schema.
// `PLANLOOM_BINARY` is the native program.
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { assert, check, equal } from "./harness.mjs";

const FORMATS = ["json", "sarif", "github"];

/** Command lines in the folder of the examples; some of them have mistakes. */
const LINES = [
  "check shop/base.yaml shop/prod.yaml",
  "check links/shop.yaml links/infra.yaml --lenient",
  "check versions/app.yaml --catalog versions/catalog.yaml",
  "check broken.yaml ä,b.yaml",
  "check release",
  "check none.yaml shop/base.yaml utf16.yaml",
  "check app.zip",
  "check bad.zip",
  "check - --types volume.yaml",
  "check services/library-v1.yaml",
  "check manifest.yml --releases specs --profile bosh",
  "check manifest.yml --releases shop --profile strict",
  "merge release/base.yaml release/release.yaml --origins",
  "merge broken.yaml shop/base.yaml",
  "plan release/base.yaml release/release.yaml --state release/state.json",
  "plan release/base.yaml --state release/state.json --destroy --all",
  "plan release/base.yaml release/release.yaml --state release/state.json --knock-on all",
  "plan release/base.yaml --state nothing.json",
  "plan release/base.yaml --state nowhere/state.json",
  "plan release/base.yaml --state broken.yaml",
  "plan broken.yaml --state release/state.json",
  "plan versions/app.yaml --catalog mine=versions",
  "plan - -",
  "plan secret.yaml --state release/state.json",
];

const SECRET = "correct-horse-battery-staple";

const FILES = {
  "broken.yaml": "payloads: {p: {runtime: vm}}\nservices:\n  dömän: {payload: p, 𝒳label: 1}\n  web: {pyaload: p, payload: q}\n",
  "ä,b.yaml": "networks: [\n",
  "utf16.yaml": Buffer.from("\ufeffa: 1", "utf16le"),
  "bad.zip": "no zip",
  "volume.yaml": "kinds:\n  volume:\n    collection: volumes\n    tangible: true\n    fields: {size_gib: {type: integer}}\n",
  "secret.yaml": `payloads: {p: {runtime: vm, params: {secrets: [${SECRET}]}}}\nservices: {web: {payload: p, ${SECRET}: 1}}\n`,
  "manifest.yml": "name: d\nreleases: [{name: r, version: 1}]\nstemcells: []\nupdate: {}\ninstance_groups:\n- {name: web, jobs: [{name: a, release: r}]}\n",
  "specs/r__a.yml": "name: a\nconsumes: [{name: db, type: db}]\n",
  "state-of-others.json": "[]",
};
const STDIN = "services: {web: {payload: none}}\nvolumes: {data: {size_gib: x}}\n";

export async function commands({ here, work }) {
  const native = process.env.PLANLOOM_BINARY;
  await check("the native program is there", () => assert(native && existsSync(native), "PLANLOOM_BINARY does not name it"));
  const folder = join(work, "commands");
  await inputs(here, folder, work);
  const run = (program, args, variables = {}) => output(program, args, folder, variables);
  const npx = (args, variables) => run(join(work, "node_modules/.bin/planloom"), args, variables);
  const validate = schema(here);

  for (const line of LINES) {
    await check(`planloom ${line}`, async () => {
      await Promise.all(FORMATS.map(async (format) => {
        const args = [...line.split(" "), "--format", format];
        const [ours, theirs] = await Promise.all([npx(args), run(native, args)]);
        equal(ours.out, theirs.out, `${format} on standard output`);
        equal(`${ours.err}${ours.code}`, `${theirs.err}${theirs.code}`, `standard error and the exit code of ${format}`);
        assert(!ours.out.includes(SECRET), "a secret is shown");
        if (format === "sarif") valid(validate, ours.out);
      }));
    });
  }
  await check("a job gets the same summary of a plan", () => summaries(npx, (args, variables) => run(native, args, variables), folder));
  await check("names in reports are relative to the checkout", async () => {
    const args = ["check", "broken.yaml", "--format", "github"];
    const variables = { GITHUB_WORKSPACE: work };
    const { out } = await npx(args, variables);
    equal(out, (await run(native, args, variables)).out, "the annotations");
    assert(out.startsWith("::error file=commands/broken.yaml,line="), out);
  });
  await check("text is for people", () => texts(npx));
  await check("wrong command lines end with 1 and say why", () => refusals(npx));
  await check("the example of a workflow has commands that are understood", () => workflow(here, work));
  const cases = join(process.env.PLANLOOM_TARGET ?? join(here, "../../target"), "suite-cases.json");
  if (existsSync(cases)) {
    await check("the suite is reported as by the native program", () => suite(cases, work, native, validate));
  } else {
    console.log("skipped: reports of the suite, which was not run");
  }
}

async function inputs(here, folder, work) {
  cpSync(join(here, "../../static/examples"), folder, { recursive: true });
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const { Workspace } = await engine(work);
  const workspace = new Workspace();
  workspace.setFiles([{ name: "in.yaml", text: FILES["broken.yaml"] }]);
  writeFileSync(join(folder, "app.zip"), workspace.writePackage());
}

function engine(work) {
  return import(pathToFileURL(join(work, "node_modules/planloom/dist/node.js")).href);
}

/** What a program prints, and its exit code. */
function output(program, args, cwd, variables) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("GITHUB_"));
  const env = { ...Object.fromEntries(inherited), ...variables };
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { cwd, env, maxBuffer: 1 << 26 }, (error, out, err) => {
      if (error && typeof error.code !== "number") reject(error);
      else resolve({ out, err, code: error?.code ?? 0 });
    });
    child.stdin.on("error", () => {}); // It may end before it has read all.
    child.stdin.end(STDIN);
  });
}

/** The official schema, which the package of Microsoft's matchers contains. */
function schema(here) {
  const path = join(here, "node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json");
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  addFormats(ajv);
  // It is of draft 4 and has nothing that later drafts read otherwise.
  const { $schema, id, ...schema } = JSON.parse(readFileSync(path, "utf8"));
  assert($schema.includes("draft-04") && !JSON.stringify(schema).includes("exclusiveM"), "the schema is another one");
  return ajv.compile(schema);
}

function valid(validate, text) {
  const log = JSON.parse(text);
  assert(validate(log), JSON.stringify(validate.errors, null, 1));
  const [{ results, tool }] = log.runs;
  for (const { ruleId, ruleIndex, locations } of results) {
    equal(tool.driver.rules[ruleIndex].id, ruleId, "the rule");
    equal(String(locations.length), "1", "the number of places");
  }
}

async function summaries(npx, native, folder) {
  const args = "plan release/base.yaml release/release.yaml --state release/state.json --format github".split(" ");
  const written = [];
  for (const run of [npx, native]) {
    rmSync(join(folder, "summary.md"), { force: true });
    for (let times = 0; times < 2; times += 1) await run(args, { GITHUB_STEP_SUMMARY: "summary.md" });
    written.push(readFileSync(join(folder, "summary.md"), "utf8"));
  }
  equal(written[0], written[1], "the summary");
  equal(String(written[0].split("### Plan of").length), "3", "what is added each time");
}

async function texts(npx) {
  const broken = await npx(["check", "broken.yaml"]);
  const expected = "error[lower/unknown-key]: unknown key `services.web.pyaload`\n  --> broken.yaml:4:9\n4 |   web: {pyaload: p, payload: q}\n  |         ^^^^^^^\n";
  assert(broken.out.includes(expected), broken.out);
  assert(/\n\d+ errors? in 1 file\n$/.test(broken.out), broken.out);
  equal((await npx(["check", "shop/base.yaml"])).out, "1 file, no problems\n", "what is said of a good file");
  const merged = await npx(["merge", "release/base.yaml", "release/release.yaml"]);
  equal(`${merged.err}${merged.code}`, "0", "the end of a merge");
  assert(merged.out.includes("\nservices:\n"), merged.out);
  const plan = await npx("plan release/base.yaml release/release.yaml --state release/state.json".split(" "));
  equal(String(plan.code), "2", "the exit code");
  assert(/^± rebuild services\./m.test(plan.out) && /\nPlan: \d+ to create, .*\.\n$/.test(plan.out), plan.out);
}

async function refusals(npx) {
  const { version } = JSON.parse(readFileSync(new URL("../../web/npm/package.json", import.meta.url), "utf8"));
  equal((await npx(["--version"])).out, `planloom ${version}\n`, "the version");
  const { out, code } = await npx(["plan", "--help"]);
  assert(code === 0 && out.includes("--knock-on <WHEN>") && !out.includes("--profile"), out);
  const cases = [
    [[], "a command is required"],
    [["weave"], "unrecognized subcommand 'weave'"],
    [["graph", "shop/base.yaml"], "`planloom graph` is in the native program only"],
    [["check", "--formt", "json"], "unexpected argument '--formt' found"],
    [["check", "--format", "xml"], "invalid value 'xml' for '--format <FORMAT>'"],
    [["check", "--state", "x"], "unexpected argument '--state' found"],
    [["plan", "--adapter", "process"], "`--adapter` is in the native program only"],
    [["plan", "shop/base.yaml", "--state", "etcd://one:2379/x"], "only the native program reads states on servers"],
    [["merge", "shop/base.yaml", "--origins"], "`--origins` requires `--format json`"],
    [["check", "shop/base.yaml", "shop/base.yaml"], "there are two files"],
  ];
  for (const [args, why] of cases) {
    const refused = await npx(args);
    assert(refused.err.includes(`error: ${why}`) || refused.err.includes(why), `${args}: ${refused.err}`);
    equal(`${refused.out}${refused.code}`, "1", `the rest of ${args}`);
  }
  const json = await npx(["check", "--formt", "--format", "json"]);
  equal(JSON.parse(json.out).diagnostics[0].code, "host/usage", "the code");
}

async function workflow(here, work) {
  const { parse } = await import(pathToFileURL(join(work, "node_modules/planloom/dist/command_arguments.js")).href);
  const text = readFileSync(join(here, "../../static/workflows/planloom.yml"), "utf8");
  const lines = [...text.matchAll(/run: (?:npx --yes )?planloom(?:@\S+)? (.*?)(?: \|\| .*| > .*)?$/gm)].map(([, line]) => line);
  const requests = lines.map((line) => parse(line.split(" ")));
  equal(requests.map(({ command, format }) => `${command} ${format}`).join(), "check github,plan github,check sarif", "the commands");
  equal(requests.map(({ files }) => files.length).join(), "2,2,2", "the numbers of files");
}

/** Every second case that can be given as files, each with one command in one format: all of them would take minutes. */
async function suite(path, work, native, validate) {
  const { Workspace } = await engine(work);
  const { codes } = JSON.parse(readFileSync(join(work, "node_modules/planloom/dist/codes.json"), "utf8"));
  const all = JSON.parse(readFileSync(path, "utf8"));
  const isNamed = ({ name, package: of }) => !of && /^[\w.-]+$/.test(name);
  const isFiles = ({ files, packages, versions, catalogs, types, releases }) =>
    files.length > 0 && packages.length === 0 && catalogs.length === 0 && Object.keys(versions.priorities).length === 0 &&
    [...files, ...types, ...releases].every(isNamed);
  const cases = all.filter(isFiles).filter((_, at) => at % 2 === 0);
  assert(cases.length > 100, `only ${cases.length} cases can be given as files`);
  const folder = join(work, "suite");
  let next = 0;
  const lane = async () => {
    for (let at = next++; at < cases.length; at = next++) {
      const [format, command] = [FORMATS[at % 3], at % 2 === 0 ? "check" : "plan"];
      await reported(cases[at], { format, command }, join(folder, String(at)), { Workspace, codes, native, validate });
    }
  };
  await Promise.all([lane(), lane()]);
}

async function reported({ page, id, ...given }, { format, command }, folder, { Workspace, codes, native, validate }) {
  const { files, types, releases, lenient, profile } = given;
  mkdirSync(join(folder, "releases"), { recursive: true });
  [...files, ...types].forEach(({ name, text }) => writeFileSync(join(folder, name), text));
  releases.forEach(({ name, text }) => writeFileSync(join(folder, "releases", name), text));
  const workspace = new Workspace();
  workspace.setLenient(lenient);
  workspace.setTypes(types);
  workspace.setFiles(files);
  const args = [command, ...files.map(({ name }) => name), ...types.flatMap(({ name }) => ["--types", name]), "--format", format];
  if (lenient) args.push("--lenient");
  if (command === "check" && releases.length > 0) {
    workspace.setReleases(releases.map((file) => ({ ...file, name: `releases/${file.name}` })));
    args.push("--releases", "releases");
  }
  if (command === "check" && profile !== null) {
    workspace.setProfile(profile);
    args.push("--profile", profile);
  }
  // The command of the package gives the documentation of codes to reports for SARIF only.
  const ours = workspace.report({ command, format, ...(format === "sarif" ? { codes } : {}) });
  const theirs = await output(native, args, folder, {});
  equal(ours.out, theirs.out, `${page} ${id} ${command} ${format}`);
  equal(String(ours.code), String(theirs.code), `${page} ${id} ${command}: the exit code`);
  if (format === "sarif") valid(validate, ours.out);
  workspace.free();
}
