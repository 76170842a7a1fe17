//! Serving the app to its developer, with adapters that make real resources beside it.

use std::{
    env,
    ffi::OsStr,
    io,
    net::{Ipv4Addr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    sync::mpsc::channel,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, anyhow, bail};

use crate::{
    guarded::Guarded,
    progress::Progress,
    shell::{cargo, command, program, relative, run as run_it, run_while, target, which},
    site::development::{self, Development},
    tools::{self, WASM_BINDGEN},
    wasm,
    watch::{self, Kind, Watched},
};

const FIRST_PORT: u16 = 8080;
const PAUSE: Duration = Duration::from_millis(200);
/// The programs that the shipped example runs.
const PROGRAMS: [&str; 2] = ["redis-server", "python3"];
/// The adapters that are served beside the app where nothing else is asked for; the page uses the first at the start.
const ADAPTERS: [&str; 3] = ["process", "simulator", "container"];
/// The registry of the images of the example in containers.
const IMAGES: &str = "docker.io/library";
/// The variable from which both servers read the token that pages show.
const TOKEN: &str = "PLANLOOM_TOKEN";
const SERVE_IN_NODE: &str = "import { serve } from './web/npm/src/serve.js';\
    await serve({ files: [], app: process.argv[1], port: Number(process.argv[2]) });";
/// Seconds of each step of a first start on two processors.
const USUAL: [(&str, f32); 4] = [("tools", 60.0), ("program", 150.0), ("app", 120.0), ("page", 6.0)];

/// `serve [--port N] [--allow PATH]… [--allow-env NAME]… [--adapter NAME]…`
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let mut port = None;
    let mut allowed: Vec<PathBuf> = PROGRAMS.iter().filter_map(|program| find(program)).collect();
    let (mut adapters, mut variables) = (Vec::new(), Vec::new());
    for pair in arguments.chunks(2) {
        match pair {
            [flag, number] if flag == "--port" => {
                port = Some(number.parse().with_context(|| format!("not a port: {number}"))?);
            }
            [flag, path] if flag == "--allow" => allowed.push(path.into()),
            [flag, name] if flag == "--allow-env" => variables.push(name.clone()),
            [flag, name] if flag == "--adapter" => adapters.push(name.clone()),
            _ => bail!("serve takes --port N, --allow PATH, --allow-env NAME and --adapter NAME"),
        }
    }
    if adapters.is_empty() && has_engine() {
        adapters = ADAPTERS.map(str::to_owned).into();
        allowed.push(IMAGES.into());
    }
    serve(held_port(port)?, &allowed, &variables, &adapters)
}

/// Sets up, builds, serves and rebuilds on change until it is stopped.
fn serve(held: TcpListener, allowed: &[PathBuf], variables: &[String], adapters: &[String]) -> Result<()> {
    let port = held.local_addr()?.port();
    let dist = target().join("site-dev");
    let (app, progress) = (Development::new(dist.clone(), true), Progress::new(&USUAL));
    // What changes while the app is built for the first time is built afterwards.
    let (mut watched, mut pending) = (Watched::new(), Vec::new());
    build_app(&app, &progress)?;
    let token = env::var(TOKEN).map_or_else(|_| new_token(), Ok)?;
    drop(held);
    let page_first = if program().is_file() { None } else { Some(serve_in_node(&dist, port, &token)?) };
    thread::scope(|scope| {
        let program = scope.spawn(|| build_program(&progress));
        while !program.is_finished() {
            thread::sleep(PAUSE);
            rebuild_changed(&app, &mut watched, &mut pending);
        }
        program.join().map_err(|_| anyhow!("the program could not be built"))?
    })?;
    for program in PROGRAMS.iter().filter(|program| find(program).is_none()) {
        println!("  {program} is not there, so the example that counts visits will not start");
    }
    let mut home = command(program());
    home.arg("serve").arg("--app").arg(&dist).args(["--port", &port.to_string()]).env(TOKEN, &token);
    home.arg("--process-folder").arg(target().join("serve/process"));
    home.arg("--container-folder").arg(target().join("serve/container"));
    home.args(allowed.iter().flat_map(|path| [OsStr::new("--allow"), path.as_os_str()]));
    home.args(variables.iter().flat_map(|name| ["--allow-env", name]));
    home.args(adapters.iter().flat_map(|name| ["--adapter", name]));
    if let Some(node) = page_first {
        node.end()?;
        // The page reloads itself once the program answers, and has its adapters.
        app.copy_static()?;
    }
    let mut home = Guarded::start(&home)?;
    loop {
        if let Some(status) = home.ended()? {
            if status.success() {
                return Ok(());
            }
            bail!("planloom serve ended ({status})");
        }
        thread::sleep(PAUSE);
        rebuild_changed(&app, &mut watched, &mut pending);
    }
}

/// Builds what has changed since the last check.
fn rebuild_changed(app: &Development, watched: &mut Watched, pending: &mut Vec<PathBuf>) {
    let changed = watched.changed();
    if !changed.is_empty() {
        pending.extend(changed);
        if rebuild(app, pending) {
            pending.clear();
        }
    }
}

