//! A value with a text of many lines, such as a program: folded to the lines that matter, opened on request.

use serde_json::Value as Json;
use yew::prelude::*;

use super::{
    cell::stretch,
    diff::{self, Piece, Side},
    value,
};

/// Properties of [`LongValue`].
#[derive(Clone, PartialEq, Properties)]
pub(super) struct LongValueProps {
    /// The value.
    pub(super) value: Json,
    /// The value that it is compared with; null if there is none.
    pub(super) other: Json,
    /// The side that the value is on.
    pub(super) side: Side,
    /// The class of its colour.
    pub(super) class: &'static str,
}

/// The lines that differ from the other value, or its beginning; all of it once it is opened.
#[component]
pub(super) fn LongValue(props: &LongValueProps) -> Html {
    let open = use_state(|| false);
    let lines = lines(props);
    let differs = lines.iter().any(|it| it.differs);
    let hidden = match differs {
        true => lines.iter().filter(|it| !it.differs).count(),
        false => lines.len().saturating_sub(1),
    };
    let shown: Html = match (*open, differs) {
        (true, _) => lines.iter().map(line).collect(),
        (false, true) => folded(&lines),
        (false, false) => html! { { value::brief(&props.value) } },
    };
    let onclick = {
        let open = open.clone();
        Callback::from(move |_: MouseEvent| open.set(!*open))
    };
    let said = match (*open, hidden) {
        (true, _) => "Show less".to_owned(),
        (false, 1) => "+1 line".to_owned(),
        (false, more) => format!("+{more} lines"),
    };
    html! {
        <span class="value-long">
            <code class={classes!("value", props.class)}>{ shown }</code>
            if hidden > 0 {
                <button type="button" class="link value-more" aria-expanded={open.to_string()} {onclick}>{ said }</button>
            }
        </span>
    }
}

/// A line of a value.
#[derive(Debug, Default, PartialEq)]
struct Line {
    pieces: Vec<Piece>,
    /// Some of it is in one of the two values only.
    differs: bool,
}

fn lines(props: &LongValueProps) -> Vec<Line> {
    let text = value::block(&props.value);
    let whole = |text| vec![Piece { side: Side::Both, text }];
    let pieces = match (props.side, props.other.is_null()) {
        (Side::Both, _) | (_, true) => whole(text),
        (Side::Old, false) => diff::diff(&text, &value::block(&props.other)),
        (Side::New, false) => diff::diff(&value::block(&props.other), &text),
    };
    split(&pieces, props.side)
}

/// The pieces of one side by line. A line in which only the other side has text differs, too.
fn split(pieces: &[Piece], of: Side) -> Vec<Line> {
    let mut lines = vec![Line::default()];
    for Piece { side, text } in pieces {
        if *side != Side::Both && *side != of {
            lines.last_mut().into_iter().for_each(|it| it.differs = true);
            continue;
        }
        for part in text.split_inclusive('\n') {
            if let Some(last) = lines.last_mut() {
                last.differs |= *side != Side::Both;
                last.pieces.push(Piece { side: *side, text: part.to_owned() });
            }
            if part.ends_with('\n') {
                lines.push(Line::default());
            }
        }
    }
    // At the end of a text there is only the line before.
    if let Some(end) = lines.pop_if(|it| it.pieces.is_empty()) {
        lines.last_mut().into_iter().for_each(|it| it.differs |= end.differs);
    }
    lines
}

fn line(line: &Line) -> Html {
    line.pieces.iter().map(stretch).collect()
}

/// The lines that differ, with a sign for those between them.
fn folded(lines: &[Line]) -> Html {
    let sign = || html! { <span class="value-fold">{ "⋯\n" }</span> };
    let runs = lines.chunk_by(|one, next| one.differs == next.differs);
    runs.map(|run| if run.iter().any(|it| it.differs) { run.iter().map(line).collect() } else { sign() })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The text of each line, and whether it differs.
    fn shown(value: Json, other: Json, side: Side) -> Vec<(String, bool)> {
        let lines = lines(&LongValueProps { value, other, side, class: "" });
        let text = |it: &Line| it.pieces.iter().map(|piece| &*piece.text).collect::<String>();
        lines.iter().map(|it| (text(it), it.differs)).collect()
    }

    #[test]
    fn lines_that_differ_are_known() {
        let (old, new) = (json!("a\nb\nc\nd\n"), json!("a\nb\nC\nd\n"));
        let expected = |third: &str| {
            [("a\n", false), ("b\n", false), (third, true), ("d\n", false)]
                .map(|(it, differs)| (it.to_owned(), differs))
        };
        assert_eq!(shown(new.clone(), old.clone(), Side::New), expected("C\n"));
        assert_eq!(shown(old.clone(), new.clone(), Side::Old), expected("c\n"));
        assert!(
            shown(new.clone(), Json::Null, Side::New).iter().all(|it| !it.1),
            "it is compared with nothing"
        );
        assert!(shown(new, old.clone(), Side::Both).iter().all(|it| !it.1));
        for (more, at) in [("a\nb # more\nc\nd\n", 1), ("a\nb\nc\nd\ne\n", 3)] {
            let differs: Vec<usize> = shown(old.clone(), json!(more), Side::Old)
                .iter()
                .enumerate()
                .filter(|it| it.1.1)
                .map(|it| it.0)
                .collect();
            assert_eq!(differs, [at], "what was added has a place: {more:?}");
        }
    }
}
