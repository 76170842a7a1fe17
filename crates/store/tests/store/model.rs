//! The store's rules again, as simply as possible: a map and no events, no indices, nothing shared.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

/// One resource.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Row {
    pub(crate) uid: u64,
    pub(crate) version: u64,
    pub(crate) generation: u64,
    pub(crate) revision: u64,
    pub(crate) owner: Option<usize>,
    pub(crate) torn_down: bool,
    pub(crate) finalizers: BTreeSet<usize>,
    pub(crate) label: usize,
    pub(crate) spec: i64,
    pub(crate) created: i64,
    pub(crate) updated: i64,
}

/// An action to try. Resources are numbered over both kinds; `None` is the user.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    Create {
        of: usize,
        owner: Option<usize>,
        finalizer: Option<usize>,
        label: usize,
        spec: i64,
    },
    /// With a copy as it was `ago` changes ago, or one that was never stored.
    Update {
        of: usize,
        ago: Option<usize>,
        any_phase: bool,
        touch: bool,
        label: usize,
        spec: i64,
    },
    Teardown {
        of: usize,
    },
    Add {
        of: usize,
        finalizers: Vec<usize>,
    },
    Remove {
        of: usize,
        finalizers: Vec<usize>,
    },
    Destroy {
        of: usize,
    },
}

/// A transaction: the actor, the time that passes before it, and its actions.
pub(crate) type Move = (Option<usize>, i64, Vec<Action>);

/// The resources numbered `0..RESOURCES`: the first half are of one kind, the others of another.
pub(crate) const RESOURCES: usize = 6;

#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    pub(crate) rows: BTreeMap<usize, Row>,
    pub(crate) revision: u64,
    pub(crate) uid: u64,
    pub(crate) now: i64,
    pub(crate) strict: bool,
    effective: bool,
    touched: BTreeSet<usize>,
}

impl Action {
    /// The resource it is about.
    pub(crate) fn of(&self) -> usize {
        match self {
            Self::Create { of, .. }
            | Self::Update { of, .. }
            | Self::Teardown { of }
            | Self::Add { of, .. }
            | Self::Remove { of, .. }
            | Self::Destroy { of } => *of,
        }
    }
}

