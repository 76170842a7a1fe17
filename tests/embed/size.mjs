// How much a page loads before it shows an element.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { assert, check, equal } from "../npm/harness.mjs";

const MOST = 4096;

export async function size({ home, here }) {
  for (const name of ["element.js", "element_script.js"]) {
    await check(`${name} has at most ${MOST} bytes with Brotli`, () => {
      const bytes = brotliCompressSync(readFileSync(join(home, "dist", name))).length;
      console.log(`     ${name}: ${bytes} bytes`);
      assert(bytes <= MOST, `${name} has ${bytes} bytes`);
    });
  }
  await check("every kind of action and of edge has its words", () => worded(home, here));
  await check("the manifest names what the elements have", () => manifest(home));
}

/** The kinds are those of the declarations, which are made from the engine's. */
function worded(home, here) {
  const types = readFileSync(join(home, "dist/index.d.ts"), "utf8");
  const words = readFileSync(join(here, "../../web/editor/src/values.ts"), "utf8");
  for (const [name, least] of [["ActionKind", 7], ["EdgeKind", 5]]) {
    const [, union] = new RegExp(`type ${name} = ([^;]+);`).exec(types);
    const kinds = [...union.matchAll(/"(\w+)"/g)].map((it) => it[1]);
    assert(kinds.length >= least, `only ${kinds} are declared`);
    equal(kinds.filter((it) => !new RegExp(`\\b${it}: "`).test(words)).join(), "", `values of ${name} without words`);
  }
}

/** Attributes that are observed and events that are sent are in the built files as text. */
function manifest(home) {
  const read = (name) => readFileSync(join(home, "dist", name), "utf8");
  const { modules } = JSON.parse(read("custom-elements.json"));
  const [loader, parts, types] = [read("element.js"), read("element_parts.js"), read("element.d.ts")];
  equal(modules[0].declarations.map((it) => it.tagName).join(), "planloom-editor,planloom-graph,planloom-plan", "the elements");
  for (const { attributes, events, members, cssParts } of modules[0].declarations) {
    const wrong = [
      ...attributes.filter(({ name }) => !loader.includes(`"${name}"`)).map(({ name }) => name),
      ...events.filter(({ name }) => !parts.includes(`"${name.replace("planloom-", "")}"`) || !types.includes(`"${name}"`)).map(({ name }) => name),
      ...members.filter(({ name }) => !types.includes(` ${name}`)).map(({ name }) => name),
      ...cssParts.filter(({ name }) => !parts.includes(`part:"${name}`) && !parts.includes(`part:\`${name}`)).map(({ name }) => name),
    ];
    equal(wrong.join(), "", "what only the manifest has");
  }
}
