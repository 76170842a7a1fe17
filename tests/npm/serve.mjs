// `planloom serve` of the npm package against the native program: the same requests have the same responses.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { assert, check, equal, run } from "./harness.mjs";

const TOKEN = "0123456789abcdef0123456789abcdef";
const BASE = "meta: {name: own}\n";
const PROD = "services: {}\n";

/** As long as a name of a file may be. */
const LONG = `${"n".repeat(250)}.yaml`;

/** The requests, one after the other: a name, the request, its headers and body. `etag NAME` stands for that of a file. */
const REQUESTS = [
  ["the list", "GET /files"],
  ["a file", "GET /files/base.yaml"],
  ["a file with a byte order mark", "GET /files/mark.yml"],
  ["no file", "GET /files/none.yaml"],
  ["a hidden file", "GET /files/.hidden.yaml"],
  ["a file elsewhere", "GET /files/..%2Fsecret.yaml"],
  ["a link that leads out", "GET /files/out.yaml"],
  ["what is not valid", "GET /files/%ff"],
  ["no token", "GET /files", { authorization: "" }],
  ["another token", "GET /files", { authorization: `Bearer ${TOKEN.replace("0", "1")}` }],
  ["another host", "GET /", { host: "planloom.example" }],
  ["a page of others", "GET /files", { origin: "https://planloom.example" }],
  ["an image on a page of others", "GET /index.html", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }],
  ["a write without a condition", "PUT /files/base.yaml", {}, "a: 1\n"],
  ["a write of what has changed", "PUT /files/base.yaml", { "if-match": '"0"' }, "a: 1\n"],
  ["a write", "PUT /files/base.yaml", { "if-match": "etag base.yaml" }, "a: 1\n"],
  ["a write that keeps the byte order mark", "PUT /files/mark.yml", { "if-match": "etag mark.yml" }, "a: 2\r\n"],
  ["a write of no text", "PUT /files/base.yaml", { "if-match": "etag base.yaml" }, "a\0"],
  ["a new file", "PUT /files/new.yaml", { "if-none-match": "*" }, "b: 1\n"],
  ["a new file of a name that is there", "PUT /files/prod.yaml", { "if-none-match": "*" }, "b: 1\n"],
  ["a new file of the name of a link", "PUT /files/same.yaml", { "if-none-match": "*" }, "b: 1\n"],
  ["a new file of the name of a link that leads out", "PUT /files/out.yaml", { "if-none-match": "*" }, "b: 1\n"],
  ["a new file that is no descriptor", "PUT /files/run.sh", { "if-none-match": "*" }, "b: 1\n"],
  ["a new file elsewhere", "PUT /files/..%2Fnew.yaml", { "if-none-match": "*" }, "b: 1\n"],
  ["another name", "POST /files/new.yaml", { "if-match": "etag new.yaml" }, '{"to": "newer.yaml"}'],
  ["a name that is there", "POST /files/newer.yaml", { "if-match": "etag newer.yaml" }, '{"to": "prod.yaml"}'],
  ["a name of a link that leads out", "POST /files/newer.yaml", { "if-match": "etag newer.yaml" }, '{"to": "out.yaml"}'],
  ["a name that is none", "POST /files/newer.yaml", { "if-match": "etag newer.yaml" }, '{"to": "../a.yaml"}'],
  ["no new name", "POST /files/newer.yaml", { "if-match": "etag newer.yaml" }, "{}"],
  ["an order that is none", "PUT /files", {}, '{"order": 5}'],
  ["an order of no names", "PUT /files", {}, '{"order": [1]}'],
  ["a new name that is none", "POST /files/newer.yaml", { "if-match": "etag newer.yaml" }, '{"to": 5}'],
  ["another order", "PUT /files", {}, '{"order": ["prod.yaml", "base.yaml"]}'],
  ["the list in that order", "GET /files"],
  ["a removal of what has changed", "DELETE /files/newer.yaml", { "if-match": '"0"' }],
  ["a removal", "DELETE /files/newer.yaml", { "if-match": "etag newer.yaml" }],
  ["another name for a link, which stays one", "POST /files/same.yaml", { "if-match": "etag same.yaml" }, '{"to": "alike.yaml"}'],
  ["a write to what a link leads to", "PUT /files/alike.yaml", { "if-match": "etag alike.yaml" }, "a: 3\n"],
  ["what it leads to", "GET /files/base.yaml"],
  ["a removal of a link, which is not one of what it leads to", "DELETE /files/alike.yaml", { "if-match": "etag alike.yaml" }],
  ["what it led to", "GET /files/base.yaml"],
  ["a write to a file with two names", "PUT /files/first.yaml", { "if-match": "etag first.yaml" }, "c: 2\n"],
  ["its other name", "GET /files/second.yaml"],
  ["a file with a long name", `PUT /files/${LONG}`, { "if-none-match": "*" }, "d: 1\n"],
  ["another content of it", `PUT /files/${LONG}`, { "if-match": `etag ${LONG}` }, "d: 2\n"],
  ["a method that there is not", "PATCH /files/base.yaml"],
  ["the list at the end", "GET /files"],
  ["a file of the app elsewhere", "GET /..%2f..%2fetc%2fpasswd"],
  ["a file of the app that there is not", "GET /none.js"],
  ["a write to the app", "PUT /index.html", {}, "<script>"],
];

