// The files of an element: its children, or what its `src` names.

const LEFT_OUT = "button, [aria-hidden=true], .linenos, .line-numbers, .line-numbers-wrapper, .lang, .filename";
const FILE = "[data-file]";

/** The files among the children, in order. What a page's highlighter made of them is read as text. */
export function filesOf(element) {
  const marked = outermost(element, FILE).map((node) => ({ name: node.dataset.file, text: textOf(node) }));
  if (marked.length > 0) return marked;
  const plain = [...element.querySelectorAll("pre")];
  return plain.map((node, at) => ({ name: plain.length === 1 ? "app.yaml" : `file-${at + 1}.yaml`, text: textOf(node) }));
}

/** The recorded state among the children; null if there is none. */
export function stateOf(element) {
  const node = element.querySelector("[data-state]");
  return node === null ? null : textOf(node);
}

/** Nodes that match and are in no other node that does. */
function outermost(element, selector) {
  return [...element.querySelectorAll(selector)].filter((it) => it.parentElement.closest(`planloom-${kindOf(element)}, ${selector}`) === element);
}

export function kindOf(element) {
  return element.localName.replace("planloom-", "");
}

/** The text of a script, or of the code in an element. */
export function textOf(node) {
  if (node.localName === "script" || node.localName === "template") return outdented((node.content ?? node).textContent);
  const code = node.localName === "code" ? node : node.querySelector("code, pre") ?? node;
  const parts = [];
  collect(code, parts);
  const text = parts.join("").replaceAll("\r\n", "\n").replace(/^\n/, "");
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

/** Some highlighters end lines with elements instead of line breaks. */
function collect(node, parts) {
  for (const child of node.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) parts.push(child.data);
    else if (child.localName === "br") parts.push("\n");
    else if (child.nodeType === Node.ELEMENT_NODE && !child.matches(LEFT_OUT)) collect(child, parts);
  }
}

/** A text without the indentation that all of its lines have. */
function outdented(text) {
  const lines = text.replaceAll("\r\n", "\n").replace(/^[ \t]*\n/, "").replace(/\n[ \t]*$/, "\n").split("\n");
  const widths = lines.filter((it) => it.trim() !== "").map((it) => it.length - it.trimStart().length);
  const width = widths.length === 0 ? 0 : Math.min(...widths);
  return lines.map((it) => it.slice(width)).join("\n");
}

/** The files at addresses that are separated by white space. `readPackage` reads zip packages. */
export async function fetchFiles(addresses, base, readPackage) {
  const each = addresses.split(/\s+/).filter(Boolean).map((address) => fetchFile(new URL(address, base), readPackage));
  return (await Promise.all(each)).flat();
}

async function fetchFile(address, readPackage) {
  const name = nameIn(address);
  const response = await fetched(address);
  if (name.endsWith(".zip")) return readPackage(name, await response.arrayBuffer());
  return [{ name, text: await response.text() }];
}

export async function fetchText(address, base) {
  return (await fetched(new URL(address, base))).text();
}

async function fetched(address) {
  const response = await fetch(address);
  if (response.ok) return response;
  throw Object.assign(new Error(`${address.href} could not be loaded: the server answered ${response.status}`), { code: "element/not-found" });
}

function nameIn(address) {
  const last = address.pathname.split("/").filter(Boolean).at(-1) ?? "app.yaml";
  try {
    return decodeURIComponent(last);
  } catch {
    return last; // not a percent-encoded text
  }
}
