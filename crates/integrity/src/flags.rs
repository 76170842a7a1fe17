/// The behaviour of requests that create and delete (the guide's server flags), and the checks that are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flags {
    /// A name that is created has to have the form that its kind requires (`enableStrictNaming`).
    pub strict_naming: bool,
    /// Creating a resource that exists is refused; otherwise it is updated (`avoidResourceCreationOverride`).
    pub avoid_creation_override: bool,
    /// Deleting a resource that does not exist succeeds (`allowNotFoundOnResourceDeletion`).
    pub allow_not_found_on_deletion: bool,
    /// A new reference whose behaviour is `ALLOW_DANGLING` has to lead to a resource too. The guide says so of all new
    /// references; later its target may vanish.
    pub check_dangling: bool,
    /// The time, in milliseconds, that a reference to an owner may lead to nothing, or not be answered by one that it requires.
    pub owner_grace: i64,
}

impl Default for Flags {
    fn default() -> Self {
        Self {
            strict_naming: true,
            avoid_creation_override: true,
            allow_not_found_on_deletion: false,
            check_dangling: true,
            owner_grace: 5 * 60 * 1000,
        }
    }
}
