//! Texts as they are stored: `syntonic_cuda::images::numbers` reads what is written here, and has the form.

use std::collections::HashMap;

use anyhow::{Result, ensure};

use super::numbers::{LABEL, absolute, kind_length};

/// The names of one kind.
#[derive(Default)]
struct Names {
    newest: i64,
    used: Vec<i64>,
}

impl Names {
    fn code(&mut self, number: i64) -> String {
        if let Some(distance) = self.used.iter().rev().position(|used| *used == number) {
            let place = self.used.len() - 1 - distance;
            self.used.remove(place);
            self.used.push(number);
            return distance.to_string();
        }
        let step = number - self.newest;
        self.newest = number;
        self.used.push(number);
        match step {
            1 => "!".to_owned(),
            step => format!("{step:+}"),
        }
    }
}

/// What `absolute` makes `text` of.
pub(super) fn relative(text: &str) -> Result<String> {
    let mut stored = String::new();
    let mut kinds: HashMap<&str, Names> = HashMap::new();
    for line in text.split_inclusive('\n') {
        if line.starts_with('.') {
            kinds.clear();
        }
        let mut rest = line;
        while let Some(at) = rest.find(['%', '$']) {
            let (before, from) = rest.split_at(at);
            let is_label = from.starts_with(LABEL);
            let length = if is_label {
                LABEL.len()
            } else {
                kind_length(from)
            };
            let (kind, after) = from.split_at(length);
            let digits = after.bytes().take_while(u8::is_ascii_digit).count();
            let (number, after) = after.split_at(digits);
            stored.push_str(before);
            stored.push_str(if is_label { "$" } else { kind });
            if let Ok(number) = number.parse::<u32>() {
                stored.push_str(&kinds.entry(kind).or_default().code(number.into()));
            }
            rest = after;
        }
        stored.push_str(rest);
    }
    ensure!(
        absolute(&stored).as_deref() == Some(text),
        "has a name that cannot be stored, such as `$` before a digit or `%a+1`"
    );
    Ok(stored)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_that_is_repeated_is_stored_alike() {
        let lines = |from: u32| {
            let [a, b, c] = [from, from + 1, from + 2];
            format!("\tadd %r{b}, %r{a}, 1;\n\tmul %r{c}, %r{b}, %r{b};\n")
        };
        let all = [lines(1), lines(3), "$L__BB0_2:\n".to_owned(), lines(5)].concat();
        let text = format!(".entry a()\n{{\n\tmov %r1, 0;\n{all}}}\n");
        let stored = relative(&text).unwrap();
        let alike = "\tadd %r!, %r2, 1;\n\tmul %r!, %r2, %r0;\n";
        assert_eq!(stored.matches(alike).count(), 2, "{stored}");
        assert!(stored.contains("$+2:"), "{stored}");
        assert_eq!(absolute(&stored), Some(text));
    }

    #[test]
    fn a_text_that_would_not_come_back_is_refused() {
        for wrong in ["call $1;", "ld [%a+4];", "mov %r01;"] {
            assert!(relative(wrong).is_err(), "{wrong}");
        }
        let kept = "mov %tid.x, $a, %r<5>, [%rd7+-16], %envreg3;";
        assert!(relative(kept).is_ok());
    }
}
