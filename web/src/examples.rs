//! The examples of the app. The files are beside the page and are read when an example is opened.

use std::rc::Rc;

use gloo::utils::window;
use ui::Tab;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;
use workspace::File;

use crate::state::{Document, Environment, Files, Input, Inputs};

/// A link to the app that ends with this and the name of an example opens it; `/` and a view may follow.
const FRAGMENT: &str = "#example=";

/// An example. Its name is that of its folder in `static/examples`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// Its name, as links have it.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// The single subject that it teaches, as a line.
    pub line: &'static str,
    /// The view that shows it.
    pub tab: Tab,
    /// Its files in merge order.
    pub files: &'static [&'static str],
    /// The recorded state that comes with it.
    pub state: Option<&'static str>,
    /// Its environments: the name of each, and the files that it leaves out.
    pub environments: &'static [(&'static str, &'static [&'static str])],
}

/// All examples, in the order of the gallery.
pub const EXAMPLES: &[Example] = &[
    RELEASE,
    Example {
        name: "shop",
        title: "A web shop and its database",
        line: "Layers: what production changes in a base, value by value.",
        tab: Tab::Merged,
        files: &["base.yaml", "prod.yaml"],
        state: None,
        environments: &[],
    },
    Example {
        name: "environments",
        title: "Staging and production",
        line: "Comparison: two environments of the same layers, side by side.",
        tab: Tab::Compare,
        files: &["base.yaml", "staging.yaml", "production.yaml"],
        state: None,
        environments: &[("staging", &["production.yaml"]), ("production", &["staging.yaml"])],
    },
    Example {
        name: "render",
        title: "A rendering farm",
        line: "The graph: several instances, two networks, references between them.",
        tab: Tab::Graph,
        files: &["farm.yaml", "workers.yaml", "night.yaml"],
        state: None,
        environments: &[],
    },
    LINKS,
    VERSIONS,
    Example {
        name: "services",
        title: "The API of a library",
        line: "Service specifications: kinds, routes, and what a deletion does.",
        tab: Tab::Services,
        files: &["library-v2.yaml"],
        state: None,
        environments: &[],
    },
    REAL,
];

const RELEASE: Example = Example {
    name: "release",
    title: "A release to review",
    line: "The plan: what is updated, rebuilt and destroyed, and why.",
    tab: Tab::Plan,
    files: &["base.yaml", "release.yaml"],
    state: Some("state.json"),
    environments: &[],
};

/// The example of links.
pub const LINKS: Example = Example {
    name: "links",
    title: "Services that find each other",
    line: "Links: what a service provides and consumes, matched by type.",
    tab: Tab::Links,
    files: &["shop.yaml", "infra.yaml"],
    state: None,
    environments: &[],
};

/// The example of versions.
pub const VERSIONS: Example = Example {
    name: "versions",
    title: "Packages from a catalog",
    line: "Versions: which are chosen, why, and what could change.",
    tab: Tab::Versions,
    files: &["app.yaml", "catalog.yaml"],
    state: None,
    environments: &[],
};

const REAL: Example = Example {
    name: "visits",
    title: "A page that counts its visits",
    line: "Real processes on your machine, with planloom serve.",
    tab: Tab::Graph,
    files: &["app.yaml"],
    state: None,
    environments: &[],
};

/// The example that the app opens on: one that creates real resources if that is possible.
pub const fn first(at_home: bool) -> Example {
    if at_home { REAL } else { RELEASE }
}

/// The example of that name.
pub fn named(name: &str) -> Option<Example> {
    EXAMPLES.iter().find(|it| it.name == name).copied()
}

/// The example that a fragment of the page's address names, with the view that it names, if it does.
pub fn in_fragment(fragment: &str) -> Option<Example> {
    let words = fragment.strip_prefix(FRAGMENT)?;
    let (name, view) = words.split_once('/').unwrap_or((words, ""));
    let example = named(name)?;
    let tab = Tab::ALL.into_iter().find(|tab| tab.id() == view);
    Some(Example { tab: tab.unwrap_or(example.tab), ..example })
}