export async function served({ work }) {
  const command = join(work, "node_modules/planloom/dist/command.js");
  const app = join(work, "node_modules/planloom/dist/app");
  const native = [process.env.PLANLOOM_BINARY, "--app", app, "--adapter", "simulator", "--state-folder", join(work, "states")];
  const node = [process.execPath, command];
  const [expected, found] = [await conversation(join(work, "native"), native), await conversation(join(work, "node"), node)];
  for (const [at, [name]] of REQUESTS.entries()) {
    await check(`served in Node: ${name}`, () => equal(JSON.stringify(found.answers[at]), JSON.stringify(expected.answers[at]), "the response"));
  }
  await check("served in Node: nothing is said of what a link that leads out leads to", () => {
    const current = REQUESTS.flatMap(([name], at) => (/a link that leads out$/.test(name) ? [found.answers[at].rest.current] : []));
    equal(JSON.stringify(current), JSON.stringify([undefined, null, null]), "what is current");
  });
  await check("served in Node: the files at the end", () => equal(JSON.stringify(found.files), JSON.stringify(expected.files), "the files"));
  await check("served in Node: a change on disk answers who waits", () => assert(found.waited < 2_000 && expected.waited < 2_000, `${found.waited} ms`));
  await check("served in Node: a folder that goes has no files, and has them again when it is back", () => {
    equal(JSON.stringify(found.gone), JSON.stringify(expected.gone), "the numbers of files");
    assert(found.gone[0] > 0 && found.gone[1] === 0 && found.gone[2] === found.gone[0], found.gone.join(", "));
  });
  await check("served in Node: the page, its policy and its version", () => {
    equal(JSON.stringify(found.page), JSON.stringify(expected.page), "what is served");
  });
  for (const [name, server] of [["natively", native], ["in Node", node]]) {
    await check(`served ${name}: a file is not served by two names`, () => servedOnce(join(work, `once-${name}`), server));
    await check(`served ${name}: a pipe in the place of a file blocks nobody`, () => pipe(join(work, `pipe-${name}`), server));
    await check(`served ${name}: two servers on one folder do not mix their writes`, () => together(join(work, `together-${name}`), server));
  }
  await check("served in Node: files that nobody writes are hardly looked at, and each change is seen at once", () => looks(join(work, "idle"), join(work, "node_modules/planloom/dist/serve_files.js")));
}

const words = ([program, ...rest], files) => [program, program === process.execPath ? [rest[0], "serve", ...rest.slice(1), ...files] : ["serve", ...rest, ...files]];

