//! Two texts beside each other, with the lines that only one of them has marked.

use yew::prelude::*;

/// More lines than this are not compared one by one.
const MOST: usize = 2_000;

/// Two texts, each below its title.
pub fn both((before_title, before): (&str, &str), (after_title, after): (&str, &str)) -> Html {
    let (before, after) = compare(before, after);
    html! { <div class="both">{ side(before_title, before) }{ side(after_title, after) }</div> }
}

fn side(title: &str, lines: Lines<'_>) -> Html {
    let line = |(text, is_same): (&str, bool)| {
        let class = if is_same { "both-line" } else { "both-line changed" };
        html! { <span {class}>{ text.to_owned() }{ "\n" }</span> }
    };
    html! {
        <section class="both-side" aria-label={title.to_owned()}>
            <h2>{ title }</h2>
            <pre tabindex="0">{ for lines.into_iter().map(line) }</pre>
        </section>
    }
}

/// Lines, each with whether the other text has it, too.
type Lines<'t> = Vec<(&'t str, bool)>;

/// The lines of two texts, each with whether the other text has it, too, at that place of the order.
fn compare<'t>(one: &'t str, other: &'t str) -> (Lines<'t>, Lines<'t>) {
    let (one, other): (Vec<&str>, Vec<&str>) = (one.lines().collect(), other.lines().collect());
    let before = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
    let rest = one.len().min(other.len()) - before;
    let after =
        one.iter().rev().zip(other.iter().rev()).take(rest).take_while(|(one, other)| one == other).count();
    let middle = |lines: &[&'t str]| lines.get(before..lines.len() - after).unwrap_or_default().to_vec();
    let (kept_one, kept_other) = common(&middle(&one), &middle(&other));
    let mark = |lines: Vec<&'t str>, kept: Vec<bool>| {
        let end = lines.len() - after;
        let is_kept =
            |at: usize| at < before || at >= end || kept.get(at - before).copied().unwrap_or_default();
        lines.into_iter().enumerate().map(|(at, line)| (line, is_kept(at))).collect::<Vec<_>>()
    };
    (mark(one, kept_one), mark(other, kept_other))
}

/// The lines that belong to a longest common subsequence: for each line of either text, true if it does.
fn common(one: &[&str], other: &[&str]) -> (Vec<bool>, Vec<bool>) {
    let mut kept = (vec![false; one.len()], vec![false; other.len()]);
    if one.len() > MOST || other.len() > MOST {
        return kept;
    }
    let width = other.len() + 1;
    let mut lengths = vec![0_u16; (one.len() + 1) * width];
    let at =
        |lengths: &[u16], row: usize, column: usize| lengths.get(row * width + column).copied().unwrap_or(0);
    for (row, line) in one.iter().enumerate().rev() {
        for (column, candidate) in other.iter().enumerate().rev() {
            let length = match line == candidate {
                true => at(&lengths, row + 1, column + 1) + 1,
                false => at(&lengths, row + 1, column).max(at(&lengths, row, column + 1)),
            };
            if let Some(place) = lengths.get_mut(row * width + column) {
                *place = length;
            }
        }
    }
    let (mut row, mut column) = (0, 0);
    while let (Some(line), Some(candidate)) = (one.get(row), other.get(column)) {
        if line == candidate {
            kept.0.get_mut(row).into_iter().chain(kept.1.get_mut(column)).for_each(|it| *it = true);
            (row, column) = (row + 1, column + 1);
        } else if at(&lengths, row + 1, column) >= at(&lengths, row, column + 1) {
            row += 1;
        } else {
            column += 1;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed<'t>(lines: &[(&'t str, bool)]) -> Vec<&'t str> {
        lines.iter().filter(|(_, kept)| !kept).map(|(line, _)| *line).collect()
    }

    #[test]
    fn only_lines_that_the_other_text_has_not_are_marked() {
        for (one, other, only_one, only_other) in [
            ("a\nb\nc\n", "a\nx\nc\n", vec!["b"], vec!["x"]),
            ("a\nb\nc\nd\n", "b\nd\n", vec!["a", "c"], vec![]),
            ("same\n", "same\n", vec![], vec![]),
            ("a\na\n", "a\n", vec!["a"], vec![]),
            ("", "new\n", vec![], vec!["new"]),
        ] {
            let (left, right) = compare(one, other);
            assert_eq!((changed(&left), changed(&right)), (only_one, only_other), "{one:?} {other:?}");
            assert_eq!((left.len(), right.len()), (one.lines().count(), other.lines().count()));
        }
    }
}
