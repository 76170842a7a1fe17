//! A puzzle with one solution, which needs much search.

use planloom_resolve::{Answer, Budget, Id, Rule, Variable, solve};

use crate::laws::problem;

const GIVEN: &str = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

fn id(row: usize, column: usize, digit: usize) -> Id {
    format!("{row}{column}={digit}").into()
}

/// Each cell has exactly one digit; each digit occurs once in a row, a column and a box.
pub(crate) fn variables() -> Vec<Variable> {
    let all = || (0..9).flat_map(|a| (0..9).map(move |b| (a, b)));
    let mut variables = Vec::new();
    for (row, column) in all() {
        let given = GIVEN.as_bytes()[row * 9 + column];
        let digits = (1..=9).filter(|it| given == b'.' || usize::from(given - b'0') == *it);
        let of = digits.map(|it| id(row, column, it)).collect();
        variables.push((format!("cell {row}{column}"), vec![Rule::Mandatory, Rule::Dependency(of)]));
    }
    let mut one = |name: String, of: Vec<Id>| variables.push((name, vec![Rule::AtMost { n: 1, of }]));
    for (a, b) in all() {
        one(format!("one in {a}{b}"), (1..=9).map(|it| id(a, b, it)).collect());
        one(format!("{b} in row {a}"), (0..9).map(|it| id(a, it, b + 1)).collect());
        one(format!("{b} in column {a}"), (0..9).map(|it| id(it, a, b + 1)).collect());
        let cell = |it: usize| id(a / 3 * 3 + it / 3, a % 3 * 3 + it % 3, b + 1);
        one(format!("{b} in box {a}"), (0..9).map(cell).collect());
    }
    let digits = all().flat_map(|(a, b)| (1..=9).map(move |it| (id(a, b, it).to_string(), Vec::new())));
    variables.extend(digits);
    variables.into_iter().map(|(id, rules)| Variable::new(id, rules.into_iter().map(Into::into))).collect()
}

#[test]
fn it_is_solved() {
    let problem = problem(&variables());
    let Answer::Solved(solution) = solve(&problem, &mut (), &Budget::default()) else {
        panic!("it has a solution")
    };
    let solved: String =
        solution.ids(&problem).iter().filter_map(|it| it.split_once('=')).map(|(_, digit)| digit).collect();
    assert_eq!(solved, "812753649943682175675491283154237896369845721287169534521974368438526917796318452");
}
