//! The codes of problems of BOSH manifests and configs.

diag::codes! {
    /// The codes of problems of BOSH manifests and configs.
    pub const MANIFESTS in "bosh";

    /// An addon with a rule or key that addons cannot have.
    ///
    /// A rule that the director does not allow, such as a filter by deployment in a manifest, is an error; a key
    /// without effect on an addon is a warning. The help says what to write or remove.
    ADDON = "addon": Error | Warning;

    /// A name that cannot be a part of a DNS name.
    ///
    /// The director makes DNS names of it, and a part of these cannot begin or end with a hyphen. Let the name begin
    /// and end with a letter or a digit.
    BAD_LABEL = "dns-label": Error;

    /// A value of a manifest or config that is of another kind than required.
    ///
    /// The value is ignored. Write what the message names.
    BAD_SHAPE = "wrong-kind": Error;

    /// A consumed link with settings that it cannot have.
    ///
    /// For example it has `from` and `instances` at once, `properties` without `instances`, or `ip_addresses` that is
    /// not true or false. The director refuses the manifest. A link is either manual or has a provider.
    CONSUMER = "consumer": Error, fix;

    /// A custom provider that is incomplete, or has the name of another provider of the job.
    ///
    /// It needs a name and a type, and consumers find it by its name. Write both, or choose another name.
    CUSTOM = "custom-provider": Error;

    /// A `from` that is a path through a deployment and not the name of a link.
    ///
    /// Early versions of BOSH wrote it so. Write the deployment as `deployment` and the last part as `from`.
    DOTTED = "from-dotted": Error;

    /// A deployment, instance group, job, disk or job spec with a name that another one has already.
    ///
    /// The director refuses it, or only one of the two is used. Give one of them another name, or remove it.
    DUPLICATE = "duplicate": Error | Warning;

    /// A property that a link provides and that its job does not have.
    ///
    /// Consumers would not receive it. Correct the list of `properties` in the job spec, or define the property.
    EXPOSED = "link-property": Error;

    /// A switch under `features` that is neither true nor false.
    ///
    /// Write true or false.
    FEATURES = "features": Error;

    /// A number of instances that is missing, not a whole number, too large to list, or filled in later.
    ///
    /// Links are shown for the number that is known. If it is a variable, one instance or the number of static
    /// addresses is assumed, and this is only a hint.
    INSTANCES = "instances": Error | Hint;

    /// A `lifecycle` that does not exist.
    ///
    /// It is `service` or `errand`.
    LIFECYCLE = "lifecycle": Error;

    /// A name, or the release of an addon's job, that is required and missing.
    ///
    /// Add it.
    MISSING = "missing": Error;

    /// An instance group without a network, or with one that the cloud config does not have.
    ///
    /// The director refuses the manifest. Add `networks`, or correct the name; the help lists those that there are.
    NETWORK = "network": Error;

    /// A group with several networks of which none, or more than one, is the default.
    ///
    /// It has to be known which network gives DNS and the gateway. Write `default: [dns, gateway]` at one of them; a
    /// VIP network cannot be it.
    NETWORK_DEFAULT = "network-default": Error;

    /// A key in an older spelling.
    ///
    /// The director still reads it. The fix writes the present one.
    OLDER_KEY = "older-key": Hint, fix;

    /// A provided link with settings that it cannot have.
    ///
    /// `as` is a name, `shared` is true or false, and an alias has a domain. The help says what to write.
    PROVIDER = "provider": Error;

    /// A job spec that cannot be read, or has links that it cannot have.
    ///
    /// The director would refuse the release. Each link has a `name` and a `type`, each name once in a list, and the
    /// name of the spec is that of its job.
    SPEC = "spec": Error | Warning, fix;

    /// Static addresses that are invalid, repeated, or not as many as there are instances.
    ///
    /// List one address for each instance, each once, as `10.0.0.4` or as a range `10.0.0.4 - 10.0.0.6`.
    STATIC_IPS = "static-ips": Error;

    /// A key that links do not have in this place.
    ///
    /// The director ignores it, so it has no effect. Correct or remove it.
    UNKNOWN_KEY = "unknown-key": Warning, fix;

    /// A link that the job does not have.
    ///
    /// What is written for it has no effect. The help lists the links of the job. Correct or remove it.
    UNKNOWN_LINK = "unknown-link": Warning, fix;

    /// A variable that consumes links in a way that it cannot.
    ///
    /// Only certificates can, for `alternative_name` and `common_name`. Remove `consumes`, or correct it.
    VARIABLE = "variable": Error;
}
