//! Environments: sets of layers that are left out, each with a name.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::{Document, FileKeys, Files};

/// A set of layers that are left out, with a name. Files that are added later are in every environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Environment {
    /// Its name, unique in the workspace.
    pub name: String,
    /// The files that are left out.
    pub muted: FileKeys,
}

/// All environments, in the order in which they were named. Cloning is cheap.
pub type Environments = Rc<Vec<Environment>>;

impl Document {
    /// The environment that is used: the first with just the files that are left out now.
    pub fn environment(&self) -> Option<&Environment> {
        let muted = self.files.muted();
        self.environments.iter().find(|it| self.restricted(it) == muted)
    }

    /// The files with those left out that the environment leaves out.
    pub fn files_in(&self, environment: &Environment) -> Files {
        self.files.with_muted(&environment.muted)
    }

    /// The same workspace with the files that are left out now as an environment of that name; one that has the name
    /// already is replaced.
    #[must_use]
    pub fn with_environment(&self, name: &str) -> Self {
        let mut document = self.without_environment(name);
        let muted = self.files.muted();
        Rc::make_mut(&mut document.environments).push(Environment { name: name.to_owned(), muted });
        document
    }

    /// The same workspace without an environment.
    #[must_use]
    pub fn without_environment(&self, name: &str) -> Self {
        let mut document = self.clone();
        Rc::make_mut(&mut document.environments).retain(|it| it.name != name);
        document
    }

    /// The existing files that an environment leaves out.
    fn restricted(&self, environment: &Environment) -> FileKeys {
        environment.muted.iter().filter(|key| self.files.get(*key).is_some()).collect()
    }
}

#[cfg(test)]
mod tests {
    use workspace::File;

    use super::*;

    fn document() -> Document {
        let file = |name: &str| File { name: name.into(), text: String::new(), package: None };
        let files = ["base.yaml", "staging.yaml", "prod.yaml"].map(file).into_iter().collect();
        Document { files, ..Document::default() }
    }

    #[test]
    fn the_environment_is_the_one_with_the_files_that_are_left_out() {
        let mut document = document();
        let staging = document.files.named("staging.yaml").map(|it| it.key).unwrap();
        document.files.mute(staging, true);
        let document = document.with_environment("production");
        assert_eq!(document.environment().map(|it| &*it.name), Some("production"));
        let mut other = document.clone();
        other.files.mute(staging, false);
        assert_eq!(other.environment(), None);
        let files = other.files_in(&other.environments[0]);
        assert_eq!(files, document.files);
    }

    #[test]
    fn a_name_is_given_once() {
        let document = document().with_environment("one").with_environment("two").with_environment("one");
        let names: Vec<&str> = document.environments.iter().map(|it| &*it.name).collect();
        assert_eq!(names, ["two", "one"]);
        assert_eq!(document.without_environment("two").environments.len(), 1);
    }
}
