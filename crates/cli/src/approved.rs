use crate::load::{self, Loaded};
use crate::problem::problem;
use crate::saved::Saved;
use crate::secrets::Secrets;

/// A plan that was approved before, and what must not be seen of what it was made from.
pub(crate) struct Approved {
    pub(crate) plan: Saved,
    pub(crate) secrets: Secrets,
}

/// What a plan was made from, read again. It is no plan of a run where that is not as it was: the problems say why.
pub(crate) fn load(saved: Saved, destroy: bool) -> (Loaded, Option<Approved>) {
    let is_right = (saved.plan.mode == "destroy") == destroy;
    let Some(inputs) = saved.inputs.as_ref().filter(|_| is_right) else {
        let (message, help) = if is_right {
            ("the plan was made from standard input", "give the descriptors instead of the plan")
        } else {
            ("the plan is not one of this verb", "a plan of `plan --destroy` is carried out by `destroy`")
        };
        let problems = vec![problem("bad-plan", None, message, help)];
        return (Loaded { problems, ..Loaded::default() }, None);
    };
    let mut loaded = load::load(&inputs.inputs(), None);
    if !loaded.problems.is_empty() {
        return (loaded, None);
    }
    let secrets = inputs.secrets(loaded.workspace.files(), &loaded.texts);
    let Some(secrets) = secrets.filter(|it| inputs.is_of(&loaded.texts, it)) else {
        let message = "the descriptors changed since the plan was made";
        let help = "nothing was done; make the plan again and look at it";
        loaded.problems.push(problem("plan-changed", None, message, help));
        return (loaded, None);
    };
    (loaded, Some(Approved { plan: saved, secrets }))
}
