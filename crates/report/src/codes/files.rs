//! The codes of problems of files and command lines.

diag::codes! {
    /// The codes of problems of files and command lines.
    pub const FILES in "host";

    /// A file that does not exist.
    ///
    /// Check the name and the folder.
    NOT_FOUND = "not-found": Error;

    /// A file that cannot be read.
    ///
    /// Allow reading it, or run as a user who may.
    UNREADABLE = "unreadable": Error;

    /// A file that cannot be written.
    ///
    /// Nothing of it was written. Name a file in a folder that you may write to.
    UNWRITABLE = "unwritable": Error;

    /// A folder where a file is expected.
    ///
    /// The help lists the files in it. Name them in the order in which they are to be merged.
    DIRECTORY = "directory": Error;

    /// A file that is larger than any file of its sort may be.
    ///
    /// Split it into several files.
    TOO_LARGE = "too-large": Error;

    /// Standard input that is named twice.
    ///
    /// It can be read only once. Give `-` once.
    STDIN_TWICE = "stdin-twice": Error;

    /// Standard input where files are served.
    ///
    /// Nothing could be written back to it. Name files, a folder or a zip package.
    STDIN = "stdin": Error;

    /// Standard input beside other files to format.
    ///
    /// It is formatted to standard output, so no other file can be named with it. Run the command once for each.
    STDIN_ALONE = "stdin-alone": Error;

    /// A file that is not in UTF-8.
    ///
    /// The message names the first place that is not. Save it as UTF-8.
    NOT_UTF8 = "not-utf8": Error;

    /// A file that is not a text.
    ///
    /// Give a YAML file or a `.zip` package.
    BINARY = "binary": Error;

    /// A package that cannot be read, or where packages cannot be used.
    ///
    /// The message says what is wrong with the archive. Packages are not formatted: unpack them and name the files.
    PACKAGE = "package": Error;

    /// A file where a folder is expected.
    ///
    /// Name the folder.
    NOT_A_FOLDER = "not-a-folder": Error;

    /// A folder without any file of the expected kind.
    ///
    /// The message names the endings that are looked for.
    EMPTY_FOLDER = "empty-folder": Error;

    /// A command without the files that it needs.
    ///
    /// Name them before or after the options.
    NO_FILES = "no-files": Error;

    /// An output that would overwrite a file that is read.
    ///
    /// Nothing was done. Write to another file.
    OVERWRITTEN = "overwritten": Error;

    /// A command line that was not understood.
    ///
    /// `planloom --help` and `planloom COMMAND --help` show what there is.
    USAGE = "usage": Error;

    /// A path to explain that is empty or missing.
    ///
    /// Give it before the files: `planloom explain services.web.payload app.yaml`.
    NO_PLACE = "no-place": Error;

    /// A path to explain at which there is no value.
    ///
    /// The help names a similar one. `planloom merge` prints the whole document.
    NO_SUCH_PLACE = "no-such-place": Error;

    /// A code to explain that does not exist.
    ///
    /// The help names a similar one. `planloom explain codes` lists all of them.
    NO_SUCH_CODE = "no-such-code": Error;

    /// A `--var` that is not a name with a value.
    ///
    /// Write `--var NAME=VALUE`. The value is read as YAML.
    BAD_VARIABLE = "bad-variable": Error;

    /// A file of links to compare with that holds none.
    ///
    /// Give what `planloom links --format json` wrote.
    NOT_LINKS = "not-links": Error;

    /// A generated file that would be written outside of the folder.
    ///
    /// Nothing was written. Change `protoImportPathPrefix` or `currentVersion` of the specification.
    PATH = "path": Error;

    /// Something that the operating system does not provide, such as random bytes, certificates or another process.
    ///
    /// The message is that of the system.
    SYSTEM = "system": Error;
}
