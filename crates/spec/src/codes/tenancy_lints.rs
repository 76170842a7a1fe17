//! The codes of doubts about who owns resources and in which regions they are.

diag::codes! {
    /// The codes of doubts about who owns resources and in which regions they are.
    pub const TENANCY_LINTS in "spec";

    /// A kind without parent, so that only users with a role for the whole service can create and list it.
    ///
    /// Declare a parent, such as `parents: [Project]`, if each belongs to somebody, or `parents:
    /// [meta.goten.com/Service]` if all belong to the service.
    TENANCY = "tenancy": Hint;

    /// A kind in projects of another service, in a service without a `Project` of its own.
    ///
    /// What it has is not deleted when a project stops using the service. Add a `Project` with `multiRegion:
    /// {isPolicyHolder: true}`.
    NO_PROJECT = "no-project": Hint;

    /// A kind that is in nothing that has a policy for regions.
    ///
    /// Put it below a project or an organization, or below `meta.goten.com/Service` if the policy of the service is
    /// to decide its regions.
    NO_POLICY_HOLDER = "no-policy-holder": Hint;

    /// A kind that is in no project, so that there can be no limit for it.
    ///
    /// Limits count by project. Put it below a project if it is to have one.
    LIMITS_SCOPE = "limits-scope": Hint;
}
