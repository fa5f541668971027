//! Products of a warpgroup, compared with their definition.

use super::bench::Bench;
use super::matrices::{Dice, Matrix, Type, product, size};
use crate::{Checks, Fault, Trouble};

/// Bytes of shared memory in which matrices lie.
const ROOM: usize = 120 << 10;
/// Where the second matrix begins.
const SECOND: usize = 50 << 10;

/// An instruction and how its operands lie.
#[derive(Clone, Copy)]
pub(super) struct Case {
    a: Type,
    b: Type,
    d: Type,
    columns: usize,
    /// Bytes of the swizzle of both operands; 16 for none.
    spans: [usize; 2],
    transposes: [bool; 2],
    signs: [i32; 2],
    in_registers: bool,
    adds: bool,
    saturates: bool,
    /// How far in its rows each matrix begins.
    inside: usize,
}

pub(super) const PLAIN: Case = Case {
    a: "bf16",
    b: "bf16",
    d: "f32",
    columns: 64,
    spans: [128, 128],
    transposes: [false, false],
    signs: [1, 1],
    in_registers: false,
    adds: true,
    saturates: false,
    inside: 0,
};

/// The offsets by which a matrix is described, in bytes.
#[derive(Clone, Copy)]
struct Layout {
    start: usize,
    leading: usize,
    stride: usize,
    span: usize,
    is_transposed: bool,
    size: usize,
}

impl Layout {
    /// One whose offsets leave gaps that differ.
    fn new(start: usize, rows: usize, span: usize, is_transposed: bool, size: usize) -> Self {
        let (leading, stride) = match (span, is_transposed) {
            (16, false) => ((rows / 8 + 1) * 384, 384),
            (_, false) => (16, 8 * span + 256),
            (16, true) => (256, 640),
            (_, true) => (2 * (8 * span + 256) + 512, 8 * span + 256),
        };
        Self {
            start,
            leading,
            stride,
            span,
            is_transposed,
            size,
        }
    }

    fn bits(self) -> u64 {
        let field = |value: usize| (value / 16) as u64;
        let mode = [(16, 0), (128, 1), (64, 2), (32, 3)]
            .iter()
            .find(|(span, _)| *span == self.span)
            .unwrap()
            .1;
        field(self.start) | field(self.leading) << 16 | field(self.stride) << 32 | mode << 62
    }

    /// Where the element of this row and step lies. These are the shapes and strides of CUTLASS's canonical layouts, mode by
    /// mode, with T elements in 16 bytes; then bits of the address flip others.
    fn place(self, row: usize, k: usize) -> usize {
        let t = 16 / self.size;
        let linear = match (self.span, self.is_transposed) {
            (16, false) => {
                row % 8 * 16 + row / 8 * self.stride + k % t * self.size + k / t * self.leading
            }
            (span, false) => {
                row % 8 * span + row / 8 * self.stride + k % t * self.size + k / t * 16
            }
            (16, true) => {
                row % t * self.size + row / t * self.stride + k % 8 * 16 + k / 8 * self.leading
            }
            (span, true) => {
                let wide = span / 16;
                row % t * self.size
                    + row / t % wide * 16
                    + row / t / wide * self.leading
                    + k % 8 * span
                    + k / 8 * self.stride
            }
        };
        let at = self.start + linear;
        let bit = |of: usize| at >> of & 1;
        at ^ match self.span {
            16 => 0,
            32 => bit(7) << 4,
            64 => bit(7) << 4 | bit(8) << 5,
            _ => bit(7) << 4 | bit(8) << 5 | bit(9) << 6,
        }
    }
}

impl Case {
    fn steps(&self) -> usize {
        32 / size(self.a)
    }

    /// Accumulator registers of a thread.
    fn registers(&self) -> usize {
        self.columns * size(self.d) / 8
    }

    fn opcode(&self) -> String {
        let (n, k) = (self.columns, self.steps());
        let saturates = if self.saturates { ".satfinite" } else { "" };
        format!(
            "wgmma.mma_async.sync.aligned.m64n{n}k{k}.{}.{}.{}{saturates}",
            self.d, self.a, self.b
        )
    }

