use super::Search;
use crate::sat::Lit;

impl Search<'_> {
    /// When all choices are made and constraints are left that no choice sees to: the next thing that is open, taken
    /// to be false. Without such constraints what is open is false.
    pub(super) fn open_truth(&mut self) -> Option<Lit> {
        if !self.has_truths {
            return None;
        }
        let open =
            (self.cursor..self.sat.variables()).find(|it| self.sat.is_open(Lit::new(*it as u32, true)));
        self.cursor = open.unwrap_or(self.sat.variables());
        open.map(|it| Lit::new(it as u32, false))
    }
}
