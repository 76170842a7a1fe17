use super::width::{pad, shorten, width};

/// The width in columns that the rows need when nothing is shortened.
pub(crate) fn needed(rows: &[Vec<String>], gap: usize) -> usize {
    let widths = widths(rows);
    widths.iter().sum::<usize>() + gap * widths.len().saturating_sub(1)
}

/// Columns that stand under each other.
///
/// If they do not fit, the widest of the `flexible` ones give way first, the others only when that is not enough;
/// a cell that gives way loses its middle.
pub(crate) fn columns(rows: &[Vec<String>], flexible: &[bool], room: usize, gap: usize) -> Vec<Vec<String>> {
    let mut widths = widths(rows);
    let room = room.saturating_sub(gap * widths.len().saturating_sub(1));
    let (all, some) = (|_| true, |column: usize| flexible.get(column).copied().unwrap_or(false));
    fit(&mut widths, room, some);
    fit(&mut widths, room, all);
    let pads: Vec<usize> = (0..widths.len()).map(|column| usual(rows, column, widths[column])).collect();
    let cell = |column: usize, cell: &String| pad(&shorten(cell, widths[column]), pads[column]);
    rows.iter().map(|row| row.iter().enumerate().map(|(column, it)| cell(column, it)).collect()).collect()
}

/// The usual width of a column, without unusually long cells: a long one does not move the next cells of all other
/// rows.
fn usual(rows: &[Vec<String>], column: usize, widest: usize) -> usize {
    const LONG: usize = 64;
    let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| width(cell).min(widest));
    cells.filter(|it| *it <= LONG).max().unwrap_or(0)
}

fn widths(rows: &[Vec<String>]) -> Vec<usize> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| width(cell)).max();
    (0..count).map(|column| widest(column).unwrap_or(0)).collect()
}

/// Takes from the widest of some columns until all fit, but leaves each something to be recognised by.
fn fit(widths: &mut [usize], room: usize, may: impl Fn(usize) -> bool) {
    const LEAST: usize = 8;
    let mut excess = widths.iter().sum::<usize>().saturating_sub(room);
    while excess > 0 {
        let candidates = || widths.iter().enumerate().filter(|(column, _)| may(*column)).map(|(_, it)| *it);
        let Some(widest) = candidates().max().filter(|it| *it > LEAST) else { return };
        let next = candidates().filter(|it| *it < widest).max().unwrap_or(LEAST).max(LEAST);
        let ties = candidates().filter(|it| *it == widest).count();
        let each = (widest - next).min(excess.div_ceil(ties));
        let tied = widths.iter_mut().enumerate().filter(|(column, it)| may(*column) && **it == widest);
        for (_, it) in tied {
            let less = each.min(excess);
            *it -= less;
            excess -= less;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rows: &[&[&str]], flexible: &[bool], room: usize, expected: &[&str]) {
        let rows: Vec<Vec<String>> =
            rows.iter().map(|row| row.iter().map(|it| (*it).into()).collect()).collect();
        let shown: Vec<String> = columns(&rows, flexible, room, 2).iter().map(|row| row.join("  ")).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn cells_stand_under_each_other() {
        check(&[&["a", "bb"], &["ccc", "d"]], &[true, true], 80, &["a    bb", "ccc  d "]);
        check(&[], &[], 80, &[]);
    }

    #[test]
    fn a_very_long_cell_does_not_pad_other_rows() {
        let long = "x".repeat(70);
        let (first, second) = (format!("{long}  1"), "ab  2");
        check(&[&[&long, "1"], &["ab", "2"]], &[true, true], usize::MAX, &[&first, second]);
        check(&[&[&long, "1"], &[&long, "2"]], &[false, false], 200, &[&first, &format!("{long}  2")]);
        check(&[&["a", "1"], &["abc", "2"]], &[true, true], usize::MAX, &["a    1", "abc  2"]);
    }

    #[test]
    fn the_widest_gives_way() {
        let long = "0123456789abcdef";
        check(&[&["name", long]], &[false, true], 18, &["name  012345…bcdef"]);
        check(&[&[long, long]], &[true, true], 24, &["01234…bcdef  01234…bcdef"]);
        check(&[&[long, long]], &[true, false], 28, &["01234…cdef  0123456789abcdef"]);
        check(&[&[long, long]], &[true, false], 20, &["0123…def  01234…cdef"]);
    }

    #[test]
    fn cells_that_do_not_fit_keep_a_recognizable_part() {
        check(&[&["0123456789", "0123456789"]], &[true, true], 4, &["0123…789  0123…789"]);
    }
}