impl Model {
    /// The effect of a transaction, or why it is refused. `copies` are, for each update, uid and version of
    /// what was read.
    pub(crate) fn commit(
        &mut self,
        who: Option<usize>,
        actions: &[Action],
        copies: &[(u64, u64)],
    ) -> Result<(), &'static str> {
        let mut after = Self { effective: false, touched: BTreeSet::new(), ..self.clone() };
        let mut copies = copies.iter();
        for action in actions {
            after.act(who, action, &mut copies, self)?;
        }
        if !after.effective {
            return Ok(());
        }
        after.revision += 1;
        let (revision, now) = (after.revision, after.now);
        for (of, row) in &mut after.rows {
            match self.rows.get(of).filter(|old| old.uid == row.uid) {
                None => {
                    (row.version, row.generation, row.revision, row.created, row.updated) =
                        (1, 1, revision, now, now)
                }
                Some(old) if old == row && !after.touched.contains(of) => {}
                Some(old) => {
                    row.version += 1;
                    row.generation += u64::from(row.spec != old.spec);
                    (row.revision, row.updated) = (revision, now.max(old.updated));
                }
            }
        }
        *self = after;
        Ok(())
    }

    fn act<'a>(
        &mut self,
        who: Option<usize>,
        action: &Action,
        copies: &mut impl Iterator<Item = &'a (u64, u64)>,
        before: &Self,
    ) -> Result<(), &'static str> {
        let of = action.of();
        if let Action::Create { owner, finalizer, label, spec, .. } = action {
            return self.create(
                of,
                who,
                *owner,
                Row {
                    finalizers: finalizer.iter().copied().collect(),
                    label: *label,
                    spec: *spec,
                    ..Row::default()
                },
            );
        }
        let copy = if matches!(action, Action::Update { .. }) { copies.next() } else { None };
        let row = self.rows.get_mut(&of).ok_or("store/not-found")?;
        let old = row.clone();
        if !matches!(action, Action::Add { .. } | Action::Remove { .. }) && row.owner != who {
            return Err("store/owner-conflict");
        }
        match action {
            Action::Create { .. } => {}
            Action::Update { any_phase, touch, label, spec, .. } => {
                let (uid, version) = *copy.unwrap();
                let known = before.rows.get(&of).is_some_and(|base| base.uid == row.uid);
                if uid != if known { row.uid } else { 0 } {
                    return Err("store/uid-conflict");
                }
                if version != row.version {
                    return Err("store/version-conflict");
                }
                if row.torn_down && !any_phase {
                    return Err("store/phase-conflict");
                }
                (row.label, row.spec) = (*label, *spec);
                self.effective |= touch;
                if *touch {
                    self.touched.insert(of);
                }
            }
            Action::Teardown { .. } => row.torn_down = true,
            Action::Add { finalizers, .. } => {
                row.finalizers.extend(finalizers);
                if row.finalizers != old.finalizers && row.torn_down {
                    return Err("store/phase-conflict");
                }
            }
            Action::Remove { finalizers, .. } => row.finalizers.retain(|name| !finalizers.contains(name)),
            Action::Destroy { .. } if !row.finalizers.is_empty() => return Err("store/pending-finalizers"),
            Action::Destroy { .. } if self.strict && !row.torn_down => return Err("store/phase-conflict"),
            Action::Destroy { .. } => {
                self.rows.remove(&of);
                self.touched.remove(&of);
            }
        }
        self.effective |= self.rows.get(&of) != Some(&old);
        Ok(())
    }

    fn create(
        &mut self,
        of: usize,
        who: Option<usize>,
        owner: Option<usize>,
        row: Row,
    ) -> Result<(), &'static str> {
        if self.rows.contains_key(&of) {
            return Err("store/already-exists");
        }
        if owner.is_some() && owner != who {
            return Err("store/owner-conflict");
        }
        self.uid += 1;
        self.effective = true;
        self.rows.insert(of, Row { uid: self.uid, owner: who, ..row });
        Ok(())
    }
}

fn action() -> impl Strategy<Value = Action> {
    let (of, name) = (0..RESOURCES, 0..2_usize);
    let names = prop::collection::vec(name.clone(), 0..3);
    let said = (0..2_usize, 0..2_i64);
    prop_oneof![
        4 => (of.clone(), prop::option::weighted(0.2, name.clone()), prop::option::weighted(0.3, name.clone()), said.clone())
            .prop_map(|(of, owner, finalizer, (label, spec))| Action::Create { of, owner, finalizer, label, spec }),
        5 => (of.clone(), prop::option::weighted(0.9, 0..4_usize), any::<bool>(), prop::bool::weighted(0.2), said)
            .prop_map(|(of, ago, any_phase, touch, (label, spec))| Action::Update {
                of,
                ago: ago.map(|ago| ago.saturating_sub(2)),
                any_phase,
                touch,
                label,
                spec
            }),
        2 => of.clone().prop_map(|of| Action::Teardown { of }),
        1 => (of.clone(), names.clone()).prop_map(|(of, finalizers)| Action::Add { of, finalizers }),
        2 => (of.clone(), names).prop_map(|(of, finalizers)| Action::Remove { of, finalizers }),
        2 => of.prop_map(|of| Action::Destroy { of }),
    ]
}

/// Mostly by the user and of one operation; the clock also goes back.
pub(crate) fn moves() -> impl Strategy<Value = Vec<Move>> {
    let who = prop::option::weighted(0.3, 0..2_usize);
    let actions =
        prop_oneof![3 => prop::collection::vec(action(), 1), 1 => prop::collection::vec(action(), 0..5)];
    prop::collection::vec((who, -2..5_i64, actions), 0..20)
}
