/// The number of faults that may still happen in a world. They bound what an exploration has to try.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Faults {
    /// Messages that are lost.
    pub losses: u8,
    /// Messages that arrive twice.
    pub doubles: u8,
    /// Deployments that crash and start again, with what they have stored.
    pub crashes: u8,
    /// Clients that give up, and servers that give up a request of a client.
    pub timeouts: u8,
}

impl Faults {
    /// None.
    pub const NONE: Self = Self { losses: 0, doubles: 0, crashes: 0, timeouts: 0 };
}
