// What the loader loads when an element is first seen.
export { open } from "./view.js";
