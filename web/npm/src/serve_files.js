// Files that the app is opened with: read, written when nobody else has written them meanwhile, and watched. The requests are those
// of the native program's `/files`.
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { UsageError } from "./command_arguments.js";
import { Workspace } from "./node.js";
import { json, Refusal } from "./serve_answers.js";
import { moveTo, readBytes, removeFile, replaceFile, writeUnfinished } from "./serve_disk.js";
import { Watcher } from "./serve_watch.js";

const LOCK = "planloom.lock";
/** The longest wait of a request for changes, in seconds. */
const LONGEST = 30;
const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** The files of these paths: files, folders and zip packages, which are only read. */
export function openFiles(paths) {
  if (paths.includes("-")) throw new UsageError("standard input cannot be served: nothing could be written back to it", "name files, a folder or a zip package");
  const sources = paths.map((path) => sourceOf(path));
  const twice = sources.find(({ name }, at) => sources.findIndex((it) => it.name === name) !== at);
  if (twice) throw unservable(twice.name, "it is named twice");
  checkPlaces(sources);
  const files = new Files(sources);
  for (const { name, kind } of sources) {
    const refused = kind === "folder" ? undefined : files.list().refused.find((it) => it.name === name);
    if (refused) throw unservable(name, refused.reason);
  }
  return files;
}

function sourceOf(path) {
  const name = path.replace(/^\.\//, "").replace(/\/+$/, "");
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts === undefined) throw unservable(name, "there is no such file or folder");
  if (facts.isDirectory()) return { name, path: realpathSync(path), kind: "folder" };
  if (!facts.isFile()) throw unservable(name, "it is neither a file nor a folder");
  return { name, path, kind: /\.zip$/i.test(name) ? "package" : "file" };
}

/** Throws if a file is served by two names. */
function checkPlaces(sources) {
  const places = sources.map(({ path }) => realpathSync(path));
  for (const [at, { name, kind }] of sources.entries()) {
    const isAround = (other, index) =>
      places[index] === places[at] || (other.kind === "folder" && kind === "file" && dirname(places[at]) === places[index] && isServed(basename(places[at])));
    const other = sources.find((it, index) => index !== at && isAround(it, index));
    if (other) throw unservable(name, `it is served as \`${other.name}\` as well`);
  }
}

const unservable = (name, reason) =>
  new UsageError(`\`${name}\` cannot be served: ${reason}`, "name YAML files that you may read, a folder with some, or a zip package");

class Files {
  #sources;
  #order = [];
  #workspace;
  #listing;
  #waiting = new Set();
  #watcher;
  #seen = "";

  constructor(sources) {
    this.#sources = sources;
    const places = sources.map(({ path }) => realpathSync(path)).join("\0");
    this.#workspace = etagOf(Buffer.from(places)).slice(1, -1);
    this.#listing = this.#look();
    this.#watcher = new Watcher(() => this.#check());
  }

  /** How often the files were looked at. */
  get looks() {
    return this.#watcher.looks;
  }

  list() {
    return this.#listing;
  }

  /** Answers those who wait for changes, and stops watching. */
  close() {
    this.#watcher.close();
    this.#tell();
  }

