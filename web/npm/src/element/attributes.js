// The attributes of the elements, and the properties that mirror them.

const text = (attribute, fallback = null) => ({
  enumerable: true,
  configurable: true,
  get() {
    return this.getAttribute(attribute) ?? fallback;
  },
  set(value) {
    if (value === null || value === undefined) this.removeAttribute(attribute);
    else this.setAttribute(attribute, value);
  },
});

/** One of these words; anything else counts as the first. */
const word = (attribute, ...words) => ({
  ...text(attribute),
  get() {
    const value = this.getAttribute(attribute);
    return words.includes(value) ? value : words[0];
  },
});

const flag = (attribute) => ({
  ...text(attribute),
  get() {
    return this.hasAttribute(attribute);
  },
  set(value) {
    this.toggleAttribute(attribute, Boolean(value));
  },
});

/** Properties by name. `focus` is a method of every element, so the property of that attribute is `focusTarget`. */
export const mirrored = new Map([
  ["view", text("view")],
  ["readOnly", flag("readonly")],
  ["theme", word("theme", "auto", "light", "dark")],
  ["focusTarget", text("focus")],
  ["height", text("height")],
  ["mode", word("mode", "apply", "destroy")],
  ["src", text("src")],
  ["stateSrc", text("state-src")],
  ["from", text("from")],
  ["loading", word("loading", "lazy", "eager", "click")],
  ["allowNetwork", text("allow-network")],
  ["adapterPath", text("adapter-path")],
]);

export const ATTRIBUTES = ["view", "readonly", "theme", "focus", "height", "mode", "src", "state-src", "from", "allow-network", "adapter-path"];
