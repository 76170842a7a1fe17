// All texts of the elements. Symbols and rules are those of the app's editor, which are generated from the engine's.
import { actions, rules } from "../../../editor/src/values.ts";

/** What loses something comes first. */
export const BY_RISK = ["destroy", "rebuild", "update", "create", "move", "forget"];

export const symbolOf = (action) => actions[action] ?? "";
export const ruleOf = (rule) => rules[rule] ?? rule;

const HEADINGS = {
  destroy: "Destroy",
  rebuild: "Rebuild",
  update: "Update",
  create: "Create",
  move: "Rename in the state: nothing else changes",
  forget: "Forget: it no longer exists",
  no_op: "Unchanged",
};
const WORDS = { ...Object.fromEntries(BY_RISK.map((it) => [it, it])), move: "rename", no_op: "unchanged" };
const PAST = { destroy: "destroyed", rebuild: "rebuilt", update: "updated", create: "created", move: "renamed in the state", forget: "forgotten" };
const EDGES = {
  depends_on: "depends on",
  reference: "takes a value of",
  attachment: "is attached to",
  link: "is linked to",
  version: "runs",
};

export const headingOf = (action) => HEADINGS[action] ?? action;
export const wordOf = (action) => WORDS[action] ?? action;
export const edgeOf = (kind) => EDGES[kind] ?? kind;
/** What happens to a resource, as the rest of a sentence. */
export const futureOf = (action) => (PAST[action] ? `will be ${PAST[action]}` : "stays as it is");

export const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
export const placeOf = ({ file, line }) => `${file}:${line}`;

/** Says what a plan does, risk first: `services.old will be destroyed and services.web rebuilt; 2 resources stay as they are.` */
export function sentenceOf(plan) {
  const { create, unchanged } = plan.summary;
  const present = BY_RISK.map((action) => [action, plan.summary[action] ?? 0]).filter(([, number]) => number > 0);
  if (present.length === 0) return "Nothing to do: everything is as described.";
  const isNew = plan.mode !== "destroy" && unchanged === 0 && plan.actions.every((it) => it.reason?.kind === "new");
  if (isNew) return `Everything is new: ${count(create, "resource")} will be created.`;
  const parts = present.map(([action, number], at) => {
    const named = plan.actions.find((it) => it.action === action)?.address;
    const who = number === 1 && named ? named : count(number, "resource");
    return `${who} ${at === 0 ? "will be " : ""}${PAST[action]}`;
  });
  const joined = parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
  const rest = unchanged === 0 ? "" : `; ${unchanged === 1 ? "1 resource stays as it is" : `${unchanged} resources stay as they are`}`;
  const isSafe = (plan.summary.destroy ?? 0) + (plan.summary.rebuild ?? 0) === 0;
  return `${joined}${rest}.${isSafe ? " Nothing will be destroyed." : ""}`;
}

/** The problems of files in a few words. */
export function problemsOf(diagnostics) {
  const number = (severity) => diagnostics.filter((it) => it.severity === severity).length;
  const found = ["error", "warning", "hint"].map((it) => [it, number(it)]).filter(([, many]) => many > 0);
  return found.length === 0 ? "No problems" : found.map(([noun, many]) => count(many, noun)).join(", ");
}

export const BLOCKED =
  "WebAssembly is blocked by the content security policy of this page. Add 'wasm-unsafe-eval' to script-src, for example: Content-Security-Policy: script-src 'self' 'wasm-unsafe-eval'";
