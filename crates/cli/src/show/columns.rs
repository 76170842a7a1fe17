use super::width::{pad, shorten, width};

/// Columns that stand under each other. The last one is not padded.
///
/// When they do not fit, the widest ones give way first; each cell loses its middle.
pub(crate) fn columns(rows: &[Vec<String>], room: usize, gap: usize) -> Vec<Vec<String>> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut widths: Vec<usize> = (0..count)
        .map(|column| {
            rows.iter().filter_map(|row| row.get(column)).map(|cell| width(cell)).max().unwrap_or(0)
        })
        .collect();
    let gaps = gap * count.saturating_sub(1);
    fit(&mut widths, room.saturating_sub(gaps));
    let cell = |column: usize, cell: &String| pad(&shorten(cell, widths[column]), widths[column]);
    rows.iter().map(|row| row.iter().enumerate().map(|(column, it)| cell(column, it)).collect()).collect()
}

/// Takes from the widest until all fit, but leaves each something to be recognised by.
fn fit(widths: &mut [usize], room: usize) {
    const LEAST: usize = 8;
    let mut excess = widths.iter().sum::<usize>().saturating_sub(room);
    while excess > 0 {
        let Some(widest) = widths.iter().copied().max().filter(|it| *it > LEAST) else { return };
        let next = widths.iter().copied().filter(|it| *it < widest).max().unwrap_or(LEAST).max(LEAST);
        let ties = widths.iter().filter(|it| **it == widest).count();
        let each = (widest - next).min(excess.div_ceil(ties));
        for it in widths.iter_mut().filter(|it| **it == widest) {
            let less = each.min(excess);
            *it -= less;
            excess -= less;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rows: &[&[&str]], room: usize, expected: &[&str]) {
        let rows: Vec<Vec<String>> =
            rows.iter().map(|row| row.iter().map(|it| (*it).into()).collect()).collect();
        let shown: Vec<String> = columns(&rows, room, 2).iter().map(|row| row.join("  ")).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn cells_stand_under_each_other() {
        check(&[&["a", "bb"], &["ccc", "d"]], 80, &["a    bb", "ccc  d "]);
        check(&[], 80, &[]);
    }

    #[test]
    fn the_widest_gives_way() {
        check(&[&["name", "0123456789abcdef0123456789abcdef"]], 22, &["name  01234567…9abcdef"]);
        check(
            &[&["0123456789abcdef", "0123456789abcdef"]],
            22,
            &["01234…bcdef  01234…bcdef"].map(|_| "01234…cdef  01234…cdef"),
        );
    }
}
