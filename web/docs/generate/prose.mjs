// Markdown of the repository as Markdown of a page: its text is only text, and its links lead to pages.

const FENCE = /^\s*(```+|~~~+)/;

/** Calls a function for each line outside of fences, and keeps the others. */
export function outsideFences(text, change) {
  let fence = null;
  const lines = text.split("\n").map((line) => {
    const mark = FENCE.exec(line)?.[1] ?? null;
    if (fence !== null) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
      return line;
    }
    fence = mark;
    return mark === null ? change(line) : line;
  });
  return lines.join("\n");
}

/** What would be HTML or a template of Vue in a line, as text; code between backticks and comments stay. */
export function literal(line) {
  if (/^<!--.*-->$/.test(line)) return "";
  return line.split(/(`+[^`]*`+)/).map((part, at) => (at % 2 === 1 ? part : text(part))).join("");
}

function text(part) {
  return part.replaceAll("<", "&lt;").replaceAll("{{", "&#123;&#123;");
}

/** A line whose links are changed by a function, which gives null for what leads to no page: then only the words stay. */
export function relinked(line, change) {
  return line.replace(/(!?)\[((?:[^\]\\]|\\.)*)\]\(([^)\s]+)\)/g, (whole, image, words, address) => {
    if (image) return "";
    const to = change(address);
    return to === null ? words : `[${words}](${to})`;
  });
}
