// The files that a command line names, read as the native program reads them.
import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { UsageError } from "./command_arguments.js";
import { readText, unreadable } from "./capabilities.js";
import { Workspace } from "./node.js";

const MIB = 1024 * 1024;
/** No descriptor that a person wrote comes near this. */
const LIMIT = 16;
/** The largest catalogs that are published have a tenth of it. */
const LARGE = 256;
const LOCK = "planloom.lock";
const YAML = /\.ya?ml$/i;
const CATALOG = /\.(ya?ml|jsonl?)$/i;
const PASSPHRASE = "PLANLOOM_STATE_PASSPHRASE";

/** All inputs of a command, and why others could not be read. */
export function readInputs(request) {
  const reader = new Reader();
  const files = withLock(request.files).flatMap((path) => reader.descriptors(path));
  const catalogs = request.catalog.flatMap((given) => reader.catalog(given));
  const types = request.types.flatMap((path) => reader.text(path));
  const releases = request.releases === undefined ? [] : reader.releases(request.releases);
  const { state, missing_state } = request.state === undefined ? {} : reader.state(request.state);
  const observed = request.observed === undefined ? undefined : withoutMark(reader.text(request.observed)[0]);
  return { files, catalogs, types, releases, state, missing_state, observed, problems: reader.problems };
}

/** The lock file beside the first descriptor belongs to them. */
function withLock(paths) {
  const first = paths.find((path) => path !== "-");
  const lock = first === undefined ? LOCK : join(dirname(first), LOCK);
  const isGiven = paths.some((path) => basename(path) === LOCK);
  const isThere = statSync(lock, { throwIfNoEntry: false })?.isFile() ?? false;
  return paths.length > 0 && !isGiven && isThere ? [...paths, lock] : paths;
}

class Reader {
  problems = [];
  #readStdin = false;

  /** A descriptor, or the files of a package. */
  descriptors(path) {
    const [name, bytes] = [nameOf(path), this.#bytes(path, LIMIT)];
    if (bytes === undefined) return [];
    const isPackage = /\.zip$/i.test(path) || bytes.subarray(0, 4).toString("latin1") === "PK\x03\x04";
    if (!isPackage) return this.#asText(name, bytes);
    try {
      const files = Workspace.readPackage(name, bytes);
      // Two packages may hold files of one name.
      return files.map((file) => ({ ...file, name: `${name}/${file.name}` }));
    } catch (error) {
      const at = error.message.lastIndexOf("; ");
      const [why, help] = [error.message.slice(0, at), error.message.slice(at + 2)];
      this.#refuse("package", name, `cannot read the package \`${name}\`: ${why}`, help);
      return [];
    }
  }

  text(path, limit = LIMIT) {
    const bytes = this.#bytes(path, limit);
    return bytes === undefined ? [] : this.#asText(nameOf(path), bytes);
  }

  /** `[NAME=]PATH`: a file, or a folder with all files in it, which are one catalog. */
  catalog(given) {
    const [, name, rest] = /^([^=/\\]+)=(.*)$/s.exec(given) ?? [];
    const path = rest ?? given;
    const catalog = name ?? basename(path).replace(/(?<=.)\.[^.]*$/, "");
    const paths = isFolder(path) ? catalogFiles(path).sort() : [path];
    if (paths.length === 0) {
      const message = `\`${path}\` holds no catalog: no \`.yaml\`, \`.yml\`, \`.json\` or \`.jsonl\` file`;
      this.#refuse("empty-folder", path, message, "name the folder that contains the packages");
    }
    return paths.flatMap((it) => this.text(it, LARGE)).map((file) => ({ ...file, package: catalog }));
  }

  /** The specs that lie in a folder. */
  releases(folder) {
    if (!isFolder(folder)) {
      if (existsSync(folder)) this.#refuse("not-a-folder", folder, `\`${folder}\` is not a folder`, "name the folder that contains the specs");
      else this.problems.push(unreadable(folder, { kind: "not_found" }));
      return [];
    }
    const paths = readdirSync(folder).sort().map((name) => join(folder, name)).filter((path) => YAML.test(path) && isFile(path));
    if (paths.length === 0) {
      const help = "copy `jobs/<job>/spec` of each release to it as `<release>__<job>.yml`";
      this.#refuse("empty-folder", folder, `\`${folder}\` holds no \`.yml\` or \`.yaml\` file`, help);
    }
    return paths.flatMap((path) => this.descriptors(path));
  }

  /** A state in a plain file. The native program also reads those that are encrypted, on servers, or interrupted. */
  state(path) {
    const journal = statSync(`${path}.journal`, { throwIfNoEntry: false })?.size ?? 0;
    const isKept = path.includes("://") || journal > 0 || (process.env[PASSPHRASE] ?? "") !== "";
    if (isKept && path !== "-") {
      throw new UsageError("only the native program reads states on servers, encrypted states and those with a journal", "give a plain state file", "plan");
    }
    const folder = dirname(path);
    if (path !== "-" && !existsSync(path)) {
      if (existsSync(folder)) return { missing_state: nameOf(path) };
      const message = `the folder \`${folder}\` of the state does not exist`;
      this.#refuse("bad-state", null, message, `check the name, or create the folder: \`mkdir -p ${folder}\``);
      return {};
    }
    return { state: withoutMark(this.text(path)[0]) };
  }

  #asText(name, bytes) {
    const { text, problem } = readText(name, bytes);
    if (problem === undefined) return [{ name, text }];
    this.problems.push(problem);
    return [];
  }

