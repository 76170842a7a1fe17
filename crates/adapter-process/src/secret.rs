use ::adapter::spec::{Secrets, is_secret_name};

use crate::spec::{ServiceSpec, Variable};

/// Values that are kept out of files and hidden in what is told.
pub(crate) fn secrets_of(spec: &ServiceSpec) -> Secrets {
    let named = spec.env.iter().filter(|it| is_secret_name(&it.name));
    let init = spec.init.iter().flat_map(|it| &it.env).filter(|it| is_secret_name(&it.name));
    let all = spec.secrets.iter().chain(named).chain(init);
    let mut secrets = Secrets::default();
    secrets.add(all.map(|it: &Variable| it.value.clone()));
    secrets
}

/// Also those of an environment that are not in the other.
pub(crate) fn add_missing(secrets: &mut Secrets, known: &[Variable], all: &[Variable]) {
    let is_new = |it: &&Variable| !known.iter().any(|known| known.name == it.name);
    secrets.add(all.iter().filter(is_new).map(|it| it.value.clone()));
}