  async answer(request, response, name, body) {
    const { method, headers } = request;
    if (name === "") {
      if (method === "GET") return this.#answerList(request, response);
      if (method !== "PUT") throw notAllowed();
      this.#order = parsed(await body(), "order", (it) => Array.isArray(it) && it.every((name) => typeof name === "string"));
      return done(response, this.#refresh());
    }
    const [known, creates] = [headers["if-match"]?.trim(), headers["if-none-match"]?.trim() === "*"];
    if (method === "GET") return this.#read(response, name);
    if (!["PUT", "POST", "DELETE"].includes(method)) throw notAllowed();
    if (known === undefined && !(method === "PUT" && creates)) {
      throw new Refusal(428, "condition_missing", "send `If-Match` with the etag of the file, or `If-None-Match: *` to create it");
    }
    const bytes = await body();
    // From here on nothing is waited for: what was compared is what is written.
    try {
      if (method === "PUT" && known === undefined) this.#create(response, name, bytes);
      else if (method === "PUT") this.#write(response, name, bytes, known);
      else if (method === "POST") this.#rename(response, name, parsed(bytes, "to", (it) => typeof it === "string"), known);
      else this.#remove(response, name, known);
    } catch (error) {
      throw error instanceof Refusal ? error : failed(name, error);
    } finally {
      this.#refresh();
    }
  }

  /** At once if the list is not the one that is known, else when it changes, or after the time that is given to wait. */
  async #answerList(request, response) {
    const known = request.headers["if-none-match"]?.trim();
    const seconds = Math.min(Number(/wait=(\d+)/.exec(request.headers.prefer ?? "")?.[1] ?? 0), LONGEST);
    if (known === this.#listing.etag && seconds > 0) {
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, seconds * 1000);
        const end = () => (clearTimeout(timer), this.#waiting.delete(end), resolve());
        this.#waiting.add(end);
        response.once("close", end);
      });
    }
    const { etag } = this.#listing;
    if (known === etag) return response.writeHead(304, { etag, "cache-control": "no-store" }).end();
    return json(response, 200, this.#listing, { etag });
  }

  #read(response, name) {
    const packed = this.#packed(name);
    const bytes = packed === undefined ? this.#bytes(name) : Buffer.from(packed);
    const etag = etagOf(bytes);
    json(response, 200, { name, etag, text: textOf(name, bytes) }, { etag });
  }

  #bytes(name) {
    const file = this.#find(name);
    if (file === undefined) throw new Refusal(404, "not_found", `there is no file \`${name}\` among those that are served`);
    return readBytes(file.path);
  }

  #create(response, name, bytes) {
    textOf(name, bytes);
    const path = this.#newPath(name);
    if (path === undefined) throw forbidden(`\`${name}\` cannot be created: only folders get new files, whose names end with \`.yaml\``);
    const unfinished = writeUnfinished(path, bytes, { mode: 0o666 & ~process.umask() });
    const isNew = moveTo(unfinished, path);
    if (!isNew) throw this.#changed(this.#find(name)?.path);
    const etag = etagOf(bytes);
    json(response, 201, { name, etag }, { etag });
  }

  #write(response, name, bytes, known) {
    const text = textOf(name, bytes);
    const { path, old, facts } = this.#matching(name, known);
    const written = old.subarray(0, 3).equals(MARK) ? Buffer.concat([MARK, Buffer.from(text)]) : Buffer.from(text);
    if (!replaceFile(path, written, facts)) throw this.#changed(path);
    const etag = etagOf(written);
    json(response, 200, { name, etag }, { etag });
  }

  #rename(response, name, to, known) {
    const { entry, old } = this.#matching(name, known);
    const from = this.#sources.find((it) => it.kind === "folder" && this.#ownName(it, name) !== undefined);
    const own = from && this.#ownName(from, to);
    if (own === undefined || !isValidName(own)) {
      throw forbidden(`\`${name}\` cannot be renamed to \`${to}\`: only files of a folder have other names, which end with \`.yaml\``);
    }
    const target = join(from.path, own);
    if (!moveTo(entry, target)) throw this.#changed(this.#find(to)?.path);
    this.#order = this.#order.map((it) => (it === name ? to : it));
    const etag = etagOf(old);
    json(response, 200, { name: to, etag }, { etag });
  }

  #remove(response, name, known) {
    const { entry, path, facts } = this.#matching(name, known);
    if (!removeFile(entry, facts)) throw this.#changed(path);
    done(response);
  }

  /** A file on disk, if its content is the one that is known. */
  #matching(name, known) {
    if (this.#packed(name) !== undefined) throw forbidden(`\`${name}\` is in a zip package, which is only read here: unpack it, and serve the folder`);
    const file = this.#find(name);
    if (file === undefined) throw changed(null);
    const facts = statSync(file.path);
    const old = readBytes(file.path);
    if (etagOf(old) !== known) throw this.#changed(file.path);
    return { ...file, old, facts };
  }

  /** That a file is not as the client knows it, with how it is; nothing of one that is not served. */
  #changed(path) {
    try {
      const bytes = readBytes(path);
      return changed({ text: textOf(basename(path), bytes), etag: etagOf(bytes) });
    } catch {
      return changed(null);
    }
  }

  /** Where a file is: its name, which may be a link, and what is read and written, after all links. */
  #find(name) {
    for (const source of this.#sources) {
      const own = this.#ownName(source, name);
      const file = own === undefined ? undefined : filesOf(source).find((it) => it.name === own);
      if (file?.path) return file;
    }
    return undefined;
  }

  #newPath(name) {
    const folder = this.#sources.find((it) => it.kind === "folder" && this.#ownName(it, name) !== undefined);
    const own = folder && this.#ownName(folder, name);
    if (own !== undefined && isValidName(own)) return join(folder.path, own);
    // A file that was named, and is gone, may be written again.
    return this.#sources.find((it) => it.kind === "file" && it.name === name)?.path;
  }

  /** The text of a file of a package. */
  #packed(name) {
    for (const source of this.#sources.filter((it) => it.kind === "package")) {
      const own = this.#ownName(source, name);
      const text = own === undefined ? undefined : packageFiles(source).files?.find((it) => it.name === own)?.text;
      if (text !== undefined) return text;
    }
    return undefined;
  }

  /** Files of the only source are called by their own names. */
  #shownName(source, name) {
    return source.kind === "file" ? source.name : this.#sources.length === 1 ? name : `${source.name}/${name}`;
  }

  #ownName(source, name) {
    if (source.kind === "file") return name === source.name ? name : undefined;
    if (this.#sources.length === 1) return name;
    return name.startsWith(`${source.name}/`) ? name.slice(source.name.length + 1) : undefined;
  }

  /** Programs empty a file before they write it, so what changed is read when it has not changed since the last look. */
  #check() {
    const folders = new Set();
    const stamps = this.#stamps(folders);
    const isQuiet = stamps === this.#seen && stamps === this.#listing.stamps;
    if (stamps !== this.#seen) this.#seen = stamps;
    else if (!isQuiet) this.#refresh();
    return { folders: [...folders], isQuiet };
  }

  /** What shows that something was changed, without reading files; adds the folders that they and links to them are in. */
  #stamps(folders = new Set()) {
    return JSON.stringify(this.#sources.map((it) => stampsOf(it, folders)));
  }

  #refresh() {
    const before = this.#listing.etag;
    this.#listing = this.#look();
    if (this.#listing.etag !== before) this.#tell();
  }

  #tell() {
    [...this.#waiting].forEach((end) => end());
  }

  #look() {
    const stamps = this.#stamps();
    const [files, refused] = [[], []];
    for (const source of this.#sources) this.#lookAt(source, files, refused);
    const creates = this.#sources.some((it) => it.kind === "folder");
    const listing = { format: "planloom.files/1", workspace: this.#workspace, creates, files: sorted(files, this.#order), refused };
    const etag = etagOf(Buffer.from(JSON.stringify(listing)));
    return Object.defineProperty({ ...listing, etag }, "stamps", { value: stamps });
  }

  #lookAt(source, files, refused) {
    if (source.kind === "package") {
      const { files: inside, reason } = packageFiles(source);
      if (reason) refused.push({ name: source.name, reason });
      inside?.forEach(({ name, text }) => files.push({ name: this.#shownName(source, name), etag: etagOf(Buffer.from(text)), package: source.name }));
      return;
    }
    for (const { name, path, reason } of filesOf(source)) {
      const shown = this.#shownName(source, name);
      try {
        if (reason) throw new Error(reason);
        const bytes = readBytes(path);
        textOf(shown, bytes);
        files.push({ name: shown, etag: etagOf(bytes), package: null });
      } catch (error) {
        refused.push({ name: shown, reason: error.reason ?? error.message });
      }
    }
  }
}

/** The order of a client; what it did not know comes after what it follows by itself. */
function sorted(files, order) {
  const place = (name) => order.indexOf(name);
  const result = files.filter((it) => place(it.name) >= 0).sort((a, b) => place(a.name) - place(b.name));
  files.forEach((file, at) => {
    if (place(file.name) >= 0) return;
    const before = files[at - 1]?.name;
    result.splice(result.findIndex((it) => it.name === before) + 1, 0, file);
  });
  return result;
}

/** The files of a source on disk. What a link in a folder leads to is served if that is in the folder, too. */
function filesOf({ name, path, kind }) {
  if (kind === "package") return [];
  // What is gone, or cannot be read now, has no files: it may come back.
  if (kind === "file") return orNone(() => (statSync(path).isFile() ? [{ name, entry: path, path: realpathSync(path) }] : []));
  // A link in its place may lead anywhere.
  const found = orNone(() => (lstatSync(path).isDirectory() ? readdirSync(path, { withFileTypes: true }) : []));
  const served = found.filter((it) => isServed(it.name)).sort((a, b) => byBytes(a.name, b.name));
  return served.flatMap((it) => {
    const file = it.name;
    // The folder has no links on its way, so that only links have to be resolved.
    if (it.isFile()) return [{ name: file, entry: join(path, file), path: join(path, file) }];
    try {
      const real = realpathSync(join(path, file));
      if (!real.startsWith(path + sep)) return [{ name: file, reason: "it is a link that leads out of the folder" }];
      return statSync(real).isFile() ? [{ name: file, entry: join(path, file), path: real }] : [];
    } catch {
      return [];
    }
  });
}

function orNone(list) {
  try {
    return list();
  } catch {
    return [];
  }
}

const byBytes = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b));

