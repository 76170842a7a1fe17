//! The branching order where no preference decides: the variable with the highest activity (VSIDS, Moskewicz et al. 2001,
//! with the exponential decay of MiniSat), with its last value (phase saving, Pipatsrisawat and Darwiche 2007).

/// Invariants: `heap` is a binary heap by activity, and `places` contains the place of each variable in it.
/// It is empty until branching by activity begins; from then on it contains every open variable.
#[derive(Debug)]
pub(super) struct Order {
    /// By variable.
    activity: Vec<f64>,
    /// By variable: its last value.
    phases: Vec<bool>,
    increment: f64,
    heap: Vec<u32>,
    /// By variable: its place in the heap plus one; 0 if it is not in the heap.
    places: Vec<u32>,
    pub(super) is_on: bool,
}

/// The factor by which a conflict counts less than the next one.
const DECAY: f64 = 0.95;

/// The activity at which all are scaled down, before they exceed the range of numbers.
const LARGEST: f64 = 1e100;

impl Default for Order {
    fn default() -> Self {
        let (activity, phases, heap, places) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { activity, phases, increment: 1.0, heap, places, is_on: false }
    }
}

impl Order {
    pub(super) fn add_variable(&mut self) {
        let var = self.activity.len() as u32;
        self.activity.push(0.0);
        self.phases.push(false);
        self.places.push(0);
        self.insert(var);
    }

    /// Begins to branch by activity.
    pub(super) fn begin(&mut self) {
        self.is_on = true;
        (0..self.activity.len() as u32).for_each(|it| self.insert(it));
    }

    /// Handles a variable that is open again.
    pub(super) fn release(&mut self, var: u32, had: bool) {
        self.phases[var as usize] = had;
        self.insert(var);
    }

    pub(super) fn phase(&self, var: u32) -> bool {
        self.phases[var as usize]
    }

    /// Increases the activity of a variable that is part of a conflict.
    pub(super) fn bump(&mut self, var: u32) {
        let activity = &mut self.activity[var as usize];
        *activity += self.increment;
        if *activity > LARGEST {
            self.activity.iter_mut().for_each(|it| *it /= LARGEST);
            self.increment /= LARGEST;
        }
        if let Some(place) = self.places[var as usize].checked_sub(1) {
            self.rise(place as usize);
        }
    }

    /// Decays all activities, at the end of a conflict.
    pub(super) fn decay(&mut self) {
        self.increment /= DECAY;
    }

    fn insert(&mut self, var: u32) {
        if self.is_on && self.places[var as usize] == 0 {
            self.heap.push(var);
            self.places[var as usize] = self.heap.len() as u32;
            self.rise(self.heap.len() - 1);
        }
    }

    /// Removes the most active variable.
    pub(super) fn pop(&mut self) -> Option<u32> {
        let first = *self.heap.first()?;
        let last = self.heap.pop()?;
        self.places[first as usize] = 0;
        if let Some(root) = self.heap.first_mut() {
            *root = last;
            self.places[last as usize] = 1;
            self.sink(0);
        }
        Some(first)
    }

    /// Of equally active variables the one that was added first comes first.
    fn is_before(&self, one: u32, other: u32) -> bool {
        let (a, b) = (self.activity[one as usize], self.activity[other as usize]);
        a > b || (a == b && one < other)
    }

    fn rise(&mut self, mut at: usize) {
        while at > 0 {
            let above = (at - 1) / 2;
            if !self.is_before(self.heap[at], self.heap[above]) {
                return;
            }
            self.swap(at, above);
            at = above;
        }
    }

    fn sink(&mut self, mut at: usize) {
        loop {
            let (left, right) = (2 * at + 1, 2 * at + 2);
            let mut best = at;
            for below in [left, right] {
                if below < self.heap.len() && self.is_before(self.heap[below], self.heap[best]) {
                    best = below;
                }
            }
            if best == at {
                return;
            }
            self.swap(at, best);
            at = best;
        }
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.heap.swap(a, b);
        self.places[self.heap[a] as usize] = a as u32 + 1;
        self.places[self.heap[b] as usize] = b as u32 + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_active_comes_first() {
        let mut order = Order::default();
        (0..5).for_each(|_| order.add_variable());
        order.bump(3);
        order.begin();
        order.decay();
        order.bump(1);
        assert_eq!((0..3).map(|_| order.pop()).collect::<Vec<_>>(), [Some(1), Some(3), Some(0)]);
        order.release(3, true);
        assert!(order.phase(3) && !order.phase(1));
        assert_eq!((0..4).map(|_| order.pop()).collect::<Vec<_>>(), [Some(3), Some(2), Some(4), None]);
    }
}
