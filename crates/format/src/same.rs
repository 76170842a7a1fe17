use scanner::{Event, ScalarStyle, Scanner};

use crate::piece::{Kind, Piece};

/// True if two texts have the same events: values, styles but for the kind of quotes, anchors, aliases, tags, documents.
pub(crate) fn has_same_events(a: &str, b: &str) -> bool {
    let (mut a, mut b) = (Scanner::new(a).events_from(0), Scanner::new(b).events_from(0));
    loop {
        match (a.next_event(), b.next_event()) {
            (None, None) => return true,
            (Some(Ok((a, ..))), Some(Ok((b, ..)))) if is_same(&a, &b) => {}
            _ => return false,
        }
    }
}

fn is_same(a: &Event<'_>, b: &Event<'_>) -> bool {
    match (a, b) {
        (Event::Scalar(a, style, anchor, tag), Event::Scalar(b, other_style, other_anchor, other_tag)) => {
            a == b && quotes(*style) == quotes(*other_style) && anchor == other_anchor && tag == other_tag
        }
        _ => a == b,
    }
}

const fn quotes(style: ScalarStyle) -> ScalarStyle {
    match style {
        ScalarStyle::SingleQuoted => ScalarStyle::DoubleQuoted,
        other => other,
    }
}

/// True if two texts have the same pieces in the same order, comments included and with the same text.
pub(crate) fn has_same_pieces(a: (&str, &[Piece]), b: (&str, &[Piece])) -> bool {
    let is_same = |(x, y): (&Piece, &Piece)| {
        let is_comment = x.kind == Kind::Comment;
        same_kind(x.kind) == same_kind(y.kind) && (!is_comment || x.text(a.0) == y.text(b.0))
    };
    a.1.len() == b.1.len() && a.1.iter().zip(b.1).all(is_same)
}

const fn same_kind(kind: Kind) -> Kind {
    match kind {
        Kind::Single => Kind::Double,
        other => other,
    }
}
