//! The changes between two versions of a service, and their class: whether clients of the old one notice.
//!
//! A change is breaking by the lists of the guide (L4748-4783), and where an old pattern of names is gone, or a request or an
//! answer of the old version is no longer valid; unlisted where the guide says nothing and only behaviour differs (source:
//! Goten's tools).

mod change;
mod coexistence;
mod enums;
mod fields;
mod kind;
mod kinds;
mod meanings;
mod messages;
mod methods;
mod pairs;
mod parents;
mod reason;
mod references;
mod routes;
mod services;
mod side;
mod succession;
mod types;
mod validation;

pub use change::{Change, ChangeSubject};
pub use coexistence::check_coexistence;
pub use kind::{ChangeClass, ChangeKind};
pub use side::Side;
pub use succession::check_succession;

/// All changes from one version of a service to another, sorted by subject and item.
///
/// Both may be in the same services or in different ones. Kinds, methods and messages are the same if they have the same
/// name, or if `versioning.replacement` of the old one names the new one. Fields, references and enumerations are compared
/// if both sides have a schema, and only of messages whose fields are declared in both.
///
/// Each change is listed once: kinds, groups of methods and messages that are only in one version are one change, without
/// those of their content.
pub fn compare(old: Side<'_>, new: Side<'_>) -> Vec<Change> {
    let mut changes = Vec::new();
    let pairs = pairs::kinds(old, new);
    services::header(old, new, &mut changes);
    services::imports(old, new, &mut changes);
    kinds::compare(&pairs, old, new, &mut changes);
    let methods = methods::compare(&pairs, old, new, &mut changes);
    messages::compare(&pairs, &methods, (old, new), &mut changes);
    references::compare(&pairs, old, new, &mut changes);
    changes.sort_by(|a, b| a.key().cmp(&b.key()));
    changes
}
