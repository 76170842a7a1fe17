use std::{
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, anyhow, ensure};
use fastrand::Rng;

use crate::{
    http::send,
    regions_check::{check_references, check_written, fetch},
    regions_servers::{Places, Region, check_registered},
    regions_writer::{Written, write},
    relay::Loss,
    round::{Tally, folder},
};

/// A service in three regions is written to while its servers are killed and their connections are cut: afterwards all copies
/// equal their owners, nothing that was acknowledged is lost, no reference dangles, and nothing is blocked for ever.
pub(crate) struct RegionsRound {
    program: PathBuf,
    home: PathBuf,
    random: Rng,
    time: Duration,
}

/// The regions.
pub(crate) const REGIONS: [&str; 3] = ["eu", "us", "ap"];

/// The number of clients that write, each up to ten times a second.
const WRITERS: usize = 10;

/// The time in which all copies have to equal their owners, on a busy machine.
pub(crate) const SETTLED_IN: Duration = Duration::from_secs(120);

impl RegionsRound {
    pub(crate) fn new(program: &Path, seed: u64, number: u64, random: Rng, time: Duration) -> Result<Self> {
        let home = folder("regions", seed, number);
        Ok(Self { program: program.to_owned(), home, random, time })
    }

    pub(crate) fn run(mut self, tally: &mut Tally) -> Result<()> {
        let places = Places { program: &self.program, home: &self.home };
        let Some(mut regions) = places.start(&mut self.random)? else {
            tally.skip("regions: this machine has no second loopback address");
            return Ok(());
        };
        let addresses: Vec<SocketAddr> = regions.iter().map(|it| it.server.address()).collect();
        let (registry, addresses) = addresses.split_last().context("the registry")?;
        check_registered(*registry)?;
        let project = "{\"name\": \"projects/p1\", \"multiRegionPolicy\": {\"enabledRegions\": [\"ap\", \"eu\", \"us\"], \
                       \"defaultControlRegion\": \"us\"}}";
        create(addresses[0], project)?;
        let began = Instant::now();
        let (written, kills) = self.disturb(&mut regions, addresses)?;
        let rate = written.acknowledged as f64 / began.elapsed().as_secs_f64();
        let settled = settle(addresses)?;
        println!(
            "  regions: {} writes acknowledged ({rate:.0} a second), {} refused, {} uncertain, {kills} kills, copies equal their \
             owners {:.1} s after the last fault",
            written.acknowledged,
            written.refused,
            written.uncertain,
            settled.as_secs_f64()
        );
        let all = fetch(addresses)?;
        check_written(&all, &written)?;
        empty(addresses)?;
        check_registered(*registry)?;
        tally.killed(kills);
        drop(fs::remove_dir_all(&self.home));
        Ok(())
    }

    /// Writes while servers are killed and connections are cut. At the end all servers run, and reach each other.
    fn disturb(&mut self, regions: &mut [Region], addresses: &[SocketAddr]) -> Result<(Written, usize)> {
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            let writers: Vec<_> = (0..WRITERS)
                .map(|number| {
                    let (random, stop) = (self.random.fork(), &stop);
                    scope.spawn(move || write(number, random, addresses, stop))
                })
                .collect();
            let kills = self.faults(regions, addresses);
            stop.store(true, Ordering::SeqCst);
            let mut all = Written::default();
            for writer in writers {
                all.add(writer.join().map_err(|_| anyhow!("a writer has panicked"))?);
            }
            Ok((all, kills?))
        })
    }

    /// Kills a server every ten seconds, and cuts the way to one or changes the policy in between.
    fn faults(&mut self, regions: &mut [Region], addresses: &[SocketAddr]) -> Result<usize> {
        let (began, mut kills) = (Instant::now(), 0);
        let every = Duration::from_secs(10).min(self.time / 3);
        while began.elapsed() < self.time {
            let at = self.random.usize(..regions.len());
            let loss = [Loss::Reply, Loss::Half, Loss::Request, Loss::Slow][self.random.usize(..4)];
            regions[at].relay.lose(loss, self.random.u32(1..4));
            thread::sleep(every / 3);
            regions[at].relay.lose(Loss::None, 1);
            self.change_policy(addresses);
            thread::sleep(every / 3);
            regions[self.random.usize(..regions.len())].server.restart()?;
            kills += 1;
            thread::sleep(every / 3);
        }
        Ok(kills)
    }

    /// Adds a region to the policy, or removes one. Whether that succeeds does not matter.
    fn change_policy(&mut self, addresses: &[SocketAddr]) {
        let enabled = [r#"["ap", "eu", "us"]"#, r#"["eu", "us"]"#, r#"["ap", "us"]"#][self.random.usize(..3)];
        let body = format!(
            r#"{{"multiRegionPolicy": {{"enabledRegions": {enabled}, "defaultControlRegion": "us"}}}}"#
        );
        let path = "/v1/projects/p1?updateMask=multiRegionPolicy";
        let address = addresses[self.random.usize(..addresses.len())];
        drop(send(address, "PUT", path, &[("content-type", "application/json")], &body));
    }
}

/// Waits until all copies equal their owners, and what deletions left for later is done; the time that it took.
fn settle(addresses: &[SocketAddr]) -> Result<Duration> {
    let began = Instant::now();
    loop {
        let difference = fetch(addresses).and_then(|all| {
            all.check_copies()?;
            check_references(&all)
        });
        match difference {
            Ok(()) => return Ok(began.elapsed()),
            Err(error) if began.elapsed() > SETTLED_IN => {
                return Err(error.context(format!("after two minutes; {}", statuses(addresses))));
            }
            Err(_) => thread::sleep(Duration::from_millis(100)),
        }
    }
}

/// What the regions say of themselves.
fn statuses(addresses: &[SocketAddr]) -> String {
    let status = |it: &SocketAddr| match send(*it, "GET", "/peers/v1/status", &[], "") {
        Ok(reply) => reply.body.to_string(),
        Err(error) => error.to_string(),
    };
    addresses.iter().map(status).collect::<Vec<_>>().join(" ")
}

/// Deletes all there is: afterwards no region has anything, and all names can be used again.
fn empty(addresses: &[SocketAddr]) -> Result<()> {
    for name in fetch(addresses)?.names("rules") {
        let deleted = send(addresses[0], "DELETE", &format!("/v1/{name}"), &[], "")?;
        ensure!(deleted.status == 200, "{name} cannot be deleted: {} {}", deleted.status, deleted.body);
    }
    let deleted = send(addresses[1], "DELETE", "/v1/projects/p1", &[], "")?;
    ensure!(deleted.status == 200, "the project cannot be deleted: {} {}", deleted.status, deleted.body);
    let began = Instant::now();
    loop {
        let left = fetch(addresses)?.count();
        if left == 0 {
            break;
        }
        ensure!(began.elapsed() < SETTLED_IN, "{left} resources are left of a project that was deleted");
        thread::sleep(Duration::from_millis(100));
    }
    // The project itself may be there for a moment longer than what is in it.
    create(addresses[2], "{\"name\": \"projects/p1\"}")
}

/// Creates a project, as soon as that is possible.
fn create(address: SocketAddr, project: &str) -> Result<()> {
    let began = Instant::now();
    loop {
        let json = [("content-type", "application/json")];
        let reply = send(address, "POST", "/v1/projects", &json, project)?;
        if reply.status == 200 {
            return Ok(());
        }
        ensure!(began.elapsed() < SETTLED_IN, "no project can be created: {} {}", reply.status, reply.body);
        thread::sleep(Duration::from_millis(100));
    }
}
