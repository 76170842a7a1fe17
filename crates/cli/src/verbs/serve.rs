mod access_policy;
mod addresses;
mod app;
mod browser;
mod conversions;
mod documents;
mod files;
mod health;
mod hooks;
mod in_force;
mod limits;
mod metrics;
mod peers;
mod policy_reload;
mod recovery;
mod regions;
mod registration;
mod rejections;
mod service;
mod store;
mod unserved;

use report::codes;
use std::{
    env, io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    rc::Rc,
    time::{Duration, Instant},
};

use host::{
    AdapterHandler, ApiHandler, EtcdOwnership, FilesHandler, Guard, Handler, Limits, Listener, Loopback,
    Mounts, OwnershipEnd, StateHandler, StoreGate, SystemTimer, TokenAuth, UserAuth,
};
use http::{HeaderValue, Request, Response, header::CONTENT_TYPE};
use protocol::LocalFuture;
use serde_json::json;
use workspace::view::{DiagnosticView, ServiceView, Severity, StandardMethod, words::count};

use super::apply::failed;
use super::notes;
use crate::answer::Answer;
use crate::args::{Format, Serve};
use crate::console::{Console, write_err, write_out};
use crate::problem::problem;
use crate::work::{
    embedded::{Embedded, Home, RecordedResources, ServiceAccess, no_adapter},
    run,
};

/// The variable with a token of the user's own.
const TOKEN: &str = "PLANLOOM_TOKEN";
/// The time between attempts to reach other deployments.
const UPKEEP: Duration = Duration::from_secs(2);
/// The time to wait for a port that is in use.
const PATIENCE: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(50);
/// The time that requests in progress have at the end.
const GRACE: Duration = Duration::from_secs(5);
/// The path of the states.
const STATE: &str = "/state";

pub(crate) fn run(args: &Serve, console: Console) -> Answer {
    if !args.services.is_empty() || !args.api.serve_registry.is_empty() {
        return run_service(args, console);
    }
    match run::run(serve(args, console)) {
        Ok(()) => Answer::default(),
        Err(problem) => failed(&[*problem], &[], args.format, console),
    }
}

/// Serves the API of specifications, and nothing else.
fn run_service(args: &Serve, console: Console) -> Answer {
    let served = match service::served(args) {
        Ok(served) => served,
        Err(refused) => return failed(&refused.problems, &refused.loaded.texts, args.format, console),
    };
    match run::run(serve_service(args, served, console)) {
        Ok(()) => Answer::default(),
        Err(problem) => failed(&[*problem], &[], args.format, console),
    }
}

async fn serve_service(
    args: &Serve,
    mut served: service::Served,
    console: Console,
) -> Result<(), Box<DiagnosticView>> {
    survive_file_limits();
    let auth = match &served.users {
        Some(users) => ServiceAuth::Users(users.clone()),
        None => ServiceAuth::Token(token_auth()?),
    };
    drop(write_err(&notes(&served.problems, &served.texts, console)));
    let listener = listener(args).await?;
    let guard = guard(args, &listener)?;
    let handler = auth.protect(served.handler.clone());
    let reason = served.registration.as_ref().map(registration::Registration::reason);
    let reason = move || reason.as_ref().and_then(|it| it());
    let handler = health::with_health(handler, served.gate.clone(), reason);
    let server = listener.serve(handler, guard, Limits::default());
    if let Some(registration) = &served.registration {
        let is_registered = tokio::select! {
            begun = registration.begin(args, server.origin()) => begun.map(|()| true)?,
            () = stopped() => false,
        };
        if !is_registered {
            server.stop(GRACE).await;
            return Ok(());
        }
    }
    print_service(args, &served, server.origin(), &auth, console);
    served.api.work();
    if served.has_peers {
        tokio::task::spawn_local(keep_up(served.api.clone()));
        served.regions.copy();
    }
    if let Some(ownership) = served.store.ownership.take() {
        let (gate, store) = (served.gate.clone(), served.store.store.clone());
        tokio::task::spawn_local(
            async move { stop_when_superseded(&ownership, &gate, &store, console).await },
        );
    }
    if let Some(reload) = served.reload.take() {
        tokio::task::spawn_local(reload.run(console));
    }
    stopped().await;
    // Ends the streams of watches; what was submitted before is written.
    served.store.store.close();
    server.stop(GRACE).await;
    served.store.join().map_err(|error| {
        Box::new(problem(codes::STORE, None, error.to_string(), "start it again, and report this as a bug"))
    })
}

/// Sends other deployments what they are owed, again and again: some may not have been reachable.
async fn keep_up(api: ApiHandler) {
    loop {
        tokio::time::sleep(UPKEEP).await;
        api.work();
    }
}

