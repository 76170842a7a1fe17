//! Looking for inputs that panic.

use std::{fs, path::Path};

use anyhow::{Context, Result, bail};

use crate::shell::{cargo, relative, root, run as carry_out};

/// `fuzz [SECONDS]`: each target of `tests/fuzz` for that long, one after the other.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let seconds = match arguments {
        [] => "60",
        [seconds] if seconds.parse::<u32>().is_ok() => seconds,
        _ => bail!("fuzz takes only a number of seconds"),
    };
    let home = root().join("tests/fuzz");
    for target in targets(&home.join("src/targets"))? {
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
            &target,
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
