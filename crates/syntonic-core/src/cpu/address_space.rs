//! How many helpers a process has room for, where its address space is limited (`ulimit -v`, `RLIMIT_AS`).
//!
//! A thread that begins where no memory is left ends the whole process, and so does work for which threads left none.

/// The most helpers that the process's address space has room for.
#[cfg(target_os = "linux")]
pub(crate) fn helpers() -> usize {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    match proc::limit(&read("/proc/self/limits")) {
        Some(limit) => proc::within(limit, proc::used(&read("/proc/self/status"))),
        None => usize::MAX,
    }
}

/// As many as wanted: other systems do not say in a file what they limit.
#[cfg(not(target_os = "linux"))]
pub(crate) fn helpers() -> usize {
    usize::MAX
}

/// What the files of Linux's `/proc` come to.
#[cfg(any(target_os = "linux", test))]
mod proc {
    /// Address space of a helper: its stack, and what the allocator sets aside for a thread.
    pub(super) const HELPER: usize = 72 << 20;
    /// Address space that helpers leave to work.
    pub(super) const WORK: usize = 128 << 20;

    pub(super) fn within(limit: usize, used: usize) -> usize {
        limit.saturating_sub(used).saturating_sub(WORK) / HELPER
    }

    /// The limit in bytes, if there is one: `Max address space  <soft>  <hard>  bytes`.
    pub(super) fn limit(limits: &str) -> Option<usize> {
        let mut lines = limits.lines();
        let values = lines.find_map(|line| line.strip_prefix("Max address space"))?;
        values.split_whitespace().next()?.parse().ok()
    }

    /// Bytes of address space in use: `VmSize:  <kibibytes> kB`.
    pub(super) fn used(status: &str) -> usize {
        let mut lines = status.lines();
        let size = lines.find_map(|line| line.strip_prefix("VmSize:"));
        let kibibytes = size.and_then(|text| text.split_whitespace().next()?.parse::<usize>().ok());
        kibibytes.unwrap_or(0).saturating_mul(1 << 10)
    }
}

#[cfg(test)]
mod tests {
    use super::proc::*;

    #[test]
    fn limits_as_linux_writes_them() {
        let text = "Limit                     Soft Limit           Hard Limit           Units\n\
                    Max cpu time              unlimited            unlimited            seconds\n\
                    Max address space         4294967296           unlimited            bytes\n";
        assert_eq!(limit(text), Some(4 << 30));
        assert_eq!(limit(&text.replace("4294967296", "unlimited")), None);
        assert_eq!(limit(""), None);
        assert_eq!(
            used("Name:\tx\nVmPeak:\t  9 kB\nVmSize:\t  2048 kB\n"),
            2 << 20
        );
        assert_eq!(used(""), 0);
    }

    #[test]
    fn what_is_left_is_for_work_first() {
        assert_eq!(within(WORK, 0), 0);
        assert_eq!(within(WORK + 3 * HELPER + 1, 0), 3);
        assert_eq!(within(WORK + 3 * HELPER, 1), 2);
        assert_eq!(within(1, usize::MAX), 0);
    }
}
