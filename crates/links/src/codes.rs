//! The codes of what this crate reports, each with its documentation.

diag::codes! {
    /// The codes of problems of links from consumers to providers.
    pub const ALL in "links";

    /// A value of a provider that does not match what its link type promises.
    ///
    /// Consumers rely on the type: a property that is missing or of another type would fail there. Add the property,
    /// or write a value of the promised type.
    CONTRACT = "contract": Error;

    /// A type of link that is provided several times and that nobody consumes.
    ///
    /// There is no problem now, but the next consumer of the type would have to say which provider it uses. Set the
    /// others to have no consumers.
    LATENT = "latent": Hint;

    /// A property that a provider offers and that has no value.
    ///
    /// A consumer that requires it fails when it is filled in. Set the property where the provider is deployed.
    NO_VALUE = "no-value": Warning;

    /// A property of a provider that cannot be checked before its value is filled in.
    ///
    /// The value comes from a variable, and has to be a map with the key that the link promises. Check it where the
    /// variable is set.
    UNCHECKED = "unchecked": Warning;

    /// A link for which several providers are candidates.
    ///
    /// Planloom never guesses which is meant. Name one with `from`, or set the others to have no consumers.
    ///
    /// ```yaml
    /// consumes:
    ///   db: {type: database}            # two services provide one
    /// # solved by
    ///   db: {type: database, from: main-db}
    /// ```
    AMBIGUOUS = "ambiguous": Error, fix;

    /// A required link that is set to nil.
    ///
    /// Nil says that there is no provider, and the consumer cannot do without it. Remove `nil`, or write the link out
    /// as a manual link.
    BLOCKED = "blocked": Error, fix;

    /// A link whose provider is not in the requested network.
    ///
    /// The consumer could not reach it by that network. Choose one of the networks that the help lists, or put the
    /// provider into the network.
    NETWORK = "network": Error, fix;

    /// A link that requests a deployment that does not exist.
    ///
    /// The help lists the deployments that the given files describe. Correct the name, or give the files of that
    /// deployment.
    NO_DEPLOYMENT = "no-deployment": Error, fix;

    /// A link for which there is no provider.
    ///
    /// No resource in reach provides the type, or the name that `from` gives. The help names the nearest candidates
    /// and why they do not fit. Add a provider, correct the name, or write a manual link.
    NONE_FOUND = "none-found": Error, fix;

    /// A link to a provider of another deployment that is not shared.
    ///
    /// A provider is only visible in its own deployment until it is shared. Set `shared: true` where it is provided.
    NOT_SHARED = "not-shared": Error, fix;

    /// A link to another host, although a provider on the same host is set to have no consumers.
    ///
    /// This may be a mistake in one of the two settings. If the other host is intended, ignore this.
    WRONG_SCOPE = "wrong-scope": Hint;
}
