// The live plan.
import { AdapterRun } from "./plan_adapter.js";
import { Simulation } from "./plan_simulation.js";
import { planMarkdown } from "./markdown.js";
import { planTree } from "./plan_tree.js";
import { addressOf, targetOf } from "./target.js";
import { h, toDom } from "./tree.js";

export class PlanBody {
  #view;
  #element;
  #rows;
  #said;
  #simulation;
  #adapter;

  constructor(view, element) {
    this.#view = view;
    this.#element = element;
    this.node = toDom(planFrame());
    [this.#rows] = this.node.children;
    this.#said = this.node.querySelector("[role=status]");
    this.#simulation = new Simulation(view, this.#rows);
    this.#adapter = new AdapterRun(view, element);
    this.node.append(this.#simulation.node, this.#adapter.node);
    this.node.addEventListener("click", ({ target }) => this.#click(target));
    this.#rows.addEventListener("toggle", (event) => this.#toggled(event.target), true);
  }

  changed(attribute) {
    if (["allow-network", "adapter-path", "readonly"].includes(attribute)) this.#adapter.draw();
  }

  draw() {
    const open = [...this.#rows.querySelectorAll("details[open]")].map((it) => it.dataset.address);
    this.#rows.replaceChildren(toDom(planTree({ plan: this.#view.model.plan, id: this.#element.id })));
    for (const row of this.#all()) row.open = open.includes(row.dataset.address);
    this.#simulation.draw();
    this.#adapter.draw();
  }

  goto(text, { quietly = false } = {}) {
    const target = targetOf(text);
    const address = target && addressOf(target, this.#view.model);
    const row = this.#all().find((it) => it.dataset.address === address);
    for (const other of this.#all()) other.classList.toggle("current", other === row);
    if (!row) return;
    if (!quietly) row.open = true;
    row.scrollIntoView({ block: "nearest" });
  }

  #all() {
    return [...this.#rows.querySelectorAll("details.row")];
  }

  #click(target) {
    const button = target.closest("button");
    if (button?.hasAttribute("data-copy")) this.#copy();
    else if (button?.dataset.goto) this.goto(button.dataset.goto);
    else if (button?.dataset.file) this.#view.select({ file: button.dataset.file, line: Number(button.dataset.line) });
  }

  #toggled(row) {
    if (!row.open || !row.dataset.address) return;
    const action = this.#view.model.plan.actions.find((it) => it.address === row.dataset.address);
    if (action) this.#view.say("select", { address: action.address, step: action.id });
  }

  async #copy() {
    const text = planMarkdown(this.#view.model.plan);
    try {
      await navigator.clipboard.writeText(text);
      this.#said.textContent = "Copied as Markdown.";
    } catch {
      // Pages without permission for the clipboard still give the text.
      this.node.querySelector(".copied")?.remove();
      const area = toDom(h("textarea", { class: "copied", readonly: true, rows: 6, "aria-label": "The plan as Markdown" }));
      area.value = text;
      this.node.append(area);
      area.select();
      this.#said.textContent = "The clipboard is not available here: copy the text below.";
    }
  }
}

function planFrame() {
  return h(
    "div",
    { class: "plan-frame" },
    h("div", { class: "rows" }),
    h(
      "div",
      { class: "tools", part: "tools" },
      h("button", { class: "tool", type: "button", "data-copy": true }, "Copy as Markdown"),
      h("span", { class: "muted", role: "status" }),
    ),
  );
}
