// Opens an editor whose providers answer what a test put into `answers`, and keeps what it was told.
import { createEditor } from "/editor.js";

const told = { change: [], cursor: [], goto: [], fix: [], command: [], asked: [], violations: [] };
const answers = { hover: null, completion: [], definition: null, command: false, delay: 0 };
const later = (value) => new Promise((done) => setTimeout(() => done(value), answers.delay));

addEventListener("securitypolicyviolation", (event) => told.violations.push(`${event.violatedDirective} ${event.sourceFile}`));

const editor = createEditor(document.querySelector("#editor"), {
  placeholder: "Write a descriptor, or drop files here",
  onChange: (name, text) => told.change.push([name, text]),
  onCursor: (line, column) => told.cursor.push([line, column]),
  onGoto: (place) => told.goto.push(place),
  onApplyFix: (problem, fix) => told.fix.push([problem, fix]),
  onCommand: (name) => (told.command.push(name), answers.command),
  provideHover: (line, column) => (told.asked.push(["hover", line, column]), later(answers.hover)),
  provideCompletion: (line, column, explicit) => (told.asked.push(["completion", line, column, explicit]), later(answers.completion)),
  provideDefinition: (line, column) => (told.asked.push(["definition", line, column]), later(answers.definition)),
});

Object.assign(window, { editor, told, answers });
