use std::time::Duration;

/// The behavior of a provider; the default is honest, and answers at once.
///
/// It can be replaced while the provider runs, and holds from its next answer on.
#[derive(Clone, Debug, PartialEq)]
pub struct Behavior {
    /// Rejects each proposal of a requestor.
    pub refuse_proposals: bool,
    /// The answer to the proposal of an agreement by a requestor.
    pub agreement: AgreementAnswer,
    /// The delays before its answers.
    pub delays: Delays,
    /// The command that fails in each activity: `deploy` or `start`.
    pub fail: Option<String>,
    /// The activity terminates by itself after this number of commands.
    pub die_after: Option<usize>,
    /// Amounts of debit notes and invoices are multiplied by this.
    pub overcharge: f64,
    /// The number of invoices that are sent for an agreement, all over the same amount.
    pub invoices: usize,
    /// True if it terminates an agreement after its last activity was destroyed, as real providers do.
    pub terminate_agreement: bool,
}

/// The answer of a provider to the proposal of an agreement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AgreementAnswer {
    /// It approves.
    #[default]
    Approve,
    /// It rejects, with a reason.
    Reject,
    /// It never answers.
    Ignore,
}

/// The delays before a provider answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delays {
    /// Before it answers a proposal.
    pub proposal: Duration,
    /// Before it approves or rejects an agreement.
    pub agreement: Duration,
    /// Before a created activity is initialized.
    pub activity: Duration,
    /// Before each request for the results of a batch of commands is answered.
    pub results: Duration,
    /// Before it destroys an activity.
    pub destruction: Duration,
}

impl Default for Behavior {
    fn default() -> Self {
        Self {
            refuse_proposals: false,
            agreement: AgreementAnswer::Approve,
            delays: Delays::default(),
            fail: None,
            die_after: None,
            overcharge: 1.0,
            invoices: 1,
            terminate_agreement: true,
        }
    }
}