/// Ends watches when another server has taken over the store, and reports that. Requests after that are refused by the
/// gate.
async fn stop_when_superseded(
    ownership: &EtcdOwnership,
    gate: &StoreGate,
    store: &::store::Store,
    console: Console,
) {
    let (message, help) = match ownership.guard(gate).await {
        Ok(OwnershipEnd::Superseded) => (
            "another process has opened the store: nothing is answered any more, and watches have ended"
                .to_owned(),
            "end this server, or end the other one and start this one again",
        ),
        Ok(OwnershipEnd::Removed) => (
            "the store is no longer in etcd: nothing is answered any more, and watches have ended".to_owned(),
            "start this server again: with an empty store, or after the store was restored from a snapshot of etcd",
        ),
        Err(why) => (
            format!("it is not noticed when another server takes over the store: {why}"),
            "check the certificates of the system",
        ),
    };
    if gate.reason().is_some() {
        store.close();
    }
    let warning =
        DiagnosticView { severity: Severity::Warning, ..problem(codes::SUPERSEDED, None, message, help) };
    drop(write_err(&notes(&[warning], &[], console)));
}

/// The authentication of a served API.
enum ServiceAuth {
    /// Everyone who has the token of the server.
    Token(TokenAuth),
    /// The users of an access policy.
    Users(UserAuth),
}

impl ServiceAuth {
    fn protect(&self, handler: Rc<dyn Handler>) -> Rc<dyn Handler> {
        match self {
            Self::Token(auth) => Rc::new(auth.protect(handler)),
            Self::Users(auth) => Rc::new(auth.protect(handler)),
        }
    }

    /// The token to show; users have their own.
    fn token(&self) -> Option<&str> {
        match self {
            Self::Token(auth) => Some(auth.token()),
            Self::Users(_) => None,
        }
    }
}

/// A write beyond the limit of a file's size (`ulimit -f`) is an error as on a full disk: without a handler, its signal would
/// end the process. Programs that are started have the system's behaviour again.
#[cfg(unix)]
fn survive_file_limits() {
    use tokio::signal::unix::{SignalKind, signal};
    /// `SIGXFSZ`, on all systems that are supported.
    const FILE_SIZE_LIMIT: i32 = 25;
    // Without it, a limit ends the process, as it would any other.
    drop(signal(SignalKind::from_raw(FILE_SIZE_LIMIT)));
}

#[cfg(not(unix))]
const fn survive_file_limits() {}

/// Waits for the signal to stop: Ctrl-C, or `SIGTERM` of a service manager. Without signals it serves until it is killed.
async fn stopped() {
    tokio::select! {
        Ok(()) = tokio::signal::ctrl_c() => {}
        () = terminated() => {}
        else => std::future::pending::<()>().await,
    }
}

#[cfg(unix)]
async fn terminated() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut terminate) => drop(terminate.recv().await),
        Err(_) => std::future::pending::<()>().await,
    }
}

#[cfg(not(unix))]
async fn terminated() {
    std::future::pending::<()>().await;
}

async fn listener(args: &Serve) -> Result<Listener, Box<DiagnosticView>> {
    // Text that a page could not write while nothing served it is kept for its address.
    if let Some(usual) = files::usual_port(&args.files).filter(|_| args.port == 0)
        && let Ok(listener) = Listener::bind(Loopback::V4, usual).await
    {
        return Ok(listener);
    }
    let host = args.host.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    bind(host, args.port).await.map_err(|error| {
        let message = format!("`{}` cannot be used: {error}", SocketAddr::new(host, args.port));
        let help = match error.kind() {
            io::ErrorKind::AddrNotAvailable => "name an address of this machine with `--host`",
            _ => "name another port with `--port`, or none for a free one",
        };
        Box::new(problem(codes::PORT, None, message, help))
    })
}

fn print_service(args: &Serve, served: &service::Served, origin: &str, auth: &ServiceAuth, console: Console) {
    let (services, place) = (&served.services, served.store.place.as_deref());
    let names = services.iter().map(|it| format!("{} {}", it.name, it.version));
    let said = match args.format {
        Format::Json => {
            let view = json!({
                "format": "planloom.serve/1", "origin": origin, "token": auth.token(),
                "services": names.collect::<Vec<_>>(), "store": place,
            });
            write_out(&format!("{view}\n"))
        }
        Format::Text => {
            let names: String = names.map(|it| format!("Service: {}\n", console.out.bold(&it))).collect();
            let example = services.iter().find_map(first_list).unwrap_or_default();
            let place = place.unwrap_or("memory only; name a file or etcd with `--store` to keep resources");
            let token = auth.token();
            let shown = token.map(|it| format!("Token:   {it}\n")).unwrap_or_default();
            let token = token.unwrap_or("YOUR_TOKEN");
            let curl = format!("curl -H 'Authorization: Bearer {token}' {origin}{example}");
            write_out(&format!("{names}Store:   {place}\nOrigin:  {origin}\n{shown}\nExample: {curl}\n"))
        }
    };
    let in_force = served.in_force.text();
    drop(said.and_then(|()| write_err(&format!("{in_force}Ctrl-C stops it.\n"))));
}

