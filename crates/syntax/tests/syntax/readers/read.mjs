// Reads YAML documents, separated by NUL, with js-yaml and prints what it read, one line each. JavaScript has one kind
// of number, so all are printed as one.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(`${process.cwd()}/`);
const { load } = await import(pathToFileURL(require.resolve("js-yaml")));

function plain(value) {
  if (value === null || value === undefined) return ["null"];
  if (typeof value === "boolean") return ["bool", value];
  if (typeof value === "number") {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleBE(value);
    return ["float", Number.isNaN(value) ? "nan" : bytes.toString("hex")];
  }
  if (typeof value === "string") return ["text", value];
  if (Array.isArray(value)) return ["list", value.map(plain)];
  if (value.constructor === Object) {
    // Objects put whole-number keys first, so the order is left to the other side.
    return ["map", Object.entries(value).map(([key, item]) => [plain(key), plain(item)])];
  }
  return ["other", String(value)];
}

for (const document of readFileSync(0, "utf8").split("\0")) {
  let read;
  try {
    read = plain(load(document));
  } catch (error) {
    read = ["error", String(error)];
  }
  console.log(JSON.stringify(read));
}
