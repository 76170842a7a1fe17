use std::{fmt, sync::Arc};

use regions::{Deployment, Unowned, references::Unchecked};
use store::{Key, StoreError};

use crate::{Blocker, LifecycleState, codes};

/// The reason why a request or a whole transaction was refused; nothing was written. Its text is one line for people;
/// programs use the variant or [`code`](Self::code).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IntegrityError {
    /// Something that the transaction had read has changed since. It can be tried again.
    Aborted {
        /// The changed resource, or the kind of a list.
        what: String,
    },
    /// A resource was read after the transaction had written.
    ReadAfterWrite {
        /// The resource or list that was to be read.
        what: String,
    },
    /// A transaction was written to that may only read.
    ReadOnly,
    /// Nothing was begun: a session of the level `MANUAL` has no open transaction.
    NotBegun,
    /// There is no such resource.
    NotFound {
        /// Its name.
        key: Key,
    },
    /// It exists already.
    AlreadyExists {
        /// Its name.
        key: Key,
    },
    /// Its name does not have the form that its kind requires.
    InvalidName {
        /// Its name.
        key: Key,
    },
    /// It is not an object in JSON.
    NotAnObject {
        /// Its name.
        key: Key,
    },
    /// It is both saved and deleted in one transaction.
    SavedAndDeleted {
        /// Its name.
        key: Key,
    },
    /// It is being deleted; only its metadata can be changed.
    Deleting {
        /// Its name.
        key: Key,
    },
    /// A resource of that name was deleted, and its referrers have not been changed yet.
    StillDeleting {
        /// Its name.
        key: Key,
    },
    /// The targets of new references do not exist, or are being deleted.
    BrokenReferences {
        /// All of them, in order.
        broken: Vec<BrokenReference>,
    },
    /// Other resources forbid the deletion.
    Blocked {
        /// All of them, in order.
        blockers: Vec<Blocker>,
    },
    /// The targets of new references are of other deployments, where they have to be established first.
    Unestablished {
        /// All of them, in order.
        references: Vec<RemoteReference>,
    },
    /// Other deployments may refer to what would be deleted, and have to be asked first.
    Unchecked {
        /// All that would be deleted.
        keys: Vec<Key>,
        /// What has to be asked.
        missing: Unchecked<Deployment, Key>,
    },
    /// A state of the life cycle that cannot follow the current one.
    IllegalTransition {
        /// The resource.
        key: Key,
        /// Its state; `None` if it does not exist.
        from: Option<LifecycleState>,
        /// The state that it would have.
        to: Option<LifecycleState>,
    },
    /// It cannot be in the region that its name says, or that would own it.
    NotPlaced {
        /// Its name.
        key: Key,
        /// The reason.
        why: Unowned,
    },
    /// Another region owns it.
    NotOwner {
        /// Its name.
        key: Key,
        /// That region.
        owner: Arc<str>,
    },
    /// It writes resources whose regions several policies govern.
    SeveralHolders {
        /// The resources that have the policies, in order.
        holders: Vec<Arc<str>>,
    },
    /// A plugin refused the commit.
    Vetoed {
        /// The plugin.
        plugin: String,
        /// Its stable code.
        code: &'static str,
        /// Its reason, one line.
        reason: String,
    },
    /// The store refused it.
    Store(StoreError),
}

/// A reference that leads to nothing that it may lead to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BrokenReference {
    /// The resource that has it.
    pub referrer: Key,
    /// The very field; `parent` for the parent.
    pub place: String,
    /// The resource that it leads to.
    pub target: Key,
    /// True if the target exists, but is being deleted.
    pub deleting: bool,
}

/// A reference to a resource of another deployment.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RemoteReference {
    /// The resource that has it.
    pub referrer: Key,
    /// The very field; `parent` for the parent.
    pub place: String,
    /// The resource that it leads to.
    pub target: Key,
    /// The deployment that owns that one.
    pub owner: Deployment,
}

