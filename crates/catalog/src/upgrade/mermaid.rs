use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    sync::Arc,
};

use super::{Mode, edge::in_range};
use crate::{Channel, Entry, Package, quote::quote};

/// The upgrades of a package as a graph in Mermaid's language, written as `opm alpha render-graph` does.
///
/// With [`Mode::V0`] the elements that OLM 0 ignores are marked: bundles that are skipped, and edges to them.
pub fn mermaid(package: &Package, mode: Mode) -> String {
    let mut graph = Graph { mode, ..Graph::default() };
    package.channels.values().for_each(|channel| graph.channel(package, channel));
    graph.finish(package)
}

#[derive(Debug, Default)]
struct Graph {
    mode: Mode,
    text: String,
    links: usize,
    /// Links that OLM 0 does not follow.
    passed_links: Vec<String>,
    deprecated_channels: Vec<String>,
    /// The nodes that are drawn in each class.
    classes: BTreeMap<&'static str, BTreeSet<String>>,
}

impl Graph {
    // Writing to a string cannot fail.
    fn channel(&mut self, package: &Package, channel: &Channel) {
        let id = format!("{}-{}", plain(&package.name), plain(&channel.name));
        let _ = writeln!(self.text, "    %% channel {}", quote(&channel.name));
        let _ = writeln!(self.text, "    subgraph {id}[{}]", quote(&channel.name));
        let mut skipped = BTreeSet::new();
        for entry in descending(package, channel) {
            self.entry(package, channel, entry, &id, &mut skipped);
        }
        self.text.push_str("    end\n");
        if channel.deprecated.is_some() {
            self.deprecated_channels.push(id);
        }
    }

    /// Entries come in descending order: what skips an entry is known before its turn.
    fn entry<'a>(
        &mut self,
        package: &'a Package,
        channel: &'a Channel,
        entry: &'a Entry,
        id: &str,
        skipped: &mut BTreeSet<&'a Arc<str>>,
    ) {
        let to = node(id, &entry.name);
        let _ = writeln!(self.text, "      {to}");
        let is_skipped = self.mode == Mode::V0 && skipped.contains(&entry.name);
        self.class(package, entry, id, is_skipped);
        for from in &entry.skips {
            let is_passed = !skipped.insert(from);
            self.link(&node(id, from), "skip", &to, is_passed);
        }
        for (from, range) in in_range(package, channel, entry) {
            let label = format!("\"skipRange({})\"", plain_label(&range.text));
            self.link(&node(id, from), &label, &to, is_skipped);
        }
        if let Some(from) = &entry.replaces {
            self.link(&node(id, from), "replace", &to, is_skipped);
        }
    }

    fn class(&mut self, package: &Package, entry: &Entry, id: &str, is_skipped: bool) {
        let is_deprecated =
            package.bundles.get(&entry.name).is_some_and(|bundle| bundle.deprecated.is_some());
        let class = match (is_deprecated, is_skipped) {
            (true, true) => "deprecatedskipped",
            (true, false) => "deprecated",
            (false, true) => "skipped",
            (false, false) => return,
        };
        self.classes.entry(class).or_default().insert(format!("{id}-{}", plain(&entry.name)));
    }

    fn link(&mut self, from: &str, label: &str, to: &str, is_passed: bool) {
        let _ = writeln!(self.text, "      {from}-- {label} --> {to}");
        if is_passed && self.mode == Mode::V0 {
            self.passed_links.push(self.links.to_string());
        }
        self.links += 1;
    }

    fn finish(self, package: &Package) -> String {
        let mut text = String::from(HEAD);
        let _ = writeln!(text, "  %% package {0}\n  subgraph {0}", quote(&package.name));
        text.push_str(&self.text);
        text.push_str("  end\n");
        if package.deprecated.is_some() {
            let _ = writeln!(text, "style {} fill:#989695", plain(&package.name));
        }
        for channel in &self.deprecated_channels {
            let _ = writeln!(text, "style {channel} fill:#DCD0FF");
        }
        for (class, nodes) in &self.classes {
            let nodes: Vec<_> = nodes.iter().map(String::as_str).collect();
            let _ = writeln!(text, "class {} {class}", nodes.join(","));
        }
        if !self.passed_links.is_empty() {
            let links = self.passed_links.join(",");
            let _ = writeln!(text, "linkStyle {links} stroke:#FF0000,stroke-width:3px,stroke-dasharray:5;");
        }
        text
    }
}

const HEAD: &str = "graph LR
  classDef deprecated fill:#E8960F
  classDef skipped stroke:#FF0000,stroke-width:4px
  classDef deprecatedskipped fill:#E8960F,stroke:#FF0000,stroke-width:4px
";

/// The entries by descending version; those with an unknown version come last.
fn descending<'a>(package: &Package, channel: &'a Channel) -> Vec<&'a Entry> {
    let mut entries: Vec<_> = channel.entries.iter().collect();
    let version = |entry: &&Entry| package.bundles.get(&entry.name).map(|bundle| &bundle.version);
    diag::order::by(&mut entries, |a, b| match (version(a), version(b)) {
        (Some(a), Some(b)) => b.precedence(a),
        (a, b) => b.is_some().cmp(&a.is_some()),
    });
    entries
}

fn node(channel: &str, name: &str) -> String {
    format!("{channel}-{}[{}]", plain(name), quote(name))
}

/// A name without special characters of Mermaid's language. Names that Kubernetes allows stay as they are.
fn plain(name: &str) -> String {
    name.chars()
        .map(|it| if it.is_ascii_alphanumeric() || matches!(it, '-' | '.' | '_') { it } else { '_' })
        .collect()
}

/// A label without special characters, to be put between quotes.
fn plain_label(text: &str) -> String {
    text.chars().map(|it| if it == '"' || it.is_control() { '_' } else { it }).collect()
}
