//! The page's side of the worker: loads it when it is first needed, keeps it for as long as the page lives.
