// Applying the plan at an adapter that the page permits: real resources. Nothing is loaded or sent before the reader clicks.
import { adapterTools, confirmationTree, tokenTree } from "./adapter_tree.js";
import { permitted } from "./adapter_origin.js";
import { Confirmation } from "./confirmation.js";
import { failureOf, failuresOf, helpOf, outcomeOf } from "./adapter_failure.js";
import { count } from "./words.js";
import { h, toDom } from "./tree.js";

export class AdapterRun {
  #view;
  #element;
  #tools;
  #confirmation = new Confirmation();
  #steps = new Map();
  #doing = "nothing";
  #run = 0;

  constructor(view, element) {
    this.#view = view;
    this.#element = element;
    this.#tools = toDom(h("div", { class: "tools adapter" }));
    this.node = toDom(h("div", { class: "adapter-frame", part: "adapter", role: "group", "aria-label": "Adapter", hidden: true }));
    this.node.append(this.#tools, this.#confirmation.node);
    this.#tools.addEventListener("click", ({ target }) => target.closest("[data-adapter]") && this.#begin());
  }

  /** The files or the attributes are others: what was asked about the ones before is of no interest any more. A run goes on. */
  draw() {
    if (this.#doing !== "applying") this.#leave();
    this.#show();
  }

  #leave() {
    this.#run += 1;
    this.#doing = "nothing";
    this.#confirmation.close();
  }

  get #allowed() {
    const text = this.#element.allowNetwork;
    return text === null || this.#element.readOnly ? null : permitted(text, this.#element.adapterPath);
  }

  async #begin() {
    const { model } = this.#view;
    const { address } = this.#allowed;
    const run = (this.#run += 1);
    const options = { files: model.files, adapter: address, destroy: model.mode === "destroy", state_key: this.#stateKey(model) };
    this.#doing = "planning";
    this.#show(`The plan at ${address} is being made.`);
    await this.#guarded(run, options, () => this.#plan(run, options));
  }

  /** Two pages whose deployments have no name must not have one state. */
  #stateKey(model) {
    return "/meta/name" in model.origins ? undefined : `${location.pathname}#${this.#element.id}`;
  }

  /** What goes wrong is said; an adapter that requires a token is tried again with one. */
  async #guarded(run, options, work) {
    try {
      await work();
    } catch (error) {
      if (run !== this.#run) return;
      if (error?.code === "adapter/unauthorized") return this.#authorize(run, options, error);
      this.#end(failureOf(error), helpOf(error, new URL(options.adapter).origin));
      this.#view.say("error", { code: error?.code ?? "element/failed", message: String(error?.message ?? error) });
    }
  }

  async #authorize(run, options, error) {
    const token = await this.#confirmation.ask(tokenTree(options.adapter, `${error.message} ${error.help ?? ""}`));
    if (run !== this.#run) return;
    if (!token) return this.#end("Nothing was done.");
    const authorized = { ...options, token };
    await this.#guarded(run, authorized, () => this.#plan(run, authorized));
  }

  async #plan(run, options) {
    const { init, plan } = await import("./adapters.js");
    await init();
    const planned = await plan(options);
    if (run !== this.#run) return;
    const { summary, actions, deployment, digest } = planned.plan;
    if (planned.kept !== "database") return this.#end("Nothing can be applied: this browser keeps no data of this page, so what is created could not be found again.");
    if (actions.every((it) => it.action === "no_op")) return this.#end(`Nothing to do at ${options.adapter}: ${count(planned.recorded, "resource")} recorded, all as described.`);
    const named = summary.destroy + summary.rebuild > 0 ? deployment : null;
    const answer = await this.#confirmation.ask(confirmationTree({ ...planned, address: options.adapter }, named), { named });
    if (run !== this.#run) return;
    if (answer === null) return this.#end("Nothing was done.");
    await this.#apply(run, { ...options, digest }, actions);
  }

  async #apply(run, options, actions) {
    const { apply } = await import("./adapters.js");
    this.#doing = "applying";
    this.#steps = new Map(actions.filter((it) => it.action !== "no_op").map((it) => [it.id, { state: "not_started" }]));
    // The record of real resources should not be the first to go where a disk is full.
    navigator.storage?.persist?.().catch(() => {});
    this.#show();
    const result = await apply(options, (step) => this.#step(step, options.adapter));
    this.#end(outcomeOf(result, options), failuresOf(result));
    const { ok, summary, serial, state } = result;
    this.#view.say("applied", { adapter: options.adapter, ok, summary, serial, state });
  }

  #step(step, adapter) {
    this.#steps.set(step.step, step);
    if (step.step !== step.action) this.#steps.delete(step.action); // a rebuild is two steps
    this.#view.say("step", { ...step, adapter });
    this.#show();
  }

  #end(text, why = []) {
    this.#doing = "nothing";
    this.#show(text, why);
  }

  #show(text = "", failed = []) {
    const allowed = this.#allowed;
    this.node.hidden = allowed === null;
    if (allowed === null) return this.#tools.replaceChildren();
    const steps = [...this.#steps.values()];
    const isApplying = this.#doing === "applying";
    const done = steps.filter((it) => it.state === "done").length;
    const { plan, mode } = this.#view.model;
    const isPossible = !plan.diagnostics.some((it) => it.severity === "error");
    const said = isApplying ? `Applying at ${allowed.address}: ${done} of ${count(steps.length, "step")} done.` : text;
    const isFocused = this.#tools.contains(this.#tools.getRootNode().activeElement);
    const tree = adapterTools({ ...allowed, mode, said, failed, isBusy: this.#doing !== "nothing", isPossible, progress: isApplying && { of: steps.length, done } });
    this.#tools.replaceChildren(...tree.filter(Boolean).map((it) => toDom(it)));
    if (isFocused) this.#tools.querySelector("button:enabled")?.focus();
  }
}
