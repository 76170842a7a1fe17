/// The edges of each node, packed: those of node `n` are `edges[starts[n]..starts[n + 1]]`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Adjacency {
    starts: Vec<usize>,
    edges: Vec<usize>,
}

impl Adjacency {
    /// Groups edges by the node each belongs to (`owners[edge]`), keeping their order.
    pub(crate) fn new(nodes: usize, owners: impl Iterator<Item = usize> + Clone) -> Self {
        let mut starts = vec![0; nodes + 1];
        for owner in owners.clone() {
            starts[owner + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut edges = vec![0; starts[nodes]];
        for (edge, owner) in owners.enumerate() {
            edges[next[owner]] = edge;
            next[owner] += 1;
        }
        Self { starts, edges }
    }

    /// The edges of a node; none for a node that is not there.
    pub(crate) fn of(&self, node: usize) -> &[usize] {
        match self.starts.get(node..node + 2) {
            Some(&[start, end]) => &self.edges[start..end],
            _ => &[],
        }
    }
}
