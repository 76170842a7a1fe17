//! The tasks of developers and of continuous integration: `cargo xtask <task>`.
//!
//! Every task sets up what it needs, prints what it does, and skips what is done. Tools are kept by version in the user's cache
//! folder, so a second clone reuses them; globally, only packages of the system that tests need are installed.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line program")]

#[macro_use]
mod output;

mod ahead;
mod bench;
mod chromium;
mod dapp_runner;
mod debian;
mod dist;
mod docs;
mod embed;
mod fuzz;
mod guarded;
mod lines;
mod npm;
mod progress;
mod python;
mod schemathesis;
mod serve;
mod shell;
mod site;
mod test;
mod tidy;
mod tokens;
mod tools;
mod torture;
mod toy;
mod wasm;
mod watch;

use std::process::ExitCode;

use anyhow::{Result, bail};

const HELP: &str = "\
cargo xtask <task>

  setup            install everything the other tasks need
  serve [--port N] build the app, serve it on a loopback port, rebuild on change
  build            build the app for release into target/site
  npm [--without-app]
                   build the npm package into web/npm/dist
  docs             build the documentation, with live examples, into target/docs
  dist [--site FOLDER] [--only-program]
                   build what a release consists of into target/dist: the program with
                   the app in it, completions, manual pages, npm package, site, checksums
  test [--times] [--all] [STEP…]
                   run everything, or the steps named, but for checks that passed
                   with what they read now; `--all` runs those, too, `--times` prints
                   the slowest checks of each step, and `test --list` lists the steps
  bench [ROW…]     measure against named peers: size, parse, merge, keystroke, graph,
                   resources, apply, load, golem
  fuzz [SECONDS] [TARGET…]
                   run each fuzz target, or those named, 60 seconds by default
  torture [SECONDS] [--seed N] [--only ROUND] [--kind app|files|flapping]
                   kill, fill disks, drop replies, flip bits and restart servers
                   at random, 60 seconds by default, and check every promise
  toy              show a format that only tests have in the command line, the npm
                   package and the app
  lines            print how many lines each crate has, of the product and of tests
  tidy             check what the compiler does not: layers, versions, documents, words
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<ExitCode> {
    let (task, rest) =
        arguments.split_first().map_or(("help", arguments), |(task, rest)| (task.as_str(), rest));
    match (task, rest) {
        ("setup", []) => tools::everything()?,
        ("serve", _) => serve::run(rest)?,
        ("build", []) => site::build()?,
        ("npm", []) => {
            site::build()?;
            npm::build()?;
            npm::add_app(&shell::target().join("site"))?;
        }
        ("npm", [flag]) if flag == "--without-app" => npm::build()?,
        ("docs", []) => docs::build()?,
        ("dist", _) => dist::run(rest)?,
        ("test", _) => return test::run(rest),
        ("bench", _) => bench::run(rest)?,
        ("fuzz", _) => fuzz::run(rest)?,
        ("torture", _) => torture::run(rest)?,
        ("toy", []) => return toy::run(),
        ("lines", []) => lines::run()?,
        ("tidy", []) => return tidy::run(),
        ("help" | "--help" | "-h", _) => print!("{HELP}"),
        _ => bail!("no such task: {}\n\n{HELP}", arguments.join(" ")),
    }
    Ok(ExitCode::SUCCESS)
}
