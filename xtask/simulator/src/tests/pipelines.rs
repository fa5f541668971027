//! Whole products of matrices, by kernels in which some warps load what others multiply.

use std::path::Path;

use half::bf16;

use super::bench::Bench;
use super::images::texts;
use super::matrices::{Dice, Matrix};
use crate::machine::swizzle::Swizzle;
use crate::machine::tensor_map::{Element, TensorMap};
use crate::{Checks, Fault, Launch, Module, Trouble, run};

/// Rows, columns and K of a product, none a multiple of its tile.
const ROWS: usize = 450;
const COLUMNS: usize = 60;
const DEPTH: usize = 250;

/// A product of a cluster of two blocks, of which each has 128 rows. A producer warp brings its own rows and half of the
/// columns, which both blocks need, to a ring of two stages; two warpgroups multiply, and store by way of shared memory.
pub(super) fn ring() -> String {
    let accumulators: Vec<String> = (0..32).map(|k| format!("%f{k}")).collect();
    let accumulators = accumulators.join(", ");
    let products: String = (0..4)
        .map(|k| {
            format!(
                "setp.ne.u32 %p5, %r9, 0;\n{}wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {{{accumulators}}}, %d10, %d11, %p5, 1, 1, 0, 0;\n\
                 add.s64 %d10, %d10, 2;\nadd.s64 %d11, %d11, 2;\n",
                if k == 0 { "" } else { "setp.eq.u32 %p5, %r9, %r9;\n" },
            )
        })
        .collect();
    let stage: String = (0..32)
        .map(|k| {
            let at = k / 4 * 32 + k % 4 / 2 * 8 * 256 + k % 2 * 4;
            format!("st.shared.f32 [%r20+{at}], %f{k};\n")
        })
        .collect();
    format!(
        ".version 8.3\n.target sm_90a\n.address_size 64\n.shared .align 1024 .b8 a[32768];\n.shared .align 1024 .b8 b[16384];\n\
         .shared .align 1024 .b8 c[32768];\n.shared .align 8 .b8 bars[32];\n\
         .visible .entry k(.param .align 64 .b8 ma[128], .param .align 64 .b8 mb[128], .param .align 64 .b8 mc[128],\n\
         .param .u32 steps)\n{{\n.reg .pred %p<9>;\n.reg .b16 %h<2>;\n.reg .b32 %r<40>;\n.reg .f32 %f<32>;\n.reg .b64 %d<20>;\n\
         mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %cluster_ctarank;\nmov.u32 %r4, bars;\n\
         ld.param.u32 %r5, [steps];\nmov.b64 %d1, ma;\ncvta.param.u64 %d1, %d1;\nmov.b64 %d2, mb;\ncvta.param.u64 %d2, %d2;\n\
         mov.b64 %d3, mc;\ncvta.param.u64 %d3, %d3;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra READY;\n\
         mbarrier.init.shared::cta.b64 [%r4], 1;\nmbarrier.init.shared::cta.b64 [%r4+8], 1;\n\
         mbarrier.init.shared::cta.b64 [%r4+16], 16;\nmbarrier.init.shared::cta.b64 [%r4+24], 16;\n\
         fence.mbarrier_init.release.cluster;\nfence.proxy.async.shared::cta;\nREADY:\n\
         barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;\nmov.u32 %r9, 0;\n\
         setp.lt.u32 %p1, %r1, 256;\n@%p1 bra CONSUME;\n\
         setmaxnreg.dec.sync.aligned.u32 40;\nsetp.ge.u32 %p1, %r1, 288;\n@%p1 bra END;\nelect.sync _|%p2, 0xffffffff;\n\
         @!%p2 bra END;\nmov.u16 %h1, 3;\n\
         LOAD:\nand.b32 %r10, %r9, 1;\nshr.u32 %r11, %r9, 1;\nand.b32 %r11, %r11, 1;\nxor.b32 %r11, %r11, 1;\nshl.b32 %r12, %r10, 3;\n\
         add.u32 %r12, %r12, %r4;\n\
         FREE:\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p3, [%r12+16], %r11;\n@!%p3 bra FREE;\n\
         mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%r12], 24576;\nshl.b32 %r13, %r10, 14;\nmov.u32 %r14, a;\n\
         add.u32 %r14, %r14, %r13;\nshl.b32 %r15, %r9, 6;\nshl.b32 %r16, %r2, 7;\n\
         cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r14], [%d1, {{%r15, %r16}}], [%r12];\n\
         shl.b32 %r13, %r10, 13;\nshl.b32 %r17, %r3, 12;\nmov.u32 %r14, b;\nadd.u32 %r14, %r14, %r13;\nadd.u32 %r14, %r14, %r17;\n\
         shl.b32 %r18, %r3, 5;\n\
         cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [%r14], [%d2, {{%r15, %r18}}], [%r12], %h1, 7;\n\
         add.u32 %r9, %r9, 1;\nsetp.lt.u32 %p4, %r9, %r5;\n@%p4 bra LOAD;\nbra END;\n\
         CONSUME:\nsetmaxnreg.inc.sync.aligned.u32 232;\nshr.u32 %r6, %r1, 7;\nand.b32 %r7, %r1, 31;\nsetp.ne.u32 %p6, %r7, 0;\n\
         xor.b32 %r8, %r3, 1;\nmov.u64 %d9, 0x4000004000010000;\n\
         MULTIPLY:\nand.b32 %r10, %r9, 1;\nshr.u32 %r11, %r9, 1;\nand.b32 %r11, %r11, 1;\nshl.b32 %r12, %r10, 3;\n\
         add.u32 %r12, %r12, %r4;\nFULL:\nmbarrier.try_wait.parity.shared::cta.b64 %p3, [%r12], %r11;\n@!%p3 bra FULL;\n\
         shl.b32 %r13, %r10, 14;\nshl.b32 %r14, %r6, 13;\nadd.u32 %r13, %r13, %r14;\nmov.u32 %r14, a;\nadd.u32 %r13, %r13, %r14;\n\
         shr.u32 %r13, %r13, 4;\ncvt.u64.u32 %d10, %r13;\nor.b64 %d10, %d10, %d9;\nshl.b32 %r13, %r10, 13;\nmov.u32 %r14, b;\n\
         add.u32 %r13, %r13, %r14;\nshr.u32 %r13, %r13, 4;\ncvt.u64.u32 %d11, %r13;\nor.b64 %d11, %d11, %d9;\n\
         wgmma.fence.sync.aligned;\n{products}wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n\
         @%p6 bra NEXT;\nadd.u32 %r13, %r12, 16;\nmbarrier.arrive.shared::cta.b64 _, [%r13];\n\
         mapa.shared::cluster.u32 %r14, %r13, %r8;\nmbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r14];\nNEXT:\n\
         add.u32 %r9, %r9, 1;\nsetp.lt.u32 %p4, %r9, %r5;\n@%p4 bra MULTIPLY;\n\
         mov.u32 %r19, c;\nshr.u32 %r13, %r1, 5;\nshl.b32 %r13, %r13, 12;\nshr.u32 %r14, %r7, 2;\nshl.b32 %r14, %r14, 8;\n\
         and.b32 %r15, %r7, 3;\nshl.b32 %r15, %r15, 3;\nadd.u32 %r20, %r19, %r13;\nadd.u32 %r20, %r20, %r14;\nadd.u32 %r20, %r20, %r15;\n\
         {stage}fence.proxy.async.shared::cta;\nadd.u32 %r21, %r6, 1;\nbar.sync %r21, 128;\nand.b32 %r22, %r1, 127;\n\
         setp.ne.u32 %p1, %r22, 0;\n@%p1 bra END;\nshl.b32 %r13, %r6, 14;\nadd.u32 %r13, %r13, %r19;\nshl.b32 %r14, %r2, 7;\n\
         shl.b32 %r15, %r6, 6;\nadd.u32 %r14, %r14, %r15;\nmov.u32 %r15, 0;\n\
         cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%d3, {{%r15, %r14}}], [%r13];\ncp.async.bulk.commit_group;\n\
         cp.async.bulk.wait_group 0;\nEND:\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\nret;\n}}\n"
    )
}

