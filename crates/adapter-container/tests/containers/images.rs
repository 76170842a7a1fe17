//! The images that `tests/containers/podman.sh` creates.

/// The image of the tests: busybox, and nothing else.
pub(crate) const IMAGE: &str = "localhost/planloom-test:1";

/// The same, with a health check.
pub(crate) const HEALTHY: &str = "localhost/planloom-test-health:1";
