use report::codes;
use std::collections::BTreeMap;

use workspace::view::{DiagnosticView, PlanMode, PlanView};

use crate::load::{self, Loaded};
use crate::problem::problem;
use crate::saved::Saved;
use crate::secrets::Secrets;

/// A plan that was approved before, and the secrets of its sources, which must not be shown.
pub(crate) struct Approved {
    pub(crate) plan: Saved,
    pub(crate) secrets: Secrets,
}

/// The maximum number of resources that are named in a line.
const NAMED: usize = 5;

impl Approved {
    /// The reason that the plan is not carried out: `now`, planned against the state of that lineage, differs from it.
    /// `None` if it is still valid.
    pub(crate) fn stale(&self, now: &PlanView, lineage: &str) -> Option<DiagnosticView> {
        let Saved { plan, inputs, refreshed } = &self.plan;
        let is_other = inputs.as_ref().is_some_and(|it| plan.serial > 0 && !it.is_against(lineage));
        let differences = self.plan.differences(now, &self.secrets);
        let is_moved = is_other || plan.serial != now.serial;
        let message = if is_other {
            "the plan was made for another state".to_owned()
        } else if is_moved {
            format!(
                "the plan is stale: it was made for version {} of the state, which is at version {}",
                plan.serial, now.serial
            )
        } else if !differences.is_empty() {
            format!("the plan is stale: these actions would be different now: {}", named(&differences))
        } else {
            return None;
        };
        let help = if is_moved || *refreshed {
            "nothing was done; create the plan again and review it"
        } else {
            "nothing was done; create the plan again with `--refresh`, so that it compares with what \
             exists"
        };
        Some(problem(codes::PLAN_CHANGED, None, message, help))
    }
}

/// `services.a (update instead of create)`, and the number of further ones.
fn named(differences: &BTreeMap<String, String>) -> String {
    let shown = differences.iter().take(NAMED).map(|(address, what)| format!("{address} ({what})"));
    let shown: Vec<String> = shown.collect();
    match differences.len() - shown.len() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Loads the sources of a saved plan again. There is no approved plan if they cannot be loaded or the plan does not
/// match `destroy`: the problems give the reason.
pub(crate) fn load(saved: Saved, destroy: bool) -> (Loaded, Option<Approved>) {
    let is_right = (saved.plan.mode == PlanMode::Destroy) == destroy;
    let Some(inputs) = saved.inputs.as_ref().filter(|_| is_right) else {
        let (message, help) = if is_right {
            (
                "the plan does not record its inputs: one of them was standard input, or the plan was \
                 written to standard output",
                "create the plan again from files, with `--out FILE`, or give the descriptors",
            )
        } else {
            match destroy {
                true => ("the plan does not destroy everything", "apply it with `planloom apply`"),
                false => ("the plan destroys everything", "apply it with `planloom destroy`"),
            }
        };
        let problems = vec![problem(codes::BAD_PLAN, None, message, help)];
        return (Loaded { problems, ..Loaded::default() }, None);
    };
    let mut loaded = load::load(&inputs.inputs(), None);
    if !loaded.problems.is_empty() {
        return (loaded, None);
    }
    let secrets = inputs.secrets(loaded.workspace.texts(), &loaded.texts);
    let changed = match &secrets {
        Some(secrets) => inputs.changed(&loaded.texts, secrets),
        None => Some("the plan does not record marks of the secrets in the descriptors"),
    };
    if let Some(message) = changed {
        let help = "nothing was done; create the plan again and review it";
        loaded.problems.push(problem(codes::PLAN_CHANGED, None, message, help));
        return (loaded, None);
    }
    let approved = secrets.map(|secrets| Approved { plan: saved, secrets });
    (loaded, approved)
}
