use std::rc::Rc;

use host::SystemTimer;
use workspace::engine::Environment;

/// The environment of an engine that works in this thread.
pub(crate) fn environment(timer: Rc<SystemTimer>) -> Environment {
    Environment { clock: timer.clock(), timer, random: Rc::new(bits), spawn: host::spawn(), who: who() }
}

fn bits() -> [u8; 16] {
    let mut bytes = [0; 16];
    random().fill(&mut bytes);
    bytes
}

/// A name that is unique.
pub(crate) fn name() -> String {
    protocol::hex(&bits())
}

/// Random bits from the system.
pub(crate) fn random() -> Rc<dyn state::Random> {
    Rc::new(host::SystemRandom)
}

/// The name of this process as a holder, for users who find the state locked: `ada@host (1234)`.
pub(crate) fn who() -> String {
    let user =
        std::env::var("USER").or_else(|_| std::env::var("LOGNAME")).unwrap_or_else(|_| "someone".into());
    let host = host::machine().unwrap_or_else(|| "this machine".to_owned());
    format!("{user}@{host} ({})", std::process::id())
}
