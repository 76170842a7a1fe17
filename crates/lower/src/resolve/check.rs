//! Checks the paths of references, and reports errors.

use diag::{Diagnostic, nearest};
use model::{Address, Data, Reference, Step, Value};
use types::{SchemaNode, Trail, TypeDefinition};

use super::{
    Resolver,
    find::{Search, segment, written_at},
    is_foreign,
};
use crate::{codes, read::reference_fix};

impl Resolver<'_, '_> {
    /// True if the type definitions have the path; if not, that is reported.
    pub(super) fn check_path(&mut self, target: usize, reference: &Reference) -> bool {
        let definition = self.declarations.definition(target);
        if reference.path.is_empty() {
            let message = format!("`{}` is a {}, not a value", reference.text, definition.kind);
            let help = format!("add a field, e.g. `${{{}.{}}}`", reference.text, example_field(definition));
            self.declarations
                .diagnostics
                .push(Diagnostic::error(codes::NO_SUCH_VALUE, reference.span, message).help(help));
            return false;
        }
        let mut here = Trail::object(self.declarations.types, definition);
        for (depth, step) in reference.path.iter().enumerate() {
            let next = here.step(&segment(step));
            let written = || written_at(self.declarations, target, &reference.path[..=depth]).is_some();
            if matches!(next.place(), SchemaNode::Unknown) && !written() {
                self.report_unknown_attribute(target, reference, depth, here);
                return false;
            }
            here = next;
        }
        true
    }

    pub(super) fn check_instance(&mut self, target: usize, reference: &Reference) -> bool {
        let Some(instance) = reference.to.instance else { return true };
        let count = self.instances(target);
        if count.is_some_and(|count| instance < count) {
            return true;
        }
        let declaration = self.declarations.shown(target);
        let (message, help) = match count {
            Some(0) => (no_instances(&reference.to), "set `instances` to at least 1"),
            Some(1) => {
                (format!("`{declaration}` has one instance, there is no [{instance}]"), "they count from 0")
            }
            Some(count) => (
                format!("`{declaration}` has {count} instances, there is no [{instance}]"),
                "they count from 0",
            ),
            None => {
                (format!("`{declaration}` has no instances"), "remove the index, or set `instances:` there")
            }
        };
        let declared = self.declarations.items[target].span;
        let diagnostic = Diagnostic::error(codes::NO_SUCH_INSTANCE, reference.span, message)
            .help(help)
            .related(declared, "declared here");
        self.declarations.diagnostics.push(diagnostic);
        false
    }

    /// A value that only exists at run time belongs to one instance; returns whether it is known which one.
    /// If not, that is reported.
    pub(super) fn check_is_one(&mut self, target: usize, reference: &Reference) -> bool {
        let count = match self.instances(target) {
            Some(count) if count != 1 && reference.to.instance.is_none() => count,
            _ => return true,
        };
        let (message, help) = match count {
            0 => (
                no_instances(&reference.to),
                "nothing can be taken from it: set `instances` to at least 1".into(),
            ),
            _ => (
                format!("`{}` has {count} instances, and each has its own value", reference.to),
                format!("select one, e.g. `{}`", reference.to.instance(0)),
            ),
        };
        let declared = self.declarations.items[target].span;
        let diagnostic = Diagnostic::error(codes::NEEDS_INSTANCE, reference.span, message)
            .help(help)
            .related(declared, "declared here");
        self.declarations.diagnostics.push(diagnostic);
        false
    }

    fn report_unknown_attribute(
        &mut self,
        target: usize,
        reference: &Reference,
        depth: usize,
        here: Trail<'_>,
    ) {
        let keys = here.place().keys();
        let requested = segment(&reference.path[depth]);
        let parent = steps_text(&self.declarations.shown(target), &reference.path[..depth]);
        let what = self.declarations.definition(target);
        let holder =
            if depth == 0 && !what.singleton { format!("a {}", what.kind) } else { format!("`{parent}`") };
        let message = match &reference.path[depth] {
            Step::Key(_) => format!("{holder} has no `{requested}`"),
            Step::Index(_) => format!("{holder} is not a list"),
        };
        let mut diagnostic = Diagnostic::error(codes::UNKNOWN_ATTRIBUTE, reference.span, message);
        if let Some(likely) = nearest(&requested, keys.iter().map(|it| &**it.name)) {
            let renamed = format!("${{{}}}", replace_key(&reference.text, &requested, likely));
            let title = format!("Change to `{likely}`");
            diagnostic = diagnostic.help(format!("did you mean `{likely}`?"));
            diagnostic = reference_fix(diagnostic, title, reference.span, &reference.text, renamed);
        } else if !keys.is_empty() {
            let known = keys.iter().map(|it| format!("`{}`", it.name)).collect::<Vec<_>>().join(", ");
            diagnostic = diagnostic.help(format!("known keys: {known}"));
        }
        self.declarations.diagnostics.push(diagnostic);
    }

