//! `plan`, `apply` and `destroy` of fixtures.

use fixtures::{Effect, FixturePlan, PlanSettings, PlannedAction, Report};
use report::codes;
use serde_json::json;
use workspace::view::{Action, DiagnosticView, PlanView, words::count};

use super::{apply::failed, notes, reported};
use crate::answer::{Answer, Code, has_errors, json as json_text};
use crate::args::{Apply, Format, Plan};
use crate::console::{Console, write_err, write_out};
use crate::problem::problem;
use crate::show::{self, plan::Compared, width::clean};
use crate::work::{
    approval::{Confirmation, ask},
    run,
    services::ServiceSession,
};

pub(crate) fn plan(args: &Plan, format: Format, console: Console) -> Answer {
    let session = match ServiceSession::open(&args.service, &args.inputs.files, &args.adapters) {
        Ok(session) => session,
        Err(refused) => return failed(&refused.problems, &refused.texts, format, console),
    };
    let settings = PlanSettings { destroy: args.destroy, prune: args.service.prune };
    let planned = match run::run(async { Ok(session.plan(settings).await) }) {
        Ok(planned) => planned,
        Err(problem) => return failed(&[*problem], &[], format, console),
    };
    let view = fixtures::view(&planned, &session.context, &session.sources, args.all);
    let code = match Code::of(&view.diagnostics) {
        Code::Fine if view.summary.changes() > 0 => Code::Changes,
        code => code,
    };
    match format {
        Format::Json => Answer { out: json_text(&view), code, ..Answer::default() },
        Format::Text => {
            let reported = reported(&view.diagnostics);
            // Of a plan that is refused one sees what would be done.
            let is_shown = !has_errors(&reported) || !view.actions.is_empty();
            let out = match is_shown {
                true => show::plan::show(&view, Compared::Service, args.all, console),
                false => String::new(),
            };
            Answer { out, err: notes(&reported, &session.texts, console), code }
        }
    }
}

pub(crate) fn apply(args: &Apply, destroy: bool, console: Console) -> Answer {
    let format = args.work.format;
    let session = match ServiceSession::open(&args.service, &args.inputs.files, &args.work.adapters) {
        Ok(session) => session,
        Err(refused) => return failed(&refused.problems, &refused.texts, format, console),
    };
    let settings = PlanSettings { destroy, prune: args.service.prune };
    let done = run::run(async { Ok(Run { args, session: &session, console }.run(settings).await) });
    done.unwrap_or_else(|problem| failed(&[*problem], &session.texts, format, console))
}

struct Run<'r> {
    args: &'r Apply,
    session: &'r ServiceSession,
    console: Console,
}

impl Run<'_> {
    async fn run(&self, settings: PlanSettings) -> Answer {
        let plan = self.session.plan(settings).await;
        let view = fixtures::view(&plan, &self.session.context, &self.session.sources, false);
        let format = self.args.work.format;
        if plan.is_refused() {
            let shown = match format {
                Format::Text if !view.actions.is_empty() => self.text(&view),
                _ => String::new(),
            };
            let answer = failed(&view.diagnostics, &self.session.texts, format, self.console);
            return Answer { out: shown + &answer.out, ..answer };
        }
        self.tell_plan(&view);
        if plan.actions.is_empty() {
            return Answer::default();
        }
        if let Some(answer) = self.not_approved(settings.destroy) {
            return answer;
        }
        let report = self.apply(&plan).await;
        self.finished(&plan, &report)
    }

    fn text(&self, view: &PlanView) -> String {
        show::plan::show(view, Compared::Service, false, self.console)
    }

    /// Shows the plan, and its diagnostics.
    fn tell_plan(&self, view: &PlanView) {
        // A closed output does not change the result.
        drop(match self.args.work.format {
            Format::Text => {
                let doubts = notes(&reported(&view.diagnostics), &self.session.texts, self.console);
                write_out(&self.text(view)).and_then(|()| write_err(&doubts))
            }
            Format::Json => write_out(&format!("{}\n", json!({"type": "planned", "plan": view}))),
        });
    }

    /// An answer where the plan is not to be applied.
    fn not_approved(&self, destroy: bool) -> Option<Answer> {
        if self.args.auto_approve {
            return None;
        }
        let question = if destroy { "Destroy all of this?" } else { "Apply this plan?" };
        match ask(question, self.console) {
            Confirmation::Yes => None,
            Confirmation::No => {
                drop(write_err("Nothing was done.\n"));
                Some(Answer { code: Code::Errors, ..Answer::default() })
            }
            Confirmation::Nobody => {
                let message = "the plan cannot be approved interactively: standard input is not a terminal";
                let help = "nothing was done; review the plan, then add `--auto-approve`";
                let problem = problem(codes::NOT_APPROVED, None, message, help);
                Some(failed(&[problem], &[], self.args.work.format, self.console))
            }
        }
    }

    async fn apply(&self, plan: &FixturePlan) -> Report {
        let ServiceSession { context, access, .. } = self.session;
        let mut tell = |at: usize, action: &PlannedAction| {
            let words = verb(action).words();
            drop(match self.args.work.format {
                Format::Text => {
                    write_err(&format!("{} {}: {}\n", words.symbol, clean(&action.name), words.past))
                }
                Format::Json => {
                    let (id, verb) = (format!("a{}", at + 1), verb(action));
                    let line = json!({"type": "step", "step": id, "address": action.name, "verb": verb, "state": "done"});
                    write_out(&format!("{line}\n"))
                }
            });
        };
        fixtures::apply(plan, context, access, &mut tell).await
    }

    fn finished(&self, plan: &FixturePlan, report: &Report) -> Answer {
        let format = self.args.work.format;
        let failure = report.error.as_ref().map(|it| self.failure(plan, it));
        let all = count(plan.actions.len(), "step");
        let out = match format {
            Format::Json => {
                let line = json!({"type": "finished", "ok": failure.is_none(), "done": report.done});
                format!("{line}\n")
            }
            Format::Text if failure.is_none() => {
                format!("\n{}\n", self.console.out.bold(&format!("Done: {all}.")))
            }
            Format::Text => {
                let sentence =
                    format!("Incomplete: of {all}, {} done. Apply again to continue.", report.done);
                format!("\n{}\n", self.console.out.bold(&sentence))
            }
        };
        match failure {
            None => Answer { out, ..Answer::default() },
            Some(failure) => {
                let answer = failed(&failure, &self.session.texts, format, self.console);
                Answer { out: answer.out + &out, ..answer }
            }
        }
    }

    /// The reason that an action failed, at the location of the value that the service refused.
    fn failure(&self, plan: &FixturePlan, error: &fixtures::ApplyError) -> Vec<DiagnosticView> {
        fixtures::failure(plan, error, &self.session.sources)
    }
}

const fn verb(action: &PlannedAction) -> Action {
    match action.effect {
        Effect::Create { .. } => Action::Create,
        Effect::Update { .. } => Action::Update,
        Effect::Delete { .. } => Action::Destroy,
    }
}
