// A dialog that is answered or left. Escape leaves it.
import { h, toDom } from "./tree.js";

export class Confirmation {
  constructor() {
    this.node = toDom(h("dialog", { class: "confirmation", part: "confirmation", "aria-labelledby": "confirmation-heading" }));
    this.node.addEventListener("click", ({ target }) => target.closest("[data-cancel]") && this.close());
  }

  /** Shows a form. A promise of what was typed, an empty text where nothing is; null if it is left. */
  async ask(tree, { named = null } = {}) {
    const form = toDom(tree);
    const typed = form.querySelector("input");
    if (named !== null) typed.addEventListener("input", () => (form.querySelector("[type=submit]").disabled = typed.value !== named));
    this.node.replaceChildren(form);
    this.node.returnValue = "";
    this.node.showModal();
    await new Promise((closed) => this.node.addEventListener("close", closed, { once: true }));
    const value = typed?.value ?? "";
    // What was typed may be a token.
    this.node.replaceChildren();
    return this.node.returnValue === "yes" ? value : null;
  }

  close() {
    this.node.close("");
  }
}
