//! The codes of problems of plans.

diag::codes! {
    /// The codes of problems of plans.
    pub const ALL in "plan";

    /// A plan that would destroy everything, because no file describes a resource.
    ///
    /// This is far more often a wrong file than intended. To destroy everything, use `planloom destroy`, or choose
    /// Destroy above the plan in the app.
    EMPTY = "nothing-described": Error;

    /// A state of another deployment than the one that the files describe.
    ///
    /// A plan against it would destroy all of that deployment. Give the right state. If the deployment was renamed,
    /// write the new name into the state.
    OTHER_DEPLOYMENT = "other-deployment": Error;

    /// A protected resource that would be destroyed or rebuilt.
    ///
    /// The plan shows the action and its cause, and cannot be applied. Keep the resource, or set its `protected` to
    /// false in the state first.
    PROTECTED = "protected": Error;

    /// A resource that would be created and that exists already, without being recorded.
    ///
    /// There would be two of it. Record it in the state with `planloom apply --adopt`, or delete it first.
    EXISTS = "exists-already": Warning;

    /// Something that the files need and that was not given: a file, the value of a variable, or the resources of a service.
    ///
    /// A plan without it might be something else, so there is none. The place is what needs it. Add the file or the
    /// value, or give the address of the service with `--adapter`.
    UNANSWERED = "unanswered": Error;

    /// A resource that is destroyed while almost the same one is created under another name.
    ///
    /// If it was renamed, its data need not be lost: write the move, and the state follows the new name. The fix
    /// writes it. If the two have nothing to do with each other, ignore this.
    ///
    /// ```yaml
    /// moved: [{from: services.web, to: services.site}]
    /// ```
    LOOKS_RENAMED = "looks-renamed": Hint, fix;

    /// A BOSH manifest where a plan is requested.
    ///
    /// Planloom shows the links and the effect of operations of manifests, but does not plan them: that is the task
    /// of BOSH's director. Use `planloom links` or `planloom merge`.
    MANIFEST = "manifest": Error;

    /// A service specification where a plan is requested.
    ///
    /// It describes kinds and no resources. Add a descriptor, or plan fixtures with `--service`.
    SPECIFICATION = "specification": Error;

    /// Fixtures without the service that they belong to, where a plan is requested.
    ///
    /// Fixtures are planned against a service, not against a state. Give its specification with `--service` and its
    /// address with `--adapter`.
    FIXTURES = "fixtures": Error;

    /// A plan that destroys a resource.
    ///
    /// Data that the resource holds is lost. This is reported for code scanning, so that whoever reviews a change
    /// sees it. The place is the line that causes the action; `planloom plan` shows all actions with their reasons.
    DESTROY = "destroy": Warning;

    /// A plan that destroys a resource and creates it again.
    ///
    /// A field that cannot be changed in place has another value, or something that it depends on is rebuilt. Data
    /// that the resource holds is lost. `planloom plan` shows the reason.
    REBUILD = "rebuild": Warning;
}
