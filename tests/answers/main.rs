//! Compares what two builds of `planloom` say of the same files, byte for byte: for changes that must not change any answer.
//!
//! `answers OLD NEW [--seed N] [--mutations N]` runs `merge --origins` and `plan` of both programs, as JSON, on the files of every
//! example of the suite, on every real file in `$PLANLOOM_SHARED/data` (or `../shared/data` beside the repository), and on 300
//! random mutations of these. It lists the inputs whose answers differ, and keeps their files.
#![expect(clippy::print_stdout, reason = "a command line program")]

mod inputs;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
};

use anyhow::{Context, Result, ensure};
use fastrand::Rng;

use inputs::FileSet;

/// The words of the answers that are compared.
const VERBS: [&[&str]; 2] = [&["merge", "--origins", "--format", "json"], &["plan", "--format", "json"]];

struct Options {
    programs: [PathBuf; 2],
    seed: u64,
    mutations: usize,
}

/// The output of a program: its exit code and its standard output.
type Said = (Option<i32>, Vec<u8>);

fn main() -> Result<ExitCode> {
    let options = options()?;
    let mut sets = inputs::of_suite()?;
    let of_suite = sets.len();
    sets.extend(inputs::real());
    let real = sets.len() - of_suite;
    let mut random = Rng::with_seed(options.seed);
    let mut mutated: Vec<FileSet> = Vec::new();
    for _ in 0..options.mutations {
        let chosen = random.usize(..sets.len());
        mutated.extend(sets.get(chosen).map(|it| it.mutated(&mut random)));
    }
    let mutations = mutated.len();
    sets.extend(mutated);
    let home = env::temp_dir().join(format!("planloom-answers-{}", std::process::id()));
    let mut differing = 0;
    for (number, set) in sets.iter().enumerate() {
        let folder = home.join(number.to_string());
        set.write(&folder)?;
        let found = differences(&options.programs, &folder, set)?;
        differing += usize::from(!found.is_empty());
        found.iter().for_each(|it| println!("{}: {it}", set.name));
        match found.is_empty() {
            true => fs::remove_dir_all(&folder)?,
            false => println!("  files: {}", folder.display()),
        }
    }
    println!(
        "{of_suite} examples of the suite, {real} real files, {mutations} mutations (seed {}): {} the same, {differing} differ",
        options.seed,
        sets.len() - differing
    );
    Ok(if differing == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn options() -> Result<Options> {
    let mut words = env::args().skip(1);
    let mut program = || -> Result<PathBuf> {
        let path = PathBuf::from(words.next().context("name the old and the new program")?);
        ensure!(path.is_file(), "{} does not exist", path.display());
        Ok(fs::canonicalize(path)?)
    };
    let mut options = Options { programs: [program()?, program()?], seed: 1, mutations: 300 };
    while let Some(word) = words.next() {
        let value = words.next().with_context(|| format!("`{word}` has no value"))?;
        match word.as_str() {
            "--seed" => options.seed = value.parse().context("--seed")?,
            "--mutations" => options.mutations = value.parse().context("--mutations")?,
            _ => anyhow::bail!("`{word}` is not known"),
        }
    }
    Ok(options)
}

/// Each verb of which the programs do not say the same, and where they begin to differ.
fn differences(programs: &[PathBuf; 2], folder: &Path, set: &FileSet) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for words in VERBS {
        let [old, new] = programs;
        let (old, new) = (run(old, words, folder, set)?, run(new, words, folder, set)?);
        if old != new {
            let at = old.1.iter().zip(&new.1).take_while(|(a, b)| a == b).count();
            let shown = |said: &Said| {
                let from = at.saturating_sub(40).min(said.1.len());
                let part = said.1.get(from..(at + 80).min(said.1.len())).unwrap_or_default();
                format!("exit code {:?}, …{}…", said.0, String::from_utf8_lossy(part))
            };
            found.push(format!("{}\n  old: {}\n  new: {}", words.join(" "), shown(&old), shown(&new)));
        }
    }
    Ok(found)
}

fn run(program: &Path, words: &[&str], folder: &Path, set: &FileSet) -> Result<Said> {
    let mut command = Command::new(program);
    command.current_dir(folder).args(words).args(set.files.iter().map(|it| &it.0));
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().context("planloom")?;
    Ok((output.status.code(), output.stdout))
}
