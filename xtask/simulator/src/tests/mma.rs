//! Products of one warp, and matrices between shared memory and registers.

use super::bench::{Bench, text, threads};
use super::matrices::{Dice, Matrix, Type, product, size};
use crate::Trouble;

/// A product of one warp: its name's parts and its extents.
#[derive(Clone, Copy)]
struct Case {
    d: Type,
    a: Type,
    b: Type,
    rows: usize,
    steps: usize,
    saturates: bool,
}

/// The values of a thread's registers, as bytes, one register after the other.
type Registers = Vec<Vec<u8>>;

impl Case {
    /// Where a thread has an element of an operand with rows along K: thread and byte. The manual's figures, byte by byte: four
    /// bytes of a row are one thread's, rows eight apart follow each other, then come the next 16 bytes.
    fn operand(&self, row: usize, k: usize, of: Type) -> (usize, usize) {
        let byte = k * size(of);
        let (half, byte) = (byte / 16, byte % 16);
        let downs = if self.rows == 16 { 2 } else { 1 };
        let register = half * downs + row / 8;
        (row % 8 * 4 + byte / 4, register * 4 + byte % 4)
    }

    fn second(&self, column: usize, k: usize) -> (usize, usize) {
        let byte = k * size(self.b);
        (column * 4 + byte % 16 / 4, byte / 16 * 4 + byte % 4)
    }

    fn result(&self, row: usize, column: usize) -> (usize, usize) {
        let place = row / 8 * 2 + column % 2;
        (row % 8 * 4 + column / 2, place * size(self.d))
    }

    fn fill(
        registers: usize,
        put: impl IntoIterator<Item = ((usize, usize), Vec<u8>)>,
    ) -> Registers {
        let mut all = vec![vec![0; registers * 4]; 32];
        for ((thread, at), bytes) in put {
            all[thread][at..at + bytes.len()].copy_from_slice(&bytes);
        }
        all
    }

    fn opcode(&self) -> String {
        let Self {
            d,
            a,
            b,
            rows,
            steps,
            saturates,
        } = *self;
        let saturates = if saturates { ".satfinite" } else { "" };
        format!("mma.sync.aligned.m{rows}n8k{steps}.row.col{saturates}.{d}.{a}.{b}.{d}")
    }

    fn check(&self) {
        let mut dice = Dice(self.steps as u64 * 3 + self.rows as u64);
        let a = Matrix::new(self.a, self.rows, self.steps, &mut dice);
        let b = Matrix::new(self.b, 8, self.steps, &mut dice);
        let old = Matrix::new(self.d, self.rows, 8, &mut dice);
        let expected = product(&a, &b, &old, true, 1.0, self.saturates);
        let words = |elements: usize, of: Type| elements * size(of) / 128;
        let counts = [
            words(self.rows * self.steps, self.a),
            words(8 * self.steps, self.b),
            words(self.rows * 8, self.d),
        ];
        let each = |rows: usize, columns: usize| {
            (0..rows * columns).map(move |at| (at / columns, at % columns))
        };
        let first =
            each(self.rows, self.steps).map(|(i, k)| (self.operand(i, k, self.a), a.bytes(i, k)));
        let second = each(8, self.steps).map(|(j, k)| (self.second(j, k), b.bytes(j, k)));
        let third = |of: &Matrix| {
            let all = each(self.rows, 8).map(|(i, j)| (self.result(i, j), of.bytes(i, j)));
            Self::fill(counts[2], all.collect::<Vec<_>>())
        };
        let (third_now, expected) = (third(&old), third(&expected));
        let sources = [
            Self::fill(counts[0], first),
            Self::fill(counts[1], second),
            third_now,
        ];
        let bench = Bench::new();
        let total: usize = counts.iter().sum();
        let input: Vec<u8> = (0..32)
            .flat_map(|thread| sources.iter().flat_map(move |one| one[thread].clone()))
            .collect();
        let list = |from: usize, count: usize| {
            let all: Vec<_> = (from..from + count).map(|k| format!("%x{k}")).collect();
            format!("{{{}}}", all.join(", "))
        };
        let loads: String = (0..total)
            .map(|k| format!("ld.global.b32 %x{k}, [%d1+{}];\n", 4 * k))
            .collect();
        let stores: String = (0..counts[2])
            .map(|k| format!("st.global.b32 [%d2+{}], %x{};\n", 4 * k, total + k))
            .collect();
        let [of_a, of_b, of_d] = counts;
        let body = format!(
            ".reg .b32 %x<20>;\nmov.u32 %r1, %tid.x;\nld.param.u64 %d1, [a];\nmul.wide.u32 %d3, %r1, {};\nadd.s64 %d1, %d1, %d3;\n\
             ld.param.u64 %d2, [b];\nmul.wide.u32 %d4, %r1, {};\nadd.s64 %d2, %d2, %d4;\n{loads}{} {}, {}, {}, {};\n{stores}ret;",
            4 * total,
            4 * of_d,
            self.opcode(),
            list(total, of_d),
            list(0, of_a),
            list(of_a, of_b),
            list(of_a + of_b, of_d),
        );
        let out = bench.upload_bytes(&vec![0; 128 * of_d]);
        let from = bench.upload_bytes(&input);
        bench
            .launch(&text("", &body), 1, 32, 1, 0, (from, out, 0))
            .unwrap();
        assert!(
            bench.download_bytes(out) == expected.concat(),
            "{}",
            self.opcode()
        );
    }
}

