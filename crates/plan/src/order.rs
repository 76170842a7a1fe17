use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Removes the back edges of a depth-first search from the first node, so that no cycle is left. A graph without cycles is
/// unchanged. Cycles among desired resources have been reported before; others arise from edges of the recorded state, and
/// must not prevent a plan.
pub(crate) fn break_cycles(before: &mut [Vec<usize>]) {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        OnTheWay,
        Done,
    }
    let mut states = vec![State::New; before.len()];
    let mut way: Vec<(usize, usize)> = Vec::new();
    for root in 0..before.len() {
        if states[root] == State::New {
            states[root] = State::OnTheWay;
            way.push((root, 0));
        }
        while let Some((node, next)) = way.last_mut() {
            let Some(&earlier) = before[*node].get(*next) else {
                states[*node] = State::Done;
                way.pop();
                continue;
            };
            match states[earlier] {
                State::OnTheWay => {
                    before[*node].remove(*next);
                }
                State::New => {
                    states[earlier] = State::OnTheWay;
                    way.push((earlier, 0));
                }
                State::Done => *next += 1,
            }
        }
    }
}

/// A topological order by Kahn's algorithm (1962): each node after those before it, ties by index, so that equal inputs
/// give equal plans. There must be no cycles: nodes of a cycle would be missing in the result.
pub(crate) fn sort(before: &[Vec<usize>]) -> Vec<usize> {
    let mut behind = vec![Vec::new(); before.len()];
    let mut unmet: Vec<usize> = before.iter().map(Vec::len).collect();
    for (node, list) in before.iter().enumerate() {
        for &earlier in list {
            behind[earlier].push(node);
        }
    }
    let mut ready: BinaryHeap<_> = (0..unmet.len()).filter(|node| unmet[*node] == 0).map(Reverse).collect();
    let mut sorted = Vec::with_capacity(unmet.len());
    while let Some(Reverse(node)) = ready.pop() {
        sorted.push(node);
        for &later in &behind[node] {
            unmet[later] -= 1;
            if unmet[later] == 0 {
                ready.push(Reverse(later));
            }
        }
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &[&[usize]], expected: &[usize]) {
        let mut before: Vec<Vec<usize>> = before.iter().map(|list| list.to_vec()).collect();
        break_cycles(&mut before);
        assert_eq!(sort(&before), expected);
    }

    #[test]
    fn each_comes_after_those_before_it_and_ties_by_index() {
        check(&[], &[]);
        check(&[&[], &[], &[]], &[0, 1, 2]);
        check(&[&[2], &[], &[1]], &[1, 2, 0]);
        check(&[&[3], &[], &[3], &[]], &[1, 3, 0, 2]);
    }

    #[test]
    fn cycles_are_broken_where_the_search_comes_back() {
        check(&[&[0]], &[0]);
        check(&[&[1], &[0]], &[1, 0]);
        // 1 and 2 need each other; 0, which needs them, still comes last.
        check(&[&[1], &[2], &[1]], &[2, 1, 0]);
    }

    #[test]
    fn long_chains_do_not_overflow() {
        let mut before: Vec<Vec<usize>> = (0..100_000).map(|node| vec![node + 1]).collect();
        before.push(Vec::new());
        break_cycles(&mut before);
        assert_eq!(sort(&before).first(), Some(&100_000));
    }
}
