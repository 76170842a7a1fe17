//! The parts that the engine is downloaded in.

use ::workspace::Workspace;
use diag::order;

use crate::{
    comparison::{self as of_comparison, ComparisonPart},
    documents::{self as of_documents, DocumentsPart},
    editing::{self as of_editing, EditingPart},
    immediate,
    linking::{self as of_linking, LinkingPart},
    refactoring::{self as of_refactoring, RefactoringPart},
    reports::{self as of_reports, ReportsPart},
    service_commands::{self as of_service_commands, ServiceCommandsPart},
    services::{self as of_services, ServicesPart},
    versions::{self as of_versions, VersionsPart},
};

/// A part of the engine beside the core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The difference of two sets of files or states.
    Comparison,
    /// Packages, pictures and texts of what is described.
    Documents,
    /// What an editor asks, and edits.
    Editing,
    /// The capability `linking`.
    Linking,
    /// Renaming, references and outlines.
    Refactoring,
    /// Reports of commands for other programs.
    Reports,
    /// The capability `services`.
    Services,
    /// Commands for services in memory: transactions, clients, watchers, fixtures that are applied.
    ServiceCommands,
    /// The capability `versions`.
    Versions,
}

/// The parts that are loaded.
#[derive(Clone, Copy, Default)]
pub struct Parts {
    /// [`Part::Comparison`].
    pub comparison: Option<&'static dyn ComparisonPart>,
    /// [`Part::Documents`].
    pub documents: Option<&'static dyn DocumentsPart>,
    /// [`Part::Editing`].
    pub editing: Option<&'static dyn EditingPart>,
    /// [`Part::Linking`].
    pub linking: Option<&'static dyn LinkingPart>,
    /// [`Part::Refactoring`].
    pub refactoring: Option<&'static dyn RefactoringPart>,
    /// [`Part::Reports`].
    pub reports: Option<&'static dyn ReportsPart>,
    /// [`Part::Services`].
    pub services: Option<&'static dyn ServicesPart>,
    /// [`Part::ServiceCommands`].
    pub service_commands: Option<&'static dyn ServiceCommandsPart>,
    /// [`Part::Versions`].
    pub versions: Option<&'static dyn VersionsPart>,
}

/// All of the part `comparison`.
pub fn comparison() -> &'static dyn ComparisonPart {
    &of_comparison::Loaded
}

/// All of the part `documents`.
pub fn documents() -> &'static dyn DocumentsPart {
    &of_documents::Loaded
}

/// All of the part `editing`.
pub fn editing() -> &'static dyn EditingPart {
    &of_editing::Loaded
}

/// All of the part `linking`.
pub fn linking() -> &'static dyn LinkingPart {
    &of_linking::Loaded
}

/// All of the part `refactoring`.
pub fn refactoring() -> &'static dyn RefactoringPart {
    &of_refactoring::Loaded
}

/// All of the part `reports`.
pub fn reports() -> &'static dyn ReportsPart {
    &of_reports::Loaded
}

/// All of the part `services`.
pub fn services() -> &'static dyn ServicesPart {
    &of_services::Loaded
}

/// All of the part `service_commands`.
pub fn service_commands() -> &'static dyn ServiceCommandsPart {
    &of_service_commands::Loaded
}

/// All of the part `versions`.
pub fn versions() -> &'static dyn VersionsPart {
    &of_versions::Loaded
}

impl std::fmt::Debug for Parts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let loaded = Part::ALL.into_iter().filter(|it| self.has(*it));
        f.debug_list().entries(loaded).finish()
    }
}

impl Part {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Comparison,
        Self::Documents,
        Self::Editing,
        Self::Linking,
        Self::Refactoring,
        Self::Reports,
        Self::Services,
        Self::ServiceCommands,
        Self::Versions,
    ];

    /// Its name; that of the capability where it is one.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Comparison => "comparison",
            Self::Documents => "documents",
            Self::Editing => "editing",
            Self::Linking => ::linking::NAME,
            Self::Refactoring => "refactoring",
            Self::Reports => "reports",
            Self::Services => ::services::NAME,
            Self::ServiceCommands => "service_commands",
            Self::Versions => ::versions::NAME,
        }
    }

    /// The part that has a capability.
    pub fn of_capability(name: &str) -> Option<Self> {
        if name == ::fixtures::REGISTRATION.name { Some(Self::Services) } else { Self::named(name) }
    }

    /// The part of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }
}

impl Parts {
    /// All of them, for hosts that have them at once.
    pub fn all() -> Self {
        Self {
            comparison: Some(comparison()),
            documents: Some(documents()),
            editing: Some(editing()),
            linking: Some(linking()),
            refactoring: Some(refactoring()),
            reports: Some(reports()),
            services: Some(services()),
            service_commands: Some(service_commands()),
            versions: Some(versions()),
        }
    }

    /// These and others.
    #[must_use]
    pub fn and(self, more: Self) -> Self {
        Self {
            comparison: self.comparison.or(more.comparison),
            documents: self.documents.or(more.documents),
            editing: self.editing.or(more.editing),
            linking: self.linking.or(more.linking),
            refactoring: self.refactoring.or(more.refactoring),
            reports: self.reports.or(more.reports),
            services: self.services.or(more.services),
            service_commands: self.service_commands.or(more.service_commands),
            versions: self.versions.or(more.versions),
        }
    }

    /// Whether a part is loaded.
    pub fn has(&self, part: Part) -> bool {
        match part {
            Part::Comparison => self.comparison.is_some(),
            Part::Documents => self.documents.is_some(),
            Part::Editing => self.editing.is_some(),
            Part::Linking => self.linking.is_some(),
            Part::Refactoring => self.refactoring.is_some(),
            Part::Reports => self.reports.is_some(),
            Part::Services => self.services.is_some(),
            Part::ServiceCommands => self.service_commands.is_some(),
            Part::Versions => self.versions.is_some(),
        }
    }

    /// Adds to a workspace the capabilities that its files need and that are loaded; gives the parts that are not.
    pub fn complete(&self, workspace: &mut Workspace) -> Vec<Part> {
        let needed = workspace.not_loaded();
        let at_once = immediate::all().filter(|it| needed.contains(&it.registration().name));
        at_once.for_each(|it| workspace.load(it));
        let mut missing = order::list(needed.into_iter().filter_map(Part::of_capability));
        missing.retain(|part| {
            let capability = match part {
                Part::Comparison
                | Part::Documents
                | Part::Editing
                | Part::Refactoring
                | Part::Reports
                | Part::ServiceCommands => None,
                Part::Linking => self.linking.map(|it| it.capability()),
                // In the order of `workspace`: what comes first says what is described instead of descriptors.
                Part::Services => self.services.map(|it| {
                    workspace.load(it.capability());
                    it.fixtures()
                }),
                Part::Versions => self.versions.map(|it| it.capability()),
            };
            let is_missing = capability.is_none();
            capability.into_iter().for_each(|it| workspace.load(it));
            is_missing
        });
        missing
    }
}