#[test]
fn every_product_of_a_warp_is_as_defined() {
    let halves = [("f32", "f16"), ("f16", "f16"), ("f32", "bf16")];
    let mut all = Vec::new();
    for (d, of) in halves {
        all.extend([(d, of, of, 8), (d, of, of, 16)]);
    }
    all.extend([("f32", "tf32", "tf32", 4), ("f32", "tf32", "tf32", 8)]);
    for d in ["f32", "f16"] {
        for (a, b) in [
            ("e4m3", "e4m3"),
            ("e4m3", "e5m2"),
            ("e5m2", "e4m3"),
            ("e5m2", "e5m2"),
        ] {
            all.extend([(d, a, b, 32), (d, a, b, 16)]);
        }
    }
    for (d, a, b, steps) in all {
        Case {
            d,
            a,
            b,
            rows: 16,
            steps,
            saturates: false,
        }
        .check();
    }
    for (a, b) in [("s8", "s8"), ("s8", "u8"), ("u8", "s8"), ("u8", "u8")] {
        for (rows, steps) in [(8, 16), (16, 16), (16, 32)] {
            for saturates in [false, true] {
                Case {
                    d: "s32",
                    a,
                    b,
                    rows,
                    steps,
                    saturates,
                }
                .check();
            }
        }
    }
}

#[test]
fn integers_wrap_or_stay_at_the_largest() {
    let run = |saturates: &str| {
        let body = format!(
            "mov.u32 %r2, 0x7f7f7f7f;\nmov.u32 %r3, 0x7fffff00;\nmov.u32 %r4, 0x80000000;\nmov.u32 %r5, 0x81818181;\n\
             mma.sync.aligned.m8n8k16.row.col{saturates}.s32.s8.s8.s32 {{%r6, %r7}}, {{%r2}}, {{%r2}}, {{%r3, %r4}};\n\
             mma.sync.aligned.m8n8k16.row.col{saturates}.s32.s8.s8.s32 {{%r8, %r9}}, {{%r2}}, {{%r5}}, {{%r3, %r4}};\n\
             mov.b64 %d2, {{%r6, %r9}};"
        );
        threads("", &body, &[0; 32]).unwrap()[7]
    };
    let product = 16 * 127 * 127;
    let (high, low) = (
        0x7FFF_FF00u32.wrapping_add(product),
        0x8000_0000u32.wrapping_sub(product),
    );
    assert_eq!(run(""), u64::from(high) | u64::from(low) << 32);
    assert_eq!(run(".satfinite"), 0x7FFF_FFFF | 0x8000_0000 << 32);
}

