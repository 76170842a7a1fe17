//! A file that is too large for the editor: its properties, and the lines around the requested location.

use std::rc::Rc;

use workspace::view::LocationView;
use yew::prelude::*;

use crate::{IconName, LayerBadge, layer_mark, views::Same};

/// Properties of [`LargeFile`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct LargeFileProps {
    /// The badge of the file.
    pub layer: LayerBadge,
    /// Its text.
    pub text: Same<Rc<str>>,
    /// The requested location.
    pub at: Option<LocationView>,
    /// Called when it is to be saved, to be edited elsewhere.
    pub on_download: Callback<()>,
}

/// From so many bytes on a text is shown and not edited.
pub const LARGE: usize = 1 << 20;

/// The number of lines that are shown before and after the requested line.
const AROUND: usize = 40;

/// A part of a large file.
#[component]
pub fn LargeFile(props: &LargeFileProps) -> Html {
    let here = use_node_ref();
    let line = props.at.as_ref().map(|it| it.line as usize);
    let from = line.unwrap_or(1).saturating_sub(AROUND + 1);
    let shown = use_memo((props.text.clone(), from), |(text, from)| part(text, *from));
    use_effect_with((props.at.clone(), props.text.clone()), {
        let here = here.clone();
        move |_| {
            if let Some(element) = here.cast::<web_sys::Element>() {
                let options = web_sys::ScrollIntoViewOptions::new();
                options.set_block(web_sys::ScrollLogicalPosition::Center);
                element.scroll_into_view_with_scroll_into_view_options(&options);
            }
        }
    });
    let what =
        props.layer.apart.as_ref().map_or_else(|| "This file".into(), |it| format!("This {}", it.title));
    html! {
        <div class="editor editor-large">
            <div class="editor-head">{ layer_mark(&props.layer, true) }</div>
            <p class="large-note">
                <span>{ format!("{what} has {:.1} MB and is too large to edit here. ", props.text.len() as f64 / 1e6) }
                    { if line.is_some() { "These are the lines around the selected place." } else { "This is its beginning." } }</span>
                <button type="button" class="quiet-button" onclick={props.on_download.reform(|_: MouseEvent| ())}>
                    { IconName::Export.html() }<span>{ "Download" }</span></button>
            </p>
            <div class="large-lines" tabindex="0" role="region" aria-label={format!("Part of {}", props.layer.file)}>
                { for shown.iter().map(|(number, text)| {
                    let is_here = line == Some(*number);
                    html! {
                        <div key={*number} class="large-line" ref={if is_here { here.clone() } else { NodeRef::default() }} data-here={is_here.then_some("true")}>
                            <span class="large-number" aria-hidden="true">{ *number }</span><code>{ text }</code>
                        </div>
                    }
                }) }
            </div>
        </div>
    }
}

/// Lines from a place on, with their numbers.
fn part(text: &str, from: usize) -> Vec<(usize, String)> {
    const LONGEST: usize = 400;
    let lines = text.lines().enumerate().skip(from).take(2 * AROUND + 1);
    lines.map(|(at, line)| (at + 1, line.chars().take(LONGEST).collect())).collect()
}

#[cfg(test)]
mod tests {
    use super::part;

    #[test]
    fn lines_keep_their_numbers_and_are_cut() {
        let text = format!("a\nb\n{}\n", "x".repeat(1_000));
        let part = part(&text, 1);
        assert_eq!(part.first().map(|(number, text)| (*number, text.as_str())), Some((2, "b")));
        assert_eq!(part.last().map(|(number, text)| (*number, text.len())), Some((3, 400)));
        assert!(super::part(&text, 9).is_empty());
    }
}
