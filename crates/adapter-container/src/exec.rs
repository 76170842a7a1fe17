use std::time::Duration;

use bollard::{
    container::LogOutput,
    errors::Error,
    exec::{CreateExecOptions, StartExecResults},
};
use tokio::time::timeout;

use crate::{engine::Engine, image::next, logs::Tail};

/// The result of a command in a container.
#[derive(Debug)]
pub(crate) struct Done {
    /// The exit status; `None` if it did not end in time.
    pub(crate) status: Option<i64>,
    /// The end of its output.
    pub(crate) tail: Tail,
}

impl Engine {
    /// Runs a command in a container to its end.
    ///
    /// # Errors
    /// If it cannot be started.
    pub(crate) async fn run(
        &self,
        container: &str,
        words: Vec<String>,
        env: Vec<String>,
        limit: Duration,
    ) -> Result<Done, Error> {
        let options = CreateExecOptions {
            cmd: Some(words),
            env: Some(env),
            attach_stdout: Some(true),
            attach_stderr: Some(true),
            ..Default::default()
        };
        let exec = self.docker.create_exec(container, options).await?.id;
        let mut tail = Tail::new(4096);
        let ended = timeout(limit, self.follow(&exec, &mut tail)).await;
        let status = match ended {
            Ok(ended) => Some(ended?),
            Err(_) => None,
        };
        Ok(Done { status, tail })
    }

    async fn follow(&self, exec: &str, tail: &mut Tail) -> Result<i64, Error> {
        if let StartExecResults::Attached { mut output, .. } = self.docker.start_exec(exec, None).await? {
            while let Some(piece) = next(&mut output).await {
                tail.add(LogOutput::as_ref(&piece?));
            }
        }
        // The output can end before the command does.
        loop {
            let reported = self.docker.inspect_exec(exec).await?;
            if let (Some(false) | None, Some(status)) = (reported.running, reported.exit_code) {
                return Ok(status);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}