#[test]
fn results_may_go_where_operands_were() {
    let body = "cvt.rn.f32.u32 %f1, %r1;\nmov.b32 %r2, %f1;\nadd.f32 %f2, %f1, 0f43000000;\nadd.f32 %f3, %f1, 0f43800000;\n\
                add.f32 %f4, %f1, 0f44000000;\nmov.u32 %r3, 0;\n\
                mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%f3, %f4, %f1, %f2}, {%r3, %r3}, {%r2}, {%f1, %f2, %f3, %f4};\n\
                cvt.rzi.u32.f32 %r4, %f3;\ncvt.rzi.u32.f32 %r5, %f2;\nmov.b64 %d2, {%r4, %r5};";
    let all = threads("", body, &[0; 32]).unwrap();
    assert_eq!(all[5], 5 | 517 << 32);
}

#[test]
fn doubles_have_their_product() {
    let mut dice = Dice(4);
    let a = Matrix::new("f64", 8, 4, &mut dice);
    let b = Matrix::new("f64", 8, 4, &mut dice);
    let old = Matrix::new("f64", 8, 8, &mut dice);
    let expected = product(&a, &b, &old, true, 1.0, false);
    let mut input = Vec::new();
    for lane in 0..32 {
        let (row, column) = (lane / 4, lane % 4);
        input.extend([
            a.at(row, column),
            b.at(row, column),
            old.at(row, 2 * column),
            old.at(row, 2 * column + 1),
        ]);
    }
    let bench = Bench::new();
    let (from, out) = (bench.upload(&input), bench.upload(&[0; 64]));
    let body = "mov.u32 %r1, %tid.x;\nld.param.u64 %d1, [a];\nmul.wide.u32 %d3, %r1, 32;\nadd.s64 %d1, %d1, %d3;\n\
                ld.param.u64 %d2, [b];\nmul.wide.u32 %d4, %r1, 16;\nadd.s64 %d2, %d2, %d4;\nld.global.v2.f64 {%e1, %e2}, [%d1];\n\
                ld.global.v2.f64 {%e3, %e4}, [%d1+16];\n\
                mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%e4, %e3}, {%e1}, {%e2}, {%e3, %e4};\n\
                st.global.v2.f64 [%d2], {%e4, %e3};\nret;";
    bench
        .launch(&text("", body), 1, 32, 1, 0, (from, out, 0))
        .unwrap();
    assert_eq!(bench.download(out), expected.bits);
}

/// A matrix's element: all of them differ.
fn element(matrix: u64, row: u64, column: u64) -> u64 {
    matrix << 12 | row << 8 | column << 4 | 5
}

/// What a lane's register holds of a matrix.
fn word(matrix: u64, lane: u64, is_transposed: bool) -> u64 {
    let (row, column) = (lane / 4, lane % 4 * 2);
    let at = |right| match is_transposed {
        false => element(matrix, row, column + right),
        true => element(matrix, column + right, row),
    };
    at(0) | at(1) << 16
}

/// Rows of four matrices as bytes of shared memory: those of matrix `m` start at `160 m`, 20 bytes apart from each other but
/// for what alignment adds.
const STRIDE: u64 = 48;

#[test]
fn matrices_are_loaded_from_rows_that_lanes_name() {
    // Lane `8 m + r` names row r of matrix m, and has filled it.
    for (name, count) in [("x1", 1), ("x2", 2), ("x4", 4)] {
        for (trans, space) in [
            ("", ".shared"),
            (".trans", ".shared::cta"),
            ("", ""),
            (".trans", ""),
        ] {
            let list: Vec<_> = (0..count).map(|k| format!("%x{k}")).collect();
            let address = if space.is_empty() { "%d6" } else { "%r2" };
            let body = format!(
                ".reg .b32 %x<5>;\nmov.u32 %r2, room;\nmul.lo.u32 %r3, %r1, {STRIDE};\nadd.u32 %r2, %r2, %r3;\n\
                 cvt.u64.u32 %d6, %r2;\ncvta.shared.u64 %d6, %d6;\n\
                 mov.u32 %r4, 0;\nshl.b32 %r5, %r1, 8;\nand.b32 %r6, %r1, 7;\nshr.u32 %r7, %r1, 3;\nshl.b32 %r7, %r7, 12;\n\
                 shl.b32 %r6, %r6, 8;\nor.b32 %r5, %r6, %r7;\nor.b32 %r5, %r5, 5;\nROW:\nst.shared.u16 [%r2], %r5;\n\
                 add.u32 %r2, %r2, 2;\nadd.u32 %r5, %r5, 16;\nadd.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, 8;\n@%p1 bra ROW;\n\
                 sub.u32 %r2, %r2, 16;\nbar.warp.sync -1;\n\
                 ldmatrix.sync.aligned.m8n8.{name}{trans}{space}.b16 {{{}}}, [{address}];\n\
                 cvt.u64.u32 %d2, %x{};\n",
                list.join(", "),
                count - 1,
            );
            let found = threads(".shared .align 16 .b8 room[1600];", &body, &[0; 32]).unwrap();
            let expected: Vec<u64> = (0..32)
                .map(|lane| word(count - 1, lane, !trans.is_empty()))
                .collect();
            assert_eq!(found, expected, "{name}{trans}{space}");
        }
    }
}

