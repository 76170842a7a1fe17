#!/usr/bin/env node
// The command `planloom` of the npm package: `check`, `merge` and `plan` on the engine of the package, with the flags, the
// exit codes and, except for text, the output of the native program; and `serve`, which opens the app.
import { appendFileSync, readFileSync } from "node:fs";
import { help, parse, UsageError, version } from "./command_arguments.js";
import { readInputs } from "./command_files.js";
import { Workspace } from "./node.js";

process.exitCode = await run(process.argv.slice(2));

async function run(words) {
  try {
    const request = parse(words);
    if (request.help) return print(help(request.command));
    if (request.version) return print(`planloom ${version()}\n`);
    if (request.command !== "serve") return report(request);
    const { serve } = await import("./serve.js");
    await serve(request);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return refuse(error, words);
  }
}

function report(request) {
  const { command, format, origins } = request;
  const { problems, missing_state, ...inputs } = readInputs(request);
  const workspace = new Workspace();
  // Nothing is said of half of what was requested.
  if (problems.length === 0) fill(workspace, request, inputs);
  const plan = { destroy: request.destroy, ...(problems.length === 0 ? planOptions(request, inputs) : {}) };
  const checkout = { root: slashes(process.env.GITHUB_WORKSPACE ?? ""), directory: slashes(process.cwd()) };
  const { out, err, summary, code } = workspace.report({ command, format, origins, checkout, problems, missing_state, codes: codes(format), ...plan });
  print(out);
  process.stderr.write(err);
  if (format === "github" && summary !== null) addSummary(summary);
  return code;
}

/** The documentation of codes, for the rules of SARIF. */
function codes(format) {
  return format === "sarif" ? JSON.parse(readFileSync(new URL("codes.json", import.meta.url), "utf8")).codes : undefined;
}

function fill(workspace, { lenient, profile }, { files, types, releases, catalogs }) {
  workspace.setLenient(lenient);
  if (profile !== undefined) workspace.setProfile(profile);
  workspace.setTypes(types);
  workspace.setReleases(releases);
  workspace.setCatalogs(catalogs);
  try {
    workspace.setFiles(files);
  } catch (error) {
    throw new UsageError(error.message, "name each file once");
  }
}

function planOptions({ knockOn, all }, { state, observed }) {
  const options = { knock_on: knockOn, list_unchanged: all };
  if (state) Object.assign(options, { state: state.text, state_file: state.name });
  if (observed) Object.assign(options, { observed: observed.text, observed_file: observed.name });
  return options;
}

/** A summary that cannot be written does not change what was found. */
function addSummary(text) {
  const path = process.env.GITHUB_STEP_SUMMARY;
  if (!path) return;
  try {
    appendFileSync(path, text);
  } catch (error) {
    process.stderr.write(`warning: cannot write \`${path}\`, which GITHUB_STEP_SUMMARY names: ${error.message}\n`);
  }
}

/** A command line that is not understood: 2 has another meaning, so it ends with 1. */
function refuse({ message, help: advice, command }, words) {
  const wantsJson = words.some((word, at) => word === "--format=json" || (word === "--format" && words[at + 1] === "json"));
  if (wantsJson && command) {
    const place = { file: null, line: null, column: null, end_line: null, end_column: null };
    const problem = { code: "host/usage", severity: "error", message, ...place, related: [], help: advice, fixes: [] };
    print(`${JSON.stringify({ format: `planloom.${command}/1`, diagnostics: [problem] })}\n`);
  } else {
    process.stderr.write(`error: ${message}\n  help: ${advice}\n`);
  }
  return 1;
}

/** A closed output (`planloom plan | head`) is not an error. */
function print(text) {
  process.stdout.on("error", (error) => {
    if (error.code !== "EPIPE") throw error;
  });
  process.stdout.write(text);
  return 0;
}

function slashes(path) {
  return process.platform === "win32" ? path.replaceAll("\\", "/") : path;
}
