use report::codes;
use std::rc::Rc;

use fixtures::GroupSettings;
use host::SystemTimer;
use state::{Backend, MemoryBackend};
use workspace::codes::plan::LOOKS_RENAMED;
use workspace::engine::{ApplyOptions, Engine, EngineError, FormerAdapters, Orphan, Report, Session, Setup};
use workspace::view::{DiagnosticView, PlanView};
use workspace::{Deployment, File, PlanOptions, engine::Settings};

use super::notes;
use crate::answer::{Answer, Code, has_errors};
use crate::approved::{self, Approved};
use crate::args::{Apply, Format};
use crate::conceal::concealed;
use crate::console::{Console, write_err, write_out};
use crate::load::{Loaded, load, load_fixtures};
use crate::problem::problem;
use crate::saved::Saved;
use crate::show::{self, cost::Costs, plan::Compared};
use crate::work::{
    adapters::{Adapters, Requirements},
    adoption::{self, Adoption},
    approval::{Confirmation, ask},
    budget, damage,
    embedded::Embedded,
    errors::diagnostic,
    input, interrupt, moving,
    orphans::{self, OrphanRemoval},
    place, progress, run,
    service_adapter::ServiceConnection,
    session::environment,
};

/// Applies, or destroys everything.
pub(crate) fn run(args: &Apply, destroy: bool, console: Console) -> Answer {
    if !args.service.services.is_empty() {
        return run_service(args, destroy, console);
    }
    let saved = match Saved::read(&args.inputs.files) {
        Ok(saved) => saved,
        Err(problem) => return failed(&[*problem], &[], args.work.format, console),
    };
    if let Some(saved) = &saved {
        input::of_plan(saved, &args.inputs.files, args.work.format);
    }
    let (mut loaded, saved) = match saved {
        Some(saved) => approved::load(saved, destroy),
        None => (load(&args.inputs, None), None),
    };
    loaded.problems.extend(input::misplaced_plan(&loaded.texts));
    if !loaded.problems.is_empty() {
        return failed(&loaded.problems, &loaded.texts, args.work.format, console);
    }
    let done = run::run(async { Run { args, destroy, console, saved }.carry_out(&mut loaded).await });
    done.unwrap_or_else(|mut problem| {
        damage::advise(std::slice::from_mut(&mut problem), &args.work.state);
        failed(&[*problem], &loaded.texts, args.work.format, console)
    })
}

/// Brings services to what fixtures say. What they have recorded about groups is the state.
fn run_service(args: &Apply, destroy: bool, console: Console) -> Answer {
    let mut loaded = load_fixtures(&args.service, &args.inputs.files);
    if loaded.problems.is_empty() {
        let work = async { Ok(Run { args, destroy, console, saved: None }.bring(&mut loaded).await) };
        match run::run(work).map_err(|it| vec![*it]).flatten() {
            Ok(answer) => return answer,
            Err(problems) => loaded.problems = problems,
        }
    }
    failed(&loaded.problems, &loaded.texts, args.work.format, console)
}

struct Run<'r> {
    args: &'r Apply,
    destroy: bool,
    console: Console,
    /// The plan that was approved before.
    saved: Option<Approved>,
}

