//! The text of a JIT kernel over operands in any layout.
//!
//! A thread computes one vector of the results, or several single elements a block's width apart. Where it is in the index space it
//! divides out once for all operands, by products with factors that the host has chosen.

use super::kernel::{Kernel, THREADS};
use crate::jit::{self, Kernel as _, Moved, Pieces, Share, Sharing, Values};
use crate::plan::walked::{Access, Side, Walk, place};
use std::fmt::Write;
use syntonic_core::DType;

/// The text of a kernel over operands that lie so, for a card; nothing where some operation has no piece.
pub(super) fn text(kernel: &Kernel, walk: &Walk, capability: (u32, u32)) -> Option<String> {
    let pieces = Pieces::of(&jit::parts(&kernel.form)?, capability)?;
    let mut sharing = vec![Sharing::Each; kernel.form.values.len()];
    for ((k, _, _), (access, _)) in kernel.form.leaves().zip(&walk.reads) {
        let one = matches!(
            access,
            Access::Number | Access::Point | Access::Splat | Access::Index
        );
        sharing[k as usize] = Sharing::of_uniform(one);
    }
    let mut writer = Writer {
        kernel,
        walk,
        values: Values::new(&kernel.form, sharing, walk.lanes, &pieces),
    };
    writer.whole()?;
    Some(writer.values.text)
}

struct Writer<'a> {
    kernel: &'a Kernel,
    walk: &'a Walk,
    values: Values<'a>,
}

/// Appends a line.
macro_rules! line {
    ($writer:expr, $($what:tt)*) => {{
        let _ = writeln!($writer.values.text, $($what)*);
    }};
}