/// Builds the app. Two processors are kept busy: tools are compiled and packages fetched beside what cargo compiles. The
/// finished steps of an interrupted build are not repeated. What is compiled ends if the tools fail.
fn build_app(app: &Development, progress: &Progress) -> Result<()> {
    let (has_target, target_added) = channel();
    let (input, wanted) = io::pipe()?;
    thread::scope(|scope| {
        let tools = scope.spawn(move || {
            progress.step("tools", || {
                tools::wasm_target()?;
                has_target.send(()).context("nothing waits for the target")?;
                development::bundle_editor()?;
                WASM_BINDGEN.folder().map(|_| wanted)
            })
        });
        // Nothing is sent where the tools fail, which is reported as their error.
        let compiled = match target_added.recv() {
            Ok(()) => progress.step("app", || run_while(input, &wasm::compile(&development::PACKAGES))),
            Err(_) => Ok(()),
        };
        let _wanted = tools.join().map_err(|_| anyhow!("the tools could not be installed"))??;
        compiled
    })?;
    progress.step("page", || app.assemble())
}

fn build_program(progress: &Progress) -> Result<()> {
    let mut build = cargo();
    build.args(["build", "--locked", "--package", "planloom-cli"]);
    progress.step("program", || run_it(&mut build))?;
    progress.say(&format!("  {} is ready for use at the terminal", relative(&program())));
    Ok(())
}

/// Serves the app before there is a program that does, as the npm package does.
fn serve_in_node(app: &Path, port: u16, token: &str) -> Result<Guarded> {
    let mut node = command("node");
    node.args(["--input-type=module", "--eval", SERVE_IN_NODE]).arg(app).arg(port.to_string());
    let mut node = Guarded::start(node.env(TOKEN, token))?;
    while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
        if let Some(status) = node.ended()? {
            bail!("the page could not be served with Node ({status})");
        }
        thread::sleep(PAUSE);
    }
    println!("  The page is there. It has the simulator now, and this machine's adapters in some minutes.");
    Ok(node)
}

/// A token of 256 random bits.
fn new_token() -> Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|it| anyhow!("no random numbers: {it}"))?;
    Ok(bytes.iter().map(|it| format!("{it:02x}")).collect())
}

/// Builds what has changed; true if that succeeded. What failed is built again with the next change.
fn rebuild(app: &Development, changed: &[PathBuf]) -> bool {
    let began = Instant::now();
    let has = |kind| changed.iter().any(|it| watch::kind(it) == kind);
    let built: Result<()> = (|| {
        if has(Kind::Editor) {
            development::bundle_editor()?;
        }
        if !has(Kind::Code) {
            return app.copy_static();
        }
        run_it(&mut wasm::compile(&development::PACKAGES))?;
        app.assemble()
    })();
    match &built {
        Ok(()) => println!("  built in {:.1} s: the page reloads", began.elapsed().as_secs_f32()),
        Err(error) => println!("error: {error:#}"),
    }
    built.is_ok()
}

/// True if a server listens at one of the sockets where `planloom serve` looks for Podman and Docker.
#[cfg(unix)]
fn has_engine() -> bool {
    let listens = |it: &PathBuf| std::os::unix::net::UnixStream::connect(it).is_ok();
    sockets(|name| env::var(name).ok()).iter().any(listens)
}

#[cfg(not(unix))]
fn has_engine() -> bool {
    false
}

/// The sockets that it tries.
#[cfg(unix)]
fn sockets(variable: impl Fn(&str) -> Option<String>) -> Vec<PathBuf> {
    let named = ["CONTAINER_HOST", "DOCKER_HOST"].into_iter().filter_map(&variable);
    let named = named.filter_map(|it| it.strip_prefix("unix://").map(PathBuf::from));
    let own = variable("XDG_RUNTIME_DIR").filter(|it| !it.is_empty()).map(PathBuf::from);
    let folders = own.into_iter().chain([PathBuf::from("/run")]);
    let usual = folders.flat_map(|it| ["podman/podman.sock", "docker.sock"].map(|name| it.join(name)));
    named.chain(usual).collect()
}

/// The path of a program: the system's own first, since others may be no more than scripts that search for it.
fn find(program: &str) -> Option<PathBuf> {
    let own = Path::new("/usr/bin").join(program);
    if own.is_file() { Some(own) } else { which(program) }
}

/// A port that no other process gets while the app is being built: the one that is named, or the first that is free.
fn held_port(named: Option<u16>) -> Result<TcpListener> {
    let held = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    match named {
        Some(port) => {
            held(port).with_context(|| format!("port {port} cannot be used: name another with --port"))
        }
        None => (FIRST_PORT..FIRST_PORT + 100)
            .find_map(|it| held(it).ok())
            .context("no free port: name one with --port"),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn engines_are_where_the_adapter_looks() {
        let found = sockets(|name| match name {
            "DOCKER_HOST" => Some("unix:///a/docker.sock".into()),
            "CONTAINER_HOST" => Some("tcp://127.0.0.1:2375".into()),
            "XDG_RUNTIME_DIR" => Some("/run/user/7".into()),
            _ => None,
        });
        let names: Vec<_> = found.iter().filter_map(|it| it.to_str()).collect();
        let own = ["/run/user/7/podman/podman.sock", "/run/user/7/docker.sock"];
        let system = ["/run/podman/podman.sock", "/run/docker.sock"];
        assert_eq!(names, [&["/a/docker.sock"], &own[..], &system[..]].concat());
    }
}
