use diag::{Diagnostic, Diagnostics, Span};
use names::Pattern;

use crate::{
    codes::{AMBIGUOUS_NAMES, NAME_CONSTANT, NOT_INVERTIBLE},
    mapping::{NameMapping, Text},
    name_conversion::IdSource,
};

/// The ids that a file gives to variables that only one version has.
pub(crate) struct NameConstants<'a> {
    written: &'a NameMapping,
    used: Vec<Span>,
    report: &'a mut Diagnostics,
}

impl<'a> NameConstants<'a> {
    pub(crate) fn new(written: &'a NameMapping, report: &'a mut Diagnostics) -> Self {
        Self { written, used: Vec::new(), report }
    }

    /// The origin of an id that the other pattern does not have.
    pub(crate) fn source(&mut self, pattern: &Pattern, at: usize, is_new: bool) -> IdSource {
        let Some(segment) = pattern.segments().get(at) else { return IdSource::Constant(String::new()) };
        let find =
            |all: &[(Text, Text)]| all.iter().find(|(name, _)| *name.value == *segment.variable).cloned();
        let (constant, default) = (find(&self.written.constants), find(&self.written.defaults));
        let Some((name, id)) = constant.clone().or(default) else {
            self.report.push(no_constant(&segment.variable, self.written.span));
            return IdSource::Constant(String::new());
        };
        self.used.push(name.span);
        if !segment.id.matches(&id.value) {
            let message =
                format!("`{}` is no id of `{}`: it does not match `{}`", id.value, name.value, segment.id);
            self.report
                .push(Diagnostic::error(NAME_CONSTANT, id.span, message).help("write an id that matches"));
        }
        match (constant.is_some(), is_new) {
            (true, _) => IdSource::Constant(id.value.to_string()),
            (false, true) => {
                self.report.push(ambiguous(&name, &id));
                IdSource::Default(id.value.to_string())
            }
            (false, false) => {
                self.report.push(dropped(&name));
                IdSource::Constant(id.value.to_string())
            }
        }
    }

    /// Reports ids of variables that need none.
    pub(crate) fn finish(self) {
        let all = self.written.constants.iter().chain(&self.written.defaults);
        for (name, _) in all.filter(|(name, _)| !self.used.contains(&name.span)) {
            let message = format!("`{}` is not a variable that only one of the two patterns has", name.value);
            self.report.push(Diagnostic::error(NAME_CONSTANT, name.span, message).help("leave it out"));
        }
    }
}

fn no_constant(variable: &str, span: Span) -> Diagnostic {
    let message = format!("only one of the two patterns has `{variable}`");
    let help = format!("add `constants: {{{variable}: ID}}`, or `defaults`");
    Diagnostic::error(NAME_CONSTANT, span, message).help(help)
}

fn ambiguous(name: &Text, id: &Text) -> Diagnostic {
    let message = format!("names that differ in `{}` only become the same one", name.value);
    let help = format!(
        "write `constants: {{{}: {}}}` to hide the other resources from the old version",
        name.value, id.value
    );
    Diagnostic::warning(AMBIGUOUS_NAMES, name.span, message).help(help)
}

fn dropped(name: &Text) -> Diagnostic {
    let message = format!("old names that differ in `{}` only would become the same one", name.value);
    let help = "write it under `constants`: then the old version has only resources with this id";
    Diagnostic::error(NOT_INVERTIBLE, name.span, message).help(help)
}
