// Checks what is generated from service specifications with the tools of those who use it: TypeScript compilers, a validator of
// OpenAPI, one of JSON Schema. `node generated.mjs [FOLDER]`: the folder that `cargo test -p planloom-generate` writes, by
// default `target/generated`.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Validator } from "@seriousme/openapi-schema-validator";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { parse } from "yaml";
import { assert, check, equal, finish, run } from "./harness.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? join(process.env.PLANLOOM_TARGET ?? join(here, "../../target"), "generated");
const shared = process.env.PLANLOOM_SHARED ?? join(here, "../../../shared");
const work = mkdtempSync(join(tmpdir(), "planloom-generated-"));

try {
  await everything();
} finally {
  rmSync(work, { recursive: true, force: true });
  finish();
}

async function everything() {
  await check(`${folder} has what was generated`, () => assert(named(".ts").length > 0, "run `cargo test -p planloom-generate`"));
  for (const compiler of ["typescript", "typescript-5"]) {
    await check(`strict ${compiler} compiles ${named(".ts").length} modules and a client`, () => compiles(compiler));
  }
  for (const file of named(".openapi.json")) {
    await check(`${file} is valid OpenAPI 3.1`, () => isOpenApi(file));
  }
  await check("the validator of OpenAPI refuses what is wrong", refusesOpenApi);
  for (const file of named(".schema.json")) {
    await check(`${file} is valid JSON Schema`, () => validator(json(file)));
  }
  await check("resources are valid as they should be", resources);
  await check("specifications are valid as they should be", specifications);
}

function named(ending) {
  return existsSync(folder) ? readdirSync(folder).filter((it) => it.endsWith(ending)) : [];
}

function json(file) {
  return JSON.parse(readFileSync(join(folder, file), "utf8"));
}

async function compiles(compiler) {
  const project = mkdtempSync(join(work, `${compiler}-`));
  for (const file of named(".ts")) cpSync(join(folder, file), join(project, file));
  cpSync(join(here, "fixtures/generated/consumer.ts"), join(project, "consumer.ts"));
  writeFileSync(join(project, "package.json"), '{ "type": "module" }\n');
  const options = {
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    isolatedModules: true,
    target: "es2022",
    lib: ["es2022"],
    module: "nodenext",
    types: [],
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["*.ts"] }));
  const home = join(here, "node_modules", compiler);
  const { bin } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  await run(process.execPath, [join(home, bin.tsc), "--project", join(project, "tsconfig.json")]);
}

async function isOpenApi(file) {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(json(file));
  assert(valid, JSON.stringify(errors, null, 1));
  equal(validator.version, "3.1", "the version");
}

async function refusesOpenApi() {
  const document = json("everything-v1.openapi.json");
  const wrong = [
    (it) => delete it.info.title,
    (it) => (it.paths["/v1/projects/{project}"].get.parameters[0].required = false),
    (it) => (it.paths["/v1/projects/{project}"].get.parameters[0].in = "nowhere"),
    (it) => (it.components.securitySchemes.bearer.type = "token"),
  ];
  for (const change of wrong) {
    const changed = structuredClone(document);
    change(changed);
    assert(!(await new Validator().validate(changed)).valid, `${change} is valid`);
  }
}

/** `x-` keywords are for other tools. */
function validator(schema) {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  for (const format of ["int32", "int64", "uint32", "uint64", "float", "double"]) ajv.addFormat(format, true);
  return ajv.compile(schema);
}

/** Rows of a value and whether it is valid. */
function verdicts(validate, rows) {
  for (const [value, expected] of rows) {
    const valid = validate(value);
    assert(valid === expected, `${JSON.stringify(value)} is ${valid ? "valid" : JSON.stringify(validate.errors)}`);
  }
}

