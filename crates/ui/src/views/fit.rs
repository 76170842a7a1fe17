//! Texts that fit into boxes. The text of a drawing must not depend on a font, so widths are estimated.

/// A text that takes at most `width` pixels at a size of `size` pixels, cut with an ellipsis at its end.
pub(super) fn fit(text: &str, width: f32, size: f32) -> String {
    if wide(text, size) <= width {
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

/// The same cut in its middle: names that begin alike often differ at their ends.
pub(super) fn fit_ends(text: &str, width: f32, size: f32) -> String {
    if wide(text, size) <= width {
        return text.to_owned();
    }
    let half = (width - advance('…') * size) / 2.0;
    let within = |c: char, left: &mut f32| {
        *left -= advance(c) * size;
        *left >= 0.0
    };
    let (mut first, mut last) = (half, half);
    let start: String = text.chars().take_while(|c| within(*c, &mut first)).collect();
    let end: Vec<char> = text.chars().rev().take_while(|c| within(*c, &mut last)).collect();
    format!("{start}…{}", end.iter().rev().collect::<String>())
}

/// The greatest width of a text at a font size, in the unit of that size.
pub(super) fn wide(text: &str, size: f32) -> f32 {
    text.chars().map(|c| advance(c) * size).sum()
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

    use super::{fit, fit_ends, wide};

    #[test]
    fn text_is_cut_to_the_available_width() {
        assert_eq!(fit("web", 100.0, 13.0), "web");
        assert_eq!(fit("web-server-service", 90.0, 13.0), "web-server…");
    }

    #[test]
    fn both_ends_of_a_long_name_stay() {
        assert_eq!(fit_ends("web", 100.0, 11.0), "web");
        let cut = fit_ends("service-of-the-shop-417", 70.0, 11.0);
        assert!(cut.starts_with("se") && cut.ends_with("417") && wide(&cut, 11.0) <= 70.0, "{cut}");
    }

    proptest! {
        #[test]
        fn more_room_never_shows_less(text in "[a-z-]{0,30}", width in 20f32..200.0) {
            let (narrow, wide) = (fit(&text, width, 13.0), fit(&text, width + 20.0, 13.0));
            prop_assert!(narrow.chars().count() <= wide.chars().count());
        }
    }
}
