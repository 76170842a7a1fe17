use report::codes;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use adapter_golem::GolemAdapter;
use host::SystemTimer;
use workspace::engine::{
    ApplyOptions, Engine, EngineError, Event, Planner as _, Session, Settings, Setup, Watching,
};
use workspace::view::{Action, ActionView, DiagnosticView};
use workspace::{Deployment, PlanOptions};

use super::{apply::failed, notes, reported};
use crate::answer::Answer;
use crate::args::Watch;
use crate::console::{Console, write_err};
use crate::load::{Loaded, load};
use crate::problem::problem;
use crate::work::{
    adapters, budget, damage, errors::diagnostic, following::Following, interrupt, place, progress, run,
    service_adapter::ServiceConnection, session::environment,
};

/// The interval between checks of the descriptors.
const FILES: Duration = Duration::from_secs(1);

pub(crate) fn run(args: &Watch, console: Console) -> Answer {
    let mut loaded = load(&args.inputs, None);
    if !loaded.problems.is_empty() {
        return failed(&loaded.problems, &loaded.texts, args.work.format, console);
    }
    match run::run(async { watch(args, &mut loaded, console).await }) {
        Ok(()) => Answer::default(),
        Err(mut problem) => {
            damage::advise(std::slice::from_mut(&mut problem), &args.work.state);
            failed(&[*problem], &loaded.texts, args.work.format, console)
        }
    }
}

async fn watch(args: &Watch, loaded: &mut Loaded, console: Console) -> Result<(), Box<DiagnosticView>> {
    let boxed = |error: EngineError| Box::new(diagnostic(&error));
    let timer = SystemTimer::new();
    let backend = place::open(&args.work.state, timer.clone())?;
    place::is_free(&*backend).await?;
    if !args.create && backend.load().await.map_err(|it| boxed(it.into()))?.is_none() {
        return Err(no_state(&args.work.state));
    }
    let services = ServiceConnection::open(&mut loaded.workspace, &args.work.adapters)?;
    let mut adapters = adapters::connect(&args.work, true, &*backend, &timer).await?;
    if let Some(services) = &services {
        services.answer_needs(loaded).await?;
        adapters.routes.extend(services.routes(&*backend, &timer).await?);
    }
    loaded.add_types(adapters.types.clone());
    let settings = Settings { parallel: args.work.parallel.into(), ..Settings::default() };
    let described = deployment(args, loaded);
    drop(write_err(&notes(&adapters.notes, &[], console)));
    let environment = environment(timer);
    let setup = environment.setup(described.clone(), backend, adapters.routes);
    let session = Session::start(&environment, Setup { settings, ..setup });
    progress::show(&session, args.work.format, console);
    let described = Rc::new(RefCell::new(described));
    report_reasons(&session, described.clone(), args.create);
    interrupt::listen(&session);
    session.open_skipping_unreachable("watch").await.map_err(boxed)?;
    if let Some(golem) = &adapters.requirements.golem
        && let Err(refused) = set_budget(golem, &session, args).await
    {
        session.close().await.map_err(boxed)?;
        return Err(refused);
    }
    drop(write_err("Watching. Ctrl-C stops it; services keep running.\n"));
    let mut following = Following::new(args.work.format, console);
    following.report(wrong(loaded), &loaded.texts);
    let how = Watching {
        interval: Duration::from_secs(args.every.into()),
        terms: ApplyOptions { keep_going: args.work.keep_going, allow_rebuild: args.work.allow_rebuild },
        only_look: args.only_look,
        changes: true,
        creates: args.create,
    };
    let watched = tokio::select! {
        watched = session.watch(how) => watched,
        () = follow(args, loaded, services.as_ref(), adapters.types, &session, &described, following) => Ok(()),
    };
    session.close().await.map_err(boxed)?;
    watched.map_err(boxed)
}

