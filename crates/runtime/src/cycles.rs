use std::collections::{BTreeSet, VecDeque};

/// Cycles of a graph, `edges` being each node's successors: every node that is in any cycle is in one of the
/// result, each of which is a shortest one for its first node. An edge from a node to itself is not a cycle.
pub(crate) fn cycles(edges: &[BTreeSet<usize>]) -> Vec<Vec<usize>> {
    let mut covered = BTreeSet::new();
    let mut found = Vec::new();
    for start in 0..edges.len() {
        if covered.contains(&start) {
            continue;
        }
        if let Some(cycle) = back_to(start, edges) {
            covered.extend(cycle.iter().copied());
            found.push(cycle);
        }
    }
    found
}

/// Searches breadth first, so that the first path back is a shortest one.
fn back_to(start: usize, edges: &[BTreeSet<usize>]) -> Option<Vec<usize>> {
    let mut from: Vec<Option<usize>> = vec![None; edges.len()];
    let mut next = VecDeque::from([start]);
    while let Some(node) = next.pop_front() {
        for successor in edges[node].iter().copied().filter(|successor| *successor != node) {
            if successor == start {
                return Some(way(start, node, &from));
            }
            if from[successor].is_none() {
                from[successor] = Some(node);
                next.push_back(successor);
            }
        }
    }
    None
}

fn way(start: usize, last: usize, from: &[Option<usize>]) -> Vec<usize> {
    let mut way: Vec<usize> =
        std::iter::successors(Some(last), |node| from[*node].filter(|_| *node != start)).collect();
    way.reverse();
    way
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_a_cycle_are_in_a_minimal_cycle() {
        let check = |edges: &[&[usize]], expected: &[&[usize]]| {
            let edges: Vec<BTreeSet<usize>> = edges.iter().map(|to| to.iter().copied().collect()).collect();
            assert_eq!(cycles(&edges), expected, "{edges:?}");
        };
        check(&[], &[]);
        check(&[&[0]], &[]);
        check(&[&[1], &[2], &[]], &[]);
        check(&[&[1], &[0]], &[&[0, 1]]);
        check(&[&[1], &[2], &[0, 3], &[0]], &[&[0, 1, 2], &[3, 0, 1, 2]]);
        check(&[&[1], &[0], &[3], &[4], &[2]], &[&[0, 1], &[2, 3, 4]]);
    }
}
