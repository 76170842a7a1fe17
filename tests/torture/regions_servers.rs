use std::{
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use fastrand::Rng;
use serde_json::json;

use crate::{
    etcd,
    http::send,
    regions_round::{REGIONS, SETTLED_IN},
    relay::Relay,
    serve::TOKEN,
    server::{Server, free_port},
};

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

/// A server, and the network that the others reach it over.
pub(crate) struct Region {
    pub(crate) server: Server,
    pub(crate) relay: Relay,
    /// The place of its resources, if that is no file.
    _etcd: Option<Server>,
}

/// The places of servers.
pub(crate) struct Places<'a> {
    pub(crate) program: &'a Path,
    pub(crate) home: &'a Path,
}

impl Places<'_> {
    /// The servers of all regions, and after them that of the registry in which they register, all at once; `None` where this machine
    /// has no second loopback address.
    pub(crate) fn start(&self, random: &mut Rng) -> Result<Option<Vec<Region>>> {
        fs::create_dir_all(self.home)?;
        fs::write(self.home.join("fleet.yaml"), FLEET)?;
        let registry = free_port()?;
        let mut all = Vec::new();
        for region in REGIONS {
            let port = free_port()?;
            let words = format!(
                "--service fleet.yaml --region {region} --registry http://[::1]:{registry} --advertise http://[::1]:{port}"
            );
            match self.server((region, port), &words, random)? {
                Some(region) => all.push(region),
                None => return Ok(None),
            }
        }
        let words = format!("--serve-registry {} --advertise http://[::1]:{registry}", REGIONS.join(","));
        let registry = self.server(("registry", registry), &words, random)?;
        Ok(registry.map(|it| all.into_iter().chain([it]).collect()))
    }

    fn server(&self, (name, port): (&str, u16), words: &str, random: &mut Rng) -> Result<Option<Region>> {
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        let Some(relay) = Relay::before(address)? else { return Ok(None) };
        let etcd = match etcd::find().filter(|_| random.bool()) {
            Some(program) => Some(etcd::start(program, self.home.join(format!("{name}.etcd")))?),
            None => None,
        };
        let store = etcd.as_ref().map(|it| format!("etcd://{}/{name}", it.address()));
        let store = store.unwrap_or_else(|| format!("{name}.db"));
        let words = format!("serve {words} --format json --store {store} --port {port}");
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        let (program, home) = (self.program.to_owned(), self.home.to_owned());
        let server = Server::start("planloom serve", port, move || Ok(command(&program, &home, &words)))?;
        Ok(Some(Region { server, relay, _etcd: etcd }))
    }
}

fn command(program: &PathBuf, home: &PathBuf, words: &[String]) -> Command {
    let mut command = Command::new(program);
    command.current_dir(home).args(words).env("PLANLOOM_TOKEN", TOKEN);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Waits until the registry has all regions: those that have registered at the same time, too.
pub(crate) fn check_registered(registry: SocketAddr) -> Result<()> {
    let began = Instant::now();
    let mut expected = REGIONS;
    expected.sort_unstable();
    loop {
        let service = send(registry, "GET", "/v1/services/fleet.example.com", &[], "");
        let deployments = send(registry, "GET", "/v1/services/fleet.example.com/deployments", &[], "");
        if let (Ok(service), Ok(deployments)) = (&service, &deployments)
            && service.body["multiRegionPolicy"]["enabledRegions"] == json!(expected)
            && deployments.body["deployments"].as_array().map(Vec::len) == Some(REGIONS.len())
        {
            return Ok(());
        }
        ensure!(
            began.elapsed() < SETTLED_IN,
            "the registry has not all regions: {service:?} {deployments:?}"
        );
        thread::sleep(Duration::from_millis(50));
    }
}
