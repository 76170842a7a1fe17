//! The search for inputs that panic.

use std::{fs, path::Path};

use anyhow::{Context, Result, bail};

use crate::shell::{cargo, relative, root, run as carry_out};

/// `fuzz [SECONDS] [TARGET…]`: these targets of `tests/fuzz`, or all, for that long, one after the other.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let home = root().join("tests/fuzz");
    let all = targets(&home.join("src/targets"))?;
    let (seconds, named) = match arguments {
        [seconds, named @ ..] if seconds.parse::<u32>().is_ok() => (&**seconds, named),
        named => ("60", named),
    };
    if let Some(unknown) = named.iter().find(|it| !all.contains(it)) {
        bail!(
            "there is no target `{unknown}`: fuzz takes a number of seconds, and names of {}",
            all.join(", ")
        );
    }
    for target in if named.is_empty() { &all } else { named } {
        println!("{target}: {seconds} s");
        let mut fuzz = cargo();
        // In its own folder, whose configuration asks for coverage counters.
        fuzz.current_dir(&home).args([
            "run",
            "--locked",
            "--profile",
            "fuzz",
            "--features",
            "link",
            "--quiet",
            "--",
            target,
            seconds,
        ]);
        carry_out(&mut fuzz)?;
    }
    Ok(())
}

fn targets(folder: &Path) -> Result<Vec<String>> {
    let files = fs::read_dir(folder).with_context(|| format!("cannot read {}", relative(folder)))?;
    let mut names = Vec::new();
    for file in files {
        let path = file?.path();
        names.extend(
            path.file_stem().map(|name| name.to_string_lossy().into_owned()).filter(|it| it != "mod"),
        );
    }
    names.sort();
    Ok(names)
}