    fn options(&self) -> String {
        let [a, b] = self.signs;
        let [ta, tb] = self.transposes.map(u32::from);
        match (size(self.a), self.in_registers) {
            (1, _) if self.d == "s32" => String::new(),
            (2, false) => format!(", {a}, {b}, {ta}, {tb}"),
            (2, true) => format!(", {a}, {b}, {tb}"),
            _ => format!(", {a}, {b}"),
        }
    }

    /// A kernel of four warps that brings matrices to shared memory and accumulators to registers, and back.
    pub(super) fn text(&self) -> String {
        let count = self.registers();
        let list = |prefix: &str, count: usize| {
            (0..count)
                .map(|k| format!("%{prefix}{k}"))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let each = |verb: &dyn Fn(usize) -> String| (0..count).map(verb).collect::<String>();
        let first = if self.in_registers {
            format!("{{{}}}", list("x", 4))
        } else {
            "%d3".to_owned()
        };
        let kind = if self.d == "f32" { "f32" } else { "b32" };
        format!(
            ".version 8.3\n.target sm_90a\n.address_size 64\n.shared .align 1024 .b8 room[{ROOM}];\n\
             .visible .entry k(.param .u64 out, .param .u64 from, .param .u64 parts, .param .u64 first, .param .u64 second,\n\
             .param .u32 adds)\n{{\n.reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .b32 %x<4>;\n.reg .b64 %d<20>;\n\
             .reg .{kind} %a<{count}>;\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, room;\nshl.b32 %r3, %r1, 2;\nld.param.u64 %d1, [from];\n\
             FILL:\ncvt.u64.u32 %d2, %r3;\nadd.s64 %d2, %d1, %d2;\nld.global.u32 %r4, [%d2];\nadd.u32 %r5, %r2, %r3;\n\
             st.shared.u32 [%r5], %r4;\nadd.u32 %r3, %r3, 512;\nsetp.lt.u32 %p1, %r3, {ROOM};\n@%p1 bra FILL;\n\
             fence.proxy.async;\nbar.sync 0;\nshr.u32 %r6, %r2, 4;\ncvt.u64.u32 %d9, %r6;\nld.param.u64 %d3, [first];\n\
             add.s64 %d3, %d3, %d9;\nld.param.u64 %d4, [second];\nadd.s64 %d4, %d4, %d9;\nld.param.u64 %d5, [parts];\n\
             mul.wide.u32 %d6, %r1, 16;\nadd.s64 %d5, %d5, %d6;\nld.global.v4.b32 {{{}}}, [%d5];\nld.param.u64 %d7, [out];\n\
             mul.wide.u32 %d8, %r1, {};\nadd.s64 %d7, %d7, %d8;\nld.param.u32 %r7, [adds];\nsetp.ne.u32 %p2, %r7, 0;\n{}\
             wgmma.fence.sync.aligned;\n{} {{{}}}, {first}, %d4, %p2{};\nwgmma.commit_group.sync.aligned;\n\
             wgmma.wait_group.sync.aligned 0;\n{}ret;\n}}\n",
            list("x", 4),
            4 * count,
            each(&|k| format!("ld.global.{kind} %a{k}, [%d7+{}];\n", 4 * k)),
            self.opcode(),
            list("a", count),
            self.options(),
            each(&|k| format!("st.global.{kind} [%d7+{}], %a{k};\n", 4 * k)),
        )
    }

    fn layouts(&self) -> [Layout; 2] {
        let [first, second] = self.spans;
        let [ta, tb] = self.transposes;
        let size = size(self.a);
        [
            Layout::new(self.inside, 64, first, ta, size),
            Layout::new(SECOND + self.inside, self.columns, second, tb, size),
        ]
    }

    /// Where a thread has an accumulator's element, and in which part of a register.
    fn fragment(&self, row: usize, column: usize) -> usize {
        let thread = row / 16 * 32 + row % 8 * 4 + column / 2 % 4;
        let element = column / 8 * 4 + row % 16 / 8 * 2 + column % 2;
        (thread * self.columns / 2 + element) * size(self.d)
    }

    /// Where threads have an element of the first matrix, in registers: the manual's formulas.
    fn part(&self, row: usize, k: usize) -> usize {
        let (group, in_group) = (row % 8, k * size(self.a) % 16 / 4);
        let thread = row / 16 * 32 + group * 4 + in_group;
        let register = usize::from(row % 16 >= 8) + 2 * usize::from(k >= self.steps() / 2);
        thread * 16 + register * 4 + k * size(self.a) % 4
    }

    pub(super) fn run(&self, text: &str, checks: Checks) -> Result<(), Fault> {
        let mut dice = Dice(self.columns as u64 * 77 + self.spans[0] as u64);
        let a = Matrix::new(self.a, 64, self.steps(), &mut dice);
        let b = Matrix::new(self.b, self.columns, self.steps(), &mut dice);
        let old = Matrix::new(self.d, 64, self.columns, &mut dice);
        let (mut room, mut parts) = (vec![0xA5; ROOM], vec![0; 2048]);
        let layouts = self.layouts();
        let skipped = usize::from(self.in_registers);
        let both = [(layouts[0], &a, 64), (layouts[1], &b, self.columns)];
        for (layout, matrix, rows) in both.into_iter().skip(skipped) {
            for row in 0..rows {
                for k in 0..self.steps() {
                    let (at, bytes) = (layout.place(row, k), matrix.bytes(row, k));
                    room[at..at + bytes.len()].copy_from_slice(&bytes);
                }
            }
        }
        let mut accumulators = vec![0; 64 * self.columns * size(self.d)];
        let write = |to: &mut Vec<u8>, from: &Matrix| {
            for row in 0..64 {
                for column in 0..self.columns {
                    let (at, bytes) = (self.fragment(row, column), from.bytes(row, column));
                    to[at..at + bytes.len()].copy_from_slice(&bytes);
                }
            }
        };
        for row in 0..64 {
            for k in 0..self.steps() {
                let (at, bytes) = (self.part(row, k), a.bytes(row, k));
                parts[at..at + bytes.len()].copy_from_slice(&bytes);
            }
        }
        write(&mut accumulators, &old);
        let mut bench = Bench::new();
        bench.card.checks = checks;
        let out = bench.upload_bytes(&accumulators);
        let mut params = Vec::new();
        for word in [
            out,
            bench.upload_bytes(&room),
            bench.upload_bytes(&parts),
            layouts[0].bits(),
            layouts[1].bits(),
        ] {
            params.extend_from_slice(&word.to_le_bytes());
        }
        params.extend_from_slice(&u32::from(self.adds).to_le_bytes());
        bench.start(text, 1, 128, 1, 0, &params)?;
        let sign = f64::from(self.signs[0] * self.signs[1]);
        let expected = product(&a, &b, &old, self.adds, sign, self.saturates);
        write(&mut accumulators, &expected);
        let found = bench.download_bytes(out);
        let wrong = (0..found.len()).find(|&at| found[at] != accumulators[at]);
        assert_eq!(
            wrong,
            None,
            "{}{} {:?}",
            self.opcode(),
            self.options(),
            self.spans
        );
        Ok(())
    }

    fn check(&self) {
        self.run(&self.text(), Checks::default()).unwrap();
    }
}

#[test]
fn every_width_has_its_product() {
    for columns in (8..=256).step_by(8) {
        Case { columns, ..PLAIN }.check();
    }
}

#[test]
fn matrices_lie_in_every_swizzle_and_both_ways() {
    for of in ["bf16", "f16"] {
        for first in [16, 32, 64, 128] {
            for second in [16, 32, 64, 128] {
                for ways in 0..4 {
                    for columns in [8, 136, 256] {
                        Case {
                            a: of,
                            b: of,
                            columns,
                            spans: [first, second],
                            transposes: [ways & 1 != 0, ways & 2 != 0],
                            ..PLAIN
                        }
                        .check();
                    }
                }
            }
        }
    }
}

#[test]
fn a_matrix_may_begin_inside_of_its_rows() {
    for inside in [32, 64, 96] {
        Case { inside, ..PLAIN }.check();
    }
    Case {
        inside: 32,
        spans: [64, 64],
        columns: 200,
        ..PLAIN
    }
    .check();
}

/// Types of the result and of both operands.
const TYPES: [(Type, Type, Type); 13] = [
    ("f32", "bf16", "bf16"),
    ("f32", "f16", "f16"),
    ("f16", "f16", "f16"),
    ("f32", "tf32", "tf32"),
    ("f32", "e4m3", "e4m3"),
    ("f32", "e4m3", "e5m2"),
    ("f32", "e5m2", "e4m3"),
    ("f16", "e5m2", "e5m2"),
    ("f16", "e4m3", "e5m2"),
    ("s32", "s8", "s8"),
    ("s32", "s8", "u8"),
    ("s32", "u8", "s8"),
    ("s32", "u8", "u8"),
];

#[test]
fn every_type_has_its_product() {
    for (d, a, b) in TYPES {
        for columns in [16, 96, 256] {
            for (span, in_registers) in [(128, false), (16, false), (32, false), (64, true)] {
                let case = Case {
                    a,
                    b,
                    d,
                    columns,
                    spans: [span; 2],
                    in_registers,
                    ..PLAIN
                };
                case.check();
                Case {
                    adds: false,
                    ..case
                }
                .check();
                match d {
                    "s32" => Case {
                        saturates: true,
                        ..case
                    }
                    .check(),
                    _ => {
                        Case {
                            signs: [-1, 1],
                            ..case
                        }
                        .check();
                        Case {
                            signs: [1, -1],
                            ..case
                        }
                        .check();
                        Case {
                            signs: [-1, -1],
                            ..case
                        }
                        .check();
                    }
                }
            }
        }
    }
}

#[test]
fn the_second_matrix_may_be_transposed_where_the_first_is_in_registers() {
    let case = Case {
        in_registers: true,
        transposes: [false, true],
        ..PLAIN
    };
    case.check();
    Case {
        a: "f16",
        b: "f16",
        d: "f16",
        columns: 24,
        ..case
    }
    .check();
}

#[test]
fn matrices_are_checked_for_what_nothing_wrote_and_for_races() {
    let case = Case {
        columns: 8,
        ..PLAIN
    };
    let text = case.text();
    let checks = |init: bool, race: bool| Checks {
        init,
        race,
        ..Checks::default()
    };
    case.run(&text, checks(true, true)).unwrap();
    let found = case
        .run(&text.replace("bar.sync 0;", ""), checks(false, true))
        .unwrap_err();
    assert!(matches!(found.trouble, Trouble::Race { .. }), "{found}");
    let less = format!("setp.lt.u32 %p1, %r3, {SECOND};");
    let all = format!("setp.lt.u32 %p1, %r3, {ROOM};");
    let found = case
        .run(&text.replace(&all, &less), checks(true, false))
        .unwrap_err();
    assert!(
        matches!(
            found.trouble,
            Trouble::Uninitialised {
                space: "shared",
                bytes: 16,
                ..
            }
        ),
        "{found}"
    );
}

#[test]
fn what_no_card_would_multiply_is_found() {
    let unsupported = |text: String, part: &str| {
        let found = PLAIN.run(&text, Checks::default()).unwrap_err();
        assert!(
            matches!(&found.trouble, Trouble::Unsupported(what) if what.contains(part)),
            "{found}"
        );
    };
    let text = PLAIN.text();
    let before = "wgmma.fence.sync.aligned;";
    let with = |more: &str| text.replace(before, &format!("{more}\n{before}"));
    unsupported(with("or.b64 %d4, %d4, 0x2000000000000;"), "base offset");
    unsupported(with("or.b64 %d4, %d4, 0x8000;"), "mean nothing");
    unsupported(
        with("cvt.u64.u32 %d10, %r1;\nadd.s64 %d3, %d3, %d10;"),
        "different descriptors",
    );
    unsupported(with("setp.gt.u32 %p2, %r1, 5;"), "some add");
    unsupported(
        with("setp.gt.u32 %p3, %r1, 5;\n@%p3 bra ON;\nret;\nON:"),
        "whole warps",
    );
    unsupported(
        text.replace("m64n64k16", "m64n60k16"),
        "unknown instruction",
    );
    unsupported(text.replace("1, 1, 0, 0", "1, 2, 0, 0"), "options");
    let far = with("add.s64 %d4, %d4, 0x1000;\nadd.s64 %d4, %d4, 0x1C00;");
    let found = PLAIN.run(&far, Checks::default()).unwrap_err();
    assert!(
        matches!(
            found.trouble,
            Trouble::OutOfBounds {
                space: "shared",
                ..
            }
        ),
        "{found}"
    );
}
