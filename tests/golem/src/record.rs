/// The record of what a provider has done since the network started.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// Proposals of requestors that it has answered.
    pub proposals: usize,
    /// The agreements that it approved.
    pub agreements: Vec<String>,
    /// The activities that were created.
    pub created: Vec<String>,
    /// The activities that were destroyed, or died.
    pub destroyed: Vec<String>,
    /// The words of each `run` command, in order.
    pub commands: Vec<Vec<String>>,
    /// The number of debit notes that it sent.
    pub debit_notes: usize,
    /// The amounts of the invoices that it sent.
    pub invoices: Vec<f64>,
}
