use store::{Key, Operation};

/// What an operation writes.
pub(crate) struct Written {
    pub(crate) key: Key,
    /// Whether it can be a step of a growing loop. Holding and releasing are done once; the churn of them under load,
    /// where each run finds something new to hold, is not a loop.
    pub(crate) counts: bool,
}

impl Written {
    pub(crate) fn by(operation: &Operation) -> Option<Self> {
        let key = operation.key().clone();
        match operation {
            Operation::Create(_) | Operation::Update(..) | Operation::Teardown(_) | Operation::Destroy(_) => {
                Some(Self { key, counts: true })
            }
            Operation::AddFinalizers(..) | Operation::RemoveFinalizers(..) => {
                Some(Self { key, counts: false })
            }
            Operation::Expect(..) => None,
        }
    }
}
