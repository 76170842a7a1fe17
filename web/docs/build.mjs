// Builds the documentation: `node build.mjs WORK OUT PACKAGE COMMANDS`. WORK is an empty folder to build in, OUT gets the
// pages, PACKAGE is the built npm package, COMMANDS has a Markdown page for each verb of the command line.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { codePages } from "./generate/codes.mjs";
import { addressFrom } from "./generate/links.mjs";
import { literal, outsideFences, relinked } from "./generate/prose.mjs";
import { referencePages } from "./generate/reference.mjs";
import { suitePage } from "./generate/suite.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const repository = join(here, "../..");
const [work, out, home, commands] = process.argv.slice(2).map((it) => resolve(it));

const read = (...path) => readFileSync(join(repository, ...path), "utf8");
const named = (folder, ending) => readdirSync(folder).filter((it) => it.endsWith(ending)).sort();

/** The sources, with packages that are installed, and the built npm package among them. */
function prepare() {
  rmSync(work, { recursive: true, force: true });
  cpSync(here, work, { recursive: true, filter: (path) => !path.includes("node_modules") });
  mkdirSync(join(work, "node_modules"));
  for (const name of readdirSync(join(here, "node_modules"))) {
    if (!name.startsWith(".")) symlinkSync(join(here, "node_modules", name), join(work, "node_modules", name));
  }
  mkdirSync(join(work, "node_modules/planloom"));
  for (const name of ["dist", "package.json"]) cpSync(join(home, name), join(work, "node_modules/planloom", name), { recursive: true });
}

function write(folder, pages) {
  mkdirSync(join(work, folder), { recursive: true });
  for (const { name, text } of pages) writeFileSync(join(work, folder, `${name}.md`), text);
  return pages.map(({ name, title }) => ({ name, title }));
}

function suite() {
  const folder = join(repository, "tests/suite");
  return named(folder, ".md").map((file) => suitePage(file.slice(0, -3), readFileSync(join(folder, file), "utf8")));
}

function reference() {
  const folder = join(repository, "crates/types/builtin");
  return named(folder, ".yaml").flatMap((file) => referencePages(readFileSync(join(folder, file), "utf8")));
}

function codes() {
  return codePages(JSON.parse(read("web/npm/src/codes.json")));
}

function verbs() {
  return named(commands, ".md").map((file) => ({ name: file.slice(0, -3), title: `planloom ${file.slice(0, -3)}`, text: readFileSync(join(commands, file), "utf8") }));
}

/** Files of the repository that are pages as they are. */
function project() {
  const files = { readme: "README.md", contributing: "CONTRIBUTING.md", changelog: "CHANGELOG.md", architecture: "crates/README.md", npm: "web/npm/README.md" };
  return Object.entries(files).map(([name, file]) => {
    const text = read(file).replace(/<picture>[\s\S]*?<\/picture>\n/g, "");
    return { name, title: name, text: outsideFences(text, (it) => literal(relinked(it, (address) => addressFrom(file, address)))) };
  });
}

/** The example of the tutorial that has a recorded state. */
function example() {
  cpSync(join(repository, "static/examples/release"), join(work, "public/release"), { recursive: true });
}

prepare();
example();
const pages = { examples: write("examples", suite()), commands: write("commands", verbs()), reference: write("reference", reference()), codes: write("codes", codes()) };
write("project", project());
writeFileSync(join(work, "pages.json"), JSON.stringify(pages));
const program = join(here, "node_modules/vitepress/bin/vitepress.js");
execFileSync(process.execPath, [program, "build", work, "--outDir", out], { cwd: work, stdio: "inherit" });
