//! The codes of problems of serving the app and services.

diag::codes! {
    /// The codes of problems of serving the app and services.
    pub const SERVING in "host";

    /// A folder that does not contain the app.
    ///
    /// Build it first.
    NO_APP = "no-app": Error;

    /// A port that cannot be opened.
    ///
    /// Another program has it, or the address is not of this machine. Name another one with `--port` or `--host`, or
    /// none for a free one.
    PORT = "port": Error;

    /// An `--allow-origin` that is not an origin.
    ///
    /// Write it as `https://docs.example`, without a path.
    BAD_ORIGIN = "bad-origin": Error;

    /// A variable that does not hold a token.
    ///
    /// Use at least 16 letters, digits or `-._~`.
    BAD_TOKEN = "bad-token": Error;

    /// A file that cannot be served to the app.
    ///
    /// Name YAML files that you may read, a folder with some, or a zip package.
    UNSERVABLE = "unservable": Error;

    /// A resource that cannot be converted to another version of its service.
    ///
    /// Each resource has its name, and is of a type that both versions have.
    CONVERTED = "converted": Error;

    /// Versions of a service that cannot be served together.
    ///
    /// Name what converts the resources of one to those of the other with `--conversion`, or serve each version with a server of its
    /// own.
    SERVICE = "service": Error;

    /// A place in which resources cannot be kept.
    ///
    /// Check the place that `--store` names, or leave it out to keep resources in memory only.
    STORE = "store": Error | Warning;

    /// A store whose file was cut short, removed or replaced by an older one.
    ///
    /// Writes that were acknowledged are missing. The file is left as it is. Restore it from a copy, or go on without
    /// them with `--accept-lost-writes`.
    LOST_WRITES = "lost-writes": Error | Warning;

    /// A store whose last write is incomplete.
    ///
    /// It is left out. If it was acknowledged, that is not known where the file has no seal; otherwise the client got
    /// no answer and may send it again.
    INCOMPLETE_WRITE = "incomplete-write": Warning;

    /// A store whose seal cannot be read.
    ///
    /// It is not known whether acknowledged writes are missing. Compare the file with a copy.
    UNREADABLE_SEAL = "unreadable-seal": Error | Warning;

    /// Stored resources that no served specification has.
    ///
    /// Nothing is removed. Serve the specification that has their kind or names, or the former version of it, to read
    /// or delete them.
    UNREACHABLE = "unreachable": Warning;

    /// Stored resources that the specification refuses.
    ///
    /// They can be read, and not updated without a correction. Set the values that it refuses to others, or serve the
    /// former version of the specification.
    NOT_VALID = "not-valid": Warning;

    /// A server that stops because another one has opened its store.
    ///
    /// Only one server may write a store. Use the other one, or stop it and start this one again.
    SUPERSEDED = "superseded": Warning;

    /// Fixtures without the address of their service.
    ///
    /// Name it with `--adapter https://…`, or `--adapter SERVICE=https://…` for each service.
    NO_ADDRESS = "no-address": Error;

    /// A `--hook` that is not a method with an address.
    ///
    /// Write it as `BookService/LendBook=http://127.0.0.1:9000/lend`.
    HOOK = "hook": Error;

    /// Another server, a region or a registry that cannot be used.
    ///
    /// Write a `--peer` as `library.example.com=https://library.example.com`. A registry is a server that was started with
    /// `--serve-registry`; all servers that register there have the same `PLANLOOM_TOKEN`.
    PEER = "peer": Error;

    /// A `--resource-limit` that is not a kind with a number.
    ///
    /// Write it as `Book=1000`.
    LIMIT = "limit": Error;

    /// A reference to a kind that this server does not serve.
    ///
    /// Nothing checks it. Serve the specification that has the kind with another `--service`.
    UNSERVED_REFERENCE = "unserved-reference": Warning;

    /// A changed access policy that cannot be used.
    ///
    /// The former one stays in force. Correct it; it is read again when it changes.
    POLICY_KEPT = "policy-kept": Warning;

    /// A token in the environment that two users share.
    ///
    /// Give each user a token of its own.
    DUPLICATE = "duplicate": Error;

    /// A token that is so short that it can be guessed.
    ///
    /// Use random characters, such as the output of `openssl rand -hex 32`.
    SHORT_TOKEN = "short-token": Error;

    /// A user whose token is in a variable that is not set.
    ///
    /// Set the environment variable to the token.
    NO_TOKEN = "no-token": Error;
}
