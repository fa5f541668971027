//! What a kernel takes, as its text says.

/// Bytes of the one struct that the kernel `entry` takes; none where the text does not declare one.
pub(crate) fn bytes(text: &str, entry: &str) -> Option<u32> {
    let (_, declared) = text.split_once(&format!(".entry {entry}("))?;
    let (list, _) = declared.split_once(')')?;
    let (_, length) = list.trim_end().strip_suffix(']')?.split_once('[')?;
    length.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_struct_has_its_bytes() {
        let text = ".visible .entry a(\n\t.param .align 8 .b8 a_param_0[168]\n)\n{\n}\n\
            .visible .entry ab(\n\t.param .align 4 .b8 ab_param_0[12]\n)\n.maxntid 256\n{\n}\n\
            .visible .entry two(\n\t.param .u64 p,\n\t.param .b8 q[8],\n\t.param .b8 r[4]\n)\n{\n}\n\
            .visible .entry none()\n{\n}\n";
        let known = ["a", "ab", "two", "none", "b"].map(|entry| bytes(text, entry));
        assert_eq!(known, [Some(168), Some(12), None, None, None]);
    }
}
