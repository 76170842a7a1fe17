use std::{
    fs,
    path::{Path, PathBuf},
};

use adapter_native::{NotAllowed, real_folder};

use crate::reference::Reference;

/// The images and folders that may be used. They are chosen by the operator who starts the adapter; by
/// default only images that exist already.
///
/// To allow a build folder is to allow the commands of its Containerfile: it pulls and runs what it names.
#[derive(Clone, Debug, Default)]
pub struct Allowed {
    anywhere: bool,
    registries: Vec<String>,
    build: Vec<PathBuf>,
    mount: Vec<PathBuf>,
}

impl Allowed {
    /// Allows only images that exist already, and no folders.
    pub fn nothing() -> Self {
        Self::default()
    }

    /// Also allows images pulled from this registry, or from this part of one: `docker.io`,
    /// `docker.io/library`, `registry.example:5000/team`.
    ///
    /// # Errors
    /// If the place does not begin with the name of a registry.
    pub fn images_from(mut self, place: &str) -> Result<Self, NotAllowed> {
        let place = place.trim_end_matches('/');
        let host = place.split('/').next().unwrap_or_default();
        if !host.contains(['.', ':']) && host != "localhost" {
            let why = "it does not begin with the name of a registry, such as `docker.io`";
            return Err(NotAllowed::new(place, why));
        }
        self.registries.push(place.to_owned());
        Ok(self)
    }

    /// Also allows images pulled from anywhere.
    #[must_use]
    pub fn images_from_anywhere(mut self) -> Self {
        self.anywhere = true;
        self
    }

    /// Also allows images built from this folder and those below it.
    ///
    /// # Errors
    /// If that is no absolute path of a folder.
    pub fn build_in(mut self, path: impl Into<PathBuf>) -> Result<Self, NotAllowed> {
        self.build.push(real_folder(&path.into())?);
        Ok(self)
    }

    /// Also allows containers to mount what is in this folder.
    ///
    /// # Errors
    /// If that is no absolute path of a folder.
    pub fn mount_below(mut self, path: impl Into<PathBuf>) -> Result<Self, NotAllowed> {
        self.mount.push(real_folder(&path.into())?);
        Ok(self)
    }

    /// Checks whether an image may be pulled.
    ///
    /// # Errors
    /// The reason why it may not, for people.
    pub(crate) fn pull(&self, image: &Reference) -> Result<(), String> {
        let name = image.name();
        let is_in = |place: &String| name.strip_prefix(&**place).is_some_and(|rest| rest.starts_with('/'));
        if self.anywhere || self.registries.iter().any(is_in) {
            return Ok(());
        }
        Err(format!("images of `{}` are not on the allow list", image.registry()))
    }

    /// The folder to build from, without links.
    ///
    /// # Errors
    /// The reason why nothing may be built from there, for people.
    pub(crate) fn build(&self, text: &str) -> Result<PathBuf, String> {
        let real = below(&self.build, text, "nothing may be built from")?;
        if real.is_dir() { Ok(real) } else { Err(format!("`{text}` is not a folder")) }
    }

    /// The path to mount, without links.
    ///
    /// # Errors
    /// The reason why it may not be mounted, for people.
    pub(crate) fn mount(&self, text: &str) -> Result<PathBuf, String> {
        below(&self.mount, text, "nothing may be mounted from")
    }
}

fn below(folders: &[PathBuf], text: &str, refusal: &str) -> Result<PathBuf, String> {
    if !Path::new(text).is_absolute() {
        return Err(format!("`{text}` is not an absolute path"));
    }
    let refused = || format!("{refusal} `{text}`");
    // No information is given on files outside, not even whether they exist.
    let real = fs::canonicalize(text).map_err(|error| {
        let is_inside = folders.iter().any(|it| Path::new(text).starts_with(it));
        if is_inside { format!("`{text}` cannot be found: {error}") } else { refused() }
    })?;
    if folders.iter().any(|it| real.starts_with(it)) { Ok(real) } else { Err(refused()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_come_from_places_on_the_list() {
        let allowed = Allowed::nothing().images_from("docker.io/library/").unwrap();
        let allowed = allowed.images_from("registry.example:5000").unwrap();
        for (image, may) in [
            ("nginx", true),
            ("docker.io/library/nginx:1", true),
            ("someone/nginx", false),
            ("docker.io/library-evil/nginx", false),
            ("registry.example:5000/a/b@sha256:0000", true),
            ("registry.example:5000.evil.example/a", false),
            ("registry.example/a", false),
        ] {
            let image = Reference::parse(image).unwrap();
            assert_eq!(allowed.pull(&image).is_ok(), may, "{image:?}");
            assert!(Allowed::nothing().pull(&image).is_err());
            assert!(Allowed::nothing().images_from_anywhere().pull(&image).is_ok());
        }
        assert!(Allowed::nothing().images_from("library").is_err());
    }

    #[test]
    fn links_do_not_lead_out_of_a_folder() {
        let top = std::env::temp_dir().join(format!("planloom-allow-{}", std::process::id()));
        fs::create_dir_all(top.join("in/deep")).unwrap();
        fs::create_dir_all(top.join("out")).unwrap();
        std::os::unix::fs::symlink(top.join("out"), top.join("in/link")).unwrap();
        let allowed = Allowed::nothing().mount_below(top.join("in")).unwrap();
        let mount = |path: &str| allowed.mount(top.join(path).to_str().unwrap());
        assert_eq!(mount("in/deep").unwrap(), fs::canonicalize(top.join("in/deep")).unwrap());
        assert!(mount("in/link").unwrap_err().contains("nothing may be mounted"));
        assert!(mount("in/../out").unwrap_err().contains("nothing may be mounted"));
        assert!(mount("out/not there").unwrap_err().contains("nothing may be mounted"));
        assert!(mount("in/not there").unwrap_err().contains("cannot be found"));
        assert!(allowed.mount("in").is_err() && allowed.build(top.join("in").to_str().unwrap()).is_err());
        fs::remove_dir_all(top).unwrap();
    }
}