/** Uses a server of files in a folder. */
async function serving(folder, server, files, use) {
  const [program, args] = words(server, ["--format", "json", ...files]);
  const child = spawn(program, args, { cwd: folder, env: { ...process.env, PLANLOOM_TOKEN: TOKEN }, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  try {
    const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
    return await use(JSON.parse(value));
  } finally {
    child.kill("SIGINT");
    await ended;
  }
}

function withFiles(folder, files) {
  mkdirSync(join(folder, "dd"), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

async function servedOnce(folder, server) {
  withFiles(folder, { "dd/app.yaml": BASE });
  const [program, args] = words(server, ["dd", "dd/app.yaml"]);
  const said = await run(program, args, { cwd: folder, timeout: 10_000 }).then(() => "it is served", (error) => error.message);
  assert(said.includes("`dd/app.yaml` cannot be served: it is served as `dd` as well"), said);
}

async function pipe(folder, server) {
  withFiles(folder, { "pipe.yaml": BASE, "other.yaml": BASE });
  await serving(folder, server, ["pipe.yaml", "other.yaml"], async ({ origin }) => {
    rmSync(join(folder, "pipe.yaml"));
    execFileSync("mkfifo", [join(folder, "pipe.yaml")]);
    const requests = [["PUT /files/pipe.yaml", { "if-match": '"0"' }, BASE], ["GET /files/pipe.yaml"], ["GET /files/other.yaml"], ["GET /files"]];
    const late = new Promise((_, reject) => setTimeout(reject, 10_000, new Error("a pipe is waited for")).unref());
    const answers = Promise.all(requests.map((it) => send(origin, ...it)));
    const [written, read, other, list] = await Promise.race([answers, late]);
    assert(written.status === 412 && read.status !== 200 && other.status === 200, [written, read, other].map((it) => it.status).join(", "));
    assert(list.text.includes("other.yaml"), list.text);
  });
}

/** Two servers and an editor write one file, each its own letter: it is always whole, and nothing unfinished stays. */
async function together(folder, server) {
  withFiles(folder, { "dd/app.yaml": BASE });
  const path = join(folder, "dd/app.yaml");
  const write = async (origin, letter, round) => {
    const { etag } = (await send(origin, "GET /files/app.yaml")).headers;
    return (await send(origin, "PUT /files/app.yaml", { "if-match": etag }, `# ${letter.repeat(round * 37)}\n`)).status;
  };
  const isWhole = (text) => text === BASE || /^# (a*|b*|e*)\n$/.test(text);
  const writes = async (origin, letter) => {
    let accepted = 0;
    for (let round = 0; round < 100; round += 1) accepted += (await write(origin, letter, round)) === 200;
    return accepted;
  };
  await serving(folder, server, ["dd"], (one) =>
    serving(folder, server, ["dd"], async (other) => {
      let isOver = false;
      const all = Promise.all([writes(one.origin, "a"), writes(other.origin, "b")]).finally(() => (isOver = true));
      for (let round = 0; !isOver; round += 1) {
        const text = readFileSync(path, "utf8");
        assert(isWhole(text), text.slice(0, 100));
        // Who reads before and writes after an edit is refused, so that the editor rests more and more.
        writeFileSync(join(folder, "dd/.edited"), `# ${"e".repeat(round % 53)}\n`);
        renameSync(join(folder, "dd/.edited"), path);
        await new Promise((resolve) => setTimeout(resolve, round));
      }
      const accepted = await all;
      assert(accepted.every((it) => it > 0), `accepted: ${accepted.join(", ")}`);
    }),
  );
  assert(isWhole(readFileSync(path, "utf8")), "it is whole at the end");
  equal(readdirSync(join(folder, "dd")).join(), "app.yaml", "the files at the end");
}

/** How often files are looked at while nobody writes them, in the time of some thirty chances. */
async function looks(folder, module) {
  withFiles(folder, Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`dd/${at}.yaml`, BASE])));
  const { openFiles } = await import(pathToFileURL(module));
  const files = openFiles([join(folder, "dd")]);
  const after = (time) => new Promise((resolve) => setTimeout(resolve, time));
  const until = async (holds, what) => {
    for (let turn = 0; !holds(); turn += 1) {
      assert(turn < 100, what);
      await after(50);
    }
  };
  try {
    await until(() => files.looks >= 2, "it looks at first");
    await after(500);
    const before = files.looks;
    await after(3_000);
    assert(files.looks - before <= 1, `${files.looks - before} looks`);
    writeFileSync(join(folder, "dd/new.yaml"), BASE);
    await until(() => files.list().files.length === 201, "a new file is seen");
    rmSync(join(folder, "dd"), { recursive: true });
    await until(() => files.list().files.length === 0, "that the folder is gone is seen");
    withFiles(folder, { "dd/other.yaml": BASE });
    await until(() => files.list().files.length === 1, "another folder in its place is seen");
    await after(1_000);
    writeFileSync(join(folder, "dd/other.yaml"), PROD);
    const { etag } = files.list();
    await until(() => files.list().etag !== etag, "what is written in it is seen");
  } finally {
    files.close();
  }
}

/** All requests to a server on files of its own. */
async function conversation(folder, server) {
  const shop = prepare(folder);
  return serving(folder, server, ["shop"], async ({ origin, page }) => {
    equal(page, `${origin}/#token=${TOKEN}&files`, "the link");
    const answers = [];
    for (const [, line, headers, body] of REQUESTS) answers.push(shown(await send(origin, line, await filled(origin, headers), body)));
    const files = readdirSync(shop).sort().map((name) => [name, existsSync(join(shop, name)) ? readFileSync(join(shop, name), "latin1") : null]);
    return { answers, files, waited: await waited(origin, shop), gone: await gone(origin, shop), page: await pageOf(origin) };
  });
}

function prepare(folder) {
  const shop = join(folder, "shop");
  mkdirSync(shop, { recursive: true });
  writeFileSync(join(folder, "secret.yaml"), "secret: 1\n");
  const files = { "base.yaml": BASE, "prod.yaml": PROD, ".hidden.yaml": "a: 1\n", "mark.yml": "\ufeffa: 1\r\n", "run.txt": "no\n" };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(shop, name), text);
  writeFileSync(join(shop, "utf16.yaml"), Buffer.from("\ufeffa: 1", "utf16le"));
  writeFileSync(join(shop, "first.yaml"), "c: 1\n");
  linkSync(join(shop, "first.yaml"), join(shop, "second.yaml"));
  symlinkSync("../secret.yaml", join(shop, "out.yaml"));
  symlinkSync("base.yaml", join(shop, "same.yaml"));
  return shop;
}

