//! Prints the views as TypeScript declarations, for the npm package.
#![expect(clippy::print_stdout, reason = "the declarations are what it is for")]

use planloom_view::*;
use ts_rs::{Config, TS};

fn main() {
    // What JSON holds is a number in JavaScript, however large it may become in Rust.
    let config = Config::new().with_large_int("number");
    macro_rules! declare {
        ($($view:ty),+ $(,)?) => { $(print!("{}", declaration::<$view>(&config));)+ };
    }
    declare!(
        Role,
        FileView,
        FormatView,
        NeedKind,
        NeedView,
        LocationView,
        Severity,
        DiagnosticView,
        RelatedView,
        FixView,
        EditView,
        CodeView,
        CodesView
    );
    declare!(CheckView, MergeRule, MergeView, OriginView, InferredView, ShadowedView);
    declare!(EdgeKind, GraphFormat, GraphView, NodeView, EdgeView, LayoutView);
    declare!(PlanMode, KnockOn, Action, ReasonKind, PlanView, SummaryView, ActionView, ReasonView, ViaView);
    declare!(ReportCommand, ReportFormat, CheckoutView, ReportView);
    declare!(ChangeView, ChangeOriginView, HoverView, HoverOriginView, CompletionKind, CompletionView);
    declare!(ComparisonView, ComparedView, ComparisonSummaryView, ResourceDifferenceView);
    declare!(ValueDifferenceView, EdgeDifferenceView, StateChange);
    declare!(RenameView, ReferencesView, ReferenceView, OutlineItemView, FormattedView);
    declare!(LinkProfile, LinkOutcome, LinkReason, Verdict, ProviderKind, LinkChangeKind, LinksView);
    declare!(
        LinkChangeView,
        LinkProviderView,
        ProviderView,
        DnsAliasView,
        LinkView,
        CandidateView,
        LatentView
    );
    declare!(PreviewView, LinkMapView, LinkNodeView, LinkEdgeView);
    declare!(VersionProfile, Outcome, ConstraintKind, VersionChangeKind, UpgradeKind, ResolutionView);
    declare!(RequirementView, SelectedView, ConsideredView, FactView, ConflictView, ResolutionFixView);
    declare!(VersionChangeView, CatalogView, MoveView, UpgradesView, ChannelView, UpgradeBundleView);
    declare!(
        StandardMethod,
        TransactionLevel,
        SyncType,
        RegionScope,
        SpecificationView,
        SpecificationDiagnostic
    );
    declare!(
        ServiceView,
        ImportView,
        ResourceTypeView,
        ApiView,
        MethodView,
        RouteView,
        PathsView,
        RoutingView
    );
    declare!(ServiceOverviewView, ServiceVersionView, DependenceView, StuckDependenceView);
    declare!(TriedTextView, TriedMethodView, DeletionTrialView, NamedResourceView, TriedResourceView);
    declare!(TrialProblemView, DeletionView, DeletionReferenceView, DeletionStepView, DeletionEffect);
    declare!(DeletionCauseView);
    declare!(
        ServiceOptions,
        ServiceLimit,
        ServiceRequest,
        ServiceResponse,
        ServiceChange,
        ResourceChangeKind
    );
    declare!(ServiceCommand, ClientMethod, WatchQuery, ServiceResult, ServiceError, WatcherEventView);
    declare!(ProjectUsage, TriedParameterView);
    declare!(NameAnswer, NameView, NameIdView, NameProblemView);
    declare!(
        IndicesView,
        CompositeIndexView,
        SingleIndexView,
        DatabaseAdapter,
        IndexDirection,
        CacheView,
        CacheQuestion,
        CacheAnswer
    );
    declare!(GeneratedArtifact, GeneratedView, GeneratedFile);
    declare!(ServiceDiffView, ServiceChangeView, ServiceChangeClass, ServiceChangeKind);
    declare!(
        ServiceGraphView,
        ServiceGraphFormat,
        ServiceNodeView,
        KindNodeView,
        ParentEdgeView,
        ReferenceEdgeView,
        ImportEdgeView,
        StuckDeletionView,
        StuckStepView,
        DeleteBehavior
    );
    declare!(UpgradeEdgeView, SolveEventKind, CandidateVerdict, SolveEventView);
}

/// Types whose fields depend on each other in ways that Rust does not say: the package declares them by hand, made of
/// the fields that are generated.
const REFINED: [&str; 4] = ["Diagnostic", "Action", "Reason", "SolveEvent"];

fn declaration<T: TS>(config: &Config) -> String {
    let (name, declared) = (T::ident(config), T::decl(config));
    let docs = T::docs().unwrap_or_default();
    let body = declared.strip_prefix(&format!("type {name} =")).unwrap_or(&declared);
    let name = if REFINED.contains(&name.as_str()) { name + "Fields" } else { name };
    laid_out(&format!("\n{docs}export type {name} ={body}\n"))
}

/// The same as one writes it: fields on lines of their own, short comments on one, no links of Rust's documentation.
fn laid_out(declaration: &str) -> String {
    let mut text = declaration.replace("{ \n", "{\n").replace(", };", ",\n};");
    // Alternatives of an enum with a tag.
    for (from, to) in
        [("= { \"", "= {\n\""), (", } | { \"", ",\n} | {\n\""), ("\" } | { \"", "\",\n} | {\n\"")]
    {
        text = text.replace(from, to);
    }
    text = text.replace("\" };", "\",\n};");
    let links = [("[`", "`"), ("`]", "`"), ("View::", "."), ("View`", "`")];
    for (from, to) in
        [("/**\n * ", "/** "), ("\n */\n", " */\n"), ("\n * ", "\n *  ")].into_iter().chain(links)
    {
        text = text.replace(from, to);
    }
    let mut inside = false;
    let line = |line: &str| {
        let indent = if inside && !line.starts_with('}') { "  " } else { "" };
        inside = if line.ends_with('{') { true } else { inside && !line.starts_with('}') };
        match line.strip_suffix(", ").or_else(|| line.strip_suffix(',')) {
            Some(field) => format!("{indent}{field};\n"),
            None => format!("{indent}{line}\n"),
        }
    };
    text.lines().map(line).collect()
}