/// The name of an example in a fragment, if there is no example of that name.
pub fn unknown_in_fragment(fragment: &str) -> Option<&str> {
    let words = fragment.strip_prefix(FRAGMENT)?;
    in_fragment(fragment).is_none().then_some(words)
}

impl Example {
    /// The end of the address that opens it.
    pub fn link(&self) -> String {
        format!("./{FRAGMENT}{}", self.name)
    }

    /// Its files; `None` where they could not be read.
    pub async fn files(&self) -> Option<Vec<File>> {
        // All are requested before the first is awaited.
        let requests: Vec<JsFuture> = self.files.iter().map(|file| self.request(file)).collect();
        let mut files = Vec::new();
        for (name, request) in self.files.iter().zip(requests) {
            files.push(File { name: (*name).into(), text: text(request).await?, package: None });
        }
        Some(files)
    }

    /// As a workspace, its last file open: the one that overrides. `None` where it could not be read.
    pub async fn document(&self) -> Option<Document> {
        let files: Files = self.files().await?.into_iter().collect();
        let state = match self.state {
            Some(name) => Some(Rc::new(Input { name: name.into(), text: text(self.request(name)).await? })),
            None => None,
        };
        let selected = files.at(0).map(|file| file.key);
        let environments = Rc::new(self.environments_of(&files));
        // The first is the one that is used.
        let files = environments.first().map_or(files.clone(), |it| files.with_muted(&it.muted));
        Some(Document { selected, files, inputs: Inputs { state, ..Inputs::default() }, environments })
    }

    fn environments_of(&self, files: &Files) -> Vec<Environment> {
        let key = |name: &&str| files.named(name).map(|file| file.key);
        let environment = |(name, muted): &(&str, &[&str])| Environment {
            name: (*name).to_owned(),
            muted: muted.iter().filter_map(key).collect(),
        };
        self.environments.iter().map(environment).collect()
    }

    fn request(&self, file: &str) -> JsFuture {
        JsFuture::from(window().fetch_with_str(&format!("./examples/{}/{file}", self.name)))
    }
}

/// The text of an answer; `None` where there is none.
async fn text(request: JsFuture) -> Option<String> {
    let response: Response = request.await.ok()?.dyn_into().ok().filter(Response::ok)?;
    JsFuture::from(response.text().ok()?).await.ok()?.as_string()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    impl Example {
        /// Its files, as they are in the repository.
        pub(crate) fn shipped(&self) -> Vec<File> {
            let file = |name: &&str| {
                let path = format!("{}/../static/examples/{}/{name}", env!("CARGO_MANIFEST_DIR"), self.name);
                let text = std::fs::read_to_string(&path).expect(&path);
                File { name: (*name).into(), text, package: None }
            };
            self.files.iter().map(file).collect()
        }
    }

    #[test]
    fn a_fragment_names_an_example() {
        for (fragment, tab) in [("links", Tab::Links), ("links/plan", Tab::Plan), ("links/none", Tab::Links)]
        {
            assert_eq!(in_fragment(&format!("{FRAGMENT}{fragment}")).map(|it| it.tab), Some(tab));
        }
        let unknown =
            [("", None), ("#example=", Some("")), ("#example=none", Some("none")), ("#s=links", None)];
        for (other, unknown) in unknown {
            assert!(in_fragment(other).is_none(), "{other}");
            assert_eq!(unknown_in_fragment(other), unknown);
        }
    }

    #[test]
    fn every_example_is_shipped_and_has_a_name_of_its_own() {
        for example in EXAMPLES {
            assert_eq!(named(example.name).map(|it| it.title), Some(example.title));
            assert_eq!(example.shipped().len(), example.files.len());
        }
    }
}
