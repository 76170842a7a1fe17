// Elements as plain data, which become elements of a document or a text of HTML. Text stays text in both.

const SVG = "http://www.w3.org/2000/svg";
const VOID = new Set(["br", "hr", "input", "col"]);
const NAME = /^[a-z][a-z0-9-]*$/i;

/** An element. Attributes that are null, undefined or false are left out; children that are, too. */
export function h(tag, attributes = {}, ...children) {
  return { tag, attributes, children: children.flat(Infinity).filter((it) => it !== null && it !== undefined && it !== false) };
}

/** A text in which backticks enclose code. */
export function prose(text) {
  return String(text).split(/(`[^`]+`)/).map((part, at) => (at % 2 === 1 ? h("code", {}, part.slice(1, -1)) : part)).filter((part) => part !== "");
}

/** An element of a document, with what is in it. */
export function toDom(node, inSvg = false) {
  if (typeof node !== "object") return document.createTextNode(String(node));
  const isSvg = inSvg || node.tag === "svg";
  const made = isSvg ? document.createElementNS(SVG, node.tag) : document.createElement(node.tag);
  for (const [name, value] of attributesOf(node)) made.setAttribute(name, value);
  made.append(...node.children.map((child) => toDom(child, isSvg)));
  return made;
}

/** The text of HTML. */
export function toHtml(node) {
  if (typeof node !== "object") return escaped(String(node));
  const attributes = attributesOf(node).map(([name, value]) => ` ${name}="${escaped(value)}"`);
  const open = `<${node.tag}${attributes.join("")}>`;
  return VOID.has(node.tag) ? open : `${open}${node.children.map(toHtml).join("")}</${node.tag}>`;
}

/** A text that means nothing but itself, in text and between quotes. */
export function escaped(text) {
  const meant = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return text.replace(/[&<>"']/g, (it) => meant[it]);
}

/** What is neither a program nor a style: those are refused by the policies that pages have, and are not needed. */
function attributesOf({ attributes }) {
  return Object.entries(attributes)
    .filter(([name, value]) => value !== null && value !== undefined && value !== false && NAME.test(name))
    .filter(([name]) => !name.startsWith("on") && name !== "style")
    .map(([name, value]) => [name, value === true ? "" : String(value)]);
}
