// What files need from outside: a host answers, and the plan has it.
import { assert, check, engine, equal, finish } from "./harness.mjs";

const { Workspace } = await engine();

const SPECIFICATION = `name: inventory.example.com
proto: {package: {name: example.inventory, currentVersion: v1}}
resources:
- name: Project
- name: Device
  parents: [Project]
`;

const FIXTURES = `kind: inventory.example.com/Device
version: v1
createForEach:
- {kind: inventory.example.com/Project, filter: 'metadata.labels.stage = "test"', varRef: project}
withVarReplacements:
- {placeholder: <project>, value: $project.Name.ProjectId}
resources:
- {name: projects/<project>/devices/one}
`;

function workspace() {
  const made = new Workspace();
  made.setFiles([
    { name: "inventory.yaml", text: SPECIFICATION },
    { name: "devices.yaml", text: FIXTURES },
  ]);
  return made;
}

await check("a plan without an answer is refused, at the place that needs it", () => {
  const asked = workspace();
  const [need] = asked.needs();
  equal(`${need.kind} ${need.name} ${JSON.stringify(need.arguments)}`, 'resources inventory.example.com/Project {"filter":"metadata.labels.stage = \\"test\\""}', "the need");
  const { diagnostics, actions } = asked.plan();
  const problems = diagnostics.filter((it) => it.severity === "error").map((it) => `${it.code} ${it.file}:${it.line}`);
  equal(`${problems.join()} ${actions.length}`, "plan/unanswered devices.yaml:4 0", "the plan");
});

await check("with resources as the answer, they are planned for", () => {
  const asked = workspace();
  const [need] = asked.needs();
  assert(asked.answer(need, [{ name: "projects/a" }, { name: "projects/b" }]), "it is needed");
  equal(asked.needs().length, 0, "further needs");
  const addresses = asked.plan().actions.map((it) => it.address);
  equal(addresses.join(), 'inventory.example.com/Device."projects/a/devices/one",inventory.example.com/Device."projects/b/devices/one"', "what is planned");
});

await check("an answer that nothing needs changes nothing, and no need is an error", () => {
  const asked = workspace();
  const [need] = asked.needs();
  assert(!asked.answer({ ...need, name: "inventory.example.com/Service" }, null), "another name");
  assert(!asked.answer(need, 7), "a number");
  assert(asked.answer(need, null), "no");
  for (const wrong of [undefined, "need", {}]) {
    let code;
    try {
      asked.answer(wrong, null);
    } catch (error) {
      code = error.code;
    }
    equal(code, "wasm/bad-argument", JSON.stringify(wrong));
  }
});

finish();
