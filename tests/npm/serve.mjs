// `planloom serve` of the npm package against the native program: the same requests have the same responses.
import { spawn } from "node:child_process";
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { assert, check, equal } from "./harness.mjs";

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
  ["a new file that is no descriptor", "PUT /files/run.sh", { "if-none-match": "*" }, "b: 1\n"],
  ["a new file elsewhere", "PUT /files/..%2Fnew.yaml", { "if-none-match": "*" }, "b: 1\n"],
  ["another name", "POST /files/new.yaml", { "if-match": "etag new.yaml" }, '{"to": "newer.yaml"}'],
  ["a name that is there", "POST /files/newer.yaml", { "if-match": "etag newer.yaml" }, '{"to": "prod.yaml"}'],
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
  const [expected, found] = [await conversation(join(work, "native"), native), await conversation(join(work, "node"), [process.execPath, command])];
  for (const [at, [name]] of REQUESTS.entries()) {
    await check(`served in Node: ${name}`, () => equal(JSON.stringify(found.answers[at]), JSON.stringify(expected.answers[at]), "the response"));
  }
  await check("served in Node: the files at the end", () => equal(JSON.stringify(found.files), JSON.stringify(expected.files), "the files"));
  await check("served in Node: a change on disk answers who waits", () => assert(found.waited < 2_000 && expected.waited < 2_000, `${found.waited} ms`));
  await check("served in Node: a folder that goes has no files, and has them again when it is back", () => {
    equal(JSON.stringify(found.gone), JSON.stringify(expected.gone), "the numbers of files");
    assert(found.gone[0] > 0 && found.gone[1] === 0 && found.gone[2] === found.gone[0], found.gone.join(", "));
  });
  await check("served in Node: the page, its policy and its version", () => {
    equal(JSON.stringify(found.page), JSON.stringify(expected.page), "what is served");
  });
}

/** All requests to a server on files of its own. */
async function conversation(folder, [program, ...words]) {
  const shop = prepare(folder);
  const args = program === process.execPath ? [...words.splice(0, 1), "serve"] : ["serve"];
  const server = spawn(program, [...args, "--format", "json", ...words, "shop"], { cwd: folder, env: { ...process.env, PLANLOOM_TOKEN: TOKEN }, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  try {
    const { value } = await createInterface({ input: server.stdout })[Symbol.asyncIterator]().next();
    const { origin, page } = JSON.parse(value);
    equal(page, `${origin}/#token=${TOKEN}&files`, "the link");
    const answers = [];
    for (const [, line, headers, body] of REQUESTS) answers.push(shown(await send(origin, line, await filled(origin, headers), body)));
    const files = readdirSync(shop).sort().map((name) => [name, existsSync(join(shop, name)) ? readFileSync(join(shop, name), "latin1") : null]);
    return { answers, files, waited: await waited(origin, shop), gone: await gone(origin, shop), page: await pageOf(origin) };
  } finally {
    server.kill("SIGINT");
    await ended;
  }
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
