// Opens an editor whose providers answer what a test put into `answers`, and keeps the events that it received.
// Requests are kept by kind: Chromium may report a pointer that does not move, and a card is requested for what is below it.
import { createEditor } from "/editor.js";

const events = { change: [], edit: [], cursor: [], goto: [], fix: [], command: [], requested: { hover: [], completion: [], definition: [] }, violations: [] };
const answers = { hover: null, completion: [], definition: null, command: false, delay: 0 };
const later = (value) => new Promise((done) => setTimeout(() => done(value), answers.delay));

addEventListener("securitypolicyviolation", (event) => events.violations.push(`${event.violatedDirective} ${event.sourceFile}`));

const editor = createEditor(document.querySelector("#editor"), {
  placeholder: "Write a descriptor, or drop files here",
  onChange: (name, text) => events.change.push([name, text]),
  onEdit: (name, changes) => events.edit.push([name, changes]),
  onCursor: (line, column) => events.cursor.push([line, column]),
  onGoto: (place) => events.goto.push(place),
  onApplyFix: (problem, fix) => events.fix.push([problem, fix]),
  onCommand: (name) => (events.command.push(name), answers.command),
  provideHover: (line, column) => (events.requested.hover.push([line, column]), later(answers.hover)),
  provideCompletion: (line, column, explicit) => (events.requested.completion.push([line, column, explicit]), later(answers.completion)),
  provideDefinition: (line, column) => (events.requested.definition.push([line, column]), later(answers.definition)),
});

Object.assign(window, { editor, events, answers });
