// What is said before, during and after an apply at an adapter, as plain data. Nothing of it looks like the simulator.
import { BY_RISK, count, sentenceOf, symbolOf, toneOf, wordOf } from "./words.js";
import { h, prose } from "./tree.js";

/** The button, how far a run is, and what came of it. */
export function adapterTools({ address, refusal, mode, isBusy, isPossible, said, failed, progress }) {
  if (refusal) return [h("p", { class: "refusal", part: "refusal", role: "note" }, refusal)];
  const label = mode === "destroy" ? `Destroy at ${address}…` : `Apply at ${address}…`;
  return [
    h("button", { class: "tool real", part: "adapter-button", type: "button", "data-adapter": "plan", disabled: isBusy || !isPossible }, label),
    progress && h("progress", { max: progress.of, value: progress.done, "aria-label": `Progress at ${address}` }),
    h("span", { role: "status" }, said),
    h("div", { role: "alert" }, failed.map((it) => h("p", { class: "failed" }, it))),
  ];
}

/** The plan at the adapter, and what has to be confirmed. `named` is what has to be typed first, or null. */
export function confirmationTree({ address, adapter, plan, recorded, recovered }, named) {
  const changed = plan.actions.filter((it) => BY_RISK.includes(it.action));
  const verb = plan.mode === "destroy" ? "Destroy" : "Apply";
  return form(
    `${verb} at ${address}?`,
    h("p", { class: "real-note" }, `This changes real resources, through the adapter “${adapter}” at ${address}.`),
    recovered.length > 0 && h("p", {}, `An earlier run was interrupted. ${recovered.map(found).join(", ")}.`),
    h("p", {}, prose(sentenceOf(plan))),
    h("ul", { class: "counts" }, BY_RISK.filter((it) => plan.summary[it] > 0).map((it) => h("li", { class: toneOf(it) }, `${plan.summary[it]} to ${wordOf(it)}`))),
    h("ul", { class: "changes", tabindex: 0, "aria-label": "Changes" }, changed.map(change)),
    h("p", { class: "muted" }, `Recorded in this browser for this adapter: ${count(recorded, "resource")}. Only this browser has that record: who clears its data has to destroy the resources by hand.`),
    named !== null && h("label", {}, `Something is destroyed. Type ${named} to confirm: `, h("input", { name: "typed", autocomplete: "off", spellcheck: "false" })),
    h("div", { class: "answers" }, cancel({ autofocus: true }), submit(`${verb} ${count(changed.length, "change")} at ${address}`, { disabled: named !== null })),
  );
}

/** Asks for the token of an adapter. */
export function tokenTree(address, why) {
  return form(
    `A token for ${address}`,
    h("p", {}, why),
    h("label", {}, "Token ", h("input", { name: "typed", type: "password", autocomplete: "off", autofocus: true, required: true })),
    h("p", { class: "muted" }, "It is sent to this adapter only, and it is not kept."),
    h("div", { class: "answers" }, cancel({}), submit("Show the plan", {})),
  );
}

const form = (heading, ...contents) => h("form", { method: "dialog" }, h("h2", { id: "confirmation-heading" }, heading), contents);
const cancel = (more) => h("button", { class: "tool", type: "button", "data-cancel": true, ...more }, "Cancel");
const submit = (label, more) => h("button", { class: "tool real", type: "submit", value: "yes", ...more }, label);
const found = (it) => `${it.address} (${it.verb}) ${it.found ? "exists" : "does not exist"}`;

function change({ action, address, reason }) {
  return h("li", { class: toneOf(action) }, h("span", { class: `symbol ${toneOf(action)}` }, symbolOf(action)), " ", h("code", {}, address), h("span", { class: "muted" }, ` ${wordOf(action)}. `, prose(reason?.sentence ?? "")));
}
