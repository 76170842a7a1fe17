// Markdown of the repository as Markdown of a page: its text is only text, and its links lead to pages.

const FENCE = /^\s*(```+|~~~+)/;

/** Calls a function for each run of lines outside of fences, and keeps the others. */
export function outsideFences(text, change) {
  const out = [];
  let [fence, prose] = [null, []];
  const flush = () => {
    if (prose.length > 0) out.push(change(prose.join("\n")));
    prose = [];
  };
  for (const line of text.split("\n")) {
    const mark = FENCE.exec(line)?.[1] ?? null;
    if (fence === null && mark === null) {
      prose.push(line);
      continue;
    }
    flush();
    out.push(line);
    if (fence === null) fence = mark;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
  }
  flush();
  return out.join("\n");
}

/** What would be HTML or a template of Vue, as text; code between backticks stays, comments go. */
export function literal(prose) {
  const parts = prose.replace(/<!--[\s\S]*?-->/g, "").split(/(`+[^`]*`+)/);
  return parts.map((part, at) => (at % 2 === 1 ? inlineCode(part) : part.replaceAll("<", "&lt;").replaceAll("{{", "&#123;&#123;"))).join("");
}

/** Code between backticks; Vue would read braces in it as a template. */
function inlineCode(code) {
  if (!code.includes("{{")) return code;
  const text = code.replace(/^`+|`+$/g, "").trim();
  return `<code v-pre>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</code>`;
}

/** Prose whose links are changed by a function, which gives null for what leads to no page: then only the words stay. */
export function relinked(prose, change) {
  return prose.replace(/(!?)\[((?:[^\]\\]|\\.)*)\]\(([^)\s]+)\)/g, (_, image, words, address) => {
    if (image) return "";
    const to = change(address);
    return to === null ? words : `[${words}](${to})`;
  });
}
