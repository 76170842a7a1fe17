// A file as plain data: highlighted lines with numbers that are links, and the problems below the lines that have them.
import { tokensOf } from "./yaml_tokens.js";
import { h, prose } from "./tree.js";

/** The listing of a file. `id` is the element's, for links to its lines. */
export function listing({ name, text, diagnostics, id }) {
  const lines = text.replace(/\n$/, "").split("\n");
  const problems = diagnostics.filter((it) => it.file === name && it.line !== null);
  return h(
    "div",
    { class: "listing", part: "listing", tabindex: 0, role: "region", "aria-label": `File ${name}` },
    lines.map((line, at) => lineOf({ name, line, number: at + 1, problems, id })),
  );
}

function lineOf({ name, line, number, problems, id }) {
  const here = problems.filter((it) => it.line === number);
  const link = id ? `#${encodeURIComponent(`${id}:${name}:${number}`)}` : null;
  const label = `Line ${number} of ${name}`;
  const mark = link ? h("a", { class: "number", href: link, tabindex: -1, "aria-label": label }, number) : h("span", { class: "number", "aria-hidden": "true" }, number);
  const worst = ["error", "warning", "hint"].find((severity) => here.some((it) => it.severity === severity));
  return [
    h("div", { class: `line${worst ? ` has-${worst}` : ""}`, "data-line-of": name, "data-number": number }, mark, h("code", {}, tokensOf(line).map(([kind, part]) => (kind ? h("span", { class: `t-${kind}` }, part) : part)))),
    here.map(problem),
  ];
}

function problem(it) {
  return h(
    "p",
    { class: `problem ${it.severity}`, part: `problem problem-${it.severity}` },
    h("strong", {}, `${it.severity}: `),
    prose(it.message),
    " ",
    h("code", { class: "muted" }, it.code),
    it.help && h("span", { class: "muted" }, " ", prose(it.help)),
  );
}
