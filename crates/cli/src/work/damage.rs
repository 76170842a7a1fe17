//! Remedies for a state that cannot be used, with their commands.

use diag::Code;
use host::SystemTimer;
use state::BackendError;
use state::codes::{CORRUPT, LOCKED, SEALED};
use workspace::codes::state::UNREADABLE;
use workspace::view::DiagnosticView;

use super::{place, run};

/// The codes of damaged states.
const DAMAGED: [Code; 2] = [CORRUPT, UNREADABLE];

/// Adds to the problems of a damaged or locked state the command that helps.
pub(crate) fn advise(problems: &mut [DiagnosticView], place: &str) {
    let quoted = in_shell(place);
    for held in problems.iter_mut().filter(|it| it.is(LOCKED)) {
        let command = format!("`planloom state unlock --state {quoted}`");
        held.help = Some(format!(
            "wait until it has finished; if its holder no longer exists, {command} shows how to remove \
             the lock"
        ));
    }
    for sealed in problems.iter_mut().filter(|it| it.is(SEALED)) {
        if place::has_passphrase() && is_plain(place) {
            sealed.help = Some(format!(
                "encrypt it: `planloom state encrypt --state {quoted}`; or unset `PLANLOOM_STATE_PASSPHRASE`"
            ));
        }
    }
    let mut damaged = problems.iter_mut().filter(|it| DAMAGED.iter().any(|code| it.is(*code))).peekable();
    if damaged.peek().is_none() {
        return;
    }
    let whole = run::run(async {
        let backend = place::open(place, SystemTimer::new())?;
        Ok(state::latest_intact_version(&*backend).await)
    });
    for problem in damaged {
        match whole.as_ref().ok().copied().flatten() {
            Some(version) => {
                let command = format!("`planloom state restore {version} --state {quoted}`");
                let help =
                    format!("nothing was overwritten; restore version {version}, which is intact: {command}");
                problem.help = Some(help);
            }
            // Of a file that was never written by this program, what the problem says itself is all there is to say.
            None if problem.is(UNREADABLE) => {}
            None => {
                problem.help = Some(format!(
                    "nothing was overwritten; restore an intact copy with `planloom state restore --from \
                     FILE --state {quoted}`, or move all its files away and record what the adapters \
                     have: `planloom apply --adopt`"
                ));
            }
        }
    }
}

/// True if a state can be read but for its not being encrypted.
fn is_plain(place: &str) -> bool {
    let looked = run::run(async {
        let strict = place::open(place, SystemTimer::new())?.load().await;
        let migrating = place::open_migrating(place, SystemTimer::new())?.load().await;
        Ok(matches!((strict, migrating), (Err(BackendError::Sealed(_)), Ok(Some(_)))))
    });
    looked.unwrap_or_default()
}

/// A name as a shell takes it.
pub(crate) fn in_shell(name: &str) -> String {
    let is_plain = |it: char| it.is_alphanumeric() || "-_./:@%+=,".contains(it);
    let quoted = || format!("'{}'", name.replace('\'', r"'\''"));
    if !name.is_empty() && name.chars().all(is_plain) { name.to_owned() } else { quoted() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_for_a_shell() {
        for (name, quoted) in
            [("a/b.json", "a/b.json"), ("my state's", r"'my state'\''s'"), ("", "''"), ("$a", "'$a'")]
        {
            assert_eq!(in_shell(name), quoted);
        }
    }
}
