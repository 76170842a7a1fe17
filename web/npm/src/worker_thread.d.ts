/**
 * What runs in the worker of `planloom/worker`; it has no exports. Import it in a worker file of your own, if a bundler does not find
 * the file of the worker by itself.
 *
 * @packageDocumentation
 */
export {};