  #bytes(path, limit) {
    const name = nameOf(path);
    if (path === "-" && this.#readStdin) return this.#cannot(name, { kind: "stdin_twice" });
    this.#readStdin ||= path === "-";
    try {
      if (path !== "-" && isFolder(path)) return this.#cannot(name, { kind: "directory", holds: descriptorsIn(path) });
      const bytes = atMost(path, limit * MIB);
      return bytes === undefined ? this.#cannot(name, { kind: "too_large", limit }) : bytes;
    } catch (error) {
      const kinds = { ENOENT: "not_found", EACCES: "permission_denied", EPERM: "permission_denied" };
      const kind = kinds[error.code];
      return this.#cannot(name, kind === undefined ? { kind: "other", error: error.message } : { kind });
    }
  }

  #cannot(name, error) {
    this.problems.push(unreadable(name, error));
    return undefined;
  }

  #refuse(code, file, message, help) {
    const place = { file, line: null, column: null, end_line: null, end_column: null };
    this.problems.push({ code: `host/${code}`, severity: "error", message, ...place, related: [], help, fixes: [] });
  }
}

/** What a file or standard input holds; `undefined` if that is more than the limit, of which one byte more is read. */
function atMost(path, limit) {
  const file = path === "-" ? 0 : openSync(path, "r");
  try {
    if (path !== "-" && fstatSync(file).size > limit) return undefined;
    const bytes = path === "-" ? readAll(file, limit) : readFileSync(file);
    return bytes.length > limit ? undefined : bytes;
  } finally {
    if (file !== 0) closeSync(file);
  }
}

function readAll(file, limit) {
  const pieces = [];
  for (let length = 0; length <= limit; ) {
    const piece = Buffer.alloc(65536);
    const read = readPiece(file, piece);
    if (read === 0) break;
    pieces.push(piece.subarray(0, read));
    length += read;
  }
  return Buffer.concat(pieces);
}

/** A terminal or a pipe may have nothing yet, and a closed pipe of Windows is an error. */
function readPiece(file, piece) {
  for (;;) {
    try {
      return readSync(file, piece);
    } catch (error) {
      if (error.code === "EOF") return 0;
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

function descriptorsIn(folder) {
  const isDescriptor = (name) => (YAML.test(name) || /\.zip$/i.test(name)) && isFile(join(folder, name));
  return readdirSync(folder).filter(isDescriptor).sort();
}

function catalogFiles(folder) {
  const entries = readdirSync(folder, { withFileTypes: true }).filter((it) => !it.name.startsWith(".") && !it.isSymbolicLink());
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return catalogFiles(path);
    return CATALOG.test(entry.name) ? [path] : [];
  });
}

function isFolder(path) {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isFile(path) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Some editors put a mark before a text, which the engine does not count. */
function withoutMark(file) {
  return file && { ...file, text: file.text.replace(/^\ufeff/, "") };
}

/** The name of a file in messages. */
function nameOf(path) {
  if (path === "-") return "<stdin>";
  return process.platform === "win32" ? path.replaceAll("\\", "/") : path;
}
