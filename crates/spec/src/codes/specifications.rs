//! The codes of problems of service specifications.

diag::codes! {
    /// The codes of problems of service specifications.
    pub const SPECIFICATIONS in "spec";

    /// A kind with two patterns that one name can follow.
    ///
    /// It would not be known which parent a name has. Give the kinds on the way different collections, or leave one
    /// of the parents out.
    AMBIGUOUS_PATTERN = "ambiguous-pattern": Warning;

    /// Two methods with one route.
    ///
    /// The server takes the first, so the second can never be called over HTTP. Give one of them another verb or
    /// path.
    AMBIGUOUS_ROUTE = "ambiguous-route": Warning;

    /// A body of a request where the method has none, or a method whose body is not read everywhere.
    ///
    /// A request by GET has no body, which is an error. The hint is about methods for which Goten generates no body;
    /// Planloom's server reads it in all of them.
    BODY = "body": Error | Hint;

    /// A service, import, resource, parent, API or method that is declared twice.
    ///
    /// Names have to be unique, since requests, references and generated code use them. Rename one, or leave it out.
    DUPLICATE = "duplicate": Error | Warning;

    /// A specification that is empty.
    ///
    /// Write `name:` and `proto:`.
    EMPTY = "empty": Error;

    /// A path of an action that is not one of HTTP.
    ///
    /// Write it as `/v1/{name=projects/*/secrets/*}:rotate`: segments with a `/` before each, fields in braces, a
    /// verb after a colon at the end.
    HTTP_PATH = "http-path": Error;

    /// A pattern of ids that cannot be used, or that probably has another meaning than intended.
    ///
    /// For example `+-_` in brackets is a range with all characters between the two. Put `-` first or last if the
    /// sign itself is meant.
    ID_PATTERN = "id-pattern": Error | Hint;

    /// Services that import each other in a circle.
    ///
    /// None of them could be read first. Move what both need to a service that imports neither.
    IMPORT_CYCLE = "import-cycle": Error;

    /// An imported service whose specification was not given.
    ///
    /// What refers to it cannot be checked. Give the files of all imported services, and of those that they import.
    IMPORT_MISSING = "import-missing": Error;

    /// A service that imports itself.
    ///
    /// Leave it out: its own resources are named without service.
    IMPORT_SELF = "import-self": Error;

    /// More parents, patterns or levels of fields than are allowed.
    ///
    /// Each parent multiplies the patterns of names, so their number is limited. Leave some out.
    LIMIT = "limit": Error;

    /// A key that is required and missing.
    ///
    /// Add it, as the help says.
    MISSING_KEY = "missing-key": Error;

    /// A name that does not have the form that it needs, such as a resource that is not in UpperCamelCase.
    ///
    /// Generated code, routes and permissions are made from the name. The fix writes it in the form, where that is
    /// possible. A version in another form than `v1` or `v2alpha` is a warning.
    NAME_FORM = "name-form": Error | Warning, fix;

    /// An older version that does not name the compared one as its next.
    ///
    /// Without it, tools do not know that the one follows the other. Write `nextVersion` in the old version, under
    /// `proto.package`.
    NEXT_VERSION = "next-version": Hint;

    /// A resource of a service that is not imported.
    ///
    /// Add the service to `imports`, and give its specification.
    NOT_IMPORTED = "not-imported": Error;

    /// A setting without effect, such as an optional region of a kind without parents.
    ///
    /// Its names have no region. Require the region, or leave it out.
    NO_EFFECT = "no-effect": Hint;

    /// A resource that is its own ancestor.
    ///
    /// Its name would have no end. Leave one of the parents out.
    PARENT_CYCLE = "parent-cycle": Error;

    /// An action of a resource whose request does not name the resource.
    ///
    /// Add `resourceName: [name]`, or `skipResourceInRequest: true`.
    PATHS_NONE = "paths-none": Error;

    /// An action of a collection without the field that has the parent.
    ///
    /// Name it: `resourceParent: [parent]`.
    PATHS_NO_PARENT = "paths-no-parent": Error;

    /// A `resourceParent` of an action that is not one of a collection.
    ///
    /// Add `isCollection: true`, or name the resource with `resourceName`.
    PATHS_PARENT = "paths-parent": Error;

    /// A request that names the resource in two ways.
    ///
    /// Leave out `resourceName` or `resourceBody`.
    PATHS_TWO = "paths-two": Error;

    /// A kind whose pattern of names is not valid.
    ///
    /// Without one, it has no resources. The help says what to change in the name or plural.
    PATTERN = "pattern": Error;

    /// A `replacement` that the next version does not have.
    ///
    /// What is to be migrated would lead nowhere. Name one of the new version, or leave it out if the name is the
    /// same or nothing replaces it.
    REPLACEMENT = "replacement": Warning;

    /// A scope attribute that does not exist, or one that is overridden and not declared.
    ///
    /// The only one is `Region`. Correct it, or add `scopeAttributes: [Region]`.
    SCOPE = "scope-attribute": Error | Warning;

    /// A kind whose ids may contain `/` and are followed by another collection.
    ///
    /// A name can then be read in several ways, and the longest id that fits is taken. Leave `/` out of the pattern
    /// of its ids.
    SLASH_IN_ID = "slash-in-id": Warning;

    /// A value of another kind than its key takes.
    ///
    /// It is ignored. Write what the message names; the fix does where the meaning is clear.
    TYPE = "type": Error, fix;

    /// A key that specifications do not have in this place.
    ///
    /// It has no effect. Correct or remove it.
    UNKNOWN_KEY = "unknown-key": Error, fix;

    /// A resource that its service does not have.
    ///
    /// Correct the name; a resource of another service is written as `service/Kind`.
    UNKNOWN_KIND = "unknown-kind": Error, fix;

    /// A value that its key does not have.
    ///
    /// The help lists the values. Write one of them.
    UNKNOWN_VALUE = "unknown-value": Error, fix;

    /// An import that no parent, method or field uses.
    ///
    /// Leave it out if no `.proto` file uses it either.
    UNUSED_IMPORT = "unused-import": Hint;

    /// A verb of an action that cannot be one, or that a standard method has.
    ///
    /// A verb is the end of a path and of a permission: letters and digits, beginning with a letter. Correct it, or
    /// leave `verb` out: it is then the name in lowerCamelCase.
    VERB = "verb": Error | Warning;

    /// A specification and a `.proto` file that disagree.
    ///
    /// Methods and routes are generated from the specification, the rest from the `.proto` file, so the parts would
    /// not fit. Make them agree.
    DRIFT = "drift": Warning;
}
