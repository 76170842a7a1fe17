use std::{
    env,
    io::{self, IsTerminal, Write},
};

use anstyle::{AnsiColor, Style};

use crate::args::Color;

/// Who reads the output: how wide it may be and whether it has colours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Console {
    /// Columns to arrange text in.
    pub(crate) width: usize,
    /// Columns that a value may take on standard output; where nothing says how wide that is, all of it is shown.
    pub(crate) room: usize,
    /// Whether standard output has colours.
    pub(crate) out: Paint,
    /// Whether standard error has colours.
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
        let asked = env::var("COLUMNS").ok().and_then(|it| it.parse().ok());
        let terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
        let width = asked.or_else(terminal).unwrap_or(DEFAULT_WIDTH).clamp(40, 200);
        let room = if out || asked.is_some() { width } else { usize::MAX };
        Self { width, room, out: paint(out), err: paint(io::stderr().is_terminal()) }
    }
}

/// A flag goes before the environment, and that before what is written to.
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

impl Paint {
    pub(crate) fn paint(self, style: Style, text: &str) -> String {
        if self.on { format!("{style}{text}{style:#}") } else { text.to_owned() }
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

/// Writes to standard output. That nobody reads it any more (`planloom plan | head`) is no mistake.
pub(crate) fn write_out(text: &str) -> io::Result<()> {
    quiet(io::stdout().lock(), text)
}

/// The same to standard error.
pub(crate) fn write_err(text: &str) -> io::Result<()> {
    quiet(io::stderr().lock(), text)
}

fn quiet(mut to: impl Write, text: &str) -> io::Result<()> {
    match to.write_all(text.as_bytes()).and_then(|()| to.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