const send = (origin, line, headers = {}, body = "") =>
  new Promise((resolve, reject) => {
    const [method, path] = line.split(" ");
    const { hostname, port, host } = new URL(origin);
    const all = { host, authorization: `Bearer ${TOKEN}`, ...headers };
    const sent = request({ hostname, port, path, method, headers: { ...all, "content-length": Buffer.byteLength(body) }, agent: false }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part) => (text += part)).on("end", () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
    });
    sent.on("error", reject).end(body);
  });

/** Headers with the etags of files. */
async function filled(origin, headers = {}) {
  const fill = async (value) => {
    const name = /^etag (.*)$/.exec(value)?.[1];
    return name === undefined ? value : (await send(origin, `GET /files/${name}`)).headers.etag;
  };
  return Object.fromEntries(await Promise.all(Object.entries(headers).map(async ([key, value]) => [key, await fill(value)])));
}

/** What clients use of a response. The workspace is another one for each folder, and messages may be worded differently. */
function shown({ status, headers, text }) {
  const json = headers["content-type"]?.includes("json") ? JSON.parse(text) : null;
  const { workspace, detail, title, type, etag, ...rest } = json ?? {};
  return { status, type: headers["content-type"] ?? null, etag: workspace ? "of the list" : (headers.etag ?? null), rest: status < 400 || status === 412 ? rest : { code: json?.code } };
}

/** How many files there are before the folder goes, while it is gone, and after it came back. */
async function gone(origin, shop) {
  const count = async () => JSON.parse((await send(origin, "GET /files")).text).files.length;
  const until = async (holds) => {
    for (let turn = 0; turn < 100 && !holds(await count()); turn += 1) await new Promise((resolve) => setTimeout(resolve, 100));
    return count();
  };
  const before = await count();
  renameSync(shop, `${shop}-aside`);
  const meanwhile = await until((now) => now === 0);
  renameSync(`${shop}-aside`, shop);
  return [before, meanwhile, await until((now) => now === before)];
}

/** How long until who waits hears of a change on disk. */
async function waited(origin, shop) {
  const { headers } = await send(origin, "GET /files");
  const waiting = send(origin, "GET /files", { "if-none-match": headers.etag, prefer: "wait=10" });
  await new Promise((resolve) => setTimeout(resolve, 300));
  const began = Date.now();
  writeFileSync(join(shop, "later.yaml"), "c: 1\n");
  const { status, text } = await waiting;
  assert(status === 200 && text.includes("later.yaml"), text);
  return Date.now() - began;
}

/** The page and its headers, and the version. */
async function pageOf(origin) {
  const { status, headers, text } = await send(origin, "GET /");
  const { app, version } = JSON.parse((await send(origin, "GET /version")).text);
  const kept = ["content-security-policy", "content-type", "referrer-policy", "x-content-type-options", "cross-origin-opener-policy", "cache-control"];
  return { status, text, headers: kept.map((it) => headers[it]), app, version };
}
