use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use host::SystemTimer;
use workspace::engine::{Engine, Event, Planner as _, Settings, Terms, Watching};
use workspace::view::{ActionView, DiagnosticView};
use workspace::{Deployment, PlanOptions};

use super::{apply::failed, notes, told};
use crate::answer::Answer;
use crate::args::{KnockOn, Watch};
use crate::console::{Console, write_err};
use crate::load::{Loaded, load};
use crate::problem::problem;
use crate::work::{adapters, interrupt, place, progress, session::Session, trouble::diagnostic};

/// How often the descriptors are looked at.
const FILES: Duration = Duration::from_secs(1);

pub(crate) fn run(args: &Watch, console: Console) -> Answer {
    let mut loaded = load(&args.inputs, None);
    if !loaded.problems.is_empty() {
        return failed(&loaded.problems, &loaded.texts, args.work.format, console);
    }
    let done = host::run(async { watch(args, &mut loaded, console).await });
    let problem = match done {
        Ok(Ok(())) => return Answer::default(),
        Ok(Err(problem)) => *problem,
        Err(error) => problem("system", None, error.to_string(), "free what the system is short of"),
    };
    failed(&[problem], &loaded.texts, args.work.format, console)
}

async fn watch(args: &Watch, loaded: &mut Loaded, console: Console) -> Result<(), Box<DiagnosticView>> {
    let boxed = |trouble| Box::new(diagnostic(&trouble));
    let timer = SystemTimer::new();
    let backend = place::open(&args.work.state, timer.clone())?;
    place::is_free(&*backend).await?;
    let adapters = adapters::connect(&args.work, &*backend, &timer).await?;
    loaded.add_types(adapters.types.clone());
    let settings = Settings { parallel: args.work.parallel.into(), ..Settings::default() };
    let described = deployment(args, loaded);
    let session = Session::start(described.clone(), backend, adapters.routes, timer, settings);
    progress::show(&session.engine, args.work.format, console);
    let described = Rc::new(RefCell::new(described));
    say_why(&session.engine, described.clone());
    interrupt::listen(&session.engine);
    session.engine.open("watch").await.map_err(boxed)?;
    drop(write_err("Watching. Ctrl-C ends it; what runs goes on.\n"));
    let how = Watching {
        interval: u64::from(args.every) * 1000,
        terms: Terms { keep_going: args.work.keep_going, allow_rebuild: args.work.allow_rebuild },
        only_look: args.only_look,
        destroys: true,
    };
    let watched = tokio::select! {
        watched = session.engine.watch(how) => watched,
        () = follow(args, loaded, adapters.types, &session.engine, &described, console) => Ok(()),
    };
    session.engine.close().await.map_err(boxed)?;
    watched.map_err(boxed)
}

fn deployment(args: &Watch, loaded: &mut Loaded) -> Rc<Deployment> {
    let knock_on = if args.work.knock_on == KnockOn::All { "all" } else { "values" };
    loaded.workspace.deployment(&PlanOptions {
        knock_on: Some(knock_on.into()),
        keep_removed: !args.destroy,
        ..PlanOptions::default()
    })
}

/// Says of each new plan what it does and why, once.
fn say_why(engine: &Engine, described: Rc<RefCell<Rc<Deployment>>>) {
    let said = RefCell::new(String::new());
    engine.subscribe(move |event| {
        let (Event::Planned { .. }, Some(plan)) = (event, described.borrow().plan()) else { return };
        let line = |it: &ActionView| {
            let why = it.reason.as_ref().map(|it| format!(": {}", it.sentence)).unwrap_or_default();
            format!("{} {}{why}\n", it.action, it.address)
        };
        let lines: String = plan.actions.iter().map(line).collect();
        if *said.borrow() != lines {
            drop(write_err(&lines));
            *said.borrow_mut() = lines;
        }
    });
}

/// Names what is not described any more: it stays.
fn say_what_stays(args: &Watch, engine: &Engine, now: &Deployment) {
    let desired = now.desired();
    let is_left = |address: &&String| {
        let address = address.parse();
        address.is_ok_and(|it| desired.get(&it).is_none())
    };
    let snapshot = engine.snapshot();
    for address in snapshot.resources.keys().filter(is_left).filter(|_| !args.destroy) {
        drop(write_err(&format!(
            "{address} is not described any more, and stays; `--destroy` would destroy it\n"
        )));
    }
}

/// Reads the descriptors again whenever they changed. What cannot be read counts as not changed.
async fn follow(
    args: &Watch,
    loaded: &mut Loaded,
    types: Vec<workspace::File>,
    engine: &Engine,
    described: &RefCell<Rc<Deployment>>,
    console: Console,
) {
    loop {
        tokio::time::sleep(FILES).await;
        let mut now = load(&args.inputs, None);
        now.add_types(types.clone());
        if now.problems.is_empty() && now.texts != loaded.texts {
            let view = now.workspace.diagnostics();
            drop(write_err(&notes(&told(&view.diagnostics), &now.texts, console)));
            *loaded = now;
            let now = deployment(args, loaded);
            *described.borrow_mut() = now.clone();
            engine.describe(now.clone());
            say_what_stays(args, engine, &now);
            drop(write_err("The descriptors changed.\n"));
        }
    }
}
