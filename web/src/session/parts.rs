//! The parts of the engine that are loaded while a session is running.

use capabilities::{Part, Parts};

use super::Session;
use crate::message::{AnyQuery, Response};

impl Session {
    /// The parts that have to be loaded now; each is given once, until it is loaded or has failed.
    pub fn take_needed(&mut self) -> Vec<Part> {
        let needed = std::mem::take(&mut self.needed);
        self.loading.extend(&needed);
        needed.into_iter().collect()
    }

    /// Takes in a part that was loaded; gives the answers to queries that waited for it.
    pub fn add(&mut self, part: Part, loaded: Parts) -> Vec<Response> {
        self.parts = self.parts.and(loaded);
        self.loading.remove(&part);
        if self.revision > 0 {
            self.restart(self.revision);
        }
        let waiting = self.take_waiting(part);
        waiting.into_iter().filter_map(|(id, query)| self.query(id, query)).collect()
    }

    /// Takes note that a part could not be loaded.
    pub fn fail(&mut self, part: Part) -> Vec<Response> {
        self.loading.remove(&part);
        self.failed.insert(part);
        if self.revision > 0 {
            self.restart(self.revision);
        }
        let waiting = self.take_waiting(part).into_iter();
        let answers = waiting.map(|(id, _)| Response::Answer { id, answer: None });
        answers.chain([Response::NotLoaded { part: part.name().to_owned() }]).collect()
    }

    fn take_waiting(&mut self, part: Part) -> Vec<(u32, AnyQuery)> {
        let now = self.waiting.extract_if(.., |it| it.0 == part);
        now.map(|(_, id, query)| (id, query)).collect()
    }

    /// Asks for a part, unless that has failed since something changed.
    pub(super) fn need(&mut self, part: Part) {
        if !self.loading.contains(&part) && !self.failed.contains(&part) {
            self.needed.insert(part);
        }
    }

    /// Completes the workspace with the parts that its files need. Returns true if one is still to come.
    pub(super) fn complete(&mut self) -> bool {
        let missing = self.parts.complete(&mut self.workspace);
        missing.iter().for_each(|it| self.need(*it));
        missing.iter().any(|it| !self.failed.contains(it))
    }
}
