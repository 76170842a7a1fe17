//! The codes of problems of the set of files.

diag::codes! {
    /// The codes of problems of the set of files.
    pub const ALL in "workspace";

    /// A set of files that is empty.
    ///
    /// There is nothing to read. Give at least one YAML file.
    NO_FILES = "no-files": Error;

    /// Files in which no resource is described.
    ///
    /// They are empty, or contain comments only. Begin with a collection such as `services:`.
    NOTHING_DESCRIBED = "nothing-described": Warning;

    /// Two files with the same name.
    ///
    /// Places in messages and origins of values could mean either. Give each file once.
    SAME_NAME = "same-name": Warning;

    /// A file of a format that Planloom writes, among the descriptors.
    ///
    /// For example a state, a plan or a report cannot be merged. The help says how the file is given instead.
    NOT_A_DESCRIPTOR = "not-a-descriptor": Error;

    /// A file that looks like one of another tool, such as a Compose file or a manifest of Kubernetes.
    ///
    /// Planloom reads descriptors of the Golem application model and reports what it does not know in other files.
    /// Describe the resources as a descriptor, or leave the file out.
    OTHER_LANGUAGE = "other-language": Warning;

    /// A merge tag in a file that is not merged by tags.
    ///
    /// Only layers of descriptors are. Remove the tag.
    TAG_WITHOUT_EFFECT = "tag-without-effect": Warning;

    /// A key that says which deployment a file belongs to, with a value that is no name.
    ///
    /// It must be a text without references, because files are sorted into deployments first. Write the name, or
    /// remove the key for the described deployment.
    DEPLOYMENT_NAME = "deployment-name": Error;

    /// A name in a manifest with a character that cannot be seen.
    ///
    /// Two names that look the same would be different. Remove it here and everywhere the name is used.
    INVISIBLE_CHARACTER = "invisible-character": Warning;
}
