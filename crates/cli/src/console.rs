//! The one way to standard output and standard error.
//!
//! Names, messages and file names come from outside, and a terminal obeys what stands in them. So everything that is
//! written passes [`printable`], which writes control characters, those that turn the direction of text and those that
//! cannot be seen as `\u001b` and the like. That is also how JSON writes them, so JSON stays the same JSON. Line feeds and
//! tabs pass, and so do our own colours: [`Paint`] does not write the escape character but a mark that is drawn by chance
//! in each run, so nothing from outside can be taken for a colour.

use std::{
    env,
    hash::{BuildHasher, RandomState},
    io::{self, IsTerminal, Write},
    sync::OnceLock,
};
use workspace::view::words::Tone;

use anstyle::{AnsiColor, Style};
use workspace::escape_invisible;

use crate::args::Color;

/// The properties of the output: its width and its colours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Console {
    /// Columns to arrange text in.
    pub(crate) width: usize,
    /// Columns that a value may take on standard output; `usize::MAX` if its width is not known.
    pub(crate) room: usize,
    /// The colours of standard output.
    pub(crate) out: Paint,
    /// The colours of standard error.
    pub(crate) err: Paint,
}

/// Colours, or none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint {
    pub(crate) on: bool,
}

const DEFAULT_WIDTH: usize = 100;

impl Console {
    pub(crate) fn new(color: Color) -> Self {
        let paint = |terminal: bool| Paint { on: has_colour(color, terminal) };
        let out = io::stdout().is_terminal();
        let requested = env::var("COLUMNS").ok().and_then(|it| it.parse().ok());
        let terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
        let width = requested.or_else(terminal).unwrap_or(DEFAULT_WIDTH).clamp(40, 200);
        let room = if out || requested.is_some() { width } else { usize::MAX };
        Self { width, room, out: paint(out), err: paint(io::stderr().is_terminal()) }
    }
}

/// A flag has priority over the environment, and that over the type of the output.
fn has_colour(color: Color, terminal: bool) -> bool {
    let set = |name: &str| env::var_os(name).is_some_and(|it| !it.is_empty());
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto if set("NO_COLOR") => false,
        Color::Auto if env::var_os("CLICOLOR_FORCE").is_some_and(|it| !it.is_empty() && it != "0") => true,
        Color::Auto => terminal && env::var_os("TERM").is_none_or(|it| it != "dumb"),
    }
}

/// The terminal's colour for a tone.
pub(crate) const fn colour(tone: Tone) -> AnsiColor {
    match tone {
        Tone::Create => AnsiColor::Green,
        Tone::Update | Tone::Warning => AnsiColor::Yellow,
        Tone::Rebuild => AnsiColor::Magenta,
        Tone::Destroy | Tone::Error => AnsiColor::Red,
        Tone::Unchanged => AnsiColor::BrightBlack,
        Tone::Hint => AnsiColor::Blue,
    }
}

impl Paint {
    pub(crate) fn paint(self, style: Style, text: &str) -> String {
        if !self.on {
            return text.to_owned();
        }
        format!("{}{text}{}", own(&style.render().to_string()), own(&style.render_reset().to_string()))
    }

    /// A text painted by a library that lets no escape character of the text itself through; plain without colours.
    pub(crate) fn painted(self, text: &str) -> String {
        if self.on { own(text) } else { text.to_owned() }
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.paint(Style::new().bold(), text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.paint(Style::new().dimmed(), text)
    }

    pub(crate) fn colour(self, colour: AnsiColor, text: &str) -> String {
        self.paint(colour.on_default(), text)
    }

    pub(crate) fn strong(self, colour: AnsiColor, text: &str) -> String {
        self.paint(colour.on_default().bold(), text)
    }
}

const ESCAPE: char = '\u{1b}';

/// Stands for the escape character of our own colours until it is written: eight noncharacters, 40 bits by chance.
fn own_escape() -> &'static str {
    static MARK: OnceLock<String> = OnceLock::new();
    MARK.get_or_init(|| {
        let chance = RandomState::new().hash_one(std::process::id());
        let digit = |place: u32| (chance >> (5 * place)) as u32 & 31;
        (0..8).filter_map(|place| char::from_u32(0xfdd0 + digit(place))).collect()
    })
}

fn own(text: &str) -> String {
    text.replace(ESCAPE, own_escape())
}

/// A text as a terminal may get it: nothing in it but our own colours is obeyed, or cannot be seen.
pub(crate) fn printable(text: &str) -> String {
    let parts: Vec<_> = text.split(own_escape()).map(|it| escape_invisible(it, &['\n', '\t'])).collect();
    parts.join("\u{1b}")
}

/// True if standard error is a terminal.
pub(crate) fn has_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Writes to standard output. A closed output (`planloom plan | head`) is not an error.
pub(crate) fn write_out(text: &str) -> io::Result<()> {
    quiet(io::stdout().lock(), text)
}

/// Writes a text to standard output as it is, for programs; a terminal gets it as [`printable`].
pub(crate) fn write_exact(text: &str) -> io::Result<()> {
    if io::stdout().is_terminal() {
        return write_out(text);
    }
    let exact: Vec<&str> = text.split(own_escape()).collect();
    finished(io::stdout().lock(), exact.join("\u{1b}").as_bytes())
}

/// The same as [`write_out`] to standard error.
pub(crate) fn write_err(text: &str) -> io::Result<()> {
    quiet(io::stderr().lock(), text)
}

fn quiet(to: impl Write, text: &str) -> io::Result<()> {
    finished(to, printable(text).as_bytes())
}

fn finished(mut to: impl Write, bytes: &[u8]) -> io::Result<()> {
    match to.write_all(bytes).and_then(|()| to.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_colours_pass() {
        let paint = Paint { on: true };
        let text = paint.bold("a\u{1b}[8mb\u{202e}") + "\u{1b}[1mc\u{fdd0}\n\t" + &paint.painted("\u{1b}[0m");
        assert_eq!(printable(&text), "\u{1b}[1ma\\u001b[8mb\\u202e\u{1b}[0m\\u001b[1mc\\ufdd0\n\t\u{1b}[0m");
    }

    #[test]
    fn json_stays_the_same_json() {
        let value = serde_json::json!({"a\u{202e}": ["\u{7f}\u{9b}\\\u{200b}", "\u{e0041}"]});
        let written = printable(&value.to_string());
        assert!(written.is_ascii());
        assert_eq!(serde_json::from_str::<serde_json::Value>(&written).expect("JSON"), value);
    }
}
