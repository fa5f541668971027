//! What may deviate from a rule, and why. One row a file.

/// A file and the reason why a rule does not bind it.
pub(super) struct Exception {
    pub(super) path: &'static str,
    pub(super) reason: &'static str,
}

/// Files with more lines than the ceiling.
pub(super) const LONG: &[Exception] = &[];

/// Files with unsafe code. Every block in them says beside it why it is sound.
pub(super) const UNSAFE: &[Exception] = &[
    Exception {
        path: "crates/syntonic-core/src/cpu/lanes/mod.rs",
        reason: "loops over raw pointers, compiled for instructions that the running processor was asked about",
    },
    Exception {
        path: "crates/syntonic-core/src/random/level.rs",
        reason: "calls functions compiled for instructions that the running processor was asked about",
    },
    Exception {
        path: "crates/syntonic-core/src/scalar.rs",
        reason: "bytes and elements are the same memory, seen twice",
    },
    Exception {
        path: "crates/syntonic-cuda/src/entry.rs",
        reason: "types of the driver's C functions",
    },
    Exception {
        path: "crates/syntonic-cuda/src/library.rs",
        reason: "opens the driver's library",
    },
    Exception {
        path: "crates/syntonic-cuda/src/probe.rs",
        reason: "calls the driver's C functions",
    },
];

/// Complaints about rows that name no file of `needed`, or give no reason.
pub(super) fn stale(table: &[Exception], needed: &[&str], rule: &str) -> Vec<String> {
    let idle = table
        .iter()
        .filter(|row| !needed.contains(&row.path) || row.reason.is_empty());
    idle.map(|row| {
        format!(
            "xtask/src/tidy/exceptions.rs: {} needs no exception for {rule}",
            row.path
        )
    })
    .collect()
}

/// Whether `table` has a row for `path`.
pub(super) fn allows(table: &[Exception], path: &str) -> bool {
    table.iter().any(|row| row.path == path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_without_need_is_reported() {
        let table = [
            Exception {
                path: "a.rs",
                reason: "a table",
            },
            Exception {
                path: "b.rs",
                reason: "a table",
            },
        ];
        assert!(allows(&table, "b.rs") && !allows(&table, "c.rs"));
        let complaints = stale(&table, &["a.rs"], "length");
        assert_eq!(complaints.len(), 1);
        assert!(complaints[0].contains("b.rs"));
    }
}