impl Run<'_> {
    async fn bring(self, loaded: &mut Loaded) -> Result<Answer, Vec<DiagnosticView>> {
        let (single, timer) = (|it: Box<DiagnosticView>| vec![*it], SystemTimer::new());
        let services = ServiceConnection::open_all(&mut loaded.workspace, &self.args.work.adapters);
        let services = services.map_err(single)?;
        let settings = GroupSettings { destroy: self.destroy, prune: self.args.service.prune };
        let groups = services.read_groups(loaded, settings).await?;
        let backend = Rc::new(MemoryBackend::of(groups.state));
        let routes = services.routes(&*backend, &timer).await.map_err(single)?;
        let (types, requirements) = (Vec::new(), Requirements::default());
        let adapters = Adapters { routes, types, requirements, notes: Vec::new() };
        let run = Self { destroy: groups.destroys_all, ..self };
        run.start(loaded, backend, adapters, FormerAdapters::Refused, timer).await.map_err(single)
    }

    async fn carry_out(&self, loaded: &mut Loaded) -> Result<Answer, Box<DiagnosticView>> {
        let timer = SystemTimer::new();
        let backend = place::open(&self.args.work.state, timer.clone())?;
        place::is_free(&*backend).await?;
        let services = ServiceConnection::open(&mut loaded.workspace, &self.args.work.adapters)?;
        let adoption = self.args.adopt.as_deref().map(|it| Adoption::new(it, loaded));
        let (mut adapters, former) =
            moving::connect(self.args, self.destroy, adoption.as_ref(), &*backend, &timer).await?;
        if let Some(services) = &services {
            services.answer_needs(loaded).await?;
            adapters.routes.extend(services.routes(&*backend, &timer).await?);
        }
        adapters.requirements.services = services;
        if !adapters.notes.is_empty() {
            self.tell(&adapters.notes, &[]);
        }
        self.start(loaded, backend, adapters, former, timer).await
    }

    async fn start(
        &self,
        loaded: &mut Loaded,
        backend: Rc<dyn Backend>,
        adapters: Adapters,
        former: FormerAdapters,
        timer: Rc<SystemTimer>,
    ) -> Result<Answer, Box<DiagnosticView>> {
        loaded.add_types(adapters.types);
        let deployment = loaded.workspace.deployment(&PlanOptions {
            destroy: self.destroy,
            knock_on: Some(self.args.work.knock_on.view()),
            ..PlanOptions::default()
        });
        if self.saved.is_none() && !self.is_of_service() {
            input::of_descriptors(&deployment, &self.args.inputs.files, self.args.work.format);
        }
        let settings = Settings { parallel: self.args.work.parallel.into(), ..Settings::default() };
        let environment = environment(timer);
        let setup = environment.setup(deployment.clone(), backend, adapters.routes);
        let session = Session::start(&environment, Setup { former, settings, ..setup });
        let operation = if self.destroy { "destroy" } else { "apply" };
        if self.args.work.format == Format::Json {
            progress::show(&session, Format::Json, self.console);
        }
        let opened = async {
            adoption::adopt(&session, self.args.adopt.as_deref(), self.args.work.format).await?;
            self.opened(&session, &deployment, &loaded.texts, &adapters.requirements).await
        };
        session.hold(operation, opened).await.map_err(boxed)
    }

    /// True if services record what the state is, so that none is kept.
    const fn is_of_service(&self) -> bool {
        !self.args.service.services.is_empty()
    }

    const fn compared(&self) -> Compared {
        if self.is_of_service() { Compared::Service } else { Compared::Existing }
    }

    async fn opened(
        &self,
        engine: &Engine,
        deployment: &Rc<Deployment>,
        texts: &[File],
        requirements: &Requirements,
    ) -> Result<Answer, EngineError> {
        if self.destroy && !self.is_of_service() && engine.snapshot().serial == 0 {
            let message = format!("there is no state at `{}`", self.args.work.state);
            let problem = problem(codes::NO_STATE, None, message, "check the name; nothing was done");
            return Ok(failed(&[problem], texts, self.args.work.format, self.console));
        }
        let planned = match self.args.work.keep_going {
            true => engine.plan_skipping_unreachable().await?,
            false => engine.plan(true).await?,
        };
        let Some(view) = deployment.plan() else { return Ok(Answer::default()) };
        if planned.refused.is_some() || has_errors(&view.diagnostics) {
            return Ok(failed(&view.diagnostics, texts, self.args.work.format, self.console));
        }
        if let Some(refused) = requirements.existing(&view).await {
            return Ok(failed(&[*refused], texts, self.args.work.format, self.console));
        }
        let is_all = self.report_unreachable(engine, texts);
        let orphans = self.orphans(engine, &view, texts).await?;
        if planned.is_empty() && orphans.is_empty() {
            engine.record_ready().await?;
            if let Some(answer) = self.set_budget(engine, requirements, false).await {
                return Ok(answer);
            }
            return Ok(Answer { code: code(is_all), ..self.nothing(&view, is_all) });
        }
        if !planned.is_empty()
            && let Some(answer) = self.refused(engine, deployment, &view, texts, requirements)
        {
            return Ok(answer);
        }
        let removal = OrphanRemoval { engine, format: self.args.work.format, console: self.console };
        let terms = requirements.rental.as_ref().map(|it| it.text(deployment, &view)).unwrap_or_default();
        if let Some(answer) = self.approved(&view, &terms, &orphans, removal, texts) {
            return Ok(answer);
        }
        if let Some(answer) = self.set_budget(engine, requirements, true).await {
            return Ok(answer);
        }
        let mut answer = Answer { code: code(is_all), ..Answer::default() };
        if !planned.is_empty() {
            answer = self.planned(engine, &planned.digest, texts).await?;
        }
        if answer.code == Code::Fine && !orphans.is_empty() {
            self.remove(removal, orphans, &mut answer).await;
        }
        Ok(answer)
    }

    /// The reason not to apply a plan, if there is one: it differs from the saved one, or requires programs that are
    /// not allowed.
    fn refused(
        &self,
        engine: &Engine,
        deployment: &Deployment,
        view: &PlanView,
        texts: &[File],
        requirements: &Requirements,
    ) -> Option<Answer> {
        let snapshot = engine.snapshot();
        if let Some(stale) = self.saved.as_ref().and_then(|it| it.stale(view, &snapshot.lineage)) {
            return Some(failed(&[stale], texts, self.args.work.format, self.console));
        }
        let refused = requirements.refused(deployment, view, self.args.work.allow_rebuild);
        let problems: Vec<_> = refused.iter().map(diagnostic).collect();
        (!problems.is_empty()).then(|| failed(&problems, texts, self.args.work.format, self.console))
    }

    /// Sets the budget of existing rentals, and reports it; an answer if it was not set. If nothing else is done, it
    /// has to be approved separately.
    async fn set_budget(
        &self,
        engine: &Engine,
        requirements: &Requirements,
        is_approved: bool,
    ) -> Option<Answer> {
        let golem = requirements.golem.as_ref().filter(|_| !self.destroy)?;
        let lineage = engine.snapshot().lineage.clone();
        let set = async {
            let Some(change) = budget::change(golem, &lineage).await? else { return Ok(None) };
            let question = format!("Budget: {}. Set it?", budget::sentence(&change));
            if !is_approved && let Some(answer) = self.unconfirmed(&question) {
                return Ok(Some(answer));
            }
            budget::set(golem, &lineage, &change, self.args.work.format).await.map(|()| None)
        };
        let refused =
            |why: Box<DiagnosticView>| Some(failed(&[*why], &[], self.args.work.format, self.console));
        set.await.unwrap_or_else(refused)
    }

    async fn planned(&self, engine: &Engine, digest: &str, texts: &[File]) -> Result<Answer, EngineError> {
        if self.args.work.format == Format::Text {
            progress::show(engine, Format::Text, self.console);
        }
        interrupt::listen(engine);
        let terms = ApplyOptions {
            keep_going: self.args.work.keep_going,
            allow_rebuild: self.args.work.allow_rebuild,
        };
        let report = engine.apply(digest, terms).await?;
        let is_all = report.ok && engine.unreachable_adapters().is_empty();
        let snapshot = engine.snapshot();
        let made = show::places::made(&report, &snapshot) + &self.unpaid(&snapshot.lineage);
        Ok(Answer { code: code(is_all), ..self.report(&report, &made, texts) })
    }

    /// The resources to destroy though no state records them; without the flag their existence is only reported, as far
    /// as adapters know.
    async fn orphans(
        &self,
        engine: &Engine,
        view: &PlanView,
        texts: &[File],
    ) -> Result<Vec<Orphan>, EngineError> {
        let found = orphans::find(engine, view).await;
        // Adapters that could not be reached were reported already, and the run is not a good one.
        if self.args.remove_orphans && engine.unreachable_adapters().is_empty() {
            return found;
        }
        if let Some(orphans) = found.ok().filter(|it| !it.is_empty()) {
            self.tell(&[orphans::warning(&orphans)], texts);
        }
        Ok(Vec::new())
    }

    /// Destroys orphans after all else went well; that some are left is an error.
    async fn remove(&self, removal: OrphanRemoval<'_>, orphans: Vec<Orphan>, answer: &mut Answer) {
        let left = removal.destroy_all(orphans).await.unwrap_or_else(|error| vec![diagnostic(&error)]);
        if !left.is_empty() {
            let Answer { out, err, code } = failed(&left, &[], self.args.work.format, self.console);
            answer.out.push_str(&out);
            answer.err.push_str(&err);
            answer.code = code;
        }
    }

    /// Prints diagnostics at once, before the run goes on.
    fn tell(&self, diagnostics: &[DiagnosticView], texts: &[File]) {
        let Answer { out, err, .. } = failed(diagnostics, texts, self.args.work.format, self.console);
        // A closed output does not change the result.
        drop(write_out(&out));
        drop(write_err(&err));
    }

    /// Reports the adapters that could not be reached: their resources are left alone. True if there are none.
    fn report_unreachable(&self, engine: &Engine, texts: &[File]) -> bool {
        let unseen: Vec<DiagnosticView> = engine.unreachable_adapters().iter().map(diagnostic).collect();
        if unseen.is_empty() {
            return true;
        }
        self.tell(&unseen, texts);
        false
    }

    fn nothing(&self, view: &PlanView, is_all: bool) -> Answer {
        let out = match self.args.work.format {
            Format::Text if is_all => show::plan::show(view, self.compared(), false, self.console),
            Format::Text => "There is nothing to do for the resources that could be read.\n".into(),
            Format::Json => String::new(),
        };
        Answer { out, ..Answer::default() }
    }

    /// Shows the plan, and under which terms it rents, and asks; an answer where it is not to be applied.
    fn approved(
        &self,
        view: &PlanView,
        terms: &str,
        orphans: &[Orphan],
        removal: OrphanRemoval<'_>,
        texts: &[File],
    ) -> Option<Answer> {
        if self.args.work.format == Format::Text {
            let shown = show::plan::show(view, self.compared(), false, self.console);
            drop(write_out(&(shown + terms)));
        }
        let renamed = view.diagnostics.iter().filter(|it| it.is(LOOKS_RENAMED)).cloned();
        let renamed: Vec<DiagnosticView> = renamed.collect();
        if !renamed.is_empty() {
            self.tell(&renamed, texts);
        }
        if !orphans.is_empty() {
            removal.announce(orphans);
        }
        self.unconfirmed(if self.destroy { "Destroy all of this?" } else { "Apply this plan?" })
    }

    /// Asks, unless everything is approved; an answer where the answer is not yes.
    fn unconfirmed(&self, question: &str) -> Option<Answer> {
        if self.args.auto_approve {
            return None;
        }
        // What was adopted is recorded already.
        let (nothing, done) = match self.args.adopt {
            Some(_) => ("Nothing else was done.\n", "nothing else was done"),
            None => ("Nothing was done.\n", "nothing was done"),
        };
        match ask(question, self.console) {
            Confirmation::Yes => None,
            Confirmation::No => {
                drop(write_err(nothing));
                Some(Answer { code: Code::Errors, ..Answer::default() })
            }
            Confirmation::Nobody => {
                let message = "the plan cannot be approved interactively: standard input is not a terminal";
                let help = format!("{done}; review the plan, then add `--auto-approve`");
                let problem = problem(codes::NOT_APPROVED, None, message, help);
                Some(failed(&[problem], &[], self.args.work.format, self.console))
            }
        }
    }

    /// The providers of the Golem network that were not paid, one a line.
    fn unpaid(&self, lineage: &str) -> String {
        let work = &self.args.work;
        let folder = Embedded::Golem.folder(&work.programs, Some(&work.state));
        folder.map(|it| Costs::read(&it).unpaid(lineage)).unwrap_or_default()
    }

    /// The outcome of a run; `made` lists the addresses of the resources that it made.
    fn report(&self, report: &Report, made: &str, texts: &[File]) -> Answer {
        if self.args.work.format == Format::Json {
            return Answer::default();
        }
        let errors: Vec<DiagnosticView> = report.steps.iter().filter_map(show::report::of_step).collect();
        let errors: Vec<DiagnosticView> =
            errors.into_iter().chain(report.error.as_ref().map(diagnostic)).collect();
        let err = notes(&errors, texts, self.console);
        let sentence = show::report::sentence(report, !self.is_of_service());
        Answer { out: format!("\n{}\n{made}", self.console.out.bold(&sentence)), err, ..Answer::default() }
    }
}

fn code(is_all: bool) -> Code {
    if is_all { Code::Fine } else { Code::Errors }
}

fn boxed(error: EngineError) -> Box<DiagnosticView> {
    Box::new(diagnostic(&error))
}

/// An answer that reports errors.
pub(crate) fn failed(
    problems: &[DiagnosticView],
    texts: &[File],
    format: Format,
    console: Console,
) -> Answer {
    let code = Code::Errors;
    match format {
        Format::Text => Answer { err: notes(problems, texts, console), code, ..Answer::default() },
        Format::Json => {
            let problems = concealed(problems, texts).0;
            let line = serde_json::json!({"type": "diagnostics", "diagnostics": problems});
            Answer { out: format!("{line}\n"), code, ..Answer::default() }
        }
    }
}
