//! The app as the program contains it: each file compressed, and a list of them. `crates/cli/build.rs` reads it.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use flate2::{Compression, GzBuilder};
use sha2::{Digest, Sha256};

/// Writes the files of a site, compressed, and `files.txt`: the version in the first line, then hash, length and path of each.
/// The same site always gives the same bytes.
pub(super) fn prepare(site: &Path, out: &Path) -> Result<()> {
    let mut list = String::new();
    // The program has the app in itself: what keeps it for use without a server would show an older one.
    for path in files(site)?.into_iter().filter(|it| it != "service-worker.js") {
        let bytes = fs::read(site.join(&path)).with_context(|| format!("cannot read {path}"))?;
        list += &format!("{} {} {path}\n", sha256(&bytes), bytes.len());
        let file = out.join(format!("{path}.gz"));
        fs::create_dir_all(file.parent().unwrap_or(out))?;
        fs::write(file, gzip(&bytes)?)?;
    }
    if !list.contains(" index.html\n") {
        bail!("there is no built app in {}", site.display());
    }
    let version: String = sha256(list.as_bytes()).chars().take(16).collect();
    fs::write(out.join("files.txt"), format!("{version}\n{list}"))?;
    Ok(())
}

/// The paths of all files in a folder, with `/`, sorted.
pub(crate) fn files(folder: &Path) -> Result<Vec<String>> {
    let mut paths = Vec::new();
    collect(folder, &mut paths)?;
    let relative = |path: &PathBuf| {
        let path = path.strip_prefix(folder).unwrap_or(path);
        path.to_string_lossy().replace('\\', "/")
    };
    let mut names: Vec<String> = paths.iter().map(relative).collect();
    names.sort();
    Ok(names)
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() { collect(&path, paths)? } else { paths.push(path) }
    }
    Ok(())
}

/// With a header without fields: no name and no time.
pub(super) fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut packed = GzBuilder::new().write(Vec::new(), Compression::best());
    packed.write_all(bytes)?;
    Ok(packed.finish()?)
}

pub(super) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_of_what_is_compressed_has_ten_bytes() {
        let packed = gzip(b"text").expect("it fits in memory");
        assert_eq!(packed.get(..8), Some(&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0][..]));
        assert_eq!(packed.len() - 18, flate2::Compress::new(Compression::best(), false).len_of(b"text"));
    }

    trait LenOf {
        fn len_of(self, bytes: &[u8]) -> usize;
    }

    impl LenOf for flate2::Compress {
        fn len_of(mut self, bytes: &[u8]) -> usize {
            let mut out = Vec::with_capacity(64);
            self.compress_vec(bytes, &mut out, flate2::FlushCompress::Finish).expect("it has room");
            out.len()
        }
    }
}
