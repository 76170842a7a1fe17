//! The steps of work that lead to the answers, one at a time.

use std::rc::Rc;

use workspace::view::{CheckView, Severity};

use super::{Good, Sent, Session};
use crate::{message::Response, text};

/// The next step of work. After each step newer requests are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Check,
    Release,
    Plan,
    View,
    Mark,
    Idle,
}

impl Session {
    /// True if something is still to be said.
    pub fn is_busy(&self) -> bool {
        self.step != Step::Idle
    }

    /// The revision that is worked on.
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// True if what comes next are the views, which can wait.
    pub fn begins_views(&self) -> bool {
        self.step == Step::Plan
    }

    /// True if what comes next are problems, which never wait.
    pub fn is_urgent(&self) -> bool {
        self.step == Step::Check
    }

    /// Does one step of work. Problems are not reported before all parts that can report them are loaded.
    pub fn step(&mut self) -> Option<Response> {
        let step = self.step;
        if step == Step::Check && self.complete() {
            self.step = Step::Idle;
            return None;
        }
        self.step = match step {
            Step::Check => Step::Release,
            Step::Release => Step::Plan,
            Step::Plan => Step::View,
            Step::View => Step::Mark,
            Step::Mark | Step::Idle => Step::Idle,
        };
        match step {
            Step::Check => Some(self.check()),
            Step::Release => {
                // Nobody waits any more: the data behind earlier answers takes as long to drop as a file to read.
                self.workspace.release();
                self.retired.clear();
                None
            }
            Step::Plan => self.plan(),
            Step::View => self.view(),
            Step::Mark => self.mark(),
            Step::Idle => None,
        }
    }

    fn check(&mut self) -> Response {
        if self.is_blank() {
            return self.check_nothing();
        }
        let check = self.workspace.diagnostics();
        let broken = does_not_parse(&check);
        self.model_stale = broken && self.good.is_some();
        let blocking = self.workspace.blocking_errors();
        self.plan_stale = self.planned && blocking > 0;
        let files = Rc::new(self.workspace.snapshot());
        if blocking == 0 {
            let sound = self.sound.replace(Rc::clone(&files));
            self.retired.extend(sound.map(|files| Good { files, workspace: None }));
        }
        if !broken {
            self.retired.extend(self.good.replace(Good { files, workspace: None }));
        }
        let files = self.workspace.files();
        let Self { revision, model_stale, plan_stale, .. } = *self;
        Response::Checked { revision, check, files, blocking, model_stale, plan_stale }
    }

    /// Reports no problems while nothing is written yet: a blank start is no mistake.
    fn check_nothing(&mut self) -> Response {
        (self.good, self.sound, self.sent) = (None, None, Sent::default());
        (self.planned, self.model_stale, self.plan_stale) = (false, false, false);
        let check = CheckView { diagnostics: Vec::new(), ..self.workspace.diagnostics() };
        Response::Checked {
            revision: self.revision,
            check,
            files: self.workspace.files(),
            blocking: 0,
            model_stale: false,
            plan_stale: false,
        }
    }

    pub(super) fn is_blank(&self) -> bool {
        self.workspace.all_texts(text::is_blank)
    }
}

/// True if a file's text has no certain meaning, so that values may be missing that are only half written.
fn does_not_parse(check: &CheckView) -> bool {
    let family = workspace::codes::syntax::INVALID.family();
    check.diagnostics.iter().any(|it| it.severity == Severity::Error && it.family() == family)
}
