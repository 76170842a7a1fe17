use model::{Redactor, is_secret_name};

use crate::spec::{ServiceSpec, Variable};

/// Values that are kept out of files and hidden in what is told.
pub(crate) fn secrets_of(spec: &ServiceSpec) -> Redactor {
    let named = spec.env.iter().filter(|it| is_secret_name(&it.name));
    let init = spec.init.iter().flat_map(|it| &it.env).filter(|it| is_secret_name(&it.name));
    let mut secrets = Redactor::default();
    for variable in spec.secrets.iter().chain(named).chain(init) {
        secrets.add(&variable.value);
    }
    secrets
}

/// Also those of an environment that are not in the other.
pub(crate) fn add_missing(secrets: &mut Redactor, known: &[Variable], all: &[Variable]) {
    for variable in all.iter().filter(|it| !known.iter().any(|known| known.name == it.name)) {
        secrets.add(&variable.value);
    }
}
