use std::{collections::BTreeSet, error::Error, fmt, sync::Arc};

/// A write in a transaction: a resource that is created, changed or deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Write<'a> {
    /// The name of the resource.
    pub name: &'a str,
    /// The name of the holder whose policy governs it; `None` for a global one. A holder itself is global.
    pub holder: Option<&'a str>,
    /// The region that owns it.
    pub owner: &'a str,
}

/// The reason why a transaction cannot be committed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Uncommittable {
    /// It writes resources that these holders govern; only one may be.
    SeveralHolders(BTreeSet<Arc<str>>),
    /// It writes resources that other regions own: the names, each with its owner.
    Foreign(BTreeSet<(Arc<str>, Arc<str>)>),
}

/// Checks the writes of a transaction that is committed in a region, and returns the one holder that governs them, if they are
/// not all global.
///
/// A transaction may write under one policy and global resources, and only what its region owns (source: Goten's guide, "API
/// Server Flow"): a region alone can guarantee nothing for resources that another one writes.
///
/// # Errors
/// As [`Uncommittable`] says; foreign resources first.
pub fn check_writes<'a>(own: &str, writes: &[Write<'a>]) -> Result<Option<&'a str>, Uncommittable> {
    let foreign: BTreeSet<_> = writes.iter().filter(|it| it.owner != own).collect();
    if !foreign.is_empty() {
        let names = foreign.into_iter().map(|it| (it.name.into(), it.owner.into()));
        return Err(Uncommittable::Foreign(names.collect()));
    }
    let holders: BTreeSet<&str> = writes.iter().filter_map(|it| it.holder).collect();
    match holders.len() {
        0 | 1 => Ok(holders.first().copied()),
        _ => Err(Uncommittable::SeveralHolders(holders.into_iter().map(Into::into).collect())),
    }
}

impl fmt::Display for Uncommittable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SeveralHolders(holders) => {
                let holders: Vec<_> = holders.iter().map(|it| format!("`{it}`")).collect();
                write!(f, "one transaction cannot write below several of {}", holders.join(", "))
            }
            Self::Foreign(names) => {
                let names: Vec<_> = names.iter().map(|(name, owner)| format!("`{name}` ({owner})")).collect();
                write!(f, "other regions own {}", names.join(", "))
            }
        }
    }
}

impl Error for Uncommittable {}
