use diag::Span;

use crate::Node;

/// The element of a list that contains a place; a place at its end only if the element is empty. Elements come one after the
/// other, but for those that aliases repeat: only then are all compared.
pub fn element_at(items: &[Node], place: Span) -> Option<usize> {
    find(items, |it| it.span, place)
}

fn find<T>(items: &[T], span_of: impl Fn(&T) -> Span, place: Span) -> Option<usize> {
    let contains = |at: &usize| items.get(*at).is_some_and(|it| span_of(it).contains(place));
    let last = items.partition_point(|it| span_of(it).start <= place.start).checked_sub(1);
    last.filter(contains).or_else(|| (0..items.len()).find(contains))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use diag::FileId;

    use super::*;

    #[test]
    fn an_element_is_found_without_looking_at_all() {
        let span = |start: u32, end: u32| Span { file: FileId(0), start, end };
        let items: Vec<Span> = (0..10_000).map(|at| span(10 * at, 10 * at + 8)).collect();
        let looked = Cell::new(0);
        let find = |inner: Span| {
            looked.set(0);
            let of = |it: &Span| {
                looked.set(looked.get() + 1);
                *it
            };
            (super::find(&items, of, inner), looked.get())
        };
        for at in [0, 1, 4_999, 9_999] {
            let start = 10 * at;
            for inner in [span(start, start + 8), span(start + 3, start + 4), span(start + 7, start + 7)] {
                let (found, looked) = find(inner);
                assert_eq!(found, Some(at as usize));
                assert!(looked < 20, "{looked}");
            }
        }
        assert_eq!(find(span(8, 9)).0, None, "between two elements");
        assert_eq!(find(span(100_000, 100_001)).0, None);
        // What an alias repeats is where it was written first.
        let repeated = [span(50, 58), span(10, 18), span(50, 58)];
        assert_eq!(super::find(&repeated, |it| *it, span(12, 13)), Some(1));
    }
}
