// The command line of the npm package's command, read as the native program reads it.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

/** A command line that is not understood. */
export class UsageError extends Error {
  constructor(message, help = "run `planloom --help`", command = undefined) {
    super(message);
    Object.assign(this, { help, command });
  }
}

const COMMANDS = {
  check: "Report errors in descriptors, with their locations and how to fix them",
  merge: "Merge descriptors and print the result",
  plan: "Show the required changes, destructive ones first",
  serve: "Open the app on these files; changes go both ways",
};

/** Those that report what they found in files. */
const REPORTS = ["check", "merge", "plan"];

const FORMATS = ["text", "json", "sarif", "github"];

/** The flags: what is written after each, its commands, its values, and what it does. */
const FLAGS = {
  types: { of: REPORTS, value: "FILE", multiple: true, what: "Add or override resource kinds with this file of type definitions (repeatable)" },
  catalog: { of: REPORTS, value: "[NAME=]PATH", multiple: true, what: "Choose versions of packages from this OLM catalog, a file or a folder (repeatable)" },
  lenient: { of: REPORTS, what: "Report unknown keys as warnings instead of errors" },
  releases: { of: ["check", "merge"], value: "DIR", what: "A folder with the specs of BOSH release jobs, named `<release>__<job>.yml`" },
  profile: { of: ["check", "merge"], value: "NAME", values: ["bosh", "strict"], what: "The rules that links are checked against: bosh or strict" },
  origins: { of: ["merge"], what: "Also print the origin of each value; with `--format json` only" },
  state: { of: ["plan"], value: "FILE", what: "The recorded state" },
  observed: { of: ["plan"], value: "FILE", what: "What exists, as JSON (`planloom.observed/1`)" },
  destroy: { of: ["plan"], what: "Plan to destroy all recorded resources" },
  "knock-on": { of: ["plan"], value: "WHEN", values: ["values", "all"], what: "When an action causes actions on dependents: values (default) or all" },
  all: { of: ["plan"], what: "Also list unchanged resources" },
  format: { value: "FORMAT", values: FORMATS, what: `The output format: ${FORMATS.join(", ")}` },
  port: { of: ["serve"], value: "PORT", what: "The port on 127.0.0.1; by default a free one, the same for the same files" },
  open: { of: ["serve"], what: "Open the app in your browser" },
  app: { of: ["serve"], value: "FOLDER", what: "Serve the app that was built into this folder, not that of the package" },
  color: { value: "WHEN", values: ["auto", "always", "never"], what: "Accepted, as by the native program; the text has no colours" },
};

/** What only the native program has. */
const NATIVE_COMMANDS = ["graph", "links", "resolve", "apply", "destroy", "watch", "state", "adapter-test", "explain", "spec", "schema"];
const NATIVE_FLAGS = ["out", "refresh", "adapter", "service", "import", "proto", "prune", "allow", "allow-env", "state-folder"];

/** What is requested. Throws a {@link UsageError}. */
export function parse(words) {
  const command = words.find((word) => word in COMMANDS || NATIVE_COMMANDS.includes(word));
  if (NATIVE_COMMANDS.includes(command)) {
    throw new UsageError(`\`planloom ${command}\` is in the native program only`, "the npm package has `check`, `merge`, `plan` and `serve`");
  }
  const { values, positionals } = parsed(words, command);
  if (values.version) return { version: true };
  if (values.help) return { help: true, command };
  if (command === undefined) {
    const [word] = positionals;
    throw new UsageError(word === undefined ? "a command is required: check, merge, plan or serve" : `unrecognized subcommand '${word}'`);
  }
  const files = positionals.filter((_, at) => at !== positionals.indexOf(command));
  checkValues(values, command);
  const { "knock-on": knockOn = "values", format = "text", ...rest } = values;
  if (command === "serve") return { ...rest, command, files, format, port: portOf(rest.port) };
  if (rest.origins && format === "text") {
    throw new UsageError("`--origins` requires `--format json` here", "the native program shows origins in the text", command);
  }
  const flags = { lenient: false, origins: false, destroy: false, all: false, types: [], catalog: [] };
  return { ...flags, ...rest, command, files, format, knockOn };
}

function parsed(words, command) {
  const type = ({ value }) => (value === undefined ? "boolean" : "string");
  const known = Object.entries(FLAGS).filter(([, { of }]) => command === undefined || of === undefined || of.includes(command));
  const options = Object.fromEntries(known.map(([name, flag]) => [name, { type: type(flag), multiple: flag.multiple ?? false }]));
  Object.assign(options, { help: { type: "boolean", short: "h" }, version: { type: "boolean", short: "V" } });
  try {
    return parseArgs({ args: words, options, allowPositionals: true, strict: true });
  } catch (error) {
    const name = /'(--?[^' =]+)/.exec(error.message)?.[1] ?? "";
    if (NATIVE_FLAGS.includes(name.slice(2))) {
      throw new UsageError(`\`${name}\` is in the native program only`, "run `planloom --help`", command);
    }
    const message = error.code === "ERR_PARSE_ARGS_UNKNOWN_OPTION" ? `unexpected argument '${name}' found` : error.message.split("\n")[0];
    throw new UsageError(message, "run `planloom --help`", command);
  }
}

function portOf(text = "0") {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port < 65_536) return port;
  throw new UsageError(`invalid value '${text}' for '--port <PORT>'`, "use a number below 65536, or none for a free port", "serve");
}

function checkValues(values, command) {
  for (const [name, value] of Object.entries(values)) {
    const allowed = FLAGS[name]?.values;
    if (allowed !== undefined && !allowed.includes(value)) {
      throw new UsageError(`invalid value '${value}' for '--${name} <${FLAGS[name].value}>'`, `use ${allowed.join(", ")}`, command);
    }
  }
}

/** The help of a command, or of all. */
export function help(command) {
  const usage = `Usage: planloom ${command ?? "<check|merge|plan|serve>"} [FILES]… [OPTIONS]`;
  const files = "FILES are descriptors in merge order: later ones override earlier ones. `-` is standard input, a `.zip` file a package.";
  const flags = Object.entries(FLAGS).filter(([, { of }]) => command === undefined || of === undefined || of.includes(command));
  const left = ([name, { value }]) => `--${name}${value === undefined ? "" : ` <${value}>`}`;
  const rows = [...flags.map((flag) => [left(flag), flag[1].what]), ["-h, --help", "Print help"], ["-V, --version", "Print the version"]];
  const commands = Object.entries(COMMANDS).map(([name, what]) => `  ${name}  ${what}`);
  return [
    command === undefined ? "Checks, merges, plans and shows deployments that layered YAML files describe." : `${COMMANDS[command]}.`,
    `\n${usage}\n\n${files}`,
    command === undefined ? `\nCommands:\n${commands.join("\n")}` : "",
    `\nOptions:\n${table(rows)}`,
    "\nExit codes: 0 success, 1 errors, 2 `plan` found changes.\n",
  ].filter(Boolean).join("\n");
}

function table(rows) {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}

export function version() {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
}
