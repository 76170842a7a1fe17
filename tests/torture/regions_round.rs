use std::{
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Result, anyhow, ensure};
use fastrand::Rng;

use crate::{
    etcd,
    http::send,
    regions_check::{check_references, check_written, fetch},
    regions_writer::{Written, write},
    relay::{Loss, Relay},
    round::{Tally, folder},
    serve::TOKEN,
    server::{Server, free_port},
};

/// A service in three regions is written to while its servers are killed and their connections are cut: afterwards all copies
/// equal their owners, nothing that was acknowledged is lost, no reference dangles, and nothing is blocked for ever.
pub(crate) struct RegionsRound {
    program: PathBuf,
    home: PathBuf,
    random: Rng,
    time: Duration,
}

/// The regions; the first one is the control region.
pub(crate) const REGIONS: [&str; 3] = ["eu", "us", "ap"];

/// The number of clients that write, each up to ten times a second.
const WRITERS: usize = 10;

/// The time in which all copies have to equal their owners, on a busy machine.
const SETTLED_IN: Duration = Duration::from_secs(120);

const FLEET: &str = "name: fleet.example.com
proto: {package: {name: example.fleet, currentVersion: v1}}
resources:
- name: Project
  multiRegion: {isPolicyHolder: true}
- name: Tag
  parents: [Project]
- name: Device
  parents: [Project]
  scopeAttributes: [Region]
  fields:
  - {path: title, type: string}
  - {path: tag, type: reference, resource: Tag, targetDeleteBehavior: UNSET}
- name: Rule
  parents: [Project]
  scopeAttributes: [Region]
  fields:
  - {path: device, type: reference, resource: Device, targetDeleteBehavior: BLOCK}
";

/// A region: its server, and the network that the others reach it over.
struct Region {
    server: Server,
    relay: Relay,
    /// The place of its resources, if that is no file.
    _etcd: Option<Server>,
}

impl RegionsRound {
    pub(crate) fn new(program: &Path, seed: u64, number: u64, random: Rng, time: Duration) -> Result<Self> {
        let home = folder("regions", seed, number);
        fs::create_dir_all(&home)?;
        fs::write(home.join("fleet.yaml"), FLEET)?;
        Ok(Self { program: program.to_owned(), home, random, time })
    }

    pub(crate) fn run(mut self, tally: &mut Tally) -> Result<()> {
        let ports = [free_port()?, free_port()?, free_port()?];
        let mut regions = Vec::new();
        for own in 0..REGIONS.len() {
            match self.start(own, &ports)? {
                Some(region) => regions.push(region),
                None => {
                    tally.skip("regions: this machine has no second loopback address");
                    return Ok(());
                }
            }
        }
        let addresses: Vec<SocketAddr> = regions.iter().map(|it| it.server.address()).collect();
        let project = "{\"name\": \"projects/p1\", \"multiRegionPolicy\": {\"enabledRegions\": [\"ap\", \"eu\", \"us\"], \
                       \"defaultControlRegion\": \"us\"}}";
        post(addresses[0], "/v1/projects", project)?;
        let began = Instant::now();
        let (written, kills) = self.disturb(&mut regions, &addresses)?;
        let rate = written.acknowledged as f64 / began.elapsed().as_secs_f64();
        let settled = settle(&addresses)?;
        println!(
            "  regions: {} writes acknowledged ({rate:.0} a second), {} refused, {} uncertain, {kills} kills, copies equal their \
             owners {:.1} s after the last fault",
            written.acknowledged,
            written.refused,
            written.uncertain,
            settled.as_secs_f64()
        );
        let all = fetch(&addresses)?;
        check_written(&all, &written)?;
        empty(&addresses)?;
        tally.killed(kills);
        drop(fs::remove_dir_all(&self.home));
        Ok(())
    }

    /// `None` where this machine has no second loopback address.
    fn start(&mut self, own: usize, ports: &[u16; 3]) -> Result<Option<Region>> {
        let (region, port) = (REGIONS[own], ports[own]);
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        let Some(relay) = Relay::before(address)? else { return Ok(None) };
        let etcd = match etcd::find().filter(|_| self.random.bool()) {
            Some(program) => Some(etcd::start(program, self.home.join(format!("{region}.etcd")))?),
            None => None,
        };
        let store = etcd.as_ref().map(|it| format!("etcd://{}/{region}", it.address()));
        let store = store.unwrap_or_else(|| format!("{region}.db"));
        let mut words =
            vec!["serve", "--service", "fleet.yaml", "--region", region, "--control-region", REGIONS[0]];
        words.extend(["--format", "json", "--store", &store]);
        let others = (0..REGIONS.len()).filter(|at| *at != own);
        let peers: Vec<String> = others
            .map(|at| format!("fleet.example.com@{}=http://[::1]:{}", REGIONS[at], ports[at]))
            .collect();
        words.extend(peers.iter().flat_map(|it| ["--peer", it]));
        let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        let (program, home) = (self.program.clone(), self.home.clone());
        let server = Server::start("planloom serve", port, move || {
            let mut command = Command::new(&program);
            command.current_dir(&home).args(&words).args(["--port", &port.to_string()]);
            command
                .env("PLANLOOM_TOKEN", TOKEN)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            Ok(command)
        })?;
        Ok(Some(Region { server, relay, _etcd: etcd }))
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
    loop {
        let Err(error) = post(addresses[2], "/v1/projects", "{\"name\": \"projects/p1\"}") else {
            return Ok(());
        };
        ensure!(began.elapsed() < SETTLED_IN, "a deleted project cannot be created again: {error}");
        thread::sleep(Duration::from_millis(100));
    }
}

fn post(address: SocketAddr, path: &str, body: &str) -> Result<()> {
    let reply = send(address, "POST", path, &[("content-type", "application/json")], body)?;
    ensure!(reply.status == 200, "POST {path}: {} {}", reply.status, reply.body);
    Ok(())
}
