//! Boxes of tensors, compared element by element with where each belongs.

use super::bench::Bench;
use crate::machine::swizzle::Swizzle;
use crate::machine::tensor_map::{Element, TensorMap};
use crate::{Fault, Trouble};

/// Bytes of shared memory that kernels show.
const ROOM: usize = 8192;

/// A kernel of one block, of which thread 0 moves a box and all threads move bytes between shared memory and `out`.
fn kernel(body: &str) -> String {
    format!(
        ".version 8.3\n.target sm_90a\n.address_size 64\n.shared .align 1024 .b8 room[{ROOM}];\n.shared .align 8 .u64 full;\n\
         .visible .entry k(.param .u64 out, .param .u32 bytes, .param .align 64 .b8 map[128], .param .u64 where,\n\
         .param .u32 c0, .param .u32 c1, .param .u32 c2, .param .u32 c3, .param .u32 c4, .param .u32 at)\n{{\n\
         .reg .pred %p<9>;\n.reg .b16 %h<9>;\n.reg .b32 %r<30>;\n.reg .b64 %d<30>;\n\
         mov.u32 %r1, %tid.x;\nmov.u32 %r2, full;\nmov.u32 %r3, room;\nld.param.u32 %r4, [at];\nadd.u32 %r3, %r3, %r4;\n\
         ld.param.u32 %r4, [bytes];\nld.param.u64 %d1, [out];\nmov.u32 %r5, %ctaid.x;\nmul.wide.u32 %d2, %r5, {ROOM};\n\
         add.s64 %d1, %d1, %d2;\nld.param.u64 %d3, [where];\nmov.b64 %d4, map;\ncvta.param.u64 %d4, %d4;\n\
         ld.param.u32 %r10, [c0];\nld.param.u32 %r11, [c1];\nld.param.u32 %r12, [c2];\nld.param.u32 %r13, [c3];\n\
         ld.param.u32 %r14, [c4];\nsetp.ne.u32 %p1, %r1, 0;\n{body}\nret;\n}}\n"
    )
}

/// Copies shared memory, `room` first, to `out`.
const SHOW: &str = "shl.b32 %r20, %r1, 2;\nmov.u32 %r22, room;\nSHOW:\nsetp.ge.u32 %p3, %r20, 8192;\n@%p3 bra SHOWN;\n\
                    add.u32 %r21, %r22, %r20;\nld.shared.u32 %r23, [%r21];\ncvt.u64.u32 %d20, %r20;\nadd.s64 %d20, %d1, %d20;\n\
                    st.global.u32 [%d20], %r23;\nadd.u32 %r20, %r20, 128;\nbra SHOW;\nSHOWN:";

/// Copies `out` to shared memory.
const FILL: &str = "shl.b32 %r20, %r1, 2;\nmov.u32 %r22, room;\nFILL:\nsetp.ge.u32 %p3, %r20, 8192;\n@%p3 bra FILLED;\n\
                    add.u32 %r21, %r22, %r20;\ncvt.u64.u32 %d20, %r20;\nadd.s64 %d20, %d1, %d20;\nld.global.u32 %r23, [%d20];\n\
                    st.shared.u32 [%r21], %r23;\nadd.u32 %r20, %r20, 128;\nbra FILL;\nFILLED:";

fn element(map: &str, rank: usize) -> String {
    let all = ["%r10", "%r11", "%r12", "%r13", "%r14"];
    format!("[{map}, {{{}}}]", all[..rank].join(", "))
}

/// Loads a box and shows it. `map` is a register with the map's address.
fn loading(map: &str, rank: usize, space: &str, more: (&str, &str)) -> String {
    let load = format!(
        "@%p1 bra LOADED;\nmbarrier.init.shared::cta.b64 [%r2], 1;\nfence.mbarrier_init.release.cluster;\n\
         fence.proxy.async.shared::cta;\nfence.proxy.tensormap::generic.acquire.gpu [%d4], 128;\nprefetch.tensormap [{map}];\n\
         cp.async.bulk.prefetch.tensor.{rank}d.L2.global.tile {};\n\
         mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], %r4;\n\
         cp.async.bulk.tensor.{rank}d.{space}.global.tile.mbarrier::complete_tx::bytes{} [%r3], {}, [%r2]{};\n\
         LOADED:\nbar.sync 0;\nWAIT:\nmbarrier.try_wait.parity.shared::cta.b64 %p2, [%r2], 0;\n@!%p2 bra WAIT;\n{SHOW}",
        element(map, rank),
        more.0,
        element(map, rank),
        more.1,
    );
    kernel(&load)
}