fn map(
    address: u64,
    element: u8,
    extents: [usize; 2],
    row: usize,
    spans: [u32; 2],
    swizzle: Swizzle,
) -> TensorMap {
    TensorMap {
        address,
        element: Element(element),
        rank: 2,
        extents: [extents[0] as u64, extents[1] as u64, 0, 0, 0],
        strides: [row as u64, 0, 0, 0],
        spans: [spans[0], spans[1], 0, 0, 0],
        steps: [1, 1, 0, 0, 0],
        swizzle,
        nan: false,
    }
}

/// Runs the ring; the product in rows of 64.
pub(super) fn product_of(
    text: &str,
    a: &Matrix,
    b: &Matrix,
    checks: Checks,
) -> Result<Vec<f32>, Fault> {
    let mut bench = Bench::new();
    bench.card.checks = checks;
    let rows = |matrix: &Matrix, count: usize| {
        let mut bytes = vec![0xFF; count * 512];
        for row in 0..count {
            for k in 0..DEPTH {
                bytes[row * 512 + 2 * k..][..2].copy_from_slice(&matrix.bytes(row, k));
            }
        }
        bench.upload_bytes(&bytes)
    };
    let c = bench.upload_bytes(&[0x77; ROWS * 256]);
    let maps = [
        map(
            rows(a, ROWS),
            9,
            [DEPTH, ROWS],
            512,
            [64, 128],
            Swizzle::Of128,
        ),
        map(
            rows(b, COLUMNS),
            9,
            [DEPTH, COLUMNS],
            512,
            [64, 32],
            Swizzle::Of128,
        ),
        map(c, 7, [COLUMNS, ROWS], 256, [64, 64], Swizzle::None),
    ];
    let mut params = maps.map(|map| map.encode()).concat();
    params.extend_from_slice(&4u32.to_le_bytes());
    bench.start(text, 4, 384, 2, 0, &params)?;
    let bytes = bench.download_bytes(c);
    let words = bytes.chunks_exact(4);
    Ok(words
        .map(|word| f32::from_le_bytes(word.try_into().unwrap()))
        .collect())
}

