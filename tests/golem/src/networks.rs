use std::{
    fmt,
    ops::Deref,
    sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError},
};

use crate::{Network, Options, Unavailable};

/// The number of networks that a program has at most.
const COUNT: usize = 4;

/// Networks of the same kind for the tests of a program. Each one has one test at a time, because tests check what is
/// open at its daemon. It starts when a test needs it, and runs until the program ends.
///
/// ```no_run
/// use golem_network::{Networks, Options};
///
/// static NETWORKS: Networks = Networks::new(Options::default);
///
/// match NETWORKS.take() {
///     Ok(network) => println!("{}", network.requestor().api_url),
///     Err(why) => eprintln!("skipped: {why}"),
/// }
/// ```
pub struct Networks {
    all: [OnceLock<Result<Network, Unavailable>>; COUNT],
    taken: Mutex<[bool; COUNT]>,
    returned: Condvar,
    options: fn() -> Options,
}

/// A network that no other test uses.
#[derive(Debug)]
pub struct OwnNetwork<'n> {
    network: &'n Network,
    _turn: Turn<'n>,
}

/// The right to use one of the networks.
#[derive(Debug)]
struct Turn<'n> {
    networks: &'n Networks,
    number: usize,
}

impl Networks {
    /// Networks with these options, of which none is started.
    pub const fn new(options: fn() -> Options) -> Self {
        Self {
            all: [const { OnceLock::new() }; COUNT],
            taken: Mutex::new([false; COUNT]),
            returned: Condvar::new(),
            options,
        }
    }

    /// A network that no other test uses; waits until there is one.
    ///
    /// # Errors
    /// If there can be no network here.
    pub fn take(&self) -> Result<OwnNetwork<'_>, &Unavailable> {
        let turn = self.turn();
        let network = self.all[turn.number].get_or_init(|| Network::start((self.options)()));
        network.as_ref().map(|network| OwnNetwork { network, _turn: turn })
    }

    fn turn(&self) -> Turn<'_> {
        let mut taken = self.taken();
        loop {
            if let Some(number) = taken.iter().position(|it| !it) {
                taken[number] = true;
                return Turn { networks: self, number };
            }
            taken = self.returned.wait(taken).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn taken(&self) -> MutexGuard<'_, [bool; COUNT]> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.networks.taken()[self.number] = false;
        self.networks.returned.notify_one();
    }
}

impl<'n> OwnNetwork<'n> {
    /// The network, also for longer than it is this test's own.
    pub fn network(&self) -> &'n Network {
        self.network
    }
}

impl Deref for OwnNetwork<'_> {
    type Target = Network;

    fn deref(&self) -> &Network {
        self.network
    }
}

impl fmt::Debug for Networks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let started = self.all.iter().filter_map(OnceLock::get);
        f.debug_struct("Networks").field("started", &started.count()).finish_non_exhaustive()
    }
}