    /// The reason why a link has no address, if that is requested.
    fn no_address(&self, target: usize, path: &[Step]) -> Option<(String, String)> {
        let contents = &self.declarations.definition(target).links.as_ref()?.contents;
        let [Step::Key(field), Step::Key(link), .., Step::Key(last)] = path else { return None };
        if field != contents || &**last != "address" {
            return None;
        }
        let list = [Step::Key(field.clone()), Step::Key(link.clone()), Step::Key("instances".into())];
        let instances = written_at(self.declarations, target, &list)?.as_list()?;
        Some(match (path.len(), instances.len()) {
            (3, 2..) => {
                let message =
                    format!("`{link}` has {} instances, and each has its own address", instances.len());
                (message, format!("select one, e.g. `{contents}.{link}.instances[0].address`"))
            }
            (3, 0) => (
                format!("`{link}` has no instances, so it has no address"),
                "set `instances` to at least 1".into(),
            ),
            _ => (
                format!("the provider of `{link}` is in no network, so it has no address"),
                "put it into a network".into(),
            ),
        })
    }

    /// Reports a reference to a value that only another deployment knows.
    pub(super) fn report_foreign(&mut self, reference: &Reference, value: &Value) {
        let what = foreign_text(value).unwrap_or_default();
        let message = format!(
            "`{}` provides `{what}`, which is known only to that deployment, once it runs",
            reference.text
        );
        let help = "write the address there (`ip`), or write a manual link here";
        self.declarations
            .diagnostics
            .push(Diagnostic::error(codes::OTHER_DEPLOYMENT, reference.span, message).help(help));
    }

    pub(super) fn report_missing(&mut self, target: usize, reference: &Reference, path: &[Step]) {
        if self.awaits_package(target, path) {
            return;
        }
        if let Some((message, help)) = self.no_address(target, path) {
            let diagnostic = Diagnostic::error(codes::NO_ADDRESS, reference.span, message).help(help);
            self.declarations.diagnostics.push(diagnostic);
            return;
        }
        let at = |depth: usize| match self.find(target, &path[..depth]) {
            Search::Found(found) => Some(found.value),
            Search::Waits(_) | Search::Nothing => None,
        };
        let depth = (1..path.len()).rev().find(|depth| at(*depth).is_some()).unwrap_or(0);
        let parent = steps_text(&self.declarations.shown(target), &path[..depth]);
        let length = at(depth).and_then(Value::as_list).map(<[Value]>::len);
        let message = match (&path[depth], length) {
            (Step::Index(index), Some(1)) => format!("`{parent}` has 1 item, there is no [{index}]"),
            (Step::Index(index), Some(length)) => {
                format!("`{parent}` has {length} items, there is no [{index}]")
            }
            (Step::Index(_), None) => format!("`{parent}` is not a list"),
            (Step::Key(key), _) => format!("`{parent}` has no `{key}`: no file sets it"),
        };
        let declared = self.declarations.items[target].span;
        let diagnostic = Diagnostic::error(codes::NO_SUCH_VALUE, reference.span, message)
            .related(declared, "declared here")
            .help("write the value there, or refer to another one");
        self.declarations.diagnostics.push(diagnostic);
    }

    /// True if a path leads into the bundle of a package that could not be chosen, which is reported already.
    fn awaits_package(&self, target: usize, path: &[Step]) -> bool {
        let Some(fields) = self.declarations.definition(target).packages.as_ref() else { return false };
        let attributes = &self.declarations.items[target].attributes;
        let leads_in =
            matches!(path.first(), Some(Step::Key(key)) if [&fields.chosen, &fields.version].contains(&key));
        leads_in && attributes.contains_key(&fields.wanted) && !attributes.contains_key(&fields.chosen)
    }
}

/// The first reference to another deployment in a value, as it is shown.
fn foreign_text(value: &Value) -> Option<String> {
    match &value.data {
        Data::Unknown(expression) => {
            let foreign = expression.references().find(|it| is_foreign(it));
            foreign.map(|it| it.text.to_string())
        }
        Data::List(items) => items.iter().find_map(foreign_text),
        Data::Map(map) => map.values().find_map(foreign_text),
        _ => None,
    }
}

fn no_instances(of: &Address) -> String {
    format!("`{}` has no instances: `instances` is 0", of.declaration())
}

fn steps_text(start: &str, steps: &[Step]) -> String {
    steps.iter().fold(start.to_owned(), |text, step| match step {
        Step::Key(key) => format!("{text}.{key}"),
        Step::Index(index) => format!("{text}[{index}]"),
    })
}

/// A reference's text with the last occurrence of a key changed.
fn replace_key(text: &str, key: &str, likely: &str) -> String {
    match text.rfind(key) {
        Some(at) => format!("{}{likely}{}", &text[..at], &text[at + key.len()..]),
        None => text.to_owned(),
    }
}

fn example_field(definition: &TypeDefinition) -> &str {
    definition.fields.first().map_or("FIELD", |field| &field.name)
}