async fn set_budget(golem: &GolemAdapter, engine: &Engine, args: &Watch) -> Result<(), Box<DiagnosticView>> {
    let lineage = engine.snapshot().lineage.clone();
    match budget::change(golem, &lineage).await? {
        Some(change) => budget::set(golem, &lineage, &change, args.work.format).await,
        None => Ok(()),
    }
}

fn deployment(args: &Watch, loaded: &mut Loaded) -> Rc<Deployment> {
    loaded.workspace.deployment(&PlanOptions {
        knock_on: Some(args.work.knock_on.view()),
        keep_removed: !args.destroy,
        ..PlanOptions::default()
    })
}

/// A mistyped name must not be taken for a deployment that is to be begun.
fn no_state(state: &str) -> Box<DiagnosticView> {
    let message = format!("there is no state at `{state}`, so there is nothing to watch");
    let help = "check the name; `planloom apply` or `--create` creates one; nothing was done";
    Box::new(problem(codes::NO_STATE, None, message, help))
}

/// Prints the actions and reasons of each new plan, once; `creates`: also of resources that are not recorded yet.
fn report_reasons(engine: &Engine, described: Rc<RefCell<Rc<Deployment>>>, creates: bool) {
    let (said, watched) = (RefCell::new(String::new()), engine.clone());
    engine.subscribe(move |event| {
        let (Event::Planned { .. }, Some(plan)) = (event, described.borrow().plan()) else { return };
        let snapshot = watched.snapshot();
        let line = |it: &ActionView| {
            let is_new = it.action == Action::Create && !snapshot.resources.contains_key(&it.address);
            if is_new && !creates {
                return format!(
                    "{} is not recorded, and `watch` creates nothing new; `planloom apply` or `--create` \
                     does\n",
                    it.address
                );
            }
            let why = it.reason.as_ref().map(|it| format!(": {}", it.sentence)).unwrap_or_default();
            format!("Planned: {} {}{why}\n", it.action, it.address)
        };
        let lines: String = plan.actions.iter().map(line).collect();
        if *said.borrow() != lines {
            drop(write_err(&lines));
            *said.borrow_mut() = lines;
        }
    });
}

/// Names the resources that are no longer described: they are kept.
fn report_remaining(args: &Watch, engine: &Engine, now: &Deployment) {
    let desired = now.desired();
    let is_left = |address: &&String| {
        let address = address.parse();
        address.is_ok_and(|it| desired.get(&it).is_none())
    };
    let snapshot = engine.snapshot();
    for address in snapshot.resources.keys().filter(is_left).filter(|_| !args.destroy) {
        drop(write_err(&format!(
            "{address} is no longer in any file, and is kept; `--destroy` would destroy it\n"
        )));
    }
}

/// The problems of the descriptors, without hints.
fn wrong(loaded: &mut Loaded) -> Vec<DiagnosticView> {
    reported(&loaded.workspace.diagnostics().diagnostics)
}

/// Reads the descriptors again whenever they changed. While one cannot be read, those before count.
async fn follow(
    args: &Watch,
    loaded: &mut Loaded,
    services: Option<&ServiceConnection>,
    types: Vec<workspace::File>,
    engine: &Engine,
    described: &RefCell<Rc<Deployment>>,
    mut following: Following,
) {
    loop {
        tokio::time::sleep(FILES).await;
        let mut now = load(&args.inputs, None);
        if !now.problems.is_empty() {
            following.report(now.problems, &loaded.texts);
            continue;
        }
        now.add_types(types.clone());
        if now.texts != loaded.texts {
            if let Some(services) = services
                && let Err(problem) = services.answer_needs(&mut now).await
            {
                following.report(vec![*problem], &loaded.texts);
                continue;
            }
            *loaded = now;
            following.changed();
            let now = deployment(args, loaded);
            *described.borrow_mut() = now.clone();
            engine.describe(now.clone());
            report_remaining(args, engine, &now);
        }
        following.report(wrong(loaded), &loaded.texts);
    }
}
