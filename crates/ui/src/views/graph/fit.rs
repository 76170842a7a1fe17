//! Texts that fit into boxes. SVG does not cut a text off, so its width is estimated.

/// A text that takes at most `width` pixels at a size of `size` pixels, cut with an ellipsis at its end.
pub(super) fn fit(text: &str, width: f32, size: f32) -> String {
    let total: f32 = text.chars().map(|c| advance(c) * size).sum();
    if total <= width {
        return text.to_owned();
    }
    let mut left = width - advance('…') * size;
    let kept = text.chars().take_while(|c| {
        left -= advance(*c) * size;
        left >= 0.0
    });
    let mut cut: String = kept.collect();
    cut.truncate(cut.trim_end_matches([' ', '-', '.', '_']).len());
    cut.push('…');
    cut
}

/// The width of a letter relative to the size: generous, for no system's font is known here.
fn advance(c: char) -> f32 {
    match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '|' | '!' | '\'' => 0.29,
        'f' | 't' | 'r' | 'I' | '(' | ')' | '[' | ']' | '/' | ' ' | '-' => 0.38,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.9,
        '…' => 0.9,
        _ if c.is_uppercase() => 0.68,
        _ if c.is_ascii() => 0.58,
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::fit;

    #[test]
    fn text_is_cut_to_the_available_width() {
        assert_eq!(fit("web", 100.0, 13.0), "web");
        assert_eq!(fit("web-server-service", 90.0, 13.0), "web-server…");
    }

    proptest! {
        #[test]
        fn more_room_never_shows_less(text in "[a-z-]{0,30}", width in 20f32..200.0) {
            let (narrow, wide) = (fit(&text, width, 13.0), fit(&text, width + 20.0, 13.0));
            prop_assert!(narrow.chars().count() <= wide.chars().count());
        }
    }
}
