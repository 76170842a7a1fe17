// The entry of `planloom/element` for Node: there are no elements on a server, so nothing is registered.
export {};