/// The path of the first list that needs no parent.
fn first_list(service: &ServiceView) -> Option<String> {
    let mut routes = service.apis.iter().flat_map(|it| &it.methods);
    let list = routes.find_map(|it| {
        (it.standard == Some(StandardMethod::List))
            .then(|| it.http.iter().find(|it| !it.path.contains('{')))?
    });
    list.map(|it| it.path.clone())
}

async fn serve(args: &Serve, console: Console) -> Result<(), Box<DiagnosticView>> {
    survive_file_limits();
    let auth = token_auth()?;
    let listener = listener(args).await?;
    let guard = guard(args, &listener)?;
    let timer = SystemTimer::new();
    let mut mounts = Mounts::new();
    let home = Home::new(&args.programs, used(args)?);
    for which in &home.used {
        let base = path(*which);
        let doors = ServiceAccess {
            timer: timer.clone(),
            token: Some(auth.token().to_owned()),
            base: base.clone(),
            is_shared: true,
        };
        let folder = which.folder(&args.programs, None);
        let service = home.service(*which, folder.as_deref(), &RecordedResources::default(), doors).await?;
        mounts = mounts.mount(&base, Rc::new(auth.identify(Rc::new(AdapterHandler::new(service)))));
    }
    let app = app::App::of(args)?;
    let files = files::served(args)?;
    if let Some(files) = &files {
        mounts = mounts.mount(files::FILES, Rc::new(auth.protect(Rc::new(files.clone()))));
    }
    mounts = mounts.mount_exactly(app::VERSION, app::version_handler(app.as_ref()));
    mounts = mounts.mount("/adapters", Rc::new(auth.protect(offered(&home.used, files.is_some()))));
    mounts = mounts.mount(STATE, Rc::new(auth.protect(Rc::new(states(args)?))));
    if let Some(app) = &app {
        mounts = mounts.fallback(app.handler.clone());
    }
    let server = listener.serve(Rc::new(mounts), guard, Limits::default());
    let link = app.as_ref().map(|_| link(&auth, server.origin(), files.is_some()));
    let offer = Offer {
        used: &home.used,
        origin: server.origin(),
        link: link.as_deref(),
        app: app.as_ref(),
        files: files.as_ref(),
    };
    print_offer(args, &offer, &auth, console);
    let _redirect = link.filter(|_| args.open).and_then(|it| open(&it));
    stopped().await;
    if let Some(files) = files {
        files.close();
    }
    server.stop(GRACE).await;
    Ok(())
}

/// The link of the app. The token and the option `files` are in its fragment, which browsers never send.
fn link(auth: &TokenAuth, origin: &str, has_files: bool) -> String {
    let files = if has_files { "&files" } else { "" };
    format!("{}{files}", auth.link(origin))
}

/// Opens the app in a browser; where that is not possible, the link is printed anyway.
fn open(link: &str) -> Option<browser::Redirect> {
    browser::Redirect::open(link)
        .map_err(|why| {
            drop(write_err(&format!("No browser can be opened ({why}): open the link yourself.\n")))
        })
        .ok()
}

/// Takes the port. A server that was killed may have been starting a program: until that runs, it holds the port.
async fn bind(host: IpAddr, port: u16) -> io::Result<Listener> {
    let start = Instant::now();
    loop {
        match Listener::bind_at(host, port).await {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse && start.elapsed() < PATIENCE => {
                tokio::time::sleep(PAUSE).await;
            }
            bound => return bound,
        }
    }
}

fn used(args: &Serve) -> Result<Vec<Embedded>, Box<DiagnosticView>> {
    if args.adapters.is_empty() {
        return Ok(vec![Embedded::Process, Embedded::Simulator]);
    }
    let mut used = Vec::new();
    for name in &args.adapters {
        let which = Embedded::named(name).ok_or_else(|| no_adapter(name))?;
        if !used.contains(&which) {
            used.push(which);
        }
    }
    Ok(used)
}