function resources() {
  const schema = json("everything-v1.schema.json");
  const validate = validator({ $ref: "#/$defs/Sample", $defs: schema.$defs });
  // What rules refuse when it is not set: it is required.
  const required = {
    ...{ text: "abc", texts: ["a"], mail: "a@example.com", host: "example.com", address: "example.com" },
    ...{ ip: "127.0.0.1", ip4: "127.0.0.1", ip6: "::1", link: "https://example.com/a" },
    uuid: "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
    certificate: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
  };
  const sample = (fields) => ({ ...required, ...fields });
  verdicts(validate, [
    [sample({}), true],
    [{}, false],
    ...Object.keys(required).map((name) => [sample({ [name]: undefined }), false]),
    [sample({ text: "ABC" }), false],
    [sample({ text: "a" }), false],
    [sample({ unknown: 1 }), false],
    [sample({ small: 5, count: 7, flag: true }), true],
    [sample({ small: 6 }), false],
    [sample({ count: -1 }), false],
    [sample({ large: "9007199254740993", counts: "18446744073709551615" }), true],
    [sample({ large: 5 }), false],
    [sample({ ratio: 1.5, exact: "NaN" }), true],
    [sample({ ratio: 1.6 }), false],
    [sample({ exact: "nan" }), false],
    [sample({ at: "2026-01-31T12:00:00Z", during: "1.5s" }), true],
    [sample({ at: "yesterday" }), false],
    [sample({ during: "1.5" }), false],
    [sample({ state: "NEW", states: ["UP", "DOWN"] }), true],
    [sample({ state: "LOST" }), false],
    [sample({ texts: ["a", "b"] }), true],
    [sample({ texts: [] }), false],
    [sample({ texts: ["a", "a"] }), false],
    [sample({ texts: ["too long"] }), false],
    [sample({ labels: { a: "b" }, numbers: { a: "1" }, byName: { a: { text: "b" } } }), true],
    [sample({ labels: { a: 1 } }), false],
    [sample({ items: [{ text: "a", again: { any: 1 } }] }), true],
    [sample({ items: [{ again: {} }] }), false],
    [sample({ mail: "a@example.com", ip: "::1", uuid: "6ba7b810-9dad-11d1-80b4-00c04fd430c8" }), true],
    [sample({ mail: "a" }), false],
    [sample({ ip: "example.com" }), false],
    [sample({ anything: [1, null], object: { a: 1 }, packed: { "@type": "t" } }), true],
    [sample({ packed: {} }), false],
    [sample({ one: "a" }), true],
    [sample({ one: "a", two: 2 }), false],
    [sample({ metadata: { labels: { a: "b" }, generation: "1", lifecycle: { state: "ACTIVE" } } }), true],
    [sample({ metadata: { title: "a" } }), false],
  ]);
}

function specifications() {
  const validate = validator(json("specification.schema.json"));
  const good = { name: "library.example.com", proto: { package: { name: "example.library", currentVersion: "v1" } } };
  const book = (keys) => ({ ...good, resources: [{ name: "Book", ...keys }] });
  const field = (keys) => book({ fields: [{ path: "title", ...keys }] });
  verdicts(validate, [
    [good, true],
    [{ name: "library.example.com" }, false],
    [book({}), true],
    [book({ name: "book" }), false],
    [book({ parent: ["Shelf"] }), false],
    [book({ onParentDeleted: "CASCADE_DELETE" }), true],
    [book({ onParentDeleted: "UNSET" }), false],
    [book({ actions: [{ name: "Lend" }] }), false],
    [book({ actions: [{ name: "Lend", withStoreHandle: { transaction: "NONE" } }] }), true],
    [field({}), true],
    [field({ path: "spec.parts[].title" }), true],
    [field({ path: "spec..title" }), false],
    [field({ type: "text" }), false],
    [field({ type: "enum" }), false],
    [field({ type: "enum", values: ["ONE"] }), true],
    [field({ type: "reference", resource: "Author" }), false],
    [field({ type: "reference", resource: "Author", targetDeleteBehavior: "BLOCK" }), true],
  ]);
  const own = parse(readFileSync(join(here, "../../crates/generate/tests/generate/everything.yaml"), "utf8"));
  verdicts(validate, [[own, true]]);
  const real = join(shared, "data/goten/skeletons");
  if (!existsSync(real)) return console.log(`skipped: there is no folder ${real}`);
  const files = readdirSync(real);
  verdicts(validate, files.map((file) => [parse(readFileSync(join(real, file), "utf8")), true]));
  assert(files.length > 10, `${files.length} files`);
}
