use std::io::{self, BufRead, IsTerminal};

use crate::console::{Console, write_err};

/// Asks the user for approval; [`Confirmation::Nobody`] if standard input is not a terminal.
pub(crate) fn ask(question: &str, console: Console) -> Confirmation {
    if !io::stdin().is_terminal() {
        return Confirmation::Nobody;
    }
    let prompt = format!("\n{} Only `yes` is accepted: ", console.err.bold(question));
    let mut answer = String::new();
    let read = write_err(&prompt).and_then(|()| io::stdin().lock().read_line(&mut answer));
    if read.is_ok() && answer.trim() == "yes" { Confirmation::Yes } else { Confirmation::No }
}

/// The answer to a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Confirmation {
    Yes,
    No,
    /// Standard input is no terminal.
    Nobody,
}
