use std::net::Ipv4Addr;

use ::adapter::{
    ResourceRequest,
    spec::{Init, SpecErrors, expand},
};
use model::Redactor;
use protocol::{Code, Problem};

use serde_json::Value as Json;

use crate::{
    Limits,
    environment::{Environment, Whereabouts},
    launch::Start,
    refusal,
    secret::secrets_of,
    shared::Shared,
    spec::{CommandLine, ServiceSpec},
};

/// The commands of a service after all checks.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    /// Commands that run to their end before the main program.
    pub(crate) before: Vec<Start>,
    /// The program that keeps running.
    pub(crate) main: Start,
    /// Commands that run to their end once the main program is ready.
    pub(crate) after: Vec<Start>,
    pub(crate) secrets: Redactor,
}

/// Looks up all programs, folders, variables and limits of a service.
///
/// # Errors
/// [`Forbidden`](Code::Forbidden) with the place of each that is not allowed.
pub(crate) fn prepare(
    shared: &Shared,
    request: &ResourceRequest,
    spec: &ServiceSpec,
    ip: Ipv4Addr,
) -> Result<Prepared, Problem> {
    let at = Whereabouts { id: &request.id.id, address: &request.address, ip };
    let faults = SpecErrors::default();
    let home = shared.folder.work(at.id);
    let environment = Environment::new(&shared.environment, &home, spec, &at);
    let limits = shared.limits.lowered(spec.limits);
    refusal::note(&Json::Object(request.spec.clone()), &shared.allowed, shared.limits, &faults);
    let context = PrepareContext { shared, spec, environment, limits, at, faults: &faults };
    let cwd = context.cwd();
    let mut inits: Vec<_> =
        spec.init.iter().map(|init| context.start(&init.words, Some(init), cwd.clone())).collect();
    let (main, before, after) = match &spec.command {
        Some(command) => (context.start(command, None, cwd), Vec::new(), inits),
        None => (inits.pop().flatten(), inits, Vec::new()),
    };
    faults.into_result(Code::Forbidden)?;
    let flat = |starts: Vec<Option<Start>>| starts.into_iter().flatten().collect();
    // There were no errors, so there is a program.
    let main = main.ok_or_else(|| Problem::new(Code::InvalidSpec, "there is no program to run"))?;
    Ok(Prepared { before: flat(before), main, after: flat(after), secrets: secrets_of(spec) })
}

struct PrepareContext<'d> {
    shared: &'d Shared,
    spec: &'d ServiceSpec,
    environment: Environment,
    limits: Limits,
    at: Whereabouts<'d>,
    faults: &'d SpecErrors,
}

impl PrepareContext<'_> {
    fn cwd(&self) -> Option<std::path::PathBuf> {
        let Some((folder, pointer)) = &self.spec.cwd else {
            return Some(self.shared.folder.work(self.at.id));
        };
        let found = self.shared.allowed.folder(folder);
        found.map_err(|why| self.faults.add(pointer, why)).ok()
    }

    fn start(
        &self,
        words: &CommandLine,
        init: Option<&Init>,
        cwd: Option<std::path::PathBuf>,
    ) -> Option<Start> {
        let (program, args) = words.words.split_first()?;
        let own = init.map(|it| &*it.env).unwrap_or_default();
        let visible = self.environment.visible(own);
        let args = args.iter().map(|it| expand(it, &visible)).collect();
        let env = self.environment.of(own, &self.spec.secrets);
        let program = match self.shared.allowed.find(program) {
            Ok(program) => program,
            Err(why) => {
                self.faults.add(&format!("{}/0", words.pointer), why);
                return None;
            }
        };
        let (limits, pointer) = (self.limits, words.pointer.clone());
        Some(Start { program, args, env, cwd: cwd?, limits, pointer })
    }
}
