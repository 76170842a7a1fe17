use std::{fmt, sync::Arc, time::Duration};

/// The simulated outcome of a `run` command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The exit code; other than 0 the command has failed, and its batch ends.
    pub exit_code: i32,
    /// The standard output.
    pub stdout: String,
    /// The standard error output.
    pub stderr: String,
    /// The duration of the command.
    pub duration: Duration,
}

/// Decides what `run` commands give, by their words: the program and its arguments. Nothing is executed.
#[derive(Clone)]
pub struct Runner(Arc<Run>);

type Run = dyn Fn(&[String]) -> Outcome + Send + Sync;

impl Runner {
    /// A runner with this function.
    pub fn new(run: impl Fn(&[String]) -> Outcome + Send + Sync + 'static) -> Self {
        Self(Arc::new(run))
    }

    pub(crate) fn run(&self, words: &[String]) -> Outcome {
        (self.0)(words)
    }
}

impl Default for Runner {
    /// Commands succeed at once, and print that they are simulated.
    fn default() -> Self {
        Self::new(|words| Outcome {
            stdout: format!("simulated: {}\n", words.join(" ")),
            ..Outcome::default()
        })
    }
}

impl fmt::Debug for Runner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Runner")
    }
}
