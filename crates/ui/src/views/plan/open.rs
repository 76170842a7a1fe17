//! The rows and groups that are open.

use std::{collections::BTreeMap, rc::Rc};

use workspace::view::{Action, ActionView};
use yew::Reducible;

/// The rows and groups that the user opened and folded; everything else follows the defaults: rows are shut, groups are
/// open, unchanged resources are folded.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Open {
    rows: BTreeMap<String, bool>,
    groups: BTreeMap<Action, bool>,
    whole: Vec<Action>,
    followed: Option<(String, usize)>,
}

/// One step of the user.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum OpenStep {
    /// Opens or shuts the row of an address.
    Toggle(String),
    /// Folds or opens a group.
    Fold(Action),
    /// Shows all rows of a group.
    ShowAll(Action),
    /// Opens the row of an address and brings it into view.
    Follow(String),
}

impl Open {
    /// True if a row shows its values.
    pub(super) fn is_open(&self, action: &ActionView) -> bool {
        self.rows.get(&action.address).copied().unwrap_or(false)
    }

    /// True if a group shows no rows.
    pub(super) fn folds(&self, action: Action) -> bool {
        !self.groups.get(&action).copied().unwrap_or(action != Action::NoOp)
    }

    /// True if a group shows all its rows.
    pub(super) fn shows_all(&self, action: Action) -> bool {
        self.whole.contains(&action)
    }

    /// The address that was followed last, and how many were before: following the same one again is news.
    pub(super) fn followed(&self) -> Option<&(String, usize)> {
        self.followed.as_ref()
    }
}

impl Reducible for Open {
    type Action = OpenStep;

    fn reduce(self: Rc<Self>, step: OpenStep) -> Rc<Self> {
        let mut next = (*self).clone();
        match step {
            OpenStep::Toggle(address) => {
                let row = next.rows.entry(address).or_insert(false);
                *row = !*row;
            }
            OpenStep::Fold(group) => {
                let folds = next.folds(group);
                next.groups.insert(group, folds);
            }
            OpenStep::ShowAll(group) => next.whole.push(group),
            OpenStep::Follow(address) => {
                let before = next.followed.map_or(0, |(_, count)| count);
                next.rows.insert(address.clone(), true);
                next.groups.clear();
                next.whole.extend(Action::ALL.iter().filter(|it| **it != Action::NoOp));
                next.followed = Some((address, before + 1));
            }
        }
        Rc::new(next)
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use workspace::view::{Action, ActionView};
    use yew::Reducible;

    use super::{Open, OpenStep};

    fn action(address: &str) -> ActionView {
        ActionView {
            id: "a1".into(),
            address: address.into(),
            previous_address: None,
            kind: "service".into(),
            origin: None,
            action: Action::Create,
            after: vec![],
            reason: None,
            changes: vec![],
        }
    }

    #[test]
    fn rows_toggle_and_following_opens() {
        let open = Rc::new(Open::default());
        assert!(!open.is_open(&action("services.web")));
        let open = open.reduce(OpenStep::Fold(Action::Create));
        assert!(open.folds(Action::Create));
        let open = open.reduce(OpenStep::Follow("services.web".into()));
        assert!(open.is_open(&action("services.web")) && !open.folds(Action::Create));
        let again = open.clone().reduce(OpenStep::Follow("services.web".into()));
        assert_ne!(open.followed(), again.followed());
        assert!(!again.reduce(OpenStep::Toggle("services.web".into())).is_open(&action("services.web")));
    }

    #[test]
    fn unchanged_resources_are_folded() {
        let open = Rc::new(Open::default());
        assert!(open.folds(Action::NoOp) && !open.folds(Action::Destroy));
        assert!(!open.reduce(OpenStep::Fold(Action::NoOp)).folds(Action::NoOp));
    }
}
