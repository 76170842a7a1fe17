//! The content of the matrix.

use std::collections::BTreeSet;
use workspace::view::LinkOutcome;

use super::super::{model::Model, name};
use diag::order;

/// The kind of the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// The owners that provide.
    Owner,
    /// The types.
    Type,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Heading {
    /// An instance group or service that provides.
    Owner(usize),
    /// A type.
    Type(String),
    /// Links without a provider.
    Nobody,
}

/// A row: all of an owner, or one of its consumers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// The owner that consumes, by index.
    pub(super) owner: usize,
    /// The one link it is about; nothing for all of the owner.
    pub(super) link: Option<usize>,
    /// One for each column.
    pub(super) cells: Vec<Cell>,
}

/// The cell of a row and a column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cell {
    /// The links there.
    pub(super) links: Vec<usize>,
    /// The worst outcome of its links.
    pub(super) worst: Option<LinkOutcome>,
    /// `2 linked, 1 ambiguous`.
    pub(super) words: String,
}

/// The matrix.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Grid {
    pub(super) columns: Vec<Heading>,
    pub(super) rows: Vec<Row>,
}

impl Heading {
    /// Its title.
    pub(super) fn name(&self, model: &Model) -> String {
        match self {
            Self::Owner(at) => model.owner_name(*at),
            Self::Type(name) => name.clone(),
            Self::Nobody => "nobody".into(),
        }
    }

    fn has(&self, model: &Model, link: usize) -> bool {
        match self {
            Self::Owner(at) => model.provided_by(link) == Some(*at),
            Self::Type(name) => model.link(link).is_some_and(|it| it.link_type == *name),
            Self::Nobody => model.provided_by(link).is_none(),
        }
    }
}

impl Row {
    /// Its title.
    pub(super) fn name(&self, model: &Model) -> String {
        match self.link.and_then(|at| model.link(at)) {
            Some(link) => {
                format!("{} {}", name::consumer(link).rsplit('/').next().unwrap_or_default(), link.link)
            }
            None => model.owner_name(self.owner),
        }
    }
}

impl Cell {
    fn of(model: &Model, links: Vec<usize>) -> Self {
        let outcomes: Vec<LinkOutcome> = links.iter().map(|at| model.outcome(*at)).collect();
        let number = |outcome: LinkOutcome| outcomes.iter().filter(|it| **it == outcome).count();
        let reported =
            LinkOutcome::ALL.iter().copied().map(|it| (number(it), it.word())).filter(|(n, _)| *n > 0);
        let words: Vec<String> = reported.map(|(n, word)| format!("{n} {word}")).collect();
        Self { worst: outcomes.iter().max().copied(), words: words.join(", "), links }
    }
}

impl Grid {
    /// The matrix of some links; owners whose names are in `open` also have a row for each of their links.
    pub(super) fn new(model: &Model, links: &[usize], by: By, open: &BTreeSet<String>) -> Self {
        let columns = columns(model, links, by);
        let mut owners: Vec<usize> = links.iter().map(|at| model.consumer_of(*at)).collect();
        order::by(&mut owners, Ord::cmp);
        owners.dedup();
        let row = |owner: usize, link: Option<usize>, of: &[usize]| {
            let cell = |it: &Heading| of.iter().copied().filter(|at| it.has(model, *at)).collect();
            let cells = columns.iter().map(|it| Cell::of(model, cell(it))).collect();
            Row { owner, link, cells }
        };
        let mut rows = Vec::new();
        for owner in owners {
            let own: Vec<usize> =
                links.iter().copied().filter(|at| model.consumer_of(*at) == owner).collect();
            rows.push(row(owner, None, &own));
            if open.contains(&model.owner_name(owner)) {
                rows.extend(own.iter().map(|at| row(owner, Some(*at), &[*at])));
            }
        }
        Self { columns, rows }
    }

    /// Row and column of each cell that holds a link, in reading order.
    pub(super) fn stops(&self) -> Vec<(usize, usize)> {
        let cells = |(at, row): (usize, &Row)| -> Vec<(usize, usize)> {
            let filled = row.cells.iter().enumerate().filter(|(_, cell)| cell.worst.is_some());
            filled.map(|(column, _)| (at, column)).collect()
        };
        self.rows.iter().enumerate().flat_map(cells).collect()
    }
}

