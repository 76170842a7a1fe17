use std::{collections::BTreeSet, error, fmt, sync::Arc};

use store::Kind;

use crate::{Controller, Declaration, Input, Output, Sharing, Style, codes, controller::Role};

/// The reason why a controller was not registered; nothing of it was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rejected {
    /// The runtime has ended, so it would never run.
    Ended,
    /// Its id is empty, which means the user.
    EmptyId,
    /// Its id, or an earlier one, is an id or earlier id of another controller.
    DuplicateController {
        /// The id.
        id: Arc<str>,
    },
    /// An output that it or another controller does not share.
    OutputConflict {
        /// The controller that declares it.
        controller: Arc<str>,
        /// The name of the kind.
        kind: Arc<str>,
        /// The controller that has it.
        holder: Arc<str>,
    },
    /// It declares an output twice.
    DuplicateOutput {
        /// The controller's id.
        controller: Arc<str>,
        /// The name of the kind.
        kind: Arc<str>,
    },
    /// It declares an input twice.
    DuplicateInput {
        /// The controller's id.
        controller: Arc<str>,
        /// The kind.
        kind: Kind,
        /// The resource; `None` for the whole kind.
        id: Option<Arc<str>>,
    },
    /// A queue controller without a primary input would never run.
    NoPrimary {
        /// The controller's id.
        controller: Arc<str>,
    },
    /// A concurrency of 0 would never run.
    NoConcurrency {
        /// The controller's id.
        controller: Arc<str>,
    },
    /// The inputs of a queue controller cannot be changed.
    FixedInputs {
        /// The controller's id.
        controller: Arc<str>,
    },
}

/// Checks everything before anything is changed, so there is nothing to undo.
pub(crate) fn check(controller: &Controller, others: &[Declaration]) -> Result<(), Rejected> {
    let declaration = &controller.declaration;
    check_ids(declaration, others)?;
    check_inputs(&declaration.id, &declaration.inputs)?;
    check_outputs(declaration, others)?;
    let queue = declaration.style == Style::Queue;
    let primary = controller.roles.iter().any(|role| matches!(role, Role::Primary));
    match () {
        () if queue && !primary => Err(Rejected::NoPrimary { controller: declaration.id.clone() }),
        () if controller.concurrency == 0 => {
            Err(Rejected::NoConcurrency { controller: declaration.id.clone() })
        }
        () => Ok(()),
    }
}

/// Inputs are compared by kind and id, not by strength: the same one cannot be both strong and weak.
pub(crate) fn check_inputs(controller: &Arc<str>, inputs: &[Input]) -> Result<(), Rejected> {
    let mut seen = BTreeSet::new();
    let twice = inputs.iter().find(|input| !seen.insert((&input.kind, &input.id)));
    let rejected = |input: &Input| Rejected::DuplicateInput {
        controller: controller.clone(),
        kind: input.kind.clone(),
        id: input.id.clone(),
    };
    twice.map_or(Ok(()), |input| Err(rejected(input)))
}

fn check_ids(declaration: &Declaration, others: &[Declaration]) -> Result<(), Rejected> {
    let mut taken: BTreeSet<_> = others.iter().flat_map(names).collect();
    for id in names(declaration) {
        if id.is_empty() {
            return Err(Rejected::EmptyId);
        }
        if !taken.insert(id) {
            return Err(Rejected::DuplicateController { id: id.clone() });
        }
    }
    Ok(())
}

fn check_outputs(declaration: &Declaration, others: &[Declaration]) -> Result<(), Rejected> {
    let Declaration { id, outputs, .. } = declaration;
    for (index, output) in outputs.iter().enumerate() {
        if outputs[..index].iter().any(|earlier| earlier.overlaps(output)) {
            return Err(Rejected::DuplicateOutput { controller: id.clone(), kind: output.name.clone() });
        }
        if let Some(holder) = others.iter().find(|other| other.outputs.iter().any(|it| conflict(it, output)))
        {
            let (kind, holder) = (output.name.clone(), holder.id.clone());
            return Err(Rejected::OutputConflict { controller: id.clone(), kind, holder });
        }
    }
    Ok(())
}

pub(crate) fn conflict(one: &Output, other: &Output) -> bool {
    one.overlaps(other) && (one.sharing == Sharing::Exclusive || other.sharing == Sharing::Exclusive)
}

fn names(declaration: &Declaration) -> impl Iterator<Item = &Arc<str>> {
    std::iter::once(&declaration.id).chain(&declaration.aliases)
}

impl Rejected {
    /// A stable name, `runtime/what`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::EmptyId => codes::EMPTY_ID.as_str(),
            Self::DuplicateController { .. } => codes::DUPLICATE_CONTROLLER.as_str(),
            Self::OutputConflict { .. } => codes::OUTPUT_CONFLICT.as_str(),
            Self::DuplicateOutput { .. } => codes::DUPLICATE_OUTPUT.as_str(),
            Self::DuplicateInput { .. } => codes::DUPLICATE_INPUT.as_str(),
            Self::NoPrimary { .. } => codes::NO_PRIMARY.as_str(),
            Self::NoConcurrency { .. } => codes::NO_CONCURRENCY.as_str(),
            Self::FixedInputs { .. } => codes::FIXED_INPUTS.as_str(),
            Self::Ended => codes::ENDED.as_str(),
        }
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ended => f.write_str("the runtime has ended"),
            Self::EmptyId => f.write_str("the id of a controller is empty"),
            Self::DuplicateController { id } => write!(f, "`{id}` is a controller already"),
            Self::OutputConflict { controller, kind, holder } => {
                write!(f, "`{controller}` cannot write `{kind}`, which `{holder}` writes")
            }
            Self::DuplicateOutput { controller, kind } => {
                write!(f, "`{controller}` declares the output `{kind}` twice")
            }
            Self::DuplicateInput { controller, kind, id: None } => {
                write!(f, "`{controller}` declares the input `{kind}` twice")
            }
            Self::DuplicateInput { controller, kind, id: Some(id) } => {
                write!(f, "`{controller}` declares the input `{kind}/{id}` twice")
            }
            Self::NoPrimary { controller } => write!(f, "`{controller}` has no primary input"),
            Self::NoConcurrency { controller } => write!(f, "`{controller}` has a concurrency of 0"),
            Self::FixedInputs { controller } => write!(f, "`{controller}` cannot change its inputs"),
        }
    }
}

impl error::Error for Rejected {}
