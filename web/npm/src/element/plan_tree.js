// The plan as plain data: one sentence, then what destroys something first, each with its reason and its changes.
import { place } from "./card_tree.js";
import { BY_RISK, count, headingOf, sentenceOf, symbolOf, toneOf } from "./words.js";
import { h, prose } from "./tree.js";

const HIDDEN = "••••••";
const NONE = "–";

/** The whole plan. `id` is the element's, for links to its rows. */
export function planTree({ plan, id }) {
  const errors = plan.diagnostics.filter((it) => it.severity === "error");
  return h(
    "div",
    { class: "plan-body", part: "plan" },
    h("p", { class: "sentence", part: "sentence" }, prose(errors.length > 0 ? refused(errors) : sentenceOf(plan))),
    BY_RISK.map((action) => section(plan, action, id)),
    plan.summary.unchanged > 0 && h("p", { class: "muted" }, `${count(plan.summary.unchanged, "resource")} unchanged`),
  );
}

function refused(errors) {
  return `There is no plan that can be applied: ${count(errors.length, "error")}. ${errors[0].message}.`;
}

function section(plan, action, id) {
  const rows = plan.actions.filter((it) => it.action === action);
  if (rows.length === 0) return null;
  return h(
    "section",
    { class: toneOf(action), "aria-label": headingOf(action) },
    h("p", { class: "heading", "aria-hidden": "true" }, `${headingOf(action)} `, h("span", { class: "muted" }, rows.length)),
    rows.map((it) => row(it, plan, id)),
  );
}

function row(action, plan, id) {
  const link = id ? `#${encodeURIComponent(`${id}:${action.address}`)}` : null;
  return h(
    "details",
    { class: "row", part: `row row-${action.action}`, id: `step-${action.id}`, "data-address": action.address, "data-step": action.id },
    h(
      "summary",
      {},
      h("span", { class: `symbol ${toneOf(action.action)}` }, symbolOf(action.action)),
      h("code", {}, action.address),
      action.previous_address && h("span", { class: "muted" }, `, recorded as ${action.previous_address}`),
      h("span", { class: "outcome muted" }),
      h("span", { class: "why" }, " ", prose(action.reason?.sentence ?? "")),
    ),
    h("div", { class: "more" }, cause(action, plan), changes(action), h("p", { class: "links" }, action.origin && place(action.origin), link && h("a", { href: link }, "Link to this row"))),
  );
}

/** The row that causes this one. */
function cause({ reason }, plan) {
  const by = reason?.cause && plan.actions.find((it) => it.id === reason.cause);
  return by && h("p", {}, "Because of ", h("button", { class: "place", type: "button", "data-goto": by.address }, by.address));
}

function changes(action) {
  if (action.changes.length === 0) return null;
  const heads = ["Path", "Recorded", "Desired"];
  const observed = action.changes.some((it) => it.observed !== null);
  const columns = observed ? [heads[0], heads[1], "Real", heads[2], "Set by"] : [...heads, "Set by"];
  const cells = (it) => [h("td", {}, value(it, it.persisted)), observed && h("td", {}, value(it, it.observed)), h("td", {}, desired(it)), h("td", {}, it.origin && place(it.origin))];
  return h(
    "div",
    { class: "wide", tabindex: 0, role: "group", "aria-label": `Changes of ${action.address}` },
    h("table", {}, h("thead", {}, h("tr", {}, columns.map((it) => h("th", { scope: "col" }, it)))), h("tbody", {}, action.changes.map((it) => h("tr", {}, h("th", { scope: "row" }, it.path), cells(it))))),
  );
}

function value(change, it) {
  if (change.sensitive) return HIDDEN;
  return it === null ? NONE : short(it);
}

function desired(change) {
  if (change.sensitive) return HIDDEN;
  const text = change.desired === null ? NONE : short(change.desired);
  const marks = [change.unknown && "known later", change.forces_rebuild && "requires a rebuild"].filter(Boolean);
  return [change.unknown ? h("em", {}, text) : text, marks.length > 0 && h("span", { class: "muted" }, ` (${marks.join(", ")})`)];
}

function short(it) {
  return typeof it === "string" ? it : JSON.stringify(it);
}
