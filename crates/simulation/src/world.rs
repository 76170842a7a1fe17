use std::{fmt::Debug, hash::Hash};

/// A simulated world.
pub trait World: Clone + Debug + PartialEq + Hash {
    /// Something that can happen in it.
    type Action: Clone + Debug + PartialEq;

    /// Everything that can happen next, in an order that depends on the world alone.
    fn actions(&self) -> Vec<Self::Action>;

    /// Lets something happen. What cannot happen now changes nothing.
    fn apply(&mut self, action: &Self::Action);

    /// A promise that is broken now, in words.
    fn broken(&self) -> Option<String>;

    /// Lets everything that is begun come to its end, without faults and new requests of clients, until nothing changes.
    fn settle(&mut self);

    /// A promise about a world that has settled which is not kept, in words.
    fn unsettled(&self) -> Option<String>;

    /// Lets a time pass, in milliseconds.
    fn pass(&mut self, millis: i64);

    /// Lets a world that has settled go on for as long as another one: the numbers of requests and faults are those of that one.
    /// What only judged the past is forgotten.
    fn renew(&mut self, beginning: &Self);
}