pub(super) fn operands() -> (Matrix, Matrix) {
    let mut dice = Dice(9);
    let a = Matrix::new("bf16", ROWS, DEPTH, &mut dice);
    (a, Matrix::new("bf16", COLUMNS, DEPTH, &mut dice))
}

/// Whether a kernel like the ring computes the product, with checks and without.
fn check_ring(text: &str) {
    let (a, b) = operands();
    let all = Checks {
        init: true,
        race: true,
        proxy: true,
    };
    for checks in [Checks::default(), all] {
        let found = product_of(text, &a, &b, checks).unwrap();
        for row in 0..ROWS {
            for column in 0..64 {
                let found = f64::from(found[row * 64 + column]);
                if column >= COLUMNS {
                    // What is beyond the tensor is left as it was.
                    assert_eq!(found, f64::from(f32::from_bits(0x7777_7777)));
                    continue;
                }
                let pairs = (0..DEPTH).map(|k| a.value(row, k) * b.value(column, k));
                let expected: f64 = pairs.clone().sum();
                let most: f64 = pairs.map(f64::abs).sum();
                let wrong = (found - expected).abs();
                assert!(
                    wrong <= most * 1e-6,
                    "{found} for {expected} at {row}, {column}"
                );
            }
        }
    }
}

#[test]
fn a_ring_of_tensor_copies_feeds_products() {
    check_ring(&ring());
}

#[test]
fn one_thread_gives_a_stage_back_for_its_warpgroup() {
    // Products are a warpgroup's: whoever waited for them knows that none of its warps reads the stage any more.
    let arrivals = ring().replace("[%r4+16], 16;", "[%r4+16], 4;");
    let arrivals = arrivals.replace("[%r4+24], 16;", "[%r4+24], 4;");
    let one = "and.b32 %r31, %r1, 127;\nsetp.ne.u32 %p6, %r31, 0;";
    check_ring(&arrivals.replace("setp.ne.u32 %p6, %r7, 0;", one));
}

