// All texts of the elements. The words of actions, rules and edges are those of the engine, from which they are generated.
import { actionHeadings, actionLabels, actionTones, actions, actionsByRisk, actionsFuture, actionsPast, edges, rules } from "../../../editor/src/values.ts";

/** What loses something comes first; without what stays as it is. */
export const BY_RISK = actionsByRisk.filter((it) => it !== "no_op");

export const symbolOf = (action) => actions[action] ?? "";
export const headingOf = (action) => actionHeadings[action] ?? action;
export const wordOf = (action) => actionLabels[action] ?? action;
/** The class that sets `--action`, the colour of an action. */
export const toneOf = (action) => actionTones[action] ?? "";
/** What happens to a resource, as the rest of a sentence. */
export const futureOf = (action) => actionsFuture[action] ?? action;
export const ruleOf = (rule) => rules[rule] ?? rule;
export const edgeOf = (kind) => edges[kind] ?? kind;

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
    return `${who} ${at === 0 ? "will be " : ""}${actionsPast[action]}`;
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
