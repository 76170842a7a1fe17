// Served APIs against their OpenAPI documents, with Schemathesis: `node run.mjs SCHEMATHESIS PROGRAM [PHASES]`. No response may
// be a server error, have a status or a media type that the document does not list, or a body outside its schema.
//
// Left out: watches, whose responses do not end, and methods that the specification adds, which are answered with 501 without
// a hook. The last lines say how many operations passed and failed.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [schemathesis, program, phases] = process.argv.slice(2);
const TOKEN = "0123456789abcdef";
const CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance";
/** Specifications that strangers wrote, where they are there. */
const REAL = ["cellular-api-v1", "audit-v1"];

let [passed, failed] = [0, 0];
const folder = mkdtempSync(join(tmpdir(), "planloom-served-api-"));
try {
  for (const file of ["library.yaml", "fleet.yaml"]) await check(join(here, file), []);
  const real = join(process.env.PLANLOOM_SHARED ?? join(here, "../../../shared"), "data/goten");
  if (existsSync(real)) {
    for (const name of REAL) await check(join(real, "skeletons", `${name}.yaml`), importsOf(real, name));
  } else {
    console.log(`skipped: ${REAL.join(" and ")}, because there is no folder ${real}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/** All other specifications, as imports. */
function importsOf(real, name) {
  const files = ["skeletons", "stubs"].flatMap((it) => readdirSync(join(real, it)).map((file) => join(real, it, file)));
  return files.filter((it) => basename(it) !== `${name}.yaml`).flatMap((it) => ["--import", it]);
}

async function check(specification, imports) {
  const words = ["serve", "--service", specification, ...imports, "--format", "json"];
  const server = spawn(program, words, { env: { ...process.env, PLANLOOM_TOKEN: TOKEN }, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [line] = await once(server.stdout, "data");
    await conforms(basename(specification, ".yaml"), JSON.parse(line).origin);
  } finally {
    server.kill("SIGKILL");
  }
}

async function conforms(name, origin) {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const document = await (await fetch(`${origin}/openapi.json`, { headers })).json();
  const left = leftOut(document);
  const report = run(name, origin, left);
  const { operations, test_cases: cases, failures, errors } = report;
  const wrong = new Set([...failures, ...errors].flatMap((it) => it.operations ?? [it.title ?? "?"])).size;
  passed += operations.tested - Math.min(wrong, operations.tested);
  failed += wrong;
  console.log(`${name}: ${cases.generated} requests to ${operations.tested} of ${operations.total} operations, ${wrong} wrong`);
  if (operations.tested === 0 || operations.tested + left.length < operations.total) {
    console.log(`${name}: FAILED: operations were not tested`);
    failed += 1;
  }
}

/** The operations that are not tested, by id. */
function leftOut({ paths }) {
  const all = Object.entries(paths).flatMap(([path, item]) => Object.values(item).map((operation) => ({ path, operation })));
  const is = ({ path, operation }) => path.endsWith(":watch") || "501" in (operation.responses ?? {});
  return all.filter(is).map(({ operation }) => operation.operationId).filter((it) => it !== undefined);
}

function run(name, origin, left) {
  const written = join(folder, `${name}.json`);
  const args = ["run", `${origin}/openapi.json`, "-H", `Authorization: Bearer ${TOKEN}`, "-c", CHECKS];
  args.push("--phases", phases ?? "coverage,fuzzing", "--max-examples", "5", "--seed", "1", "--workers", "1", "--no-color");
  args.push("--report-json-path", written, ...left.flatMap((id) => ["--exclude-operation-id", id]));
  const { stdout, status } = spawnSync(schemathesis, args, { encoding: "utf8", cwd: folder, maxBuffer: 1 << 28 });
  if (status !== 0) console.log(stdout.split("\n").slice(0, 200).join("\n"));
  return JSON.parse(readFileSync(written, "utf8"));
}