/// The columns that hold a link; the column without a provider first, where it is seen.
fn columns(model: &Model, links: &[usize], by: By) -> Vec<Heading> {
    if by == By::Type {
        let types: BTreeSet<&str> =
            order::set(links.iter().filter_map(|at| model.link(*at)).map(|it| it.link_type.as_str()));
        return types.into_iter().map(|it| Heading::Type(it.to_owned())).collect();
    }
    let owners: BTreeSet<usize> = order::set(links.iter().filter_map(|at| model.provided_by(*at)));
    let nobody = links.iter().any(|at| model.provided_by(*at).is_none());
    nobody.then_some(Heading::Nobody).into_iter().chain(owners.into_iter().map(Heading::Owner)).collect()
}

/// The cell that a key leads to from another: the nearest in that direction that holds a link.
pub(super) fn step(stops: &[(usize, usize)], from: (usize, usize), key: &str) -> Option<(usize, usize)> {
    let (row, column) = from;
    let in_row = || stops.iter().copied().filter(move |it| it.0 == row);
    let beyond = |below: bool| {
        let side = stops.iter().copied().filter(move |it| if below { it.0 > row } else { it.0 < row });
        side.min_by_key(|it| (it.0.abs_diff(row), it.1.abs_diff(column)))
    };
    match key {
        "ArrowRight" => in_row().find(|it| it.1 > column),
        "ArrowLeft" => in_row().rfind(|it| it.1 < column),
        "ArrowDown" => beyond(true),
        "ArrowUp" => beyond(false),
        "Home" => in_row().next(),
        "End" => in_row().next_back(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{super::super::fixture, *};

    /// A row as text: name, then each cell.
    fn reported(model: &Model, grid: &Grid) -> Vec<String> {
        let cell = |it: &Cell| match it.worst {
            Some(worst) => format!("{}{}", worst.symbol(), it.links.len()),
            None => "·".into(),
        };
        let row = |it: &Row| {
            format!("{}: {}", it.name(model), it.cells.iter().map(cell).collect::<Vec<_>>().join(" "))
        };
        grid.rows.iter().map(row).collect()
    }

    #[test]
    fn cells_say_how_many_and_the_worst() {
        let model = fixture::small();
        let all = [0, 1, 2, 3, 4];
        let grid = Grid::new(&model, &all, By::Owner, &BTreeSet::new());
        let columns: Vec<_> = grid.columns.iter().map(|it| it.name(&model)).collect();
        assert_eq!(columns, ["nobody", "db", "web"]);
        assert_eq!(reported(&model, &grid), ["db: · ●1 ·", "web: ?1 ●1 ·", "router: ○1 · ●1"]);
        let open = BTreeSet::from(["web".to_owned()]);
        let grid = Grid::new(&model, &[0, 2], By::Type, &open);
        assert_eq!(reported(&model, &grid), ["web: ?1 ●1", "app sql: · ●1", "app nats: ?1 ·"]);
        assert_eq!(Grid::new(&model, &[], By::Owner, &open), Grid::default());
    }

    #[test]
    fn a_large_site_has_as_many_rows_and_columns_as_groups() {
        let model = fixture::generated(17, 150);
        let all: Vec<usize> = (0..150).collect();
        let grid = Grid::new(&model, &all, By::Owner, &BTreeSet::new());
        assert_eq!(grid.rows.len(), 17);
        assert!(grid.columns.len() <= 18, "{}", grid.columns.len());
        let sum: usize = grid.rows.iter().flat_map(|row| &row.cells).map(|cell| cell.links.len()).sum();
        assert_eq!(sum, 150, "each link stands in one cell");
    }

    #[test]
    fn keys_lead_over_empty_cells() {
        let stops = [(0, 0), (0, 3), (2, 2), (3, 0)];
        let check = |from, key, to| assert_eq!(step(&stops, from, key), to, "{from:?} {key}");
        check((0, 0), "ArrowRight", Some((0, 3)));
        check((0, 3), "ArrowRight", None);
        check((0, 3), "ArrowLeft", Some((0, 0)));
        check((0, 3), "ArrowDown", Some((2, 2)));
        check((3, 0), "ArrowUp", Some((2, 2)));
        check((0, 0), "End", Some((0, 3)));
        check((0, 3), "Home", Some((0, 0)));
        check((0, 0), "x", None);
    }
}
