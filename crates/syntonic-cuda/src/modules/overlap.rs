//! Programmatic dependent launch (PDL): on cards of 9.0 and newer the next kernel of a stream may start as soon as the last
//! block of the one before it has exited, while its writes are still being flushed (CUDA C++ Programming Guide). Without PDL
//! a GPU idles for one to two microseconds between kernels.
//!
//! Such a kernel must wait until all earlier work is complete and visible. Every kernel here starts with
//! `griddepcontrol.wait`, so none of its reads, writes or counters can be early. Each waits for the one before it, so all
//! earlier kernels are complete too. Vectorised transposes wait where their source says: before that they only prefetch into
//! L2.
//!
//! Apart from these, no kernel triggers the next one early by `griddepcontrol.launch_dependents`. Blocks that start beside
//! those of another kernel are spread unevenly, which costs single-wave kernels up to a quarter, and each block pays for the
//! instruction (kernels/notes/launches.md).

/// The first compute capability with PDL, as PTX targets name it.
const FIRST: u32 = 90;
const TARGET: &str = "\n.target sm_";
/// The first instruction of a kernel that does not wait itself.
const WAITS: &str = "griddepcontrol.wait;";

/// True for cards with PDL.
pub(crate) fn overlaps(capability: (u32, u32)) -> bool {
    10 * capability.0 + capability.1 >= FIRST
}

/// The text of the kernel `entry` with its wait inserted, unless it has one; nothing where the text does not look like a
/// compiler's. A text compiled for an older target is raised to the first that has the instruction.
pub(crate) fn overlapping(text: &str, entry: &str) -> Option<String> {
    let declared = text.find(&format!(".entry {entry}("))?;
    let body = declared + text[declared..].find("\n{")? + 2;
    let (head, statements) = text.split_at(body);
    if statements.split("\n}").next()?.contains(WAITS) {
        return Some(text.to_owned());
    }
    let (before, rest) = head.split_once(TARGET)?;
    let digits = rest.find(|c: char| !c.is_ascii_digit())?;
    let target = rest[..digits].parse::<u32>().ok()?.max(FIRST);
    let rest = &rest[digits..];
    Some(format!(
        "{before}{TARGET}{target}{rest}\n\t{WAITS}{statements}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = ".version 8.3\n.target sm_80\n.address_size 64\n\n.visible .entry a(\n\t.param .u64 p\n)\n\
        .maxntid 256, 1, 1\n{\n\tret;\n}\n.visible .entry ab(\n\t.param .u64 p\n)\n{\n\tret;\n}\n";

    #[test]
    fn a_kernel_waits_before_all_else() {
        let text = overlapping(TEXT, "ab").unwrap();
        let begun = format!("{{\n\t{WAITS}\n\tret;\n}}\n");
        assert!(text.ends_with(&begun), "{text}");
        assert_eq!(text.matches("griddepcontrol.wait").count(), 1);
        assert!(overlapping(TEXT, "b").is_none());
        assert!(overlapping("no PTX", "a").is_none());
    }

    #[test]
    fn a_kernel_that_waits_by_itself_stays_as_it_is() {
        let own = TEXT.replacen("\tret;", "\tgriddepcontrol.wait;\n\tret;", 1);
        assert_eq!(overlapping(&own, "a"), Some(own.clone()));
        let other = overlapping(&own, "ab").unwrap();
        assert_eq!(other.matches(WAITS).count(), 2);
    }

    #[test]
    fn older_targets_are_raised_and_newer_ones_stay() {
        let target = |name: &str| {
            let text = TEXT.replace("sm_80", name);
            overlapping(&text, "a").unwrap()
        };
        assert!(target("sm_75").contains("\n.target sm_90\n"));
        assert!(target("sm_90a, debug").contains("\n.target sm_90a, debug\n"));
        assert!(target("sm_120").contains("\n.target sm_120\n"));
    }

    #[test]
    fn only_cards_that_have_it_overlap_kernels() {
        assert!(!overlaps((8, 9)));
        assert!(overlaps((9, 0)));
        assert!(overlaps((12, 0)));
    }
}
