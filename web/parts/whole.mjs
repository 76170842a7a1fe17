// What loads the parts of a module that is not split: each is there from the start, and has no files.
// `node whole.mjs NAME FOLDER`; FOLDER has NAME.js and NAME_bg.wasm, and gets NAME_parts.js.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loaders } from "./loaders.mjs";

const [name, folder] = process.argv.slice(2);
// The folder has no `package.json` that would make modules of its files.
const text = readFileSync(join(folder, `${name}.js`), "utf8");
const { initSync, parts } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
initSync({ module: readFileSync(join(folder, `${name}_bg.wasm`)) });
writeFileSync(join(folder, `${name}_parts.js`), loaders(name, new Map(parts().map((part) => [part, []])), []));
