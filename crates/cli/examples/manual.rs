//! Writes shell completions and manual pages, which `cargo xtask dist` ships, into a folder. They are made from the arguments
//! of the command line, and are not part of the program.

#[path = "../src/args/mod.rs"]
#[expect(dead_code, unused_imports, reason = "only the definitions are used")]
mod args;

use std::{env, error::Error, fs, path::Path};

use clap::CommandFactory;
use clap_complete::{Shell, generate_to};

const SHELLS: [Shell; 4] = [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell];

fn main() -> Result<(), Box<dyn Error>> {
    let out = env::args().nth(1).ok_or("name a folder")?;
    let (completions, pages) = (Path::new(&out).join("completions"), Path::new(&out).join("man/man1"));
    for folder in [&completions, &pages] {
        fs::create_dir_all(folder)?;
    }
    for shell in SHELLS {
        generate_to(shell, &mut args::Cli::command(), "planloom", &completions)?;
    }
    clap_mangen::generate_to(args::Cli::command(), &pages)?;
    Ok(())
}
