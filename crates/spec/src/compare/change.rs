use diag::Span;

use super::{ChangeClass, ChangeKind};

/// A difference between two versions of a service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The kind of the change.
    pub kind: ChangeKind,
    /// The consequence for clients of the old version.
    pub class: ChangeClass,
    /// The name of the changed item: `Pod`, `PodService/SearchPods`, `Pod.description = 6`, `iam.edgelq.com`.
    pub item: String,
    /// The old value; empty where there was none.
    pub old: String,
    /// The new value; empty where there is none.
    pub new: String,
    /// The place in the files of the old version; `None` where it was not there.
    pub old_span: Option<Span>,
    /// The place in the files of the new version; `None` where it is no longer there.
    pub new_span: Option<Span>,
}

impl Change {
    pub(super) fn new(kind: ChangeKind, class: ChangeClass, item: impl Into<String>) -> Self {
        let item = item.into();
        let (old, new) = (String::new(), String::new());
        Self { kind, class, item, old, new, old_span: None, new_span: None }
    }

    pub(super) fn values(self, old: impl Into<String>, new: impl Into<String>) -> Self {
        Self { old: old.into(), new: new.into(), ..self }
    }

    pub(super) fn at(self, old: impl Into<Option<Span>>, new: impl Into<Option<Span>>) -> Self {
        Self { old_span: old.into(), new_span: new.into(), ..self }
    }

    /// The reason for its class.
    pub const fn reason(&self) -> &'static str {
        self.kind.reason(self.class)
    }

    /// The advice on dealing with it.
    pub const fn help(&self) -> &'static str {
        self.kind.help(self.class)
    }

    /// The order in which changes are listed: by what they are about, then by item.
    pub(super) fn key(&self) -> (ChangeSubject, &str, ChangeKind, &str, &str) {
        (self.kind.subject(), &self.item, self.kind, &self.old, &self.new)
    }
}

/// The subject of a change, in the order in which changes are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeSubject {
    /// The service as a whole.
    Service,
    /// An imported service.
    Import,
    /// A kind of resources.
    Resource,
    /// A group of methods, or one of them.
    Method,
    /// A message, a field or an enumeration.
    Message,
    /// A reference of a resource.
    Reference,
}
