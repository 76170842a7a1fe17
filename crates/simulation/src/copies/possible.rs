//! The actions that are possible next.

use super::{
    Action, OWNER, ReaderNode, Replication,
    network::{timeout, upkeep},
};

impl Replication {
    /// Everything that can happen next.
    pub(super) fn possible_actions(&self) -> Vec<Action> {
        let readers = self.readers.values().flat_map(|it| self.reader_actions(it));
        let deployments = self.owner_actions().chain(readers);
        self.network_actions().chain(deployments).chain(self.client_actions()).collect()
    }

    fn client_actions(&self) -> Vec<Action> {
        if self.scenario.requests == 0 {
            return Vec::new();
        }
        let resources = self.scenario.resources.iter();
        let saves = resources.clone().map(|it| Action::Save(*it));
        let deletes = resources.filter(|it| self.owner.resources.contains_key(it));
        let policies = self.scenario.policy_changes.iter().map(|it| Action::Policy(*it));
        saves.chain(deletes.map(|it| Action::Delete(*it))).chain(policies).collect()
    }

    fn network_actions(&self) -> impl Iterator<Item = Action> {
        let faults = self.scenario.faults;
        self.network.iter().flat_map(move |it| {
            let double = (faults.doubles > 0).then(|| Action::Double(it.clone()));
            let lose = (faults.losses > 0).then(|| Action::Lose(it.clone()));
            std::iter::once(Action::Deliver(it.clone())).chain(double).chain(lose)
        })
    }

    fn owner_actions(&self) -> impl Iterator<Item = Action> {
        let refresh = self.owner.outdated().map(Action::Refresh);
        let news = self.readers.keys().filter(|it| self.owner.has_news(**it)).map(|it| Action::Send(*it));
        let crash = self.scenario.faults.crashes > 0 && self.owner.has_memory();
        refresh.into_iter().chain(news).chain(crash.then_some(Action::Crash(OWNER)))
    }

    fn reader_actions(&self, reader: &ReaderNode) -> impl Iterator<Item = Action> + use<> {
        let (id, faults) = (reader.id, self.scenario.faults);
        let waits = self.network.iter().any(|it| it.reader == id);
        let early = faults.timeouts > 0 && !timeout(&self.network, &self.owner, reader).is_empty();
        let due = !upkeep(&self.network, &self.owner, reader).is_empty();
        let crash = (faults.crashes > 0 && waits).then_some(Action::Crash(id));
        let upkeep = due.then_some(Action::Upkeep(id));
        upkeep.into_iter().chain(early.then_some(Action::Timeout(id))).chain(crash)
    }
}
