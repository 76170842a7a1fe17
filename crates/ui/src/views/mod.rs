//! The panes: graph, merged document, plan, problems.