impl Writer<'_> {
    fn whole(&mut self) -> Option<()> {
        let (vectors, name) = (self.walk.vectors, self.kernel.name());
        line!(
            self,
            ".visible .entry {name}(.param .align 8 .b8 p[{}])",
            place::SIZE
        );
        line!(self, ".maxntid {THREADS}, 1, 1\n{{");
        line!(
            self,
            ".reg .pred past;\n.reg .b32 count, first, last, rest, next, part, off, step;\n.reg .b64 at, apart;"
        );
        line!(self, "ld.param.u32 count, [p+{}];", place::UNITS);
        line!(self, "mov.u32 first, %ctaid.x;\nmov.u32 part, %tid.x;");
        line!(
            self,
            "mad.lo.u32 first, first, {}, part;",
            THREADS * vectors
        );
        line!(self, "setp.ge.u32 past, first, count;\n@past bra $done;");
        line!(self, "sub.u32 last, count, 1;");
        self.for_all();
        for v in 0..vectors {
            self.places(v);
        }
        self.share()?;
        line!(self, "$done:\nret;\n}}");
        Some(())
    }

    /// The form's operands: value, type, how it is read, the axes it moves along, and which operand it is.
    fn leaves(&self) -> Vec<(u32, DType, Access, u8, usize)> {
        let reads = self.walk.reads.iter().enumerate();
        let leaves = self.kernel.form.leaves().zip(reads);
        leaves
            .map(|((k, _, dtype), (i, &(access, moves)))| (k, dtype, access, moves, i))
            .collect()
    }

    /// Values shared by all elements, loaded once.
    fn for_all(&mut self) {
        for (k, _, access, _, i) in self.leaves() {
            if !matches!(access, Access::Number | Access::Point) {
                continue;
            }
            self.values.declare(k, Share::ONE);
            if access == Access::Number {
                self.values.number(k, place::bits(i));
            } else {
                self.address(place::address(i));
                self.values.single(k, 0, "at");
            }
        }
    }

    /// The address that the parameter has at `offset`, in `at`.
    fn address(&mut self, offset: usize) {
        line!(
            self,
            "ld.param.u64 at, [p+{offset}];\ncvta.to.global.u64 at, at;"
        );
    }

    /// The coordinates of vector `v` of the thread. One past the end stands at the last, and stores nothing.
    fn places(&mut self, v: usize) {
        let (axes, tile) = (self.walk.axes, self.walk.tile.clone());
        line!(
            self,
            ".reg .pred in{v};\n.reg .b32 c{v}_<{axes}>, t{v}_<{}>;",
            tile.len().max(1)
        );
        line!(
            self,
            "add.u32 rest, first, {};\nsetp.lt.u32 in{v}, rest, count;\nmin.u32 rest, rest, last;",
            v * THREADS
        );
        for (k, side) in tile.iter().enumerate() {
            line!(
                self,
                "and.b32 t{v}_{k}, rest, {};\nshr.u32 rest, rest, {};",
                (1u32 << side.bits) - 1,
                side.bits
            );
        }
        for a in 0..axes - 1 {
            let [by, factor, shift] = place::length(a);
            // The quotient is exact for positions below 2^31.
            line!(
                self,
                "ld.param.u32 part, [p+{factor}];\nmul.hi.u32 next, rest, part;"
            );
            line!(
                self,
                "add.u32 next, next, rest;\nld.param.u32 part, [p+{shift}];"
            );
            line!(
                self,
                "shr.u32 next, next, part;\nld.param.u32 part, [p+{by}];"
            );
            line!(
                self,
                "mul.lo.u32 part, part, next;\nsub.u32 c{v}_{a}, rest, part;"
            );
            line!(self, "mov.u32 rest, next;");
        }
        line!(self, "mov.u32 c{v}_{}, rest;", axes - 1);
        for (k, &Side { axis: a, bits }) in tile.iter().enumerate() {
            line!(
                self,
                "shl.b32 c{v}_{a}, c{v}_{a}, {bits};\nadd.u32 c{v}_{a}, c{v}_{a}, t{v}_{k};\nld.param.u32 part, [p+{}];",
                place::end(k)
            );
            line!(
                self,
                "setp.lt.and.u32 in{v}, c{v}_{a}, part, in{v};\nsub.u32 part, part, 1;\nmin.u32 c{v}_{a}, c{v}_{a}, part;"
            );
        }
        if self.walk.lanes > 1 {
            line!(self, "mul.lo.u32 c{v}_0, c{v}_0, {};", self.walk.lanes);
        }
    }

    /// The address of a tensor's elements of so many bytes for vector `v`, or the number that an index is there, in `at`.
    fn reach(
        &mut self,
        v: usize,
        moves: u8,
        address: usize,
        size: Option<usize>,
        stride: impl Fn(usize) -> usize,
    ) {
        match size {
            Some(_) => self.address(address),
            None => line!(self, "ld.param.u64 at, [p+{address}];"),
        }
        let size = size.unwrap_or(1);
        let axes = (0..self.walk.axes).filter(|a| moves >> a & 1 == 1);
        for (n, a) in axes.enumerate() {
            line!(self, "ld.param.s32 step, [p+{}];", stride(a));
            match n {
                0 => line!(self, "mul.lo.s32 off, c{v}_{a}, step;"),
                _ => line!(self, "mad.lo.s32 off, c{v}_{a}, step, off;"),
            }
        }
        if moves != 0 {
            line!(self, "mad.wide.s32 at, off, {size}, at;");
        }
    }

    /// The loads, arithmetic and stores of a thread.
    fn share(&mut self) -> Option<()> {
        let (lanes, vectors) = (self.walk.lanes, self.walk.vectors);
        let whole = Share {
            lanes,
            first: 0,
            vectors,
        };
        line!(self, "{{");
        let leaves = self.leaves();
        let shared = |k: u32| {
            let access = leaves.iter().find(|leaf| leaf.0 == k).map(|leaf| leaf.2);
            matches!(access, Some(Access::Number | Access::Point))
        };
        let all = 0..self.kernel.form.values.len() as u32;
        for k in all.clone().filter(|&k| !shared(k)) {
            self.values.declare(k, whole);
        }
        for &(k, dtype, access, moves, i) in &leaves {
            for v in 0..vectors {
                let one = Share {
                    lanes,
                    first: v,
                    vectors: 1,
                };
                if matches!(access, Access::Number | Access::Point) {
                    continue;
                }
                let index = matches!(access, Access::Index | Access::Indices);
                let size = (!index).then_some(dtype.size());
                self.reach(v, moves, place::address(i), size, |a| place::stride(i, a));
                match access {
                    Access::Vector => self.moves("ld", k, one, ""),
                    Access::Splat => self.values.single(k, 0, "at"),
                    Access::Index => self.values.place(k, 0, "at"),
                    Access::Indices if lanes == 1 => self.values.count(k, one, "at", 0, None),
                    Access::Indices => {
                        let step = place::stride(i, 0);
                        line!(
                            self,
                            "ld.param.s32 step, [p+{step}];\ncvt.s64.s32 apart, step;"
                        );
                        self.values.count(k, one, "at", 0, Some("apart"));
                    }
                    Access::Neighbours => self.gathered(k, dtype, one, None),
                    _ if lanes == 1 => self.moves("ld", k, one, ""),
                    _ => self.gathered(k, dtype, one, Some(place::stride(i, 0))),
                }
            }
        }
        for k in all {
            self.values.value(k, whole)?;
        }
        let outputs = self.kernel.form.outputs.iter().zip(&self.walk.writes);
        let outputs: Vec<(usize, u32, u8)> = outputs
            .enumerate()
            .map(|(o, (&k, &moves))| (o, k, moves))
            .collect();
        for (o, k, moves) in outputs {
            for v in 0..vectors {
                let size = self.values.dtype(k).size();
                self.reach(v, moves, place::output(o), Some(size), |a| {
                    place::output_stride(o, a)
                });
                let one = Share {
                    lanes,
                    first: v,
                    vectors: 1,
                };
                // The first has a position, and an element there unless tiles stand over the ends.
                let guard = if v > 0 || !self.walk.tile.is_empty() {
                    format!("@in{v} ")
                } else {
                    String::new()
                };
                self.moves("st", k, one, &guard);
            }
        }
        line!(self, "}}");
        Some(())
    }

    /// A vector, or a single element, at `at`.
    fn moves(&mut self, operation: &str, k: u32, share: Share, guard: &str) {
        let moved = Moved {
            at: "at",
            apart: 0,
            guard,
            cache: "",
        };
        self.values.moves(operation, k, share, &moved);
    }

    /// The elements of a vector one by one from `at` on: neighbours, or as far apart as the parameter says at `stride`.
    fn gathered(&mut self, k: u32, dtype: DType, share: Share, stride: Option<usize>) {
        if let Some(stride) = stride {
            line!(
                self,
                "ld.param.s32 step, [p+{stride}];\nmul.wide.s32 apart, step, {};",
                dtype.size()
            );
        }
        self.values.gather(k, share, stride.map(|_| "apart"));
    }
}
