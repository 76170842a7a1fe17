// The reference of descriptors, from the type definitions.
import { parse } from "yaml";
import { literal } from "./prose.mjs";

const MERGES = { standard: "merged", replace: "replaced by the later value", unique: "joined, each item once" };

/** A page for each kind of a definition file. */
export function referencePages(text) {
  const { kinds = {}, root = {} } = parse(text);
  const pages = Object.entries(kinds).map(([kind, definition]) => ({ name: kind, title: kind, text: kindPage(kind, definition) }));
  return Object.keys(root).length === 0 ? pages : [...pages, { name: "root", title: "keys at the root", text: rootPage(root) }];
}

function rootPage(root) {
  return [`# Keys at the root`, "", "Keys of a descriptor that are not collections of resources.", "", ...fields(root, "")].join("\n");
}

function kindPage(kind, { collection, singleton, tangible, doc = "", fields: own = {}, on_change = "rebuild", open }) {
  const where = singleton ? `The fields of \`${collection ?? kind}\` at the root of a descriptor.` : `Declared under \`${collection ?? kind}\`, by name.`;
  const facts = [
    where,
    tangible === false ? "It is part of other resources, or a note: nothing is created for it." : "It is created, updated and destroyed by a plan.",
    open ? "Keys that are not listed here are permitted." : "Keys that are not listed here are errors.",
  ];
  return [`# ${kind}`, "", literal(doc), "", facts.join(" "), "", "## Fields", "", ...fields(own, "", on_change)].join("\n");
}

function fields(all, prefix, on_change) {
  return Object.entries(all).flatMap(([name, field]) => fieldOf(`${prefix}${name}`, field ?? {}, on_change));
}

function fieldOf(path, field, inherited) {
  const nested = field.fields ?? field.type?.fields ?? null;
  const change = field.on_change ?? inherited;
  const rows = [
    ["Type", nested ? "a map with the fields below" : phrase(field.type)],
    ["Required", field.required ? "yes" : "no"],
    ["Default", field.default === undefined ? null : code(field.default)],
    ["When merged", merged(field.merge)],
    ["A change", field.output ? "not set by descriptors: its value is known once the resource exists" : changes(change)],
    ["Secret", field.sensitive ? "yes" : null],
    ["Examples", field.examples?.map(code).join(", ")],
    ["Other spellings", field.spellings?.map(({ path, dialect }) => `\`${path}\` (${dialect})`).join(", ")],
  ];
  const table = rows.filter(([, value]) => value).map(([key, value]) => `| ${key} | ${String(value).replaceAll("|", "\\|")} |`);
  const head = [`### ${path.replaceAll("_", "\\_")}`, "", literal(field.doc ?? ""), "", "| Property | Value |", "|---|---|", ...table, ""];
  return nested ? [...head, ...fields(nested, `${path}/`, change)] : head;
}

function changes(on_change) {
  return { rebuild: "requires a rebuild", update: "is applied in place", nothing: "is not sent to the adapter" }[on_change] ?? null;
}

function merged(merge) {
  if (merge === undefined) return null;
  if (typeof merge === "string") return MERGES[merge] ?? code(merge);
  return merge.by_key ? `items with the same ${[merge.by_key].flat().map(code).join(", ")} are merged` : code(merge);
}

/** A type in a few words. */
function phrase(type) {
  if (type === undefined) return "anything";
  if (typeof type === "string") return { cidr: "a range of IP addresses", ip_address: "an IP address", any: "anything", text: "text", integer: "a whole number", number: "a number", boolean: "`true` or `false`", port: "a port", commands: "commands" }[type] ?? code(type);
  const [[name, of]] = Object.entries(type);
  if (name === "list") return `list: ${phrase(of)}`;
  if (name === "map") return `map: ${phrase(of)}`;
  if (name === "reference") return `the name of a ${of}`;
  if (name === "one_of") return of.map(code).join(", ");
  if (name === "integer" || name === "number") return `a number, ${Object.entries(of ?? {}).map(([bound, value]) => `${bound} ${value}`).join(", ")}`;
  if (name === "ip_address") return "an IP address in the range of its network";
  return code(type);
}

function code(value) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `\`${text}\``;
}