#[test]
fn matrices_are_stored_to_rows_that_lanes_name() {
    // Every lane's words are its number and the matrix's; the row of its number is read back.
    for (trans, store) in [("", false), (".trans", true)] {
        let body = format!(
            "mov.u32 %r2, room;\nmul.lo.u32 %r3, %r1, {STRIDE};\nadd.u32 %r2, %r2, %r3;\nshl.b32 %r4, %r1, 4;\nadd.u32 %r5, %r4, 1;\n\
             shl.b32 %r5, %r5, 16;\nor.b32 %r4, %r4, %r5;\nadd.u32 %r5, %r4, 0x20002;\nadd.u32 %r6, %r4, 0x40004;\n\
             add.u32 %r7, %r4, 0x60006;\n\
             stmatrix.sync.aligned.x4{trans}.m8n8.shared.b16 [%r2], {{%r4, %r5, %r6, %r7}};\nbar.warp.sync -1;\n\
             ld.shared.u64 %d2, [%r2+8];"
        );
        let found = threads(".shared .align 16 .b8 room[1600];", &body, &[0; 32]).unwrap();
        for (lane, found) in found.into_iter().enumerate() {
            let (matrix, row) = (lane / 8, lane % 8);
            let expected: u64 = (4..8)
                .map(|column| {
                    let (r, c) = if store { (column, row) } else { (row, column) };
                    let value = (r * 4 + c / 2) * 16 + c % 2 + 2 * matrix;
                    (value as u64) << (16 * (column - 4))
                })
                .sum();
            assert_eq!(found, expected, "{lane}{trans}");
        }
    }
}

#[test]
fn a_matrix_is_transposed_in_registers() {
    let body = "mul.lo.u32 %r2, %r1, 0x20002;\nadd.u32 %r2, %r2, 0x10000;\nmovmatrix.sync.aligned.m8n8.trans.b16 %r3, %r2;\n\
                cvt.u64.u32 %d2, %r3;";
    let found = threads("", body, &[0; 32]).unwrap();
    let expected: Vec<u64> = (0..32u64)
        .map(|lane| {
            let (row, column) = (lane / 4, lane % 4 * 2);
            (column * 8 + row) | ((column + 1) * 8 + row) << 16
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn rows_are_looked_at_as_other_accesses_are() {
    let at = |address: &str| {
        let body = format!(
            ".reg .b32 %x<5>;\nmov.u32 %r2, room;\nmul.lo.u32 %r3, %r1, 16;\nadd.u32 %r2, %r2, %r3;\n\
             ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{%x0, %x1, %x2, %x3}}, [%r2+{address}];"
        );
        threads(".shared .align 16 .b8 room[512];", &body, &[0; 32])
    };
    at("0").unwrap();
    let found = at("16").unwrap_err();
    assert!(
        matches!(found.trouble, Trouble::OutOfBounds { bytes: 16, .. }),
        "{found}"
    );
    assert_eq!(found.thread[0], 31);
    let found = at("8").unwrap_err();
    assert!(
        matches!(found.trouble, Trouble::Misaligned { align: 16, .. }),
        "{found}"
    );
}
