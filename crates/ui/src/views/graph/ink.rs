//! The colours and letters of a drawing, as the page's style sheets define them.

use wasm_bindgen::JsCast;
use web_sys::{CssStyleDeclaration, HtmlCanvasElement, HtmlElement};
use workspace::view::Action;

/// A colour by its purpose; the style sheets define its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ink {
    /// The background.
    Ground,
    /// The inside of boxes.
    Surface,
    /// The border of boxes.
    Border,
    /// Edges.
    Edge,
    /// Names.
    Text,
    /// Secondary text.
    Muted,
    /// The selection, and the element under the pointer.
    Accent,
    /// Errors.
    Error,
    /// Warnings.
    Warning,
    /// An action of the plan.
    Act(Action),
    /// A file, by its colour.
    Layer(u8),
    /// A file that is not merged.
    Apart,
    /// Letters on a file's colour.
    OnLayer,
}

impl Ink {
    /// The custom property that defines it.
    const fn token(self) -> &'static str {
        match self {
            Self::Ground => "--bg",
            Self::Surface => "--surface",
            Self::Border => "--box-border",
            Self::Edge => "--line-strong",
            Self::Text => "--text",
            Self::Muted | Self::Apart => "--muted",
            Self::Accent => "--accent",
            Self::Error => "--error",
            Self::Warning => "--warning",
            Self::Act(action) => action.words().tone.token(),
            Self::Layer(0) => "--layer-0",
            Self::Layer(1) => "--layer-1",
            Self::Layer(2) => "--layer-2",
            Self::Layer(3) => "--layer-3",
            Self::Layer(4) => "--layer-4",
            Self::Layer(5) => "--layer-5",
            Self::Layer(6) => "--layer-6",
            Self::Layer(_) => "--layer-7",
            Self::OnLayer => "--on-layer",
        }
    }
}

/// Every token once.
const TOKENS: [&str; 23] = [
    "--bg",
    "--surface",
    "--box-border",
    "--line-strong",
    "--text",
    "--muted",
    "--accent",
    "--error",
    "--warning",
    "--create",
    "--update",
    "--rebuild",
    "--destroy",
    "--unchanged",
    "--layer-0",
    "--layer-1",
    "--layer-2",
    "--layer-3",
    "--layer-4",
    "--layer-5",
    "--layer-6",
    "--layer-7",
    "--on-layer",
];

/// The colours and fonts that hold at the moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Theme {
    colors: Vec<String>,
    /// The family of names.
    pub(super) font: String,
    /// The family of signs.
    pub(super) mono: String,
    /// The user asked for more contrast: faded elements stay legible.
    pub(super) contrast: bool,
    /// The user asked for less motion.
    pub(super) calm: bool,
}

impl Theme {
    /// Reads the theme that applies to an element. The browser resolves each colour as that of the element itself, so
    /// that mixed colours and those of the system are colours that a canvas takes.
    pub(super) fn of(canvas: &HtmlCanvasElement) -> Option<Self> {
        let window = web_sys::window()?;
        let element: &HtmlElement = canvas.unchecked_ref();
        let (own, computed) = (element.style(), window.get_computed_style(canvas).ok().flatten()?);
        let read = |name: &str| computed.get_property_value(name).unwrap_or_default();
        let color = |token: &&str| resolve(&own, &computed, token);
        let colors = TOKENS.iter().map(color).collect();
        let _ = own.remove_property("color");
        let holds = |query: &str| window.match_media(query).ok().flatten().is_some_and(|list| list.matches());
        Some(Self {
            colors,
            font: read("font-family"),
            mono: read("--font-mono"),
            contrast: holds("(prefers-contrast: more)") || holds("(forced-colors: active)"),
            calm: holds("(prefers-reduced-motion: reduce)"),
        })
    }

    /// The colour of an ink.
    pub(super) fn color(&self, ink: Ink) -> &str {
        let at = TOKENS.iter().position(|token| *token == ink.token());
        at.and_then(|at| self.colors.get(at)).map_or("gray", String::as_str)
    }

    /// The opacity of faded elements.
    pub(super) const fn faded(&self) -> f64 {
        if self.contrast { 0.6 } else { 0.28 }
    }
}

fn resolve(own: &CssStyleDeclaration, computed: &CssStyleDeclaration, token: &str) -> String {
    let _ = own.set_property("color", &format!("var({token})"));
    computed.get_property_value("color").unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Ink, TOKENS};
    use workspace::view::Action;

    #[test]
    fn every_ink_is_among_what_is_read() {
        let plain = [
            Ink::Ground,
            Ink::Surface,
            Ink::Border,
            Ink::Edge,
            Ink::Text,
            Ink::Muted,
            Ink::Accent,
            Ink::Error,
            Ink::Warning,
            Ink::Apart,
            Ink::OnLayer,
        ];
        let acts = Action::ALL.iter().map(|action| Ink::Act(*action));
        for ink in plain.into_iter().chain(acts).chain((0..8).map(Ink::Layer)) {
            assert!(TOKENS.contains(&ink.token()), "{ink:?}");
        }
    }
}
