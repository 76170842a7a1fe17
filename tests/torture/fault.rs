use std::{ffi::OsString, fmt, time::Duration};

use anyhow::Result;
use fastrand::Rng;

use crate::{
    environment::{AdapterLocation, Environment},
    program::Outcome,
    relay::Loss,
};

/// A fault of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    /// The program is killed.
    Kill,
    /// The disk is full.
    FullDisk,
    /// Replies are lost on their way.
    Loss,
    /// The server with adapter and state is killed, and starts again.
    ServerRestart,
    /// etcd is killed, and starts again.
    EtcdRestart,
}

/// The shortest time that a disk stays full.
const ROOM: Duration = Duration::from_secs(2);

impl Fault {
    /// One of those that can happen there.
    pub(crate) fn choose(place: &Environment, random: &mut Rng) -> Self {
        let mut all = vec![Self::Kill];
        if place.disk.can_be_full() {
            all.push(Self::FullDisk);
        }
        if !place.relays.is_empty() {
            all.push(Self::Loss);
        }
        // A simulator keeps nothing, so what it made would be gone with it.
        if place.serve.is_some() && place.adapter != AdapterLocation::ServedSimulator {
            all.push(Self::ServerRestart);
        }
        if place.etcd.is_some() {
            all.push(Self::EtcdRestart);
        }
        random.choice(all).unwrap_or(Self::Kill)
    }

    /// A run that it happens to.
    pub(crate) fn strike(
        self,
        place: &mut Environment,
        words: &[OsString],
        random: &mut Rng,
    ) -> Result<Outcome> {
        // Small times are likelier than great ones, since most happens early.
        let moment = Duration::from_millis(u64::from(random.u32(1..40) * random.u32(1..40)));
        match self {
            Self::Kill => place.program.start(words)?.kill_after(moment),
            Self::FullDisk => {
                place.disk.fill(random.usize(..6000))?;
                // A run waits for room and goes on once there is some.
                let running = place.program.start(words)?.until(moment + ROOM);
                place.disk.empty()?;
                running?.wait()
            }
            Self::Loss => {
                let losses = [Loss::Reply, Loss::Half, Loss::Request, Loss::Slow];
                let (loss, odds) = (random.choice(losses).unwrap_or(Loss::Reply), random.u32(2..12));
                place.relays.iter().for_each(|it| it.lose(loss, odds));
                let outcome = place.program.run(words);
                place.relays.iter().for_each(|it| it.lose(Loss::None, 1));
                outcome
            }
            Self::ServerRestart | Self::EtcdRestart => {
                let running = place.program.start(words)?;
                std::thread::sleep(moment);
                self.restart(place)?;
                running.wait()
            }
        }
    }

    fn restart(self, place: &mut Environment) -> Result<()> {
        match (self, &mut place.serve, &mut place.etcd) {
            (Self::ServerRestart, Some(serve), _) => serve.server.restart(),
            (Self::EtcdRestart, _, Some(etcd)) => etcd.restart(),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Kill => "kills",
            Self::FullDisk => "full disks",
            Self::Loss => "stretches of lost replies",
            Self::ServerRestart => "restarts of the server",
            Self::EtcdRestart => "restarts of etcd",
        })
    }
}
