// `planloom serve` in Node: the app of the package on a loopback port, with files of this machine. The page simulates; the native
// program has adapters.
import { spawn } from "node:child_process";
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError, version } from "./command_arguments.js";
import { json, Refusal, refuse } from "./serve_answers.js";

const APP = fileURLToPath(new URL("./app", import.meta.url));
const FILES = "/files";
/** The largest body that is read: that of a file. */
const MOST = 16 << 20;
/** Connections at a time, as the native server has it: descriptors are for files, too. */
const MOST_CONNECTIONS = 256;
/** How long connections that are in use have at the end, in milliseconds. */
const GRACE = 5_000;

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".yaml": "text/plain; charset=utf-8",
};

/** The headers of each file: the policy is that of the page, which also forbids frames. */
const ALWAYS = {
  "content-security-policy":
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cache-control": "no-cache",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** Serves until the process is told to stop. */
export async function serve({ files: paths, port = 0, app = APP, open = false, format = "text" }) {
  const folder = folderOf(app);
  const token = tokenOf(process.env.PLANLOOM_TOKEN);
  // Only files need the engine.
  const files = paths.length > 0 ? (await import("./serve_files.js")).openFiles(paths) : undefined;
  const offered = { format: "planloom.serve/1", adapters: [], state: null, files: files ? FILES : null };
  const versions = { format: "planloom.version/1", version: version(), app: versionOf(folder) };
  const server = createServer((request, response) => {
    // A connection that was kept open brings no new requests after the end.
    if (!server.listening) return request.socket.destroy();
    answer({ request, response, server, token, folder, files, offered, versions }).catch((error) => refuse(response, error));
  });
  server.maxConnections = MOST_CONNECTIONS;
  await listen(server, port, usualPort(paths));
  const origin = `http://127.0.0.1:${server.address().port}`;
  const link = `${origin}/#token=${token}${files ? "&files" : ""}`;
  say({ format, origin, link, token, files });
  const redirect = open ? openBrowser(link) : undefined;
  await stopped();
  redirect?.();
  files?.close();
  server.close();
  setTimeout(() => server.closeAllConnections(), GRACE).unref();
  server.closeIdleConnections();
}

function say({ format, origin, link, token, files }) {
  const count = files?.list().files.length ?? 0;
  if (format === "json") {
    console.log(JSON.stringify({ format: "planloom.serve/1", origin, token, page: link, adapters: [], state: null, files: files ? FILES : null }));
    return;
  }
  const what = files ? `${count} ${count === 1 ? "file" : "files"}` : "no files; name some, or a folder, to work on them";
  console.log(`App:   ${link}\nFiles: ${what}`);
  console.error("Ctrl-C stops it. The page has the simulator; the native program has the adapters of this machine.");
}

async function answer({ request, response, server, token, folder, files, offered, versions }) {
  const path = new URL(request.url, "http://x").pathname;
  const { port } = server.address();
  if (!isForUs(request, port)) throw new Refusal(421, "misdirected", "the requested host is not this server");
  if (isForeign(request, port)) throw new Refusal(403, "forbidden", "pages of other origins are not allowed");
  response.setHeader("x-content-type-options", "nosniff");
  if (path === "/version") return json(response, 200, versions);
  const isOurs = path === "/adapters" || (files && (path === FILES || path.startsWith(`${FILES}/`)));
  if (!isOurs) return sendFile(request, response, folder, path);
  if (!hasToken(request, token)) throw new Refusal(401, "unauthorized", "the token of this server is required: open the link that it printed");
  if (path === "/adapters") return json(response, 200, offered);
  return files.answer(request, response, decoded(path.slice(FILES.length + 1)), () => body(request));
}

/** By exactly one `Host`, so that no name that leads here by the DNS of others is answered. */
const isForUs = ({ headers }, port) => [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`].includes(headers.host?.toLowerCase());

/** Whether another site's page sends it; links that people follow are allowed. */
function isForeign({ headers }, port) {
  if (headers.origin !== undefined) return ![`http://127.0.0.1:${port}`, `http://localhost:${port}`, `http://[::1]:${port}`].includes(headers.origin);
  return ["cross-site", "same-site"].includes(headers["sec-fetch-site"]) && headers["sec-fetch-mode"] !== "navigate";
}

function hasToken({ headers }, token) {
  const given = Buffer.from(/^bearer +(.*)$/i.exec(headers.authorization ?? "")?.[1].trim() ?? "");
  const own = Buffer.from(token);
  return given.length === own.length && timingSafeEqual(given, own);
}

function decoded(name) {
  try {
    return decodeURIComponent(name);
  } catch {
    throw new Refusal(404, "not_found", "this path is not valid");
  }
}

async function body(request) {
  const parts = [];
  let length = 0;
  for await (const part of request) {
    length += part.length;
    if (length > MOST) throw new Refusal(413, "too_large", `the body is larger than ${MOST >> 20} MiB`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** A file of the app: nothing outside of its folder. */
function sendFile(request, response, folder, path) {
  if (!["GET", "HEAD"].includes(request.method)) throw new Refusal(405, "method_not_allowed", "files of the app are only read");
  const file = existing(join(folder, decoded(path === "/" ? "/index.html" : path)));
  const inside = file !== undefined && !relative(folder, file).split(sep).some((it) => it.startsWith("."));
  if (!inside) throw new Refusal(404, "not_found", "there is no such file");
  const bytes = readFileSync(file);
  const etag = `"${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}"`;
  const headers = { ...ALWAYS, etag };
  if (request.headers["if-none-match"] === etag) return response.writeHead(304, headers).end();
  response.writeHead(200, { ...headers, "content-type": TYPES[extname(file)] ?? "application/octet-stream", "content-length": bytes.length });
  response.end(request.method === "HEAD" ? undefined : bytes);
}

/** The path of a file after all links. */
function existing(path) {
  try {
    const file = realpathSync(path);
    return statSync(file).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}

function folderOf(app) {
  try {
    const folder = realpathSync(app);
    readdirSync(folder).includes("index.html") || missing(app);
    return folder;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return missing(app);
  }
}

/** A hash of the files of the app, as the native program computes it. */
function versionOf(folder) {
  const hex = (bytes) => createHash("sha256").update(bytes).digest("hex");
  const files = readdirSync(folder, { recursive: true }).map((it) => it.replaceAll("\\", "/")).sort();
  const facts = files.filter((it) => statSync(join(folder, it)).isFile()).map((it) => [it, readFileSync(join(folder, it))]);
  return hex(facts.map(([name, bytes]) => `${hex(bytes)} ${bytes.length} ${name}\n`).join("")).slice(0, 16);
}

function missing(app) {
  throw new UsageError(`\`${app}\` does not contain the app`, "install the package from a registry, or name a built app with `--app`");
}

/** A token of 256 random bits, or the user's own. */
function tokenOf(given) {
  if (given === undefined) return randomBytes(32).toString("hex");
  if (!/^[A-Za-z0-9\-._~]{16,}$/.test(given)) {
    throw new UsageError("`PLANLOOM_TOKEN` holds no token", "use at least 16 letters, digits or `-._~`");
  }
  return given;
}

/** The same files have the same port, as with the native program: what a page could not write is kept for its address. */
function usualPort(paths) {
  if (paths.length === 0) return 0;
  const places = paths.map((path) => `${existingPlace(path)}\0`).join("");
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(places)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return 20_000 + (hash % 12_000);
}

function existingPlace(path) {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** At the port that was named, or else at the usual one, or any if that is in use. */
async function listen(server, named, usual) {
  const begin = (port) =>
    new Promise((resolve, reject) => {
      server.once("error", reject).listen(port, "127.0.0.1", () => resolve(server.off("error", reject)));
    });
  if (!named) return begin(usual).catch(() => begin(0));
  return begin(named).catch((error) => {
    throw new UsageError(`port ${named} cannot be used: ${error.message}`, "name another one with `--port`");
  });
}

/** Arguments of programs can be seen by every user of a machine, so the browser is given a file that only its owner can read. */
function openBrowser(link) {
  const folder = mkdtempSync(join(tmpdir(), "planloom-"));
  const page = join(folder, "open.html");
  writeFileSync(page, `<!doctype html><meta http-equiv="refresh" content="0;url=${link.replaceAll("&", "&amp;")}">\n`, { mode: 0o600 });
  const program = { darwin: "open", win32: "explorer" }[process.platform] ?? "xdg-open";
  const child = spawn(program, [page], { stdio: "ignore", detached: true });
  child.on("error", (error) => console.error(`No browser can be opened (${error.message}): open the link yourself.`));
  child.unref();
  return () => rmSync(folder, { recursive: true, force: true });
}

const stopped = () =>
  new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, resolve);
  });
