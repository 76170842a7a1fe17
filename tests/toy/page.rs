//! Runs the page of lists of hosts, as `tests/suite.rs` runs the others: with all capabilities that there are, and this one.

use std::{fs, path::Path};

use capabilities::Parts;
use merge::Layer;
use planloom_tests::{cases, engine::Engine, page::Page, update};
use planloom_toy::{REGISTRATION, Toy};
use workspace::{
    File, Workspace,
    capability::{
        Capability, Contribution, FileLayer, Format, FrontEnd, Inputs, Precedence, Reader, Recognizer,
        Registration, SyntaxCheck,
    },
    view::Role,
};

fn with_toy() -> Workspace {
    let mut workspace = capabilities::workspace();
    workspace.load(Box::new(Toy));
    workspace
}

#[test]
fn the_page_says_what_happens() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("hosts.md");
    let text = fs::read_to_string(&path).expect("the page");
    let page = Page::parse("hosts", &text).answered_by(Engine(with_toy));
    let checked = update::check_or_write(&path, &page);
    cases::write("toy-cases.json", &checked.examples);
    let differences = checked.differences;
    assert!(differences.is_empty(), "(PLANLOOM_UPDATE=1 writes what came out into the page)\n{differences}");
}

/// Files that two capabilities would describe a deployment from, which are loaded one after the other.
#[test]
fn the_order_in_which_capabilities_are_loaded_changes_nothing() {
    let file = |name: &str, text: &str| File { name: name.into(), text: text.into(), package: None };
    let hosts = file("hosts.yaml", "format: toy.hosts/1\nhosts: {web: 10.0.0.2}\n");
    let manifest = file("manifest.yml", "name: cf\ninstance_groups: []\nreleases: []\nstemcells: []\n");
    let service = "name: a.example.com\nproto: {package: {name: a, currentVersion: v1}}\nresources: []\n";
    let service = file("service.yaml", service);
    let registered = [capabilities::ALL, &[&REGISTRATION]].concat();
    let merged = |files: &[File], loads: [fn(&mut Workspace); 2]| {
        let mut workspace = Workspace::with(&registered);
        workspace.set_files(files.to_vec());
        loads.iter().for_each(|load| load(&mut workspace));
        assert_eq!(workspace.not_loaded(), [""; 0]);
        workspace.merged_yaml()
    };
    let toy: fn(&mut Workspace) = |it| it.load(Box::new(Toy));
    let linking: fn(&mut Workspace) = |it| drop(Parts::linking().complete(it));
    let services: fn(&mut Workspace) = |it| drop(Parts::services().complete(it));
    for (files, loads, expected) in [
        // Layers count more than a document that is combined by rules of its own, and of these the first one.
        ([hosts, manifest.clone()], [toy, linking], "10.0.0.2"),
        ([service, manifest], [services, linking], "instance_groups"),
    ] {
        let described = merged(&files, loads);
        assert!(described.contains(expected), "{described}");
        assert_eq!(described, merged(&files, [loads[1], loads[0]]));
    }
}

static LINES: Format = Format {
    id: "toy-lines",
    name: "list of lines",
    role: Role::Layer,
    precedence: Precedence::Says,
    recognise: Recognizer::Text(|it| it.starts_with("# lines").then_some("it begins with `# lines`")),
    reader: Reader::Layer,
    syntax: SyntaxCheck::ByReader,
    notice: None,
    sample: "# lines\n",
};

static OF_LINES: Registration = Registration { name: "lines", formats: &[&LINES], hooks: &[] };

/// A capability whose files are no YAML.
#[derive(Debug)]
struct Lines;

impl Capability for Lines {}

impl FrontEnd for Lines {
    fn registration(&self) -> &'static Registration {
        &OF_LINES
    }

    fn read(&mut self, inputs: &Inputs<'_>) -> Contribution {
        let layer = |file| FileLayer { file, layer: Layer::new(None, None), deployment: None };
        Contribution { layers: inputs.of(&LINES).map(|it| layer(it.id)).collect(), ..Contribution::default() }
    }
}

/// What such a file describes is for its front end to say.
#[test]
fn layers_without_a_document_are_not_reported_as_empty() {
    let codes = |text: &str| -> Vec<String> {
        let mut workspace = Workspace::with(&[&OF_LINES]);
        workspace.load(Box::new(Lines));
        workspace.set_files(vec![File { name: "a.txt".into(), text: text.into(), package: None }]);
        workspace.diagnostics().diagnostics.into_iter().map(|it| it.code).collect()
    };
    assert_eq!(codes("# lines\na\n"), [""; 0]);
    assert_eq!(codes("# nothing\n"), ["workspace/nothing-described"]);
}
