use report::codes;
use std::path::Path;

use diag::{Diagnostic, FileId, Source, Sources, TextEdit, apply_edits};
use format::Formatted as Layout;
use report::reported;
use serde::Serialize;
use workspace::{File, capability::diagnostic_views, view::DiagnosticView};

use super::notes;
use crate::answer::{Answer, Code, has_errors, json};
use crate::args::{Format, FormatFiles};
use crate::conceal::concealed;
use crate::console::{Console, Paint, write_exact};
use crate::files::{Stdin, is_package, name, read_text};
use crate::problem::{problem, unwritable};
use crate::save::save;
use crate::show::diff::unified;

/// `planloom.format/1`
#[derive(Serialize)]
struct FormatView {
    format: &'static str,
    /// The files that could be read, in the order in which they were named.
    files: Vec<FileView>,
    diagnostics: Vec<DiagnosticView>,
}

/// The outcome for a file.
#[derive(Serialize)]
struct FileView {
    file: String,
    /// True if its layout was another one.
    changed: bool,
    /// True if it was written.
    written: bool,
    /// The text, of standard input.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The changes as a diff, if that was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
}

/// A file with the edits that give it its layout.
struct Formatted {
    file: File,
    edits: Vec<TextEdit>,
    is_written: bool,
}

/// The files so far, and why others are left as they are.
#[derive(Default)]
struct Found {
    formatted: Vec<Formatted>,
    problems: Vec<DiagnosticView>,
    /// The texts that diagnostics point into.
    texts: Vec<File>,
}

pub(crate) fn run(args: &FormatFiles, console: Console) -> Answer {
    let (mut stdin, mut found) = (Stdin::default(), Found::default());
    match misused(args) {
        Some(problem) => found.problems.push(problem),
        None => args.files.iter().for_each(|path| found.add(&mut stdin, path, args)),
    }
    match args.format {
        Format::Json => found.json(args),
        Format::Text => found.text(args, console),
    }
}

/// Standard output is either one text or a list of names.
fn misused(args: &FormatFiles) -> Option<DiagnosticView> {
    let has_stdin = args.files.iter().any(|it| is_stdin(it));
    let is_text = args.format == Format::Text && !args.check && !args.diff;
    (has_stdin && is_text && args.files.len() > 1).then(|| {
        let message = "standard input is formatted to standard output, so no other file can be named with it";
        problem(codes::STDIN_ALONE, None, message, "run the command once for `-` and once for the files")
    })
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

impl Found {
    fn add(&mut self, stdin: &mut Stdin, path: &Path, args: &FormatFiles) {
        let name = name(path);
        if is_package(&name) {
            return self.problems.push(package(&name));
        }
        let text = match read_text(stdin, path) {
            Ok(text) => text,
            Err(problem) => return self.problems.push(*problem),
        };
        let file = File { name, text, package: None };
        match format::format(FileId(0), &file.text) {
            Ok(Layout { edits, left }) => {
                self.report(&file, left.as_slice());
                self.write(path, file, edits, args);
            }
            Err(diagnostics) => self.report(&file, &diagnostics),
        }
    }

    fn report(&mut self, file: &File, diagnostics: &[Diagnostic]) {
        if diagnostics.is_empty() {
            return;
        }
        let mut sources = Sources::new();
        sources.add(Source::new(file.name.as_str(), file.text.as_str()));
        self.problems.extend(diagnostic_views(&sources, diagnostics));
        self.texts.push(file.clone());
    }

    fn write(&mut self, path: &Path, file: File, edits: Vec<TextEdit>, args: &FormatFiles) {
        let is_written = !(args.check || args.diff || is_stdin(path) || edits.is_empty());
        if is_written && let Err(error) = save(path, &apply_edits(&file.text, &edits)) {
            return self.problems.push(unwritable(path, &error));
        }
        self.formatted.push(Formatted { file, edits, is_written });
    }

    fn code(&self, args: &FormatFiles) -> Code {
        let would_change = args.check && self.formatted.iter().any(Formatted::is_changed);
        if would_change || has_errors(&self.problems) { Code::Errors } else { Code::Fine }
    }

    fn json(self, args: &FormatFiles) -> Answer {
        let code = self.code(args);
        let files = self.formatted.iter().map(|it| it.view(args)).collect();
        let diagnostics = concealed(&self.problems, &self.texts).0;
        let view = FormatView { format: "planloom.format/1", files, diagnostics };
        Answer { out: json(&view), code, ..Answer::default() }
    }

    fn text(self, args: &FormatFiles, console: Console) -> Answer {
        let mut code = self.code(args);
        let out: String = self.formatted.iter().map(|it| it.shown(args, console.out)).collect();
        let err = notes(&reported(&self.problems), &self.texts, console);
        // A list of names is for people; a text and a diff are for programs too.
        let is_list = !args.diff && (args.check || !args.files.iter().any(|it| is_stdin(it)));
        if is_list {
            return Answer { out, err, code };
        }
        if write_exact(&out).is_err() {
            code = Code::Errors;
        }
        Answer { err, code, ..Answer::default() }
    }
}

impl Formatted {
    fn is_changed(&self) -> bool {
        !self.edits.is_empty()
    }

    fn is_stdin(&self) -> bool {
        self.file.name == crate::files::STDIN
    }

    fn result(&self) -> String {
        apply_edits(&self.file.text, &self.edits)
    }

    fn diff(&self, paint: Paint) -> String {
        unified(&self.file.name, &self.file.text, &self.edits, paint)
    }

    /// The text of standard input, or the name or the diff of a file that changes.
    fn shown(&self, args: &FormatFiles, paint: Paint) -> String {
        if args.diff {
            self.diff(paint)
        } else if self.is_stdin() && !args.check {
            self.result()
        } else if self.is_changed() {
            format!("{}\n", self.file.name)
        } else {
            String::new()
        }
    }

    fn view(&self, args: &FormatFiles) -> FileView {
        FileView {
            file: self.file.name.clone(),
            changed: self.is_changed(),
            written: self.is_written,
            text: (self.is_stdin() && !args.check && !args.diff).then(|| self.result()),
            diff: args.diff.then(|| self.diff(Paint { on: false })),
        }
    }
}

fn package(name: &str) -> DiagnosticView {
    let message = format!("`{name}` is a package, and packages are not formatted");
    problem(codes::PACKAGE, Some(name), message, "unpack it and name the files in it")
}
