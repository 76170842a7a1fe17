import type { EditorView } from "@codemirror/view";
import type { EditView, FixView, HoverOriginView, HoverView, LocationView } from "./contract";
import { el, prose, setVariable } from "./dom";
import type { Host } from "./host";
import { severityIcon } from "./icons";
import { toRange } from "./position";
import { findAgain, type Problem, problemsAreFresh } from "./problems";
import { type Action, actionTones, actions, rules } from "./values";
import { words } from "./words";

/** The problems at a position. */
export function problemParts(host: Host, editor: EditorView, problems: Problem[]): HTMLElement[] {
  return problems.map((problem) => problemPart(host, editor, problem));
}

function problemPart(host: Host, editor: EditorView, problem: Problem): HTMLElement {
  const { view } = problem;
  const body = el("div", { class: "pl-problem-body" });
  body.append(el("p", { class: "pl-message" }, el("span", { class: "pl-hidden" }, `${view.severity}: `), ...prose(view.message)));
  if (view.help) body.append(el("p", { class: "pl-help" }, ...prose(view.help)));
  for (const related of view.related ?? []) {
    body.append(el("p", { class: "pl-related" }, link(host, related), el("span", {}, ...prose(related.message))));
  }
  const fixes = (view.fixes ?? []).map((fix, n) => fixRow(host, editor, fix, () => applyFix(host, editor, problem, n)));
  if (fixes.length > 0) body.append(el("div", { class: "pl-fixes" }, ...fixes));
  const code = el("span", { class: "pl-code", title: words.explain(view.code) }, view.code);
  return el("section", { class: "pl-part pl-part-problem" }, severityIcon(view.severity), body, code);
}

/** The problems may have been computed again, in another order, since the card was drawn. */
function applyFix(host: Host, editor: EditorView, problem: Problem, fix: number): void {
  const now = findAgain(editor.state, problem);
  if (now) host.options.onApplyFix?.(now.index, fix);
}

function fixRow(host: Host, { state }: EditorView, fix: FixView, run: () => void): HTMLElement {
  const button = el("button", { type: "button", class: "pl-fix", on: { click: run } }, ...prose(fix.title));
  const edits = problemsAreFresh(state) ? (fix.edits ?? []) : [];
  return el("div", { class: "pl-fix-row" }, button, preview(host, state, edits));
}

const longest = 48;

/** A preview of the edits of a fix, if it is short. */
function preview(host: Host, state: EditorView["state"], edits: EditView[]): HTMLElement | null {
  if (edits.length === 0 || edits.length > 3) return null;
  const rows = edits.map((edit) => {
    const { from, to } = toRange(state.doc, edit);
    const old = edit.file === host.file() ? state.sliceDoc(from, Math.min(to, from + 400)) : "";
    return el("span", { class: "pl-edit" }, short("del", old), old && edit.new_text ? " " : null, short("ins", edit.new_text));
  });
  return el("span", { class: "pl-preview" }, ...rows);
}

function short(tag: "del" | "ins", text: string): HTMLElement | null {
  const line = text.trim().split("\n")[0] ?? "";
  if (!line) return null;
  const cut = line.length > longest || text.trim().includes("\n");
  return el(tag, {}, cut ? `${[...line].slice(0, longest).join("")}…` : line);
}

/** The four parts of a hover card. */
export function hoverParts(host: Host, view: HoverView): HTMLElement[] {
  const parts = [keyPart(view)];
  if (view.value !== null) parts.push(row(words.value, el("pre", { class: "pl-value" }, view.value)));
  if (view.origins.length > 0) parts.push(row(words.setBy, originList(host, view.origins)));
  if (view.plan) parts.push(row(words.plan, planSentence(view.plan, view.action)));
  return parts;
}

function keyPart(view: HoverView): HTMLElement {
  return el(
    "section",
    { class: "pl-part pl-part-key" },
    el(
      "p",
      { class: "pl-title" },
      el("strong", {}, view.title),
      view.shape ? el("span", { class: "pl-shape" }, view.shape) : null,
    ),
    view.doc ? el("p", { class: "pl-doc" }, ...prose(view.doc)) : null,
  );
}

function row(name: string, content: HTMLElement): HTMLElement {
  return el("section", { class: "pl-part pl-part-row" }, el("h4", {}, name), content);
}

function originList(host: Host, origins: HoverOriginView[]): HTMLElement {
  const list = el("ol", { class: "pl-origins" });
  for (const origin of origins) {
    const state = origin.shadowed ? "shadowed" : "effective";
    const oneLine = origin.value.replace(/\s*\n\s*/g, " ").trim();
    list.append(
      el(
        "li",
        { class: `pl-origin pl-origin-${state}` },
        badge(host, origin.file),
        link(host, origin),
        el("span", { class: "pl-rule" }, ...prose(rules[origin.rule])),
        el("code", { title: origin.value }, oneLine),
        el("span", { class: "pl-hidden" }, words[state]),
      ),
    );
  }
  return list;
}

function badge(host: Host, file: string): HTMLElement | null {
  const layer = host.layer(file);
  if (!layer) return null;
  const node = el("span", { class: "pl-badge", "aria-label": words.layer(layer.letter) }, layer.letter);
  setVariable(node, "--layer", layer.color);
  return node;
}

function planSentence(plan: string, action: Action | null): HTMLElement {
  const known = action ?? "no_op";
  const symbol = el("span", { class: "pl-symbol", "aria-hidden": "true" }, actions[known]);
  return el("p", { class: `pl-plan pl-action-${actionTones[known]}` }, symbol, el("span", {}, ...prose(plan)));
}

/** A location as a link. */
export function link(host: Host, place: LocationView): HTMLElement {
  const to: LocationView = {
    file: place.file,
    line: place.line,
    column: place.column,
    end_line: place.end_line,
    end_column: place.end_column,
  };
  const run = () => host.options.onGoto?.(to);
  return el("button", { type: "button", class: "pl-link", on: { click: run } }, `${place.file}:${place.line}`);
}