impl IntegrityError {
    /// A stable name: `integrity/aborted`. A plugin's veto has the plugin's.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Aborted { .. } => codes::ABORTED.as_str(),
            Self::ReadAfterWrite { .. } => codes::READ_AFTER_WRITE.as_str(),
            Self::ReadOnly => codes::READ_ONLY.as_str(),
            Self::NotBegun => codes::NOT_BEGUN.as_str(),
            Self::NotFound { .. } => codes::NOT_FOUND.as_str(),
            Self::AlreadyExists { .. } => codes::ALREADY_EXISTS.as_str(),
            Self::InvalidName { .. } => codes::INVALID_NAME.as_str(),
            Self::NotAnObject { .. } => codes::NOT_AN_OBJECT.as_str(),
            Self::SavedAndDeleted { .. } => codes::SAVED_AND_DELETED.as_str(),
            Self::Deleting { .. } => codes::DELETING.as_str(),
            Self::StillDeleting { .. } => codes::STILL_DELETING.as_str(),
            Self::BrokenReferences { .. } => codes::BROKEN_REFERENCES.as_str(),
            Self::Blocked { .. } => codes::BLOCKED.as_str(),
            Self::Unestablished { .. } => codes::UNESTABLISHED.as_str(),
            Self::Unchecked { .. } => codes::UNCHECKED.as_str(),
            Self::IllegalTransition { .. } => codes::ILLEGAL_TRANSITION.as_str(),
            Self::NotPlaced { .. } => codes::NOT_PLACED.as_str(),
            Self::NotOwner { .. } => codes::NOT_OWNER.as_str(),
            Self::SeveralHolders { .. } => codes::SEVERAL_HOLDERS.as_str(),
            Self::Vetoed { code, .. } => code,
            Self::Store(error) => error.code(),
        }
    }

    /// The action that fixes it.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Aborted { .. } => "run the transaction again",
            Self::ReadAfterWrite { .. } => "read everything before the first write of the transaction",
            Self::ReadOnly => "use a transaction that may write",
            Self::NotBegun => "begin a transaction first",
            Self::NotFound { .. } => "check the name, or create the resource first",
            Self::AlreadyExists { .. } => "use another name, or update the resource",
            Self::InvalidName { .. } => "use a name that follows a pattern of the kind",
            Self::NotAnObject { .. } => "use a JSON object",
            Self::SavedAndDeleted { .. } => "use two transactions",
            Self::Deleting { .. } => "wait until it is gone, and create it again",
            Self::StillDeleting { .. } => "wait until the asynchronous part of the deletion has finished",
            Self::BrokenReferences { .. } => "create the targets first or in the same transaction",
            Self::Blocked { .. } => "delete or change these resources first",
            Self::Unestablished { .. } => "ask the deployments that own the targets",
            Self::Unchecked { .. } => "ask the deployments that refer to the resources",
            Self::IllegalTransition { .. } => "leave `metadata.lifecycle` to the server",
            Self::NotPlaced { .. } => "use an enabled region, or enable this one in the policy",
            Self::NotOwner { .. } => "send the request to the region that owns it",
            Self::SeveralHolders { .. } => "use a transaction for each of them",
            Self::Vetoed { .. } => "see the reason",
            Self::Store(_) => "see the error of the store",
        }
    }

    /// True if the same transaction may succeed if it is run again at once.
    pub fn is_aborted(&self) -> bool {
        matches!(self, Self::Aborted { .. })
    }
}

impl fmt::Display for IntegrityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Aborted { what } => write!(f, "`{what}` changed since the transaction read it"),
            Self::ReadAfterWrite { what } => {
                write!(f, "`{what}` is read after a write of the same transaction")
            }
            Self::ReadOnly => f.write_str("the transaction is read-only"),
            Self::NotBegun => f.write_str("no transaction is open"),
            Self::NotFound { key } => write!(f, "`{key}` does not exist"),
            Self::AlreadyExists { key } => write!(f, "`{key}` exists already"),
            Self::InvalidName { key } => write!(f, "`{}` is not a name of `{}`", key.id, key.kind),
            Self::NotAnObject { key } => write!(f, "`{key}` is not an object"),
            Self::SavedAndDeleted { key } => write!(f, "`{key}` is saved and deleted in one transaction"),
            Self::Deleting { key } => write!(f, "`{key}` is being deleted"),
            Self::StillDeleting { key } => write!(f, "the deletion of the former `{key}` has not finished"),
            Self::BrokenReferences { broken } => each(f, broken, |f, it| {
                let what = if it.deleting { "is being deleted" } else { "does not exist" };
                write!(f, "`{}` of `{}` refers to `{}`, which {what}", it.place, it.referrer, it.target)
            }),
            Self::Blocked { blockers } => each(f, blockers, |f, it| {
                write!(f, "`{}` is required by `{}` of `{}`", it.target, it.place, it.referrer)
            }),
            Self::Unestablished { references } => each(f, references, |f, it| {
                let RemoteReference { referrer, place, target, owner } = it;
                write!(f, "`{place}` of `{referrer}` refers to `{target}`, and {owner} does not know of it")
            }),
            Self::Unchecked { keys, .. } => {
                each(f, keys, |f, key| write!(f, "other deployments may refer to `{key}`"))
            }
            Self::IllegalTransition { key, from, to } => {
                write!(f, "`{key}` cannot go from {} to {}", name(*from), name(*to))
            }
            Self::NotPlaced { key, why } => write!(f, "`{}`: {why}", key.id),
            Self::NotOwner { key, owner } => write!(f, "region `{owner}` owns `{}`", key.id),
            Self::SeveralHolders { holders } => {
                let holders: Vec<_> = holders.iter().map(|it| format!("`{it}`")).collect();
                write!(f, "the policies of several resources govern what is written: {}", holders.join(", "))
            }
            Self::Vetoed { plugin, reason, .. } => write!(f, "{plugin}: {reason}"),
            Self::Store(error) => write!(f, "{error}"),
        }
    }
}

fn name(state: Option<LifecycleState>) -> &'static str {
    state.map_or("absent", LifecycleState::as_str)
}

/// The first of some, and how many more there are.
fn each<T>(
    f: &mut fmt::Formatter<'_>,
    items: &[T],
    write: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    if let Some(first) = items.first() {
        write(f, first)?;
    }
    match items.len() {
        0 | 1 => Ok(()),
        count => write!(f, ", and {} more", count - 1),
    }
}

impl std::error::Error for IntegrityError {}

impl From<StoreError> for IntegrityError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}
