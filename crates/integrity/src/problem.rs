use diag::Code;
use serde::{Serialize, Serializer};
use store::Kind;

use crate::{FieldPath, codes};

/// A problem of a [`Model`](crate::Model), or a doubtful part of a deletion.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Problem {
    /// A stable name: `integrity/parent-unset`.
    #[serde(serialize_with = "as_text")]
    pub code: Code,
    /// The severity: it has to be fixed, or may be intended.
    pub severity: Severity,
    /// The kind it is about, as `service/Kind`.
    pub kind: String,
    /// The field it is about, if it is about one.
    pub field: Option<String>,
    /// The problem, in one line.
    pub message: String,
    /// The action that fixes it.
    pub help: String,
}

/// The severity of a [`Problem`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// It has to be fixed.
    Error,
    /// It may be intended.
    Warning,
}

/// A code as text.
pub(crate) fn as_text<S: Serializer>(code: &Code, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(code.as_str())
}

impl Problem {
    fn new(code: Code, kind: &Kind, field: Option<&FieldPath>, message: String, help: &str) -> Self {
        let (kind, field, help) = (kind.to_string(), field.map(ToString::to_string), help.to_owned());
        Self { code, severity: Severity::Error, kind, field, message, help }
    }

    pub(crate) fn no_parent_behavior(kind: &Kind) -> Self {
        let message = format!("`{kind}` has parents, but not what happens when they are deleted");
        let help = "set `onParentDeleted`, for example to `ASYNC_CASCADE_DELETE`";
        Self::new(codes::NO_PARENT_BEHAVIOR, kind, None, message, help)
    }

    pub(crate) fn parent_unset(kind: &Kind) -> Self {
        let message = format!("the parent of `{kind}` is part of its name and cannot be cleared");
        let help = "use `ASYNC_CASCADE_DELETE`, `CASCADE_DELETE` or `BLOCK` for deleted parents";
        Self::new(codes::PARENT_UNSET, kind, None, message, help)
    }

    pub(crate) fn unknown_parent(kind: &Kind, parent: &Kind) -> Self {
        let message = format!("the parent `{parent}` of `{kind}` does not exist");
        Self::new(codes::UNKNOWN_PARENT, kind, None, message, "define the kind, or remove the parent")
    }

    pub(crate) fn unknown_target(kind: &Kind, field: &FieldPath, target: &Kind) -> Self {
        let message = format!("`{field}` of `{kind}` refers to `{target}`, which does not exist");
        let help = "define the kind, import its service, or use a plain name instead of a reference";
        Self::new(codes::UNKNOWN_TARGET, kind, Some(field), message, help)
    }

    pub(crate) fn async_deletion_with_cascade(kind: &Kind, field: &FieldPath) -> Self {
        let message =
            format!("`{kind}` is deleted asynchronously, but `{field}` deletes it in the transaction");
        let help = "use `ASYNC_CASCADE_DELETE` for the reference, or remove `asyncDeletion`";
        Self::new(codes::ASYNC_DELETION_WITH_CASCADE, kind, Some(field), message, help)
    }

    pub(crate) fn many_children(kind: &Kind, count: usize) -> Self {
        let message =
            format!("{count} resources of `{kind}` are deleted in one transaction with their parent");
        let help = "use `ASYNC_CASCADE_DELETE` for kinds of which a parent has more than 10";
        Self { severity: Severity::Warning, ..Self::new(codes::MANY_CHILDREN, kind, None, message, help) }
    }
}
