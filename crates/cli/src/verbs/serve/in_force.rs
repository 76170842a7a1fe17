//! The settings of a served API that are in force, printed at the start.

use authorization::Policy;
use workspace::view::words::count;

use crate::args::Serve;

/// The settings, each in words.
pub(super) struct InForce {
    policy: String,
    audit_log: String,
    origins: String,
    hooks: String,
    limits: String,
}

impl InForce {
    /// The settings of the command line; those of an access policy are set when it is read.
    pub(super) fn of(args: &Serve) -> Self {
        let none = "none; `--audit-log FILE` records who changes what";
        let audit_log = args.api.audit_log.as_ref();
        let own = "this server's own pages";
        let without = "none; who has the token may do everything";
        let policy = args.api.access_policy.as_ref();
        Self {
            policy: policy.map_or_else(|| without.to_owned(), |it| it.display().to_string()),
            audit_log: audit_log.map_or_else(|| none.to_owned(), |it| it.display().to_string()),
            origins: match args.allow_origin.is_empty() {
                true => format!("{own} only; `--allow-origin ORIGIN` adds others"),
                false => format!("{own}, {}", args.allow_origin.join(", ")),
            },
            hooks: listed(
                &args.api.hook,
                "none; `--hook METHOD=ADDRESS` has another server execute a method",
            ),
            limits: listed(&args.api.resource_limit, "none; `--resource-limit KIND=NUMBER` sets one"),
        }
    }

    /// Adds the settings of an access policy.
    pub(super) fn set_policy(&mut self, policy: &Policy) {
        let (users, bindings) = (policy.users.len(), policy.bindings.len());
        self.policy = format!("{}, {}, {}", self.policy, count(users, "user"), count(bindings, "binding"));
    }

    /// One line each.
    pub(super) fn text(&self) -> String {
        let Self { policy, audit_log, origins, hooks, limits } = self;
        format!(
            "Access policy:   {policy}\nAudit log:       {audit_log}\nAllowed origins: {origins}\n\
             Hooks:           {hooks}\nResource limits: {limits}\n"
        )
    }
}

fn listed(options: &[String], none: &str) -> String {
    if options.is_empty() { none.to_owned() } else { options.join(", ") }
}
