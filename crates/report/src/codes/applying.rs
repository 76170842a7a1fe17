//! The codes of problems of commands that use a state or adapters.

diag::codes! {
    /// The codes of problems of commands that use a state or adapters.
    pub const APPLYING in "host";

    /// A state that does not exist.
    ///
    /// For `planloom plan` it is a hint: everything is new, and `planloom apply` creates it. For other commands,
    /// check the name.
    NO_STATE = "no-state": Error | Hint;

    /// A place where no state can be kept, or a file that is not a state.
    ///
    /// Write a file name, `http://…`, `https://…` or `etcd://host:port/prefix`.
    BAD_STATE = "bad-state": Error;

    /// A folder in which no states can be kept.
    ///
    /// Check the name and the permissions, or name another one with `--state-folder`.
    STATE_FOLDER = "state-folder": Error;

    /// A version of a state that is not kept.
    ///
    /// `planloom state history` lists those that are.
    NO_VERSION = "no-version": Error;

    /// A state to encrypt without a passphrase.
    ///
    /// Set `PLANLOOM_STATE_PASSPHRASE`.
    NO_PASSPHRASE = "no-passphrase": Error;

    /// A saved plan that cannot be used: it cannot be read, is for another command, or is given as a descriptor.
    ///
    /// Nothing was done. Create it again with `planloom plan --out`.
    BAD_PLAN = "bad-plan": Error;

    /// An encrypted plan that this passphrase does not open.
    ///
    /// Set `PLANLOOM_STATE_PASSPHRASE` to its value when the plan was created.
    SEALED_PLAN = "sealed-plan": Error;

    /// A saved plan that is not what would be done now.
    ///
    /// The files, the secrets or what exists have changed since it was reviewed. Nothing was done. Create it again
    /// and review it.
    PLAN_CHANGED = "plan-changed": Error;

    /// A plan that nobody approved, because standard input is not a terminal.
    ///
    /// Nothing was done. Review the plan, then add `--auto-approve`.
    NOT_APPROVED = "not-approved": Error;

    /// An address at which there is no adapter, or one that supports no kinds.
    ///
    /// Use the part of the address before `/v1`.
    ADAPTER = "adapter": Error;

    /// An `--adapter` that cannot be read, or that names what does not exist.
    ///
    /// The help shows the form.
    BAD_ADAPTER = "bad-adapter": Error;

    /// A variable with tokens of adapters that is not clear.
    ///
    /// Write the token alone, or `https://host:port=TOKEN` for each server, separated by spaces.
    ADAPTER_TOKEN = "adapter-token": Error;

    /// A folder in which the adapter `process` records its services, and that does not exist.
    ///
    /// Without the records everything would be created a second time. Restore it, or give its location with
    /// `--process-folder`; if none of the resources exists any more, use `destroy --lost`.
    PROCESS_FOLDER = "process-folder": Error;

    /// A folder in which the adapter `container` records its containers, and that does not exist.
    ///
    /// Without the records everything would be created a second time. Restore it, or give its location with
    /// `--container-folder`; if none of the resources exists any more, use `destroy --lost`.
    CONTAINER_FOLDER = "container-folder": Error;

    /// A folder in which the adapter `golem` records its agreements, and that does not exist.
    ///
    /// Without the records everything would be rented a second time. Restore it, or give its location with
    /// `--golem-folder`; if none of the resources exists any more, use `destroy --lost`.
    GOLEM_FOLDER = "golem-folder": Error;

    /// A folder in which the adapter `simulator` records its resources, and that does not exist.
    ///
    /// Without the records everything would be created a second time. Restore it, or give its location with
    /// `--simulator-folder`; if none of the resources exists any more, use `destroy --lost`.
    SIMULATOR_FOLDER = "simulator-folder": Error;

    /// A file with attributes to test an adapter with, which is not a JSON object.
    ///
    /// Write an object from attributes to values.
    BAD_SPEC = "bad-spec": Error;

    /// A `--limit` that cannot be read.
    ///
    /// Write for example `--limit memory_mib=4096`.
    BAD_LIMIT = "bad-limit": Error;

    /// No Podman or Docker that the adapter `container` can use.
    ///
    /// Start it, or set the address of its socket: `DOCKER_HOST=unix:///…`.
    NO_ENGINE = "no-engine": Error;

    /// No yagna daemon that the adapter `golem` can use.
    ///
    /// Start it with `yagna service run`. The help says what to do if it will never run again.
    NO_YAGNA = "no-yagna": Error;

    /// The adapter `golem` without an app-key.
    ///
    /// Run `yagna app-key create planloom`, and put the key into `YAGNA_APPKEY`.
    NO_APP_KEY = "no-app-key": Error;

    /// An app-key that the yagna daemon does not accept.
    ///
    /// Put one of `yagna app-key list` into `YAGNA_APPKEY`, and the daemon's address into `YAGNA_API_URL`.
    BAD_APP_KEY = "bad-app-key": Error;

    /// A budget that cannot be set.
    ///
    /// Nothing was done. It cannot be less than what was paid already.
    BUDGET = "budget": Error;

    /// Agreements of several states, of which it is not said whose are meant.
    ///
    /// Nothing was done. Name the lineage whose state is lost: `--adopt=LINEAGE`.
    SEVERAL_LINEAGES = "several-lineages": Error;

    /// Agreements or allocations of other states at the yagna daemon.
    ///
    /// They may be recorded elsewhere, so they are kept. If a state was lost, `destroy --adopt=LINEAGE` ends those of
    /// its lineage.
    OTHER_AGREEMENTS = "other-agreements": Warning;
}