/// Stores a box.
fn storing(map: &str, rank: usize) -> String {
    kernel(&format!(
        "{FILL}\nfence.proxy.async.shared::cta;\nbar.sync 0;\n@%p1 bra STORED;\n\
         cp.async.bulk.tensor.{rank}d.global.shared::cta.tile.bulk_group {}, [%r3];\ncp.async.bulk.commit_group;\n\
         cp.async.bulk.wait_group.read 0;\ncp.async.bulk.wait_group 0;\nSTORED:",
        element(map, rank),
    ))
}

/// A tensor in memory, and a box of it.
struct Case {
    bench: Bench,
    map: TensorMap,
    start: [i32; 5],
    /// Where in shared memory's room the box lies.
    at: usize,
    tensor: Vec<u8>,
}

/// What lies at a byte, other than at its neighbours.
fn byte(index: usize) -> u8 {
    ((index as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as u8
}

impl Case {
    fn new(kind: u8, extents: &[u64], spans: &[u32], start: &[i32], swizzle: Swizzle) -> Self {
        let element = Element(kind);
        let size = element.bytes().unwrap();
        let rank = extents.len();
        // Rows are longer than their elements.
        let (mut strides, mut next) = ([0; 4], (extents[0] * size).next_multiple_of(16) + 16);
        for axis in 1..rank {
            strides[axis - 1] = next;
            next *= extents[axis];
        }
        let all = |axis: usize, list: &[u64]| list.get(axis).copied().unwrap_or(0);
        let tensor: Vec<u8> = (0..next as usize).map(byte).collect();
        let bench = Bench::new();
        let address = bench.upload_bytes(&tensor);
        let map = TensorMap {
            address,
            element,
            rank,
            extents: std::array::from_fn(|axis| all(axis, extents)),
            strides,
            spans: std::array::from_fn(|axis| spans.get(axis).copied().unwrap_or(0)),
            steps: std::array::from_fn(|axis| u32::from(axis < rank)),
            swizzle,
            nan: false,
        };
        Self {
            bench,
            map,
            start: std::array::from_fn(|axis| start.get(axis).copied().unwrap_or(0)),
            at: 0,
            tensor,
        }
    }

    fn params(&self, out: u64, bytes: u32, whereat: u64) -> Vec<u8> {
        let mut all = vec![0; 64];
        all[..8].copy_from_slice(&out.to_le_bytes());
        all[8..12].copy_from_slice(&bytes.to_le_bytes());
        all.extend_from_slice(&self.map.encode());
        all.extend_from_slice(&whereat.to_le_bytes());
        for coordinate in self.start {
            all.extend_from_slice(&coordinate.to_le_bytes());
        }
        all.extend_from_slice(&(self.at as u32).to_le_bytes());
        all
    }

    fn run(&self, text: &str, out: u64, blocks: u32) -> Result<(), Fault> {
        let bytes = self.elements().len() as u32 * self.map.element.bytes().unwrap() as u32;
        let global = self.bench.upload_bytes(&self.map.encode());
        let params = self.params(out, bytes, global);
        self.bench.start(text, blocks, 32, blocks, 0, &params)
    }

    /// Of every element of the box, in order: where it is in the tensor, if it is there.
    fn elements(&self) -> Vec<Option<usize>> {
        let counts: Vec<u32> = (0..5)
            .map(|axis| match axis {
                _ if axis >= self.map.rank => 1,
                0 => self.map.spans[0],
                _ => self.map.spans[axis].div_ceil(self.map.steps[axis]),
            })
            .collect();
        let mut all = Vec::new();
        for e in 0..counts[4] {
            for d in 0..counts[3] {
                for c in 0..counts[2] {
                    for b in 0..counts[1] {
                        for a in 0..counts[0] {
                            all.push(self.place([a, b, c, d, e]));
                        }
                    }
                }
            }
        }
        all
    }

    fn place(&self, index: [u32; 5]) -> Option<usize> {
        let mut place = 0;
        for (axis, index) in index.into_iter().enumerate().take(self.map.rank) {
            let step = if axis == 0 { 1 } else { self.map.steps[axis] };
            let at = i64::from(self.start[axis]) + i64::from(index * step);
            if at < 0 || at >= self.map.extents[axis] as i64 {
                return None;
            }
            place += at as usize
                * match axis {
                    0 => self.map.element.bytes().unwrap() as usize,
                    _ => self.map.strides[axis - 1] as usize,
                };
        }
        Some(place)
    }

    /// Where in the room byte `index` of the box lies: bits of its address are flipped one by one.
    fn swizzled(&self, index: usize) -> usize {
        // The room starts at an offset that is a multiple of 1024.
        let at = self.at + index;
        let bit = |of: usize| at >> of & 1;
        let flips = match self.map.swizzle {
            Swizzle::None => 0,
            Swizzle::Of32 => bit(7) << 4,
            Swizzle::Of64 => bit(7) << 4 | bit(8) << 5,
            Swizzle::Of128 => bit(7) << 4 | bit(8) << 5 | bit(9) << 6,
        };
        at ^ flips
    }

    /// Loads the box into shared memory of `blocks` blocks, and looks at all of it.
    fn check_load(&self, text: &str, blocks: u32) {
        let out = self.bench.upload_bytes(&vec![0x55; ROOM * blocks as usize]);
        self.run(text, out, blocks).unwrap();
        let size = self.map.element.bytes().unwrap() as usize;
        let mut expected = vec![0xFF; ROOM];
        for (index, place) in self.elements().into_iter().enumerate() {
            for part in 0..size {
                let to = self.swizzled(index * size + part);
                let nan = if part == size - 1 { 0x7F } else { 0xFF };
                expected[to] = match place {
                    Some(place) => self.tensor[place + part],
                    None if self.map.nan => nan,
                    None => 0,
                };
            }
        }
        let found = self.bench.download_bytes(out);
        for block in found.chunks_exact(ROOM) {
            let wrong = (0..ROOM).find(|&at| block[at] != expected[at]);
            assert_eq!(wrong, None, "{:?} from {:?}", self.map, self.start);
        }
    }

    /// Stores a box, and looks at the whole tensor.
    fn check_store(&self, text: &str) {
        let room: Vec<u8> = (0..ROOM).map(|at| byte(at + 77_777)).collect();
        let out = self.bench.upload_bytes(&room);
        self.run(text, out, 1).unwrap();
        let size = self.map.element.bytes().unwrap() as usize;
        let mut expected = self.tensor.clone();
        for (index, place) in self.elements().into_iter().enumerate() {
            for part in 0..size {
                if let Some(place) = place {
                    expected[place + part] = room[self.swizzled(index * size + part)];
                }
            }
        }
        assert!(expected != self.tensor);
        assert!(
            self.bench.download_bytes(self.map.address) == expected,
            "{:?} from {:?}",
            self.map,
            self.start
        );
    }
}

const SWIZZLES: [Swizzle; 4] = [Swizzle::None, Swizzle::Of32, Swizzle::Of64, Swizzle::Of128];

/// Tensors of matrices with each swizzle and each width of elements, whose boxes lie inside, at each border and beyond all.
fn matrices() -> Vec<Case> {
    let mut all = Vec::new();
    for swizzle in SWIZZLES {
        for kind in [0, 6, 7, 5] {
            let size = Element(kind).bytes().unwrap();
            let row = match swizzle {
                Swizzle::None => 48,
                other => other.span(),
            } / size;
            for start in [[3, 5], [-2, -7], [row as i32, 40], [-1, 39]] {
                let extents = [row * 2 - 3, 45];
                let mut case = Case::new(kind, &extents, &[row as u32, 20], &start, swizzle);
                // Bits of the absolute address count, not those of the offset in the box.
                case.at = if kind == 6 { 384 } else { 0 };
                all.push(case);
            }
        }
    }
    all
}

#[test]
fn boxes_of_matrices_are_loaded() {
    for case in matrices() {
        case.check_load(&loading("%d4", 2, "shared::cluster", ("", "")), 1);
    }
}

#[test]
fn boxes_of_matrices_are_stored() {
    for case in matrices() {
        case.check_store(&storing("%d4", 2));
    }
}

/// Tensors of one to five dimensions, some of which are taken in steps.
fn tensors() -> Vec<Case> {
    let mut all = vec![
        Case::new(2, &[100], &[64], &[50], Swizzle::None),
        Case::new(2, &[100], &[64], &[-60], Swizzle::None),
        Case::new(1, &[40, 9, 7], &[16, 3, 4], &[-3, 7, -2], Swizzle::Of32),
        Case::new(
            8,
            &[9, 4, 5, 6],
            &[8, 3, 2, 2],
            &[4, 2, -1, 5],
            Swizzle::Of64,
        ),
        Case::new(
            9,
            &[70, 3, 4, 5, 3],
            &[64, 2, 2, 3, 2],
            &[9, 2, -1, 3, -1],
            Swizzle::Of128,
        ),
        Case::new(
            9,
            &[9, 3, 4, 5, 3],
            &[8, 2, 2, 3, 2],
            &[2, -1, 1, 3, 2],
            Swizzle::None,
        ),
    ];
    let mut stepped = Case::new(3, &[20, 30, 20], &[8, 7, 9], &[15, -4, 3], Swizzle::Of32);
    stepped.map.steps = [1, 3, 8, 0, 0];
    all.push(stepped);
    all
}

#[test]
fn boxes_of_tensors_of_each_rank_are_loaded_and_stored() {
    for case in tensors() {
        let rank = case.map.rank;
        // The second time the map lies in global memory, and the target is said to be the own block's.
        case.check_load(&loading("%d4", rank, "shared::cluster", ("", "")), 1);
        case.check_load(
            &loading("%d3", rank, "shared::cta", (".L2::cache_hint", ", 5")),
            1,
        );
        case.check_store(&storing("%d3", rank));
    }
}

#[test]
fn what_lies_outside_may_be_nan() {
    for kind in [6, 7, 8, 9] {
        let row = 16 / Element(kind).bytes().unwrap();
        let mut case = Case::new(
            kind,
            &[row * 3, 5],
            &[row as u32 * 2, 4],
            &[-1, 3],
            Swizzle::None,
        );
        case.map.nan = true;
        case.check_load(&loading("%d4", 2, "shared::cluster", ("", "")), 1);
    }
}

#[test]
fn a_box_goes_to_every_block_that_the_mask_names() {
    let case = Case::new(9, &[100, 40], &[64, 16], &[30, -5], Swizzle::Of128);
    // Each block waits for bytes, and the second one loads them for both, once the first is ready.
    let text = loading(
        "%d4",
        2,
        "shared::cluster",
        (".multicast::cluster", ", %h1"),
    );
    let ready = "barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;\nsetp.ne.or.u32 %p4, %r5, 1, %p1;\nmov.u16 %h1, 3;\n\
                 @%p4 bra LOADED;\n";
    let (init, load) = text.split_once("cp.async.bulk.tensor").unwrap();
    let text = format!("{init}JOIN:\n{ready}cp.async.bulk.tensor{load}")
        .replace("@%p1 bra LOADED;", "@%p1 bra JOIN;")
        .replace(
            "ret;",
            "barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;\nret;",
        );
    case.check_load(&text, 2);
}

fn fault(case: &Case, text: &str) -> Fault {
    let out = case.bench.upload_bytes(&[0x55; ROOM]);
    case.run(text, out, 1).unwrap_err()
}

#[test]
fn what_is_wrong_with_a_map_or_a_box_is_found() {
    let good = || Case::new(9, &[100, 40], &[64, 16], &[0, 30], Swizzle::Of128);
    let load = loading("%d4", 2, "shared::cluster", ("", ""));
    let unsupported = |found: Fault, part: &str| {
        assert!(
            matches!(&found.trouble, Trouble::Unsupported(what) if what.contains(part)),
            "{found}"
        );
    };
    let mut case = good();
    case.map.address = 0;
    unsupported(fault(&case, &load), "no tensor map");
    case = good();
    case.map.swizzle = Swizzle::None;
    unsupported(
        fault(&case, &loading("%d4", 3, "shared::cta", ("", ""))),
        "2 dimensions",
    );
    case = good();
    case.map.spans[0] = 32;
    unsupported(fault(&case, &load), "rows of 64 bytes in a swizzle of 128");
    case = good();
    case.at = 64;
    let found = fault(&case, &load);
    assert!(
        matches!(found.trouble, Trouble::Misaligned { align: 128, .. }),
        "{found}"
    );
    // The tensor is said to have a row more than there is memory for.
    case = good();
    case.map.extents[1] = 41;
    let first = case.map.address + 40 * case.map.strides[0];
    for text in [load.clone(), storing("%d4", 2)] {
        let found = fault(&case, &text);
        assert!(
            matches!(found.trouble, Trouble::OutOfBounds { space: "global", address, bytes: 128, .. } if address == first),
            "{found}"
        );
    }
    case = good();
    case.at = ROOM - 1024;
    let found = fault(&case, &load);
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

#[test]
fn boxes_are_checked_for_what_nothing_wrote_and_for_races() {
    let mut case = Case::new(9, &[100, 40], &[64, 16], &[0, 3], Swizzle::Of128);
    case.bench.card.checks.init = true;
    case.bench.card.checks.race = true;
    let load = loading("%d4", 2, "shared::cluster", ("", ""));
    let show = "setp.ge.u32 %p3, %r20, 8192;";
    case.run(
        &load.replace(show, "setp.ge.u32 %p3, %r20, 2048;"),
        case.bench.upload_bytes(&[0; ROOM]),
        1,
    )
    .unwrap();
    let found = fault(&case, &load);
    assert!(
        matches!(
            found.trouble,
            Trouble::Uninitialised {
                space: "shared",
                ..
            }
        ),
        "{found}"
    );
    let found = fault(&case, &storing("%d4", 2).replace("bar.sync 0;", ""));
    assert!(matches!(found.trouble, Trouble::Race { .. }), "{found}");
    case.map.address = case.bench.memory.allocate(case.tensor.len());
    let found = fault(&case, &load);
    assert!(
        matches!(
            found.trouble,
            Trouble::Uninitialised {
                space: "global",
                bytes: 128,
                ..
            }
        ),
        "{found}"
    );
}
