// Pages of the suite, whose examples become live elements: the blocks of a section that are files, with the files of the
// sections that it builds on. The syntax is that of `tests/src/page.rs`.
import { addressFrom } from "./links.mjs";
import { literal, relinked } from "./prose.mjs";

const LONG = 40;
/** Inputs that elements do not have. What resources report counts only where something was applied. */
const INPUTS = ["observed"];
const SETTINGS = { given: "starts from", applied: "was applied before:", before: "is compared with", options: "with the options" };
const FILE = /^[\w.-]+\.(?:ya?ml|lock)$/;
/** Settings that only the command line and tests have. */
const BEYOND = ["applied", "before", "options"];

/** A page of the suite as Markdown, with its title. */
export function suitePage(name, text) {
  const page = parse(text);
  const written = page.parts.map((part) => (part.blocks ? blocksOf(part, page) : prose(name, part.prose)));
  return { name, title: titleOf(text, name), text: written.join("\n") };
}

function titleOf(text, name) {
  const lines = text.split("\n");
  const at = lines.findIndex((it) => /^===+$/.test(it));
  return at > 0 ? lines[at - 1] : (lines.find((it) => it.startsWith("# "))?.slice(2) ?? name);
}

function prose(name, text) {
  const settings = text.replace(/^- (given|applied|before|options): (.*)$/gm, (_, key, value) => `- ${SETTINGS[key]} **${value}**`);
  return literal(relinked(settings, (address) => addressFrom(`tests/suite/${name}.md`, address)));
}

/** Lines, and groups of blocks that follow each other, each with its section. */
function parse(text) {
  const [parts, sections] = [[], new Map()];
  let section = { id: "", blocks: [], settings: {} };
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const fence = /^(```)(\S+) (.+)$/.exec(lines[at]);
    const tilde = /^(~~~+)/.exec(lines[at]);
    if (fence) {
      const end = lines.indexOf("```", at);
      const block = { language: fence[2], name: fence[3], text: `${lines.slice(at + 1, end).join("\n")}\n` };
      section.blocks.push(block);
      if (parts.at(-1)?.section === section) parts.at(-1).blocks.push(block);
      else parts.push({ section, blocks: [block] });
      at = end;
    } else if (tilde) {
      const end = lines.indexOf(tilde[1], at + 1);
      parts.push({ section, blocks: [{ language: lines[at].slice(tilde[1].length), name: null, text: `${lines.slice(at + 1, end).join("\n")}\n` }] });
      at = end;
    } else {
      const begun = heading(lines[at], section);
      if (begun) sections.set(begun.id, (section = begun));
      const [, key, value] = /^- (given|applied|before|options): (.*)$/.exec(lines[at]) ?? [];
      if (key) section.settings[key] = value;
      if (parts.at(-1)?.prose === undefined) parts.push({ prose: lines[at] });
      else parts.at(-1).prose += `\n${lines[at]}`;
    }
  }
  return { parts, sections };
}

function heading(line, before) {
  const [, marks, title] = /^(##|###) (.*)$/.exec(line) ?? [];
  if (!marks) return null;
  const id = marks === "##" ? title.replace(/^Given /, "").split(/[ :]/)[0] : `${before.id.split("/")[0]}/${title}`;
  return { id, blocks: [], settings: {} };
}

/** Everything that goes into the engine for a section: its own blocks over those of the section it builds on. */
function inputsOf(section, sections) {
  const given = section.settings.given && sections.get(section.settings.given);
  const inputs = given ? inputsOf(given, sections) : { files: new Map(), more: [] };
  for (const { name, text } of section.blocks) {
    if (name === "state") inputs.state = text;
    else if (name !== null && FILE.test(name)) inputs.files.set(name, text);
    else if (name !== null && (/[/]|\.(http|txt)$/.test(name) || INPUTS.includes(name))) inputs.more.push(name);
  }
  inputs.more.push(...BEYOND.filter((it) => section.settings[it]));
  return inputs;
}

/** A group of blocks: files as an editor, all else as it is; after them the graph and the plan, if they are shown. */
function blocksOf({ section, blocks }, { sections }) {
  const isFile = ({ name }) => name !== null && FILE.test(name);
  const inputs = inputsOf(section, sections);
  const out = [];
  const last = section.blocks.findLast(isFile);
  if (blocks.some(isFile)) out.push(editor(section, blocks.filter(isFile), inputs, blocks.includes(last)));
  if (blocks.includes(last) || (!last && inputs.files.size > 0 && blocks[0] === section.blocks[0])) out.push(...drawings(section, inputs, Boolean(last)));
  out.push(...blocks.filter((it) => !isFile(it)).map(shown));
  return out.join("\n\n");
}

const idOf = (section) => `example-${section.id.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;

/** The last group of a section has the files that it builds on, too. */
function editor(section, own, { files, state }, isLast) {
  const names = own.map(({ name }) => name);
  const given = isLast ? [...files].filter(([name]) => !section.blocks.some((it) => it.name === name)) : [];
  const before = given.map(([name, text]) => file({ name, text, language: "yaml" }));
  const recorded = isLast && state !== undefined ? [`<div data-state hidden>\n\n${fence("json", state)}\n\n</div>`] : [];
  const id = isLast ? ` id="${idOf(section)}"` : "";
  return [`<planloom-editor${id} view="${names[0]}">`, ...before, ...own.map(file), ...recorded, "</planloom-editor>"].join("\n\n");
}

function drawings(section, { files, state, more }, hasEditor) {
  const shows = (name) => section.blocks.some((it) => it.name === name);
  const kinds = [shows("graph") && "graph", (shows("plan") || shows("changes")) && "plan"].filter(Boolean);
  if (kinds.length === 0 || more.length > 0) return [];
  const id = idOf(section);
  return kinds.map((kind, at) => {
    const isFirst = at === 0 && !hasEditor;
    const own = isFirst ? ` id="${id}"` : ` from="${id}"`;
    const children = isFirst ? [...[...files].map(([name, text]) => file({ name, text, language: "yaml" })), ...(state === undefined ? [] : [`<div data-state hidden>\n\n${fence("json", state)}\n\n</div>`])] : [];
    return [`<planloom-${kind}${own} height="300">`, ...children, `</planloom-${kind}>`].join("\n\n");
  });
}

function file({ name, text, language }) {
  return `<div data-file="${name}">\n\n${fence(language, text)}\n\n</div>`;
}

function shown({ language, name, text }) {
  const code = fence(language, text);
  const lines = text.split("\n").length - 1;
  const title = name === null ? "" : `<p class="block-name">${literal(name)}</p>`;
  if (lines <= LONG) return name === null ? code : `${title}\n\n${code}`;
  return `<details>\n<summary>${literal(name ?? language)}, ${lines} lines</summary>\n\n${code}\n\n</details>`;
}

/** Code in a fence that is longer than any in it. */
function fence(language, text) {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((it) => it.length));
  const mark = "`".repeat(longest + 1);
  return `${mark}${language}\n${text}${mark}`;
}
