//! The progress of a run: bars on a terminal, lines elsewhere, JSON for programs.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    rc::Rc,
    time::{Duration, Instant},
};

use anstyle::AnsiColor;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use workspace::engine::{Engine, Event, StepState, StepView, back_off_sentence};

use crate::args::Format;
use crate::console::{Console, Paint, has_terminal, printable, write_err, write_out};
use crate::show::width::clean;

/// Shows the events of an engine from now on.
pub(crate) fn show(engine: &Engine, format: Format, console: Console) {
    match format {
        Format::Json => engine.subscribe(|event| {
            if let Ok(line) = serde_json::to_string(event) {
                drop(write_out(&(line + "\n")));
            }
        }),
        Format::Text => {
            let screen = Rc::new(RefCell::new(Screen::new(console)));
            engine.subscribe(move |event| screen.borrow_mut().event(event));
        }
    }
}

struct Screen {
    paint: Paint,
    begun: BTreeMap<String, Begun>,
    /// The resources of the steps that were reported.
    addresses: BTreeMap<String, String>,
    bars: Option<MultiProgress>,
}

/// The shortest time between two lines about a step that is in progress.
const PAUSE: Duration = Duration::from_secs(10);

struct Begun {
    at: Instant,
    /// The last line, and when it was written.
    said: Option<(String, Instant)>,
    bar: Option<ProgressBar>,
}

impl Screen {
    fn new(console: Console) -> Self {
        let bars = has_terminal().then(MultiProgress::new);
        Self { paint: console.err, begun: BTreeMap::new(), addresses: BTreeMap::new(), bars }
    }

    fn event(&mut self, event: &Event) {
        match event {
            Event::Step(step) => self.step(step),
            Event::Recovered { address, verb, found } => {
                let what = if *found { "was done" } else { "was not done" };
                self.line(&format!("{address}: the {verb} of an earlier run {what}"));
            }
            Event::Error(error) => self.line(&format!("{error}")),
            Event::Reached { adapter } => self.line(&format!("adapter `{adapter}` responds again")),
            Event::BackOff { address, restarts, seconds } => {
                self.line(&back_off_sentence(address, *restarts, *seconds));
            }
            Event::Opened { .. }
            | Event::Observed { .. }
            | Event::Planned { .. }
            | Event::Committed { .. }
            | Event::Unauthorized { .. }
            | Event::Finished(_) => {}
        }
    }

    fn step(&mut self, step: &StepView) {
        self.addresses.insert(step.step.clone(), step.address.clone());
        match step.state {
            StepState::Running => self.running(step),
            StepState::Done => self.ended(step, AnsiColor::Green, step.verb.words().past),
            StepState::Failed => self.ended(step, AnsiColor::Red, "failed"),
            StepState::Skipped => {
                let because = step.because.as_ref().and_then(|it| self.addresses.get(it));
                let because = because.map_or("another step", String::as_str);
                let why = || format!("skipped, because {because} failed");
                let why = step.message.clone().unwrap_or_else(why);
                self.line(&format!("{} {}: {why}", step.verb.words().symbol, step.address));
            }
            StepState::NotStarted => {}
        }
    }

    fn running(&mut self, step: &StepView) {
        let is_new = !self.begun.contains_key(&step.step);
        if is_new {
            let bar = self.bars.as_ref().map(spinner);
            let begun = Begun { at: Instant::now(), said: None, bar };
            self.begun.insert(step.step.clone(), begun);
        }
        let message = match (&step.message, step.percent) {
            (Some(message), Some(percent)) => format!("{percent} %, {message}"),
            (Some(message), None) => message.clone(),
            (None, _) => step.verb.words().ongoing.to_owned(),
        };
        let line = format!("{} {}: {message}", step.verb.words().symbol, step.address);
        let Some(begun) = self.begun.get_mut(&step.step) else { return };
        match &begun.bar {
            Some(bar) => bar.set_message(printable(&clean(&line))),
            // A line is said once, and a log does not consist of progress.
            None if begun.said.as_ref().is_none_or(|(said, at)| *said != line && at.elapsed() >= PAUSE) => {
                begun.said = Some((line.clone(), Instant::now()));
                self.line(&line);
            }
            None => {}
        }
    }

    fn ended(&mut self, step: &StepView, colour: AnsiColor, word: &str) {
        let begun = self.begun.remove(&step.step);
        let took = begun.as_ref().map_or(Duration::ZERO, |it| it.at.elapsed());
        if let Some(bar) = begun.and_then(|it| it.bar) {
            bar.finish_and_clear();
        }
        let why = step.error.as_ref().map(|it| format!(": {}", it.message)).unwrap_or_default();
        let word = self.paint.strong(colour, word);
        self.line(&format!(
            "{} {}: {word} in {}{why}",
            step.verb.words().symbol,
            step.address,
            seconds(took)
        ));
    }

    fn line(&self, line: &str) {
        match &self.bars {
            // A closed output does not change the result.
            Some(bars) => drop(bars.println(printable(line))),
            None => drop(write_err(&format!("{line}\n"))),
        }
    }
}

fn spinner(bars: &MultiProgress) -> ProgressBar {
    let bar = bars.add(ProgressBar::new_spinner());
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f32())
}
