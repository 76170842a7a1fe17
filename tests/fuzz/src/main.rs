//! Searches for inputs that break what has to hold for every input, with libFuzzer:
//! `cargo run --profile fuzz --features link -- TARGET [SECONDS] [LIBFUZZER ARGUMENTS…]` in this folder.
//!
//! Without seconds it runs until it finds a failing input. Such an input is written to `target/found/TARGET`, and is run again
//! by naming the file: `cargo run … -- TARGET target/found/TARGET/crash-…`. The inputs that reach new code
//! are kept in `target/corpus/TARGET` for the next run. Without the feature, only the inputs that a target starts with are run.

// The name that the tests of the crate know it by.
extern crate syntax as planloom_syntax;

mod targets;
mod workspace;

use workspace::{ask_everything, file};

#[cfg(feature = "link")]
use libfuzzer_sys as _;

use std::ffi::{CString, c_char, c_int};
use std::path::Path;
use std::sync::OnceLock;
use std::{fs, ptr};

type Target = fn(&[u8]);

static TARGET: OnceLock<Target> = OnceLock::new();

fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    match targets::ALL.iter().find(|(target, _)| *target == name) {
        Some((_, run)) => run(),
        None => {
            let names: Vec<_> = targets::ALL.iter().map(|(target, _)| *target).collect();
            eprintln!("no such target: {name}; there are {}", names.join(", "));
            std::process::exit(2);
        }
    }
}

#[cfg(feature = "link")]
unsafe extern "C" {
    fn LLVMFuzzerRunDriver(
        argc: *mut c_int,
        argv: *mut *mut *mut c_char,
        callback: unsafe extern "C" fn(*const u8, usize) -> c_int,
    ) -> c_int;
}

/// Fuzzes a target, starting from some inputs and the words that matter in them.
fn fuzz(name: &str, target: Target, seeds: &[Vec<u8>], words: &[&str]) {
    TARGET.get_or_init(|| target);
    if !cfg!(feature = "link") {
        seeds.iter().for_each(|it| target(it));
        return println!("{name}: {} inputs; the others need the feature `link`", seeds.len());
    }
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("target");
    let (corpus, found) = (home.join("corpus").join(name), home.join("found").join(name));
    fs::create_dir_all(&corpus).expect("a folder for the corpus");
    fs::create_dir_all(&found).expect("a folder for what is found");
    for (idx, seed) in seeds.iter().enumerate() {
        fs::write(corpus.join(format!("seed-{idx}")), seed).expect("a seed is written");
    }
    let dictionary = home.join(format!("{name}.dict"));
    fs::write(&dictionary, words.iter().map(|word| entry(word)).collect::<String>())
        .expect("a dictionary is written");

    let mut arguments = vec!["fuzz".to_owned(), format!("-artifact_prefix={}/", found.display())];
    arguments.extend([
        format!("-dict={}", dictionary.display()),
        "-timeout=10".to_owned(),
        "-rss_limit_mb=2048".to_owned(),
    ]);
    let mut given = std::env::args().skip(2).peekable();
    let seconds = given.next_if(|it| it.parse::<u32>().is_ok());
    arguments.extend(seconds.map(|it| format!("-max_total_time={it}")));
    arguments.extend(given);
    if arguments.iter().skip(1).all(|it| it.starts_with('-')) {
        arguments.push(corpus.display().to_string());
    }
    run(arguments);
}

fn run(arguments: Vec<String>) {
    // A panic ends the process at once, so that libFuzzer keeps the input.
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        report(panic);
        std::process::abort();
    }));
    let texts: Vec<CString> = arguments.into_iter().filter_map(|it| CString::new(it).ok()).collect();
    let mut pointers: Vec<*mut c_char> = texts.iter().map(|it| it.as_ptr().cast_mut()).collect();
    let mut count = pointers.len() as c_int;
    pointers.push(ptr::null_mut());
    let mut argv = pointers.as_mut_ptr();
    std::process::exit(drive(&mut count, &mut argv));
}

#[cfg(feature = "link")]
fn drive(count: &mut c_int, argv: &mut *mut *mut c_char) -> c_int {
    // SAFETY: the pointers are to strings that live until the call returns, and end with a null pointer.
    unsafe { LLVMFuzzerRunDriver(count, argv, one_input) }
}

#[cfg(not(feature = "link"))]
fn drive(_: &mut c_int, _: &mut *mut *mut c_char) -> c_int {
    0
}

#[cfg(feature = "link")]
unsafe extern "C" fn one_input(data: *const u8, len: usize) -> c_int {
    let input = if len == 0 {
        &[]
    } else {
        // SAFETY: libFuzzer gives a valid pointer to this many bytes.
        unsafe { std::slice::from_raw_parts(data, len) }
    };
    rust_fuzzer_test_input(input)
}

/// The function that `libfuzzer-sys` requires.
#[unsafe(no_mangle)]
extern "Rust" fn rust_fuzzer_test_input(input: &[u8]) -> c_int {
    if let Some(target) = TARGET.get() {
        target(input);
    }
    0
}

/// A line of a libFuzzer dictionary.
fn entry(word: &str) -> String {
    let escaped: String = word.bytes().map(|byte| format!("\\x{byte:02x}")).collect();
    format!("\"{escaped}\"\n")
}
