//! One example of a page: its inputs, put together from its own blocks and what it builds on.

use serde::Serialize;
use versions::VersionOptions;
use workspace::{
    File, PlanOptions, is_named_as,
    view::{CacheQuestion, KnockOn, LinkProfile, Role, ServiceOptions, VersionProfile},
};

use crate::{
    apply,
    engine::Engine,
    outputs,
    package::{self, PackageInput},
    page::{Page, Section},
    requests::{self, Said},
};

/// Everything that goes into the engine.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Inputs {
    /// The files in merge order, those of packages unpacked.
    pub files: Vec<File>,
    /// The packages some of them come from.
    pub packages: Vec<PackageInput>,
    /// Files with type definitions.
    pub types: Vec<File>,
    /// Job specs of BOSH.
    pub releases: Vec<File>,
    /// Files that are named as catalogs, each one of its own.
    pub catalogs: Vec<File>,
    /// The profile whose rules count for links; `strict` by default.
    pub profile: Option<LinkProfile>,
    /// The options for the choice of versions.
    pub versions: VersionOptions,
    /// The earlier inputs with whose links the links are compared.
    pub before: Option<Box<Inputs>>,
    /// True if unknown keys are only warnings.
    pub lenient: bool,
    /// The options of the plan.
    pub plan: PlanOptions,
    /// Requests to the services that specifications describe, and commands for them, in order.
    pub requests: Vec<Said>,
    /// The options with which the services are opened for them.
    pub service: ServiceOptions,
    /// Lists and writes, to be compared with what is cached.
    pub cached: Vec<CacheQuestion>,
    /// True if everything is generated from specifications that can be.
    pub generate: bool,
    /// A conversion between versions of a service. The npm package has none, so neither are its answers compared.
    #[serde(skip)]
    pub conversion: Option<String>,
    /// What is converted: a resource type, what of it, and the text.
    #[serde(skip)]
    pub converted: Vec<String>,
    /// The servers of services, see [`crate::servers`]. The npm package has none, so neither are their answers compared.
    #[serde(skip)]
    pub servers: Option<String>,
    /// What happens among them before it is shown.
    #[serde(skip)]
    pub prepared: Option<String>,
    /// What happens among them.
    #[serde(skip)]
    pub session: Option<String>,
    /// Texts that may be names of resources.
    pub names: Vec<String>,
    /// Texts that may be names or requests.
    pub texts: Vec<String>,
    /// Kinds, each with resources that are merged.
    pub merges: Vec<(String, Vec<serde_json::Value>)>,
    /// The reports of resources once they are made, by address; only for [`apply`].
    #[serde(skip)]
    pub outputs: Option<String>,
    /// The engine that answers.
    #[serde(skip)]
    pub engine: Engine,
}

impl Inputs {
    /// The inputs of a section.
    ///
    /// # Panics
    /// If the section is invalid: unknown settings, a package that is refused.
    pub fn of(page: &Page, section: &Section) -> Self {
        let nothing = || Self { engine: page.engine, ..Self::default() };
        let mut inputs = section.setting("given").map_or_else(nothing, |id| Self::given(page, id));
        inputs.blocks(section);
        if let Some(id) = section.setting("applied") {
            let before = Self::given(page, id);
            inputs.plan.state = Some(apply::state_after(&before, inputs.outputs.as_deref()));
        }
        inputs.before = section.setting("before").map(|id| Box::new(Self::given(page, id)));
        for option in section.setting("options").unwrap_or_default().split(", ").filter(|it| !it.is_empty()) {
            inputs.option(option);
        }
        inputs
    }

    fn given(page: &Page, id: &str) -> Self {
        let section = page.section(id).unwrap_or_else(|| panic!("{}: there is no section {id}", page.name));
        Self::of(page, section)
    }

