use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use anyhow::{Result, ensure};
use fastrand::Rng;

use crate::{
    editors::{Edits, edit},
    http::{Reply, send},
    round::{Tally, folder},
    serve::serve_files,
    server::Server,
};

/// Two servers of one folder, clients of both, and editors that know neither, all writing the same file, while servers are
/// killed. The text that an editor saved is never overwritten, and a renamed file has one name.
pub(crate) struct FilesRound {
    program: PathBuf,
    home: PathBuf,
    random: Rng,
}

/// The time for which all of them write.
const TIME: Duration = Duration::from_secs(5);
const EDITED: &str = "app.yaml";
const MOVING: [&str; 2] = ["one.yaml", "other.yaml"];

impl FilesRound {
    pub(crate) fn new(program: &Path, seed: u64, number: u64, random: Rng) -> Self {
        let home = folder("files", seed, number);
        Self { program: program.to_owned(), home, random }
    }

    pub(crate) fn run(mut self, tally: &mut Tally) -> Result<()> {
        let shop = self.home.join("shop");
        fs::create_dir_all(&shop)?;
        fs::create_dir_all(self.home.join("page"))?;
        fs::write(self.home.join("page/index.html"), "<!doctype html>")?;
        fs::write(shop.join(EDITED), "meta: {name: shop}\n")?;
        fs::write(shop.join(MOVING[0]), "services: {}\n")?;
        let serve = || serve_files(&self.program, &self.home, "shop");
        let mut pair = [serve()?, serve()?];
        let saved = self.write(&shop, &mut pair)?;
        for server in &mut pair {
            server.restart()?;
        }
        saved.check(&fs::read_to_string(shop.join(EDITED))?)?;
        tally.edited(&saved);
        has_one_name(&shop)?;
        pair.iter().try_for_each(|it| shows_what_is_there(it, &shop))?;
        drop(pair);
        // What is left over lies among temporary files and does no harm.
        drop(fs::remove_dir_all(&self.home));
        Ok(())
    }

    /// Runs all writers for some time. Returns what the editors saved.
    fn write(&mut self, shop: &Path, servers: &mut [Server; 2]) -> Result<Edits> {
        let is_over = AtomicBool::new(false);
        let addresses = [servers[0].address(), servers[1].address()];
        let mut random = self.random.fork();
        thread::scope(|scope| {
            let is_over = &is_over;
            for address in addresses {
                scope.spawn(move || client(address, is_over));
            }
            scope.spawn(move || mover(addresses[0], is_over));
            let editor = scope.spawn(move || edit(&shop.join(EDITED), &mut random, is_over));
            let killed = self.kill(servers);
            is_over.store(true, Ordering::Relaxed);
            let saved = editor.join().map_err(|_| anyhow::anyhow!("the editor failed"))?;
            killed.and(saved)
        })
    }

    fn kill(&mut self, servers: &mut [Server; 2]) -> Result<()> {
        let mut left = TIME;
        while !left.is_zero() {
            let pause = Duration::from_millis(self.random.u64(200..1500)).min(left);
            thread::sleep(pause);
            left -= pause;
            let at = self.random.usize(..servers.len());
            servers.get_mut(at).map_or(Ok(()), Server::restart)?;
        }
        Ok(())
    }
}

/// Adds a line to the file again and again, if it still is what was read. A server that is being killed does not answer.
fn client(address: std::net::SocketAddr, is_over: &AtomicBool) {
    let path = format!("/files/{EDITED}");
    for number in 0.. {
        if is_over.load(Ordering::Relaxed) {
            return;
        }
        let Ok(Reply { status: 200, body }) = send(address, "GET", &path, &[], "") else { continue };
        let (Some(text), Some(etag)) = (body["text"].as_str(), body["etag"].as_str()) else { continue };
        let text = format!("{text}# client {} {number}\n", address.port());
        drop(send(address, "PUT", &path, &[("if-match", etag)], &text));
    }
}

/// Gives a file another name again and again.
fn mover(address: std::net::SocketAddr, is_over: &AtomicBool) {
    let [mut from, mut to] = MOVING;
    while !is_over.load(Ordering::Relaxed) {
        let path = format!("/files/{from}");
        if let Ok(Reply { status: 200, body }) = send(address, "GET", &path, &[], "")
            && let Some(etag) = body["etag"].as_str()
        {
            drop(send(address, "POST", &path, &[("if-match", etag)], &format!("{{\"to\": \"{to}\"}}")));
        }
        (from, to) = (to, from);
    }
}

fn has_one_name(shop: &Path) -> Result<()> {
    let there: Vec<_> = MOVING.iter().filter(|it| shop.join(it).exists()).collect();
    ensure!(there.len() == 1, "a file that was renamed has the names {there:?}");
    Ok(())
}

fn shows_what_is_there(server: &Server, shop: &Path) -> Result<()> {
    let reply = send(server.address(), "GET", &format!("/files/{EDITED}"), &[], "")?;
    let text = fs::read_to_string(shop.join(EDITED))?;
    ensure!(reply.body["text"] == *text, "a server shows another text than the file has");
    Ok(())
}
