use ::adapter::spec::{hidden_variables, redactor_of};
use model::Redactor;

use crate::spec::{ServiceSpec, Variable};

/// The values that are kept out of files and hidden in reports.
pub(crate) fn secrets_of(spec: &ServiceSpec) -> Redactor {
    redactor_of(hidden_variables(&spec.env, &spec.secrets, &spec.init))
}

/// Adds the variables of an environment that are not in the other.
pub(crate) fn add_missing(secrets: &mut Redactor, known: &[Variable], all: &[Variable]) {
    for variable in all.iter().filter(|it| !known.iter().any(|known| known.name == it.name)) {
        secrets.add(&variable.value);
    }
}
