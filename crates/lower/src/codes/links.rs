//! The codes of problems of links and packages of resources.

diag::codes! {
    /// The codes of problems of links and packages of resources.
    pub const LINKS in "lower";

    /// A reference where a link says which provider it takes.
    ///
    /// Links are resolved before references, so these values must be written. Write the value itself.
    LINK_NOT_WRITTEN = "link-not-written": Error;

    /// A link that names a provider and has manual content as well.
    ///
    /// Either a provider is requested, with `from`, `deployment` or `network`, or the content is written out, with
    /// `instances` or `properties`. Remove one of them.
    LINK_TWO_WAYS = "link-two-ways": Error;

    /// A colocated link whose consumer and provider have different numbers of instances.
    ///
    /// Instance by instance they share a host, so both need the same number. Give both the same `instances`.
    COLOCATED_COUNT = "colocated-count": Error;

    /// An expression over links that cannot be computed.
    ///
    /// The message says why, for example that the link has no such property. Correct the expression, or give a
    /// default with `.else(…)`.
    ACCESSOR = "accessor": Error;

    /// A reference to a link that the resource does not consume.
    ///
    /// The help lists the links that it has. Correct the name, or declare the link under `consumes`.
    UNKNOWN_LINK = "unknown-link": Error;

    /// A field that is filled in from links and was written in the file.
    ///
    /// What is written would be replaced. Remove it, and declare what is consumed under `consumes`.
    LINK_CONTENTS = "link-contents": Error;

    /// A reference to an optional link that has no provider.
    ///
    /// There is nothing to refer to. Deploy a provider, or write an expression with a default:
    /// `${if_link("NAME").p("KEY").else("…")}`.
    ABSENT_LINK = "absent-link": Error;

    /// A reference where a package, version, channel or catalog is named.
    ///
    /// Versions are chosen before references are resolved. Write the value itself.
    PACKAGE_NOT_WRITTEN = "package-not-written": Error;

    /// A payload with both a package and an image.
    ///
    /// The package sets the image, so two would be set. Remove one of them.
    PACKAGE_AND_IMAGE = "package-and-image": Error;
}
