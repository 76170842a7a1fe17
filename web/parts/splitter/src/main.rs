//! `planloom-splitter MODULE FOLDER`: the program `wasm_split_cli`, whose output is the same each time.
//!
//! That program goes through hash maps, and numbers parts and functions in the order in which it finds them. The seed of hash
//! maps comes from the system, so two runs give different bytes, and what ships could not be built again. Here the system's
//! source of random bytes, which nothing else in this program uses, gives zeros.

use std::{env, error::Error, fs, path::PathBuf};

use wasm_split_cli_support::{Options, transform};

/// The function of the C library that the standard library takes seeds from, as this program has it.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "it has to be found under the name that the C library gives it")]
mod seed {
    /// Fills a buffer with zeros.
    ///
    /// # Safety
    /// The buffer has that many bytes.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn getrandom(buffer: *mut u8, length: usize, _flags: u32) -> isize {
        // SAFETY: the caller says that the buffer is that long.
        unsafe { buffer.write_bytes(0, length) };
        length.cast_signed()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args_os().skip(1).map(PathBuf::from);
    let (Some(module), Some(folder), None) = (arguments.next(), arguments.next(), arguments.next()) else {
        return Err("usage: planloom-splitter MODULE FOLDER".into());
    };
    let module = fs::read(module)?;
    let main = folder.join("main.wasm");
    let mut options = Options::new(&module);
    options.output_dir = &folder;
    options.main_out_path = &main;
    transform(options)?;
    Ok(())
}
