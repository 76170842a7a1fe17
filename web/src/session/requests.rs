//! The handling of each request by a session.

use workspace::view::LinkProfile;

use super::{Sent, Session, Step, answers::Outcome};
use crate::{
    files_change::FilesChange,
    message::{AnyQuery, Request, Response},
};

impl Session {
    /// Takes a request in; queries are answered at once, unless they have to wait for a part.
    pub fn receive(&mut self, request: Request) -> Option<Response> {
        match request {
            Request::Files { revision, files } => {
                self.workspace.set_files(files);
                // They may be others altogether.
                (self.sent, self.sound) = (Sent::default(), None);
                self.restart(revision);
            }
            Request::Edit { revision, file, splice } => {
                FilesChange::Text { file, splice }.apply(&mut self.workspace);
                self.restart(revision);
            }
            Request::Options { revision, options, bosh } => {
                self.options_changed |= self.options != options;
                self.options = options;
                self.follow(bosh);
                self.restart(revision);
            }
            Request::Want(want) => {
                self.want = want;
                // Problems and plan that are still to come lead to the view.
                let is_past_plan = matches!(self.step, Step::View | Step::Mark | Step::Idle);
                if is_past_plan && self.revision > 0 {
                    self.step = if want.changes { Step::Plan } else { Step::View };
                }
            }
            Request::Query { id, query } => return self.query(id, query),
        }
        None
    }

    pub(super) fn query(&mut self, id: u32, query: AnyQuery) -> Option<Response> {
        let part = match self.answer(&query) {
            Outcome::Answered(answer) => return Some(Response::Answer { id, answer }),
            Outcome::Waits(part) => part,
        };
        // A user who asks again requires the part to be loaded again.
        self.failed.remove(&part);
        self.need(part);
        self.waiting.push((part, id, query));
        None
    }

    /// Takes a set of rules for links.
    fn follow(&mut self, bosh: bool) {
        self.bosh = bosh;
        let known = self.good.iter_mut().filter_map(|good| good.workspace.as_mut());
        for workspace in known.chain([&mut self.workspace]) {
            workspace.set_profile(profile(bosh));
        }
    }

    pub(super) fn restart(&mut self, revision: u64) {
        if revision != self.revision {
            self.failed.clear();
        }
        self.revision = revision;
        self.step = Step::Check;
    }
}

pub(super) const fn profile(bosh: bool) -> LinkProfile {
    if bosh { LinkProfile::Bosh } else { LinkProfile::Strict }
}
