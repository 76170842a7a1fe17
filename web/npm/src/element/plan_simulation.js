// Applying the plan with the simulator: the steps as they happen, and the state that they leave.
import { count } from "./words.js";
import { h, toDom } from "./tree.js";

/** How long each call of the simulator takes, in milliseconds: long enough to be followed. */
const LATENCY = 300;
const SAID = { running: "running", done: "done", failed: "failed", skipped: "skipped", not_started: "waiting" };

export class Simulation {
  #view;
  #rows;
  #tools;
  #steps = new Map();
  #run = 0;
  #result = null;
  #before;

  constructor(view, rows) {
    this.#view = view;
    this.#rows = rows;
    this.#tools = toDom(h("div", { class: "tools simulation", part: "simulation", role: "group", "aria-label": "Simulator" }));
    this.node = this.#tools;
    this.#tools.addEventListener("click", ({ target }) => this.#click(target.closest("button")?.dataset.simulate));
  }

  /** The plan is another one: what is running is of no interest any more. */
  draw() {
    this.#run += 1;
    this.#steps.clear();
    this.#result = null;
    this.#show();
  }

  async #click(what) {
    if (what === "run") await this.#simulate();
    else if (what === "keep") this.#keep();
    else if (what === "reset") this.#reset();
  }

  async #simulate() {
    const { model } = this.#view;
    const run = (this.#run += 1);
    const isCurrent = () => run === this.#run;
    this.#steps = new Map(model.plan.actions.filter((it) => it.action !== "no_op").map((it) => [it.id, { action: it.id, address: it.address, state: "not_started" }]));
    this.#show("The simulator is being loaded.");
    try {
      const { init, simulate } = await import("./simulation.js");
      await init();
      const options = { files: model.files, state: model.state, destroy: model.mode === "destroy", latency_ms: LATENCY };
      const result = await simulate(options, (step) => isCurrent() && this.#step(step));
      if (isCurrent()) this.#end(result);
    } catch (error) {
      if (isCurrent()) this.#fail(error);
    }
  }

  #step(step) {
    this.#steps.set(step.step, step);
    if (step.step !== step.action) this.#steps.delete(step.action); // a rebuild is two steps
    const row = this.#rows.querySelector(`[data-step="${CSS.escape(step.action)}"]`);
    row?.setAttribute("data-state", step.state);
    row?.querySelector(".outcome")?.replaceChildren(` ${SAID[step.state] ?? step.state}`);
    this.#view.say("step", step);
    this.#show();
  }

  #end(result) {
    this.#result = result;
    const { done, failed, skipped } = result.summary;
    const rest = [failed > 0 && `${failed} failed`, skipped > 0 && `${skipped} skipped`].filter(Boolean);
    this.#show(`Simulated: ${count(done, "step")} done${rest.length > 0 ? `, ${rest.join(", ")}` : ""}. Nothing real was changed.`);
  }

  #fail(error) {
    this.#steps.clear();
    const detail = { code: error?.code ?? "element/failed", message: String(error?.message ?? error) };
    this.#show(`The simulator cannot apply this plan: ${detail.message}.`);
    this.#view.say("error", detail);
  }

  /** The elements that show these files go on from the state that the simulation left. */
  #keep() {
    this.#before ??= { state: this.#view.model.state };
    this.#view.model.setState(this.#result.state);
  }

  #reset() {
    const { state } = this.#before;
    this.#before = undefined;
    this.#view.model.setState(state);
  }

  #show(text = null) {
    const steps = [...this.#steps.values()];
    const isRunning = steps.length > 0 && this.#result === null;
    const done = steps.filter((it) => it.state === "done").length;
    const { plan } = this.#view.model;
    const isPossible = plan.actions.some((it) => it.action !== "no_op") && !plan.diagnostics.some((it) => it.severity === "error");
    const said = text ?? (isRunning ? `Simulating: ${done} of ${count(steps.length, "step")} done.` : "");
    const button = (name, label, disabled = false) => h("button", { class: "tool", type: "button", "data-simulate": name, disabled }, label);
    const contents = [
      button("run", "Apply in the simulator", isRunning || !isPossible || this.#result !== null),
      this.#result?.state && button("keep", "Use the simulated state"),
      this.#before && !isRunning && button("reset", "Reset to the original state"),
      isRunning && h("progress", { max: steps.length, value: done, "aria-label": "Progress of the simulation" }),
      h("span", { class: "muted", role: "status" }, said),
    ];
    this.#replace(contents.filter(Boolean).map((it) => toDom(it)));
  }

  /** Keeps the focus on the button that had it, as far as it is still there. */
  #replace(nodes) {
    const focused = this.#tools.getRootNode().activeElement?.dataset?.simulate;
    this.#tools.replaceChildren(...nodes);
    if (focused) (this.#tools.querySelector(`[data-simulate=${focused}]:enabled`) ?? this.#tools.querySelector("button:enabled"))?.focus();
  }
}
