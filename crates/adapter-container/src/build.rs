use std::{fs, io, path::Path, pin::pin, rc::Rc};

use bollard::{body_full, models::ImageInspect, query_parameters::BuildImageOptionsBuilder};
use protocol::{Code, Problem, ResourceId};
use tokio::task::spawn_blocking;

use crate::{
    engine_error::response_error,
    image::{built, next},
    labels,
    shared::Shared,
    spec::Located,
};

/// The maximum size of a build context, in bytes.
const MOST: u64 = 512 << 20;

/// The number of last lines of a failed build that are reported.
const LINES: usize = 8;

impl Shared {
    /// Builds an image from a folder.
    ///
    /// # Errors
    /// If that is not allowed, or fails: with the last lines of its output.
    pub(crate) async fn build(
        self: &Rc<Self>,
        id: &ResourceId,
        folder: &Located<String>,
    ) -> Result<ImageInspect, Problem> {
        let wrong = |code, why: String| Problem::new(code, &why).at(&folder.pointer, why);
        let real = self.allowed.build(&folder.value).map_err(|why| wrong(Code::Forbidden, why))?;
        self.set_progress(&id.id, "reading the folder to build from".into());
        let packed = spawn_blocking(move || pack(&real)).await;
        let packed = packed.unwrap_or_else(|error| Err(error.to_string()));
        let (file, bytes) =
            packed.map_err(|why| wrong(Code::InvalidSpec, format!("`{}` {why}", folder.value)))?;
        self.send(id, file, bytes).await.map_err(|failed| match failed {
            Failed::Build(why) => {
                wrong(Code::InvalidSpec, format!("the build of `{}` failed: {why}", folder.value))
            }
            Failed::Engine(problem) => *problem,
        })?;
        let gone = || wrong(Code::Unavailable, "the image was built, but does not exist".into());
        self.inspect(&built(&id.id)).await?.ok_or_else(gone)
    }

    async fn send(&self, id: &ResourceId, file: &str, bytes: Vec<u8>) -> Result<(), Failed> {
        let labels = std::collections::HashMap::from([(labels::ID, &*id.id)]);
        let options =
            BuildImageOptionsBuilder::new().dockerfile(file).t(&built(&id.id)).rm(true).forcerm(true);
        let options = options.labels(&labels).build();
        let mut stream = pin!(self.engine.docker.build_image(options, None, Some(body_full(bytes.into()))));
        let mut lines: Vec<String> = Vec::new();
        while let Some(info) = next(&mut stream).await {
            match info {
                Ok(info) => {
                    lines.extend(info.stream.iter().flat_map(|it| it.lines()).map(|it| it.trim().to_owned()))
                }
                Err(error) => {
                    let Some((_, text)) = response_error(&error) else {
                        return Err(Failed::Engine(Box::new(self.engine.problem("build the image", &error))));
                    };
                    lines.push(text.to_owned());
                    lines.retain(|it| !it.is_empty());
                    let from = lines.len().saturating_sub(LINES);
                    return Err(Failed::Build(lines[from..].join(" | ")));
                }
            }
            if let Some(line) = lines.last() {
                self.set_progress(&id.id, format!("building: {line}"));
            }
            let from = lines.len().saturating_sub(LINES);
            lines.drain(..from);
        }
        Ok(())
    }
}

enum Failed {
    Build(String),
    Engine(Box<Problem>),
}

/// The name of the file with instructions, and the folder as a tar archive. Links are kept as links.
fn pack(folder: &Path) -> Result<(&'static str, Vec<u8>), String> {
    let file = ["Containerfile", "Dockerfile"].into_iter().find(|it| folder.join(it).is_file());
    let file = file.ok_or("has neither a Containerfile nor a Dockerfile")?;
    let unreadable = |error: io::Error| format!("cannot be read: {error}");
    let mut left = MOST;
    if !fits(folder, &mut left).map_err(unreadable)? {
        return Err(format!("holds more than {} MiB", MOST >> 20));
    }
    let mut archive = tar::Builder::new(Vec::new());
    archive.follow_symlinks(false);
    archive.append_dir_all(".", folder).map_err(unreadable)?;
    Ok((file, archive.into_inner().map_err(unreadable)?))
}

/// True if the size of the folder is at most `left` bytes, from which it is subtracted.
fn fits(folder: &Path, left: &mut u64) -> io::Result<bool> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let data = entry.metadata()?;
        let rest = left.checked_sub(if data.is_file() { data.len() } else { 512 });
        let Some(rest) = rest else { return Ok(false) };
        *left = rest;
        if data.is_dir() && !fits(&entry.path(), left)? {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_instructions_is_none_to_build_from() {
        let folder = std::env::temp_dir().join(format!("planloom-build-{}", std::process::id()));
        fs::create_dir_all(folder.join("in")).unwrap();
        fs::write(folder.join("in/file"), [7; 1000]).unwrap();
        assert_eq!(pack(&folder).unwrap_err(), "has neither a Containerfile nor a Dockerfile");
        fs::write(folder.join("Dockerfile"), "FROM scratch").unwrap();
        let (file, bytes) = pack(&folder).unwrap();
        assert_eq!(file, "Dockerfile");
        let mut archive = tar::Archive::new(&*bytes);
        let names = archive.entries().unwrap().map(|it| it.unwrap().path().unwrap().display().to_string());
        let mut names: Vec<_> = names.map(|it| it.trim_matches(['.', '/']).to_owned()).collect();
        names.sort();
        names.retain(|it| !it.is_empty());
        assert_eq!(names, ["Dockerfile", "in", "in/file"]);
        assert!(!fits(&folder, &mut 1500).unwrap());
        fs::remove_dir_all(folder).unwrap();
    }
}