    fn blocks(&mut self, section: &Section) {
        let mut entries: Vec<(String, String, String)> = Vec::new();
        let mut first_entry: Option<usize> = None;
        for block in &section.blocks {
            let text = block.text.clone();
            match &*block.name {
                "state" => self.plan.state = Some(text),
                "observed" => self.plan.observed = Some(text),
                "outputs" => self.outputs = Some(text),
                "conversion.yaml" => self.conversion = Some(text),
                "convert.txt" => self.converted = text.lines().map(str::to_owned).collect(),
                "servers.txt" => self.servers = Some(text),
                "prepared.txt" => self.prepared = Some(text),
                "session.txt" => self.session = Some(text),
                "names.txt" => self.names = text.lines().map(str::to_owned).collect(),
                "texts.txt" => self.texts = text.lines().map(str::to_owned).collect(),
                "merge.txt" => self.merges = requests::parse_merges(&text),
                "cache.txt" => self.cached = requests::parse_cached(&text),
                "limits.txt" => self.service.limits = requests::parse_limits(&text),
                name if name.ends_with(".http") => self.requests = requests::parse(&text),
                name => match name.split_once('/') {
                    Some(("types", name)) => put(&mut self.types, name, text),
                    Some(("catalogs", name)) => put(&mut self.catalogs, name, text),
                    Some(("releases", name)) => put(&mut self.releases, name, text),
                    Some((zip, name)) if zip.ends_with(".zip") => {
                        first_entry.get_or_insert(self.files.len());
                        entries.push((zip.into(), name.into(), text));
                    }
                    _ if is_file(name) => put(&mut self.files, name, text),
                    _ => {}
                },
            }
        }
        let mut at = first_entry.unwrap_or_default();
        for package in package::packages(entries) {
            self.files.splice(at..at, package.files.clone());
            at += package.files.len();
            self.packages.push(package);
        }
    }

    fn option(&mut self, option: &str) {
        match option.split_once('=') {
            Some(("knock_on", value)) => self.plan.knock_on = Some(named(KnockOn::named, value)),
            Some(("olm", value)) => self.versions.profile = Some(named(VersionProfile::named, value)),
            Some(("openshift", value)) => self.versions.openshift = Some(value.to_owned()),
            Some(("kubernetes", value)) => self.versions.kubernetes = Some(value.to_owned()),
            Some(("priority", value)) => {
                let (name, number) = value.split_once(':').expect("priority=name:number");
                self.versions.priorities.insert(name.into(), number.parse().expect("a number"));
            }
            None if option == "generate" => self.generate = true,
            None if option == "changes" => self.service.changes = true,
            None if option == "lenient_naming" => self.service.lenient_naming = true,
            None if option == "override_on_creation" => self.service.override_on_creation = true,
            None if option == "allow_missing_on_deletion" => self.service.allow_missing_on_deletion = true,
            Some(("seed", value)) => self.service.seed = value.parse().expect("a number"),
            None if option == "fresh" => self.versions.fresh = true,
            Some(("profile", value)) => self.profile = Some(named(LinkProfile::named, value)),
            None if option == "lenient" => self.lenient = true,
            None if option == "destroy" => self.plan.destroy = true,
            None if option == "list_unchanged" => self.plan.list_unchanged = true,
            _ => panic!("there is no option {option}"),
        }
    }
}

fn named<T>(of: fn(&str) -> Option<T>, word: &str) -> T {
    of(word).unwrap_or_else(|| panic!("there is no `{word}`"))
}

/// A file of that name is replaced where it stands; a new one comes last.
fn put(files: &mut Vec<File>, name: &str, text: String) {
    match files.iter_mut().find(|file| file.name == name) {
        Some(file) => file.text = text,
        None => files.push(File { name: name.to_owned(), text, package: None }),
    }
}

/// True if a block of that name is a file, not expected output.
pub fn is_file(name: &str) -> bool {
    let is_proto = name.ends_with(".proto") && !name.contains(' ');
    is_proto || [Role::Layer, Role::Lock].into_iter().any(|it| is_named_as(it, name))
}

/// True if a block of that name is expected output.
pub fn is_expected(name: &str) -> bool {
    const INPUTS: [&str; 12] = [
        "state",
        "observed",
        "outputs",
        "names.txt",
        "texts.txt",
        "merge.txt",
        "cache.txt",
        "limits.txt",
        "convert.txt",
        "servers.txt",
        "prepared.txt",
        "session.txt",
    ];
    let is_input = INPUTS.contains(&name)
        || name.ends_with(".http")
        || name.starts_with("types/")
        || name.starts_with("catalogs/")
        || name.starts_with("releases/");
    !is_input && !is_file(name) && !name.contains(".zip/")
}

/// One example with what the engine answers.
#[derive(Clone, Debug, Serialize)]
pub struct Example {
    /// The case it belongs to, with its own heading behind it.
    pub id: String,
    /// The page.
    pub page: String,
    /// The inputs.
    #[serde(flatten)]
    pub inputs: Inputs,
    /// The outputs.
    pub outputs: outputs::Outputs,
}

impl Example {
    /// Runs the example of a section; `None` when it has none.
    pub fn run(page: &Page, section: &Section) -> Option<Self> {
        if section.is_given || section.blocks.is_empty() {
            return None;
        }
        let inputs = Inputs::of(page, section);
        let outputs = outputs::Outputs::of(&inputs);
        Some(Self { id: section.id.clone(), page: page.name.clone(), inputs, outputs })
    }
}
