// After a build that is shipped: the app can be installed, and works without a network. Writes the service worker with the
// list of all files, and its version, which is made of their contents.
import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

const { TRUNK_STAGING_DIR: site } = process.env;

copyFileSync(new URL("../../static/manifest.webmanifest", import.meta.url), join(site, "manifest.webmanifest"));
const index = join(site, "index.html");
const html = readFileSync(index, "utf8");
const icon = html.match(/<link rel="?icon"? href="?([^" >]+)"?/)?.[1] ?? "icon.svg";
const manifest = join(site, "manifest.webmanifest");
writeFileSync(manifest, readFileSync(manifest, "utf8").replaceAll("icon.svg", icon.replace(/^\.\//, "")));
writeFileSync(index, html.replace("</head>", '<link rel="manifest" href="./manifest.webmanifest"></head>'));

const files = readdirSync(site, { recursive: true, withFileTypes: true })
  .filter((file) => file.isFile() && file.name !== "service-worker.js")
  .map((file) => relative(site, join(file.parentPath ?? file.path, file.name)).replaceAll("\\", "/"))
  .sort();
const hash = createHash("sha256");
files.forEach((file) => hash.update(file).update(readFileSync(join(site, file))));
const version = hash.digest("hex").slice(0, 16);
const list = JSON.stringify(files.map((file) => (file === "index.html" ? "./" : `./${file}`)));
const worker = readFileSync(new URL("service-worker.js", import.meta.url), "utf8");
writeFileSync(join(site, "service-worker.js"), worker.replace("%VERSION%", version).replace("%FILES%", list));