fn token_auth() -> Result<TokenAuth, Box<DiagnosticView>> {
    if let Ok(token) = env::var(TOKEN) {
        let help = "use at least 16 letters, digits or `-._~`";
        return TokenAuth::from_token(&token).ok_or_else(|| {
            Box::new(problem(codes::BAD_TOKEN, None, format!("`{TOKEN}` holds no token"), help))
        });
    }
    let message = |error: std::io::Error| format!("no token can be generated: {error}");
    TokenAuth::random().map_err(|error| {
        Box::new(problem(codes::SYSTEM, None, message(error), "check that the system provides random bytes"))
    })
}

fn guard(args: &Serve, listener: &Listener) -> Result<Guard, Box<DiagnosticView>> {
    args.allow_origin.iter().try_fold(listener.guard(), |guard, origin| {
        guard.allow(origin).map_err(|_| {
            let message = format!("`{origin}` is not an origin");
            Box::new(problem(
                codes::BAD_ORIGIN,
                None,
                message,
                "write it as `https://docs.example`, without a path",
            ))
        })
    })
}

/// The states that others keep here.
fn states(args: &Serve) -> Result<StateHandler, Box<DiagnosticView>> {
    let beside =
        || Embedded::Process.folder(&args.programs, None).unwrap_or_default().with_file_name("states");
    let folder = args.state_folder.clone().unwrap_or_else(beside);
    let name = folder.display().to_string();
    let is_new = args.state_folder.is_some() && !folder.exists();
    if is_new && folder.parent().is_some_and(|it| !it.as_os_str().is_empty() && !it.is_dir()) {
        let message = format!("states cannot be kept in `{name}`: the folder above it does not exist");
        let help = format!("check the name, or create the folder: `mkdir -p {name}`");
        return Err(Box::new(problem(codes::STATE_FOLDER, Some(&name), message, help)));
    }
    let states = StateHandler::new(STATE, &folder).map_err(|error| {
        let message = format!("states cannot be kept in `{name}`: {error}");
        Box::new(problem(
            codes::STATE_FOLDER,
            Some(&name),
            message,
            "name another folder with `--state-folder`",
        ))
    })?;
    if is_new {
        drop(write_err(&format!("Created the folder `{name}` for the states.\n")));
    }
    Ok(states)
}

/// The path of an adapter.
fn path(which: Embedded) -> String {
    format!("/adapters/{}", which.name())
}

/// The offer of this server, for the page: the paths of adapters, states and files, as `planloom.serve/1`.
fn offered(used: &[Embedded], has_files: bool) -> Rc<dyn Handler> {
    let paths: Vec<String> = used.iter().copied().map(path).collect();
    let files = has_files.then_some(files::FILES);
    let said =
        json!({"format": "planloom.serve/1", "adapters": paths, "state": STATE, "files": files}).to_string();
    Rc::new(move |_: Request<Vec<u8>>| -> LocalFuture<Response<Vec<u8>>> {
        let mut response = Response::new(said.clone().into_bytes());
        let json = HeaderValue::from_static("application/json");
        response.headers_mut().insert(CONTENT_TYPE, json);
        Box::pin(async move { response })
    })
}

/// The offer of this server, for the user who started it.
struct Offer<'o> {
    used: &'o [Embedded],
    origin: &'o str,
    link: Option<&'o str>,
    app: Option<&'o app::App>,
    files: Option<&'o FilesHandler>,
}

/// Prints the offer. The token is shown once, to the user who started it.
fn print_offer(args: &Serve, offer: &Offer<'_>, auth: &TokenAuth, console: Console) {
    let Offer { used, origin, link, app, files } = offer;
    let adapters: Vec<String> = used.iter().map(|it| format!("{origin}{}", path(*it))).collect();
    let state = format!("{origin}{STATE}");
    let (version, app) = (env!("CARGO_PKG_VERSION"), app.map(|it| &*it.version));
    let said = match args.format {
        Format::Json => {
            let view = json!({
                "format": "planloom.serve/1", "version": version, "app": app, "origin": origin, "token": auth.token(),
                "adapters": adapters, "state": state, "files": files.map(|_| format!("{origin}{}", files::FILES)), "page": link,
            });
            write_out(&format!("{view}\n"))
        }
        Format::Text => {
            let page = link.map(|it| format!("The app: {}\n", console.out.bold(it))).unwrap_or_default();
            let files =
                files.map(|it| format!("Files:   {}\n", count(it.count(), "file"))).unwrap_or_default();
            let adapters: String = adapters.iter().map(|it| format!("Adapter: {it}\n")).collect();
            let app = app.map(|it| format!(", app {it}")).unwrap_or_default();
            let token = format!("Token:   {}\nVersion: {version}{app}\n", auth.token());
            write_out(&format!("{page}{files}{adapters}States:  {state}/NAME\n{token}"))
        }
    };
    drop(said.and_then(|()| write_err("Ctrl-C stops it; services keep running.\n")));
}
