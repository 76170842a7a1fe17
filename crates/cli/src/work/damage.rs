use host::SystemTimer;
use workspace::view::DiagnosticView;

use super::{place, run};

/// The codes that say that a state is not what was written.
const DAMAGED: [&str; 2] = ["state/corrupt", "state/unreadable"];

/// Adds the command that leads back to a version that is whole to what says that a state is damaged.
pub(crate) fn advise(problems: &mut [DiagnosticView], place: &str) {
    let mut damaged = problems.iter_mut().filter(|it| DAMAGED.contains(&&*it.code)).peekable();
    if damaged.peek().is_none() {
        return;
    }
    let whole = run::run(async {
        let backend = place::open(place, SystemTimer::new())?;
        Ok(state::whole_version(&*backend).await)
    });
    // Otherwise what the problem says itself is all there is to say.
    let Some(version) = whole.ok().flatten() else { return };
    let help = format!(
        "nothing was overwritten; go back to version {version}, which is whole: \
         `planloom state restore {version} --state {place}`"
    );
    damaged.for_each(|it| it.help = Some(help.clone()));
}