function stampsOf(source, folders) {
  const stamp = (entry, path) => {
    for (const it of [entry, path]) folders.add(dirname(it));
    const { size, mtimeMs, ino } = statSync(path);
    return [size, mtimeMs, ino];
  };
  folders.add(source.kind === "folder" ? source.path : dirname(source.path));
  if (source.kind === "package") return [orNone(() => stamp(source.path, realpathSync(source.path)))];
  return filesOf(source).map(({ name, entry, path }) => [name, path ? orNone(() => stamp(entry, path)) : []]);
}

function packageFiles({ name, path }) {
  try {
    return { files: Workspace.readPackage(name, readBytes(realpathSync(path))) };
  } catch (error) {
    return { reason: error.message };
  }
}

const isServed = (name) => !name.startsWith(".") && (name === LOCK || /\.ya?ml$/i.test(name));
// eslint-disable-next-line no-control-regex
const isValidName = (name) => isServed(name) && Buffer.byteLength(name) <= 255 && !/[/\\:\u0000-\u001f\u007f-\u009f]/.test(name);

/** The text of a file, without its byte order mark. */
function textOf(name, bytes) {
  const refused = (reason) => Object.assign(new Refusal(422, "invalid_spec", `\`${name}\`: ${reason}`), { reason });
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) throw refused("it is UTF-16: save it as UTF-8");
  if (bytes.includes(0)) throw refused("it is not a text file");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refused("it is not UTF-8 text");
  }
}

const etagOf = (bytes) => `"${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}"`;
const done = (response) => response.writeHead(204, { "cache-control": "no-store" }).end();
const forbidden = (why) => new Refusal(403, "forbidden", why);
const changed = (current) => new Refusal(412, "stale", "the file was changed or removed by another program", { current });
const notAllowed = () => new Refusal(405, "method_not_allowed", "the list can be read and reordered, files read, written, renamed and deleted");

function failed(name, error) {
  const why = { EACCES: "permission is denied", EPERM: "permission is denied", ENOENT: "there is no such file or folder" }[error.code] ?? error.message;
  const isForbidden = ["EACCES", "EPERM"].includes(error.code);
  return new Refusal(isForbidden ? 403 : 503, isForbidden ? "forbidden" : "unavailable", `\`${name}\`: ${why}`);
}

function parsed(bytes, key, isValid) {
  try {
    const value = JSON.parse(bytes.toString())[key];
    if (value === undefined) throw new Error(`missing field \`${key}\``);
    if (!isValid(value)) throw new Error(`\`${key}\` has a value of another type`);
    return value;
  } catch (error) {
    throw new Refusal(400, "bad_request", error.message);
  }
}
