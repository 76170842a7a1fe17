//! Reads the access policy of a served API again when its file has changed.

use report::codes;
use std::{path::PathBuf, rc::Rc, sync::Arc, time::Duration};

use api::Api;
use authorization::Policy;
use host::UserAuth;
use spec::Services;
use workspace::view::{DiagnosticView, Severity, words::count};

use super::access_policy::{AccessPolicy, Refused, policy_of};
use crate::{
    console::{Console, write_err},
    files::{Stdin, name, read_text},
    problem::problem,
    verbs::notes,
};

/// The interval between reads of the file. A text is used when it was read twice, so that no half-written one is used.
const PAUSE: Duration = Duration::from_millis(500);

/// An access policy in a file, and the API that it is in force in.
pub(super) struct PolicyReload {
    pub(super) path: PathBuf,
    pub(super) services: Arc<Services>,
    pub(super) api: Rc<Api>,
    pub(super) users: UserAuth,
    /// The text that was read at the start.
    pub(super) text: String,
}

/// The result of reading the file: its text, or the error.
type Found = Result<String, Box<DiagnosticView>>;

impl PolicyReload {
    /// Reads the file for as long as it is polled, and reports the outcome of each change.
    pub(super) async fn run(self, console: Console) {
        // Standard input, and pipes, can be read once only.
        if !self.path.metadata().is_ok_and(|it| it.is_file()) {
            return;
        }
        let mut used: Found = Ok(self.text.clone());
        let mut before: Found = Ok(self.text.clone());
        loop {
            tokio::time::sleep(PAUSE).await;
            let found = read_text(&mut Stdin::default(), &self.path);
            if is_same(&found, &before) && !is_same(&found, &used) {
                drop(write_err(&self.apply(&found, console)));
                used = found.clone();
            }
            before = found;
        }
    }

    /// Puts a policy in force, or keeps the former one. Returns the message about it.
    fn apply(&self, found: &Found, console: Console) -> String {
        let read = found.clone().map_err(|problem| Refused { problems: vec![*problem], text: None });
        match read.and_then(|text| policy_of(&self.path, text, &self.services)) {
            Ok(read) => self.replace(read, console),
            Err(Refused { mut problems, text }) => {
                problems.push(kept(&name(&self.path)));
                notes(&problems, &Vec::from_iter(text), console)
            }
        }
    }

    fn replace(&self, read: AccessPolicy, console: Console) -> String {
        let AccessPolicy { policy, auth, problems, text } = read;
        let said = self.in_force(&policy);
        self.users.replace_users(&auth);
        self.api.set_policy(Rc::new(policy));
        notes(&problems, &[text], console) + &said
    }

    fn in_force(&self, policy: &Policy) -> String {
        let (users, bindings) = (count(policy.users.len(), "user"), count(policy.bindings.len(), "binding"));
        format!("Access policy: {} was changed and is in force: {users}, {bindings}\n", name(&self.path))
    }
}

fn is_same(one: &Found, other: &Found) -> bool {
    match (one, other) {
        (Ok(one), Ok(other)) => one == other,
        (Err(one), Err(other)) => one.message == other.message,
        _ => false,
    }
}

fn kept(name: &str) -> DiagnosticView {
    let message = format!("`{name}` was changed and cannot be used: the former access policy stays in force");
    let help = "correct it; it is read again when it changes";
    DiagnosticView { severity: Severity::Warning, ..problem(codes::POLICY_KEPT, Some(name), message, help) }
}