#[test]
fn a_store_of_what_other_warps_still_write_is_a_race() {
    let (a, b) = operands();
    let early = ring().replace("bar.sync %r21, 128;", "");
    let race = Checks {
        race: true,
        ..Checks::default()
    };
    let found = product_of(&early, &a, &b, race).unwrap_err();
    assert!(matches!(found.trouble, Trouble::Race { .. }), "{found}");
}

/// Three `bf16` whose sum is nearest to a `float32`.
fn parts(value: f32) -> [bf16; 3] {
    let first = bf16::from_f32(value);
    let rest = value - first.to_f32();
    let second = bf16::from_f32(rest);
    [first, second, bf16::from_f32(rest - second.to_f32())]
}

/// An operand as `split_pack.cu` leaves it: tiles of 128 rows by 32 columns, each part after the other, in rows of 64 bytes
/// whose 16-byte units are exchanged.
fn packed(values: &[f32], rows: usize, depth: usize) -> Vec<u8> {
    let (down, across) = (rows.div_ceil(128), depth.div_ceil(32));
    let mut bytes = vec![0; down * across * 24_576];
    for row in 0..rows {
        for k in 0..depth {
            let tile = row / 128 * across + k / 32;
            let linear = row % 128 * 64 + k % 32 * 2;
            let at = linear ^ (linear >> 7 & 3) << 4;
            for (number, part) in parts(values[row * depth + k]).into_iter().enumerate() {
                let to = tile * 24_576 + number * 8192 + at;
                bytes[to..to + 2].copy_from_slice(&part.to_le_bytes());
            }
        }
    }
    bytes
}

#[test]
fn the_split_product_is_as_exact_as_it_claims() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernels/ptx/split_product.lzma");
    let (_, text) = texts(&path).remove(0);
    let (m, n, k) = (150, 140, 200);
    let mut dice = Dice(5);
    let mut values = |count: usize| -> Vec<f32> {
        (0..count)
            .map(|_| f32::from_bits(dice.element("f32") as u32))
            .collect()
    };
    let (a, b) = (values(m * k), values(n * k));
    let bench = Bench::new();
    let c = bench.upload_bytes(&vec![0; m * n * 4]);
    // As `Multiply` of the crate for CUDA lays it out; no sources, so that infinities would stay NaN.
    let mut params = Vec::new();
    let addresses = [
        bench.upload_bytes(&packed(&a, m, k)),
        bench.upload_bytes(&packed(&b, n, k)),
        c,
    ];
    let sizes = [m, n, k, n, 0, 0, 0, 1].map(|size| size as u64);
    for word in addresses.into_iter().chain([0; 14]).chain(sizes) {
        params.extend_from_slice(&word.to_le_bytes());
    }
    for word in [2f32.to_bits(), 0, 8, 0] {
        params.extend_from_slice(&word.to_le_bytes());
    }
    assert_eq!(params.len(), 216);
    let module = Module::parse(&text, &bench.memory).unwrap();
    let launch = Launch {
        entry: module.entry("split_product_f32").unwrap(),
        grid: [3, 1, 1],
        block: [384, 1, 1],
        cluster: [1, 1, 1],
        shared: 4 * (2 * 24_576 + 16) + 1024,
        params: &params,
    };
    run(&module, &launch, &bench.memory, &bench.card).unwrap();
    let bytes = bench.download_bytes(c);
    for row in 0..m {
        for column in 0..n {
            let at = (row * n + column) * 4;
            let found = f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
            let pairs = (0..k).map(|k_| f64::from(a[row * k + k_]) * f64::from(b[column * k + k_]));
            let expected = 2.0 * pairs.clone().sum::<f64>();
            let most: f64 = 2.0 * pairs.map(f64::abs).sum::<f64>();
            let wrong = (f64::from(found) - expected).abs();
            assert!(
                wrong <= most * 1e-6,
                "{found} for {expected} at {row}, {column}"
            );
        }
    }
}
