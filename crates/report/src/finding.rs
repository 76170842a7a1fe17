use workspace::view::{
    CheckoutView, DiagnosticView, FixView, LocationView, OriginView, PlanView, ReportCommand, Severity,
};

use crate::{
    conceal::location,
    place::{Place, Region, named},
    risk,
};

/// The findings of a command: problems of files, and dangerous actions of a plan.
#[derive(Clone, Debug)]
pub struct Findings {
    pub(crate) command: ReportCommand,
    pub(crate) checkout: CheckoutView,
    pub(crate) all: Vec<Finding>,
}

/// A problem, or a dangerous action.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) code: String,
    pub(crate) level: Level,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    /// `None` if it is about no file.
    pub(crate) place: Option<Place>,
    pub(crate) related: Vec<(Place, String)>,
    pub(crate) fixes: Vec<FixView>,
    /// The subject of the finding, however its message is worded.
    pub(crate) subject: String,
}

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Error,
    Warning,
    Note,
}

impl Findings {
    /// The problems that a command found. They must be without secrets: see [`concealed`](crate::concealed).
    pub fn new(command: ReportCommand, diagnostics: &[DiagnosticView], checkout: &CheckoutView) -> Self {
        let all = diagnostics.iter().map(|it| Finding::of(it, checkout)).collect();
        Self { command, checkout: checkout.clone(), all }
    }

    /// Adds the actions of a plan that destroy something, at the lines that caused them. `origin` returns the origin of a
    /// pointer into the merged document; `first` is the first descriptor, for actions that no line is about.
    #[must_use]
    pub fn and_risks(
        mut self,
        plan: &PlanView,
        first: Option<&str>,
        origin: &mut dyn FnMut(&str) -> Option<OriginView>,
    ) -> Self {
        let risks = risk::risks(plan, first, &self.checkout, origin);
        self.all.extend(risks);
        self
    }
}

impl Finding {
    fn of(diagnostic: &DiagnosticView, checkout: &CheckoutView) -> Self {
        let whole = || Some(Place { file: named(checkout, diagnostic.file.as_deref()?)?, region: None });
        let related = diagnostic.related.iter();
        let related = related.filter_map(|it| Some((placed(&it.location, checkout)?, it.message.clone())));
        Self {
            code: diagnostic.code.clone(),
            level: Level::of(diagnostic.severity),
            message: diagnostic.message.clone(),
            help: diagnostic.help.clone(),
            place: location(diagnostic).and_then(|it| placed(&it, checkout)).or_else(whole),
            related: related.collect(),
            fixes: diagnostic.fixes.clone(),
            subject: diagnostic.message.clone(),
        }
    }

    /// The message with the advice on solving the problem.
    pub(crate) fn text(&self) -> String {
        match &self.help {
            Some(help) => format!("{}\nhelp: {help}", self.message),
            None => self.message.clone(),
        }
    }
}

impl Level {
    const fn of(severity: Severity) -> Self {
        match severity {
            Severity::Error => Self::Error,
            Severity::Warning => Self::Warning,
            Severity::Hint => Self::Note,
        }
    }
}

/// A place of a file; `None` if it is not a file.
pub(crate) fn placed(location: &LocationView, checkout: &CheckoutView) -> Option<Place> {
    Some(Place { file: named(checkout, &location.file)?, region: Some(Region::of(location)) })
}
