//! A persistent kernel: each of its blocks is a lane, which takes requests from the host's memory and runs the steps of the
//! program that each names, in its shared memory. `service/queue/ring.rs` is the other side.

use super::super::sweep::{self, THREADS};
use super::text::{REGISTERS, Team, Writer};
use super::{Kernel, Pass, order};
use crate::fnv::Fnv;
use crate::jit::{self, Pieces};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use syntonic_core::device::{Steps, Word};

/// Threads of a lane: those of a sweep.
pub(crate) const LANE: u32 = THREADS as u32;
/// A longer text takes too long to assemble.
const LONGEST: usize = 1 << 21;

/// Steps as a lane runs them.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    kernel: Kernel,
    /// What its table of words has.
    pub(crate) words: Vec<Word>,
    /// Bytes of partial values, and block counters.
    pub(crate) partial: usize,
    pub(crate) counters: usize,
}

impl Program {
    /// The program of steps, for one block; nothing where some task has no sweep, or there is too much.
    pub(crate) fn of(steps: &Steps) -> Option<Program> {
        let order = order::Order::over(steps, 1)?;
        Some(Program {
            kernel: order.kernel,
            words: order.words,
            partial: order.partial,
            counters: order.counters,
        })
    }
}

/// A word of a program, as it is known before any request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Known {
    /// Its bits.
    Number(u64),
    /// A place in the shared memory of a lane: bytes from its start.
    Shared(u64),
    /// An address on the card, which differs from queue to queue.
    Address(u64),
}

/// The kernel of a queue: all that its text depends on, besides the card.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lanes(Vec<(Kernel, Vec<Known>)>);

impl Lanes {
    /// The kernel of programs, with the words of each.
    pub(crate) fn of<'a>(programs: impl Iterator<Item = (&'a Program, Vec<Known>)>) -> Lanes {
        let same = |word| match word {
            Known::Address(_) => Known::Address(0),
            word => word,
        };
        let programs = programs.map(|(program, words)| {
            let words = words.into_iter().map(same).collect(); // few: words of a program.
            (program.kernel.clone(), words)
        });
        Lanes(programs.collect()) // few: programs of a queue.
    }

    pub(crate) fn fingerprint(&self) -> u64 {
        let mut hash = Fnv::default();
        for (kernel, words) in &self.0 {
            hash.write_u64(kernel.fingerprint());
            words.hash(&mut hash);
        }
        hash.0
    }

    fn passes(&self) -> impl Iterator<Item = &Pass> {
        self.0.iter().flat_map(|(kernel, _)| &kernel.passes)
    }
}

impl jit::Kernel for Lanes {
    fn name(&self) -> String {
        format!("jit_lanes_{:016x}", self.fingerprint())
    }

    fn text(&self, capability: (u32, u32)) -> Option<String> {
        let mut parts = BTreeSet::new();
        for pass in self.passes() {
            parts.extend(jit::parts(&pass.formula.form)?);
        }
        let pieces = Pieces::of(&parts, capability)?;
        let told = self.passes().map(|p| sweep::told(p.sweep)).max()?;
        let mut programs = String::new();
        for (k, (kernel, words)) in self.0.iter().enumerate() {
            let mut writer = Writer {
                kernel,
                pieces: &pieces,
                capability,
                team: Team::Block,
                text: String::new(),
            };
            writer.items(&kernel.items)?;
            let items = anywhere(&settled(&writer.text, words));
            let _ = writeln!(programs, "$program_{k}:\n{items}bra.uni $ran;");
        }
        let mut chosen = String::new();
        for k in 0..self.0.len() {
            let _ = writeln!(
                chosen,
                "setp.eq.u32 ends, program, {k};\n@ends bra.uni $program_{k};"
            );
        }
        let [name, header, shared] = [&self.name(), &pieces.header, &sweep::shared(told)];
        let text = format!(
            "{header}.extern .shared .align 16 .b8 room[];\n.visible .entry {name}(.param .align 8 .b8 given[{PARAMETER}])\n.maxntid {THREADS}, 1, 1\n.minnctapersm 1\n{{\n{REGISTERS}\n\
             {shared}\n{BEGIN}{chosen}bra.uni $ran;\n{programs}{END}}}\n"
        );
        (text.len() <= LONGEST).then_some(text)
    }
}

/// Statements that load words of which the value is known, as statements that set it: what hangs on them is computed as the kernel is
/// assembled.
fn settled(text: &str, words: &[Known]) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        out.push_str(&set(line, words).unwrap_or_else(|| line.to_owned()));
        out.push('\n');
    }
    out
}

/// The statement that sets what this one loads; nothing where it loads no word that is known.
fn set(line: &str, words: &[Known]) -> Option<String> {
    let load = line.strip_prefix("ld.param.")?.strip_suffix("];")?;
    let (what, offset) = load.split_once(", [whole+")?;
    let (kind, register) = what.split_once(' ')?;
    let offset: usize = offset.parse().ok()?;
    let size = match kind {
        "u32" | "s32" | "b32" | "f32" => 4,
        "u64" | "s64" | "b64" | "f64" => 8,
        _ => return None,
    };
    match *words.get(offset / 8)? {
        Known::Number(bits) => {
            // A word of two halves, or of one in its place.
            let bits = bits >> (8 * (offset % 8));
            Some(match kind {
                "f32" => format!("mov.f32 {register}, 0f{:08x};", bits as u32),
                "f64" => format!("mov.f64 {register}, 0d{bits:016x};"),
                _ if size == 4 => format!("mov.b32 {register}, {:#x};", bits as u32),
                _ => format!("mov.b64 {register}, {bits:#x};"),
            })
        }
        Known::Shared(at) => (size == 8 && offset.is_multiple_of(8))
            .then(|| format!("add.u64 {register}, base, {at};")),
        Known::Address(_) => None,
    }
}

/// Statements whose operands and words lie in shared memory, or on the card: their addresses say which. Parameters of functions
/// that are called stay what they are.
fn anywhere(text: &str) -> String {
    let spaces = [
        ("ld.global.nc", "ld"),
        ("ld.global.L1::no_allocate", "ld"),
        ("ld.global", "ld"),
        ("st.global", "st"),
        ("atom.global", "atom"),
        ("cvta.to.global.u64", "mov.b64"),
    ];
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let is_word = line.contains("[whole") || line.contains("[of_round");
        let line = match is_word {
            true => line.replace("ld.param", "ld"),
            false => line.to_owned(),
        };
        let each = spaces.iter();
        out += &each.fold(line, |line, (space, any)| line.replace(space, any));
        out.push('\n');
    }
    out
}

/// The parameter of the kernel, which [`BEGIN`] reads word by word.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Parameter {
    pub(crate) board: u64,
    pub(crate) headers: u64,
    pub(crate) answered: u64,
    pub(crate) done: u64,
    pub(crate) control: u64,
    /// Words of all programs, and for each whether it is a place in shared memory.
    pub(crate) table: u64,
    pub(crate) flags: u64,
    pub(crate) words: u64,
    /// Where arguments begin in shared memory, and results from there on.
    pub(crate) work: u64,
    pub(crate) results: u64,
    pub(crate) lease: u64,
    pub(crate) idle: u64,
    pub(crate) lifetime: u64,
    pub(crate) most: u64,
    /// Bytes of the words of a program.
    pub(crate) stride: u64,
    /// Bytes from the arguments on.
    pub(crate) bytes: u64,
    /// Where arguments of requests begin in the host's memory, and the bytes of one.
    pub(crate) arguments: u64,
    pub(crate) room: u64,
}

/// Bytes of the parameter.
const PARAMETER: usize = size_of::<Parameter>();

/// From the start of a lane to the choice of a program. All that programs work on is in shared memory: their words, of which those with a flag
/// are places in it, then arguments, results, and what is between. A look is one read of the host's memory; every sixteenth, and before every sixteenth
/// request, the lane asks whether the lease is over. A request is a header of 32 words: its number, its program and how many moves it has (32 bits each),
/// where its results go in the host's memory and on the card, their bytes, those of its arguments, and from the ninth word on four for each move, which
/// brings results of another request into the arguments: from where, the request that has to be over before, and to where and how many bytes (32 bits
/// each). Header and arguments are read at once, since where both are follows from the number.
const BEGIN: &str = r#"
.reg .pred is_first, more, heads;
.reg .b32 tid, lane, lanes, rooms, words, program, moves, move, bytes, into, pause, looks, held, at;
.reg .b64 board, headers, answered, done, control, table, flags, stride, base, inputs, work, outputs, lease, idle, lifetime, most;
.reg .b64 number, header, entry, seen, wanted, aborted, over, reason, time, born, last, known, since, beat, beats, taken, from, needs, to, low, high, arguments, room_of_args, args, first, second;
.shared .align 16 .b8 held_of[272];
ld.param.u64 board, [given];
ld.param.u64 headers, [given+8];
ld.param.u64 answered, [given+16];
ld.param.u64 done, [given+24];
ld.param.u64 control, [given+32];
ld.param.u64 table, [given+40];
ld.param.u64 flags, [given+48];
ld.param.u32 words, [given+56];
ld.param.u64 work, [given+64];
ld.param.u64 outputs, [given+72];
ld.param.u64 lease, [given+80];
ld.param.u64 idle, [given+88];
ld.param.u64 lifetime, [given+96];
ld.param.u64 most, [given+104];
ld.param.u64 stride, [given+112];
ld.param.u32 bytes, [given+120];
ld.param.u64 arguments, [given+128];
ld.param.u64 room_of_args, [given+136];
mov.u32 tid, %tid.x;
mov.u32 lane, %ctaid.x;
mov.u32 lanes, %nctaid.x;
mov.u32 held, held_of;
mov.u32 rooms, room;
mov.u32 blocks, 1;
mov.u32 first_block, 0;
setp.eq.u32 leads, tid, 0;
setp.eq.u32 is_first, lane, 0;
cvt.u64.u32 base, rooms;
cvta.shared.u64 base, base;
add.u64 inputs, base, work;
add.u64 outputs, inputs, outputs;
mov.u32 into, tid;
$word:
.pragma "nounroll";
setp.ge.u32 ends, into, words;
@ends bra $worded;
mul.wide.u32 low, into, 8;
add.u64 low, low, table;
ld.global.u64 seen, [low];
cvt.u64.u32 low, into;
add.u64 low, low, flags;
ld.global.u8 count, [low];
setp.ne.u32 more, count, 0;
@more add.u64 seen, seen, base;
shl.b32 at, into, 3;
add.u32 at, at, rooms;
st.shared.u64 [at], seen;
add.u32 into, into, 256;
bra $word;
$worded:
mov.u64 seen, 0;
cvt.u32.u64 at, work;
add.u32 at, at, rooms;
shl.b32 into, tid, 3;
add.u32 at, at, into;
$clear:
.pragma "nounroll";
setp.ge.u32 ends, into, bytes;
@ends bra $cleared;
st.shared.u64 [at], seen;
add.u32 at, at, 2048;
add.u32 into, into, 2048;
bra $clear;
$cleared:
bar.sync 0;
mad.wide.u32 from, lane, 8, board;
ld.relaxed.sys.global.u64 number, [from+384];
mov.u64 born, %globaltimer;
mov.u64 beat, born;
mov.u64 beats, 0;
mov.u64 taken, 0;
mov.u64 last, born;
mov.u64 known, 0;
@!leads bra $next;
@!is_first bra $next;
st.relaxed.sys.global.u64 [board+256], beats;
shl.b64 low, lease, 2;
or.b64 low, low, 1;
st.release.sys.global.u64 [board+264], low;
$next:
.pragma "nounroll";
and.b64 entry, number, 255;
shl.b64 header, entry, 8;
add.u64 header, header, headers;
@!leads bra $told;
mov.u32 pause, 32;
mov.u32 looks, 0;
cvt.u32.u64 count, taken;
and.b32 count, count, 15;
setp.eq.u32 ends, count, 15;
@ends bra $check;
$look:
.pragma "nounroll";
ld.acquire.sys.global.u64 seen, [header];
setp.eq.u64 ends, seen, number;
@ends bra $found;
add.u32 looks, looks, 1;
and.b32 count, looks, 15;
setp.ne.u32 ends, count, 15;
@ends bra $wait;
$check:
ld.relaxed.sys.global.v2.u64 {wanted, aborted}, [board+16];
ld.relaxed.gpu.global.u64 over, [control];
ld.relaxed.gpu.global.u64 seen, [control+8];
mov.u64 time, %globaltimer;
mov.u32 at, 1;
shr.u64 since, over, 3;
setp.eq.u64 ends, since, lease;
@ends bra $leaving;
mov.u64 reason, 5;
setp.eq.u64 ends, aborted, lease;
@ends bra $stop;
mov.u64 reason, 4;
setp.eq.u64 ends, wanted, lease;
@ends bra $stop;
mov.u64 reason, 2;
sub.s64 since, time, born;
setp.ge.s64 ends, since, lifetime;
@ends bra $stop;
mov.u64 reason, 3;
setp.ge.u64 ends, taken, most;
@ends bra $stop;
setp.eq.u64 ends, seen, known;
@!ends mov.u64 last, time;
mov.u64 known, seen;
mov.u64 reason, 1;
sub.s64 since, time, last;
setp.ge.s64 ends, since, idle;
@ends bra $stop;
sub.s64 since, time, beat;
setp.lt.s64 ends, since, 1000000;
@ends bra $wait;
mov.u64 beat, time;
add.u64 beats, beats, 1;
@is_first st.relaxed.sys.global.u64 [board+256], beats;
$wait:
nanosleep.u32 pause;
and.b32 count, looks, 63;
setp.ne.u32 ends, count, 63;
@ends bra $look;
shl.b32 pause, pause, 1;
min.u32 pause, pause, 1024;
bra $look;
$stop:
shl.b64 low, lease, 3;
or.b64 low, low, reason;
atom.max.relaxed.gpu.global.u64 over, [control], low;
bra $leaving;
$found:
mov.u32 at, 0;
add.u64 taken, taken, 1;
$leaving:
st.shared.u32 [held+256], at;
$told:
bar.sync 0;
ld.shared.u32 at, [held+256];
setp.ne.u32 ends, at, 0;
@ends bra.uni $leave;
mul.lo.u64 args, entry, room_of_args;
add.u64 args, args, arguments;
shl.b32 into, tid, 4;
cvt.u64.u32 low, into;
add.u64 from, header, low;
add.u64 to, args, low;
setp.lt.u32 heads, tid, 16;
setp.lt.u64 more, low, room_of_args;
@heads ld.relaxed.sys.global.v2.u64 {seen, since}, [from];
@more ld.relaxed.sys.global.v2.u64 {first, second}, [to];
add.u32 at, held, into;
@heads st.shared.v2.u64 [at], {seen, since};
add.u64 high, inputs, low;
@more st.v2.u64 [high], {first, second};
bar.sync 0;
ld.shared.v2.u32 {program, moves}, [held+8];
ld.shared.u32 bytes, [held+40];
$rest:
.pragma "nounroll";
add.u32 into, into, 4096;
setp.ge.u32 ends, into, bytes;
@ends bra $rested;
cvt.u64.u32 low, into;
add.u64 from, args, low;
add.u64 to, inputs, low;
ld.relaxed.sys.global.v2.u64 {first, second}, [from];
st.v2.u64 [to], {first, second};
bra $rest;
$rested:
mov.u32 move, 0;
add.u32 at, held, 64;
$move:
.pragma "nounroll";
setp.ge.u32 ends, move, moves;
@ends bra.uni $moved;
ld.shared.v2.u64 {from, needs}, [at];
ld.shared.v2.u32 {into, bytes}, [at+16];
@!leads bra $waited;
and.b64 low, needs, 255;
shl.b64 low, low, 3;
add.u64 low, low, done;
$depend:
.pragma "nounroll";
ld.acquire.gpu.global.u64 seen, [low];
setp.ge.u64 ends, seen, needs;
@ends bra $waited;
ld.relaxed.gpu.global.u64 over, [control];
shr.u64 since, over, 3;
setp.ne.u64 ends, since, lease;
@ends bra $depend;
mov.u32 count, 1;
st.shared.u32 [held+256], count;
$waited:
bar.sync 0;
ld.shared.u32 count, [held+256];
setp.ne.u32 ends, count, 0;
@ends bra.uni $leave;
cvt.u64.u32 to, into;
add.u64 to, to, inputs;
shl.b32 into, tid, 4;
$copy:
.pragma "nounroll";
setp.ge.u32 ends, into, bytes;
@ends bra $copied;
cvt.u64.u32 low, into;
add.u64 high, to, low;
add.u64 low, from, low;
ld.relaxed.sys.global.v2.u64 {seen, since}, [low];
st.v2.u64 [high], {seen, since};
add.u32 into, into, 4096;
bra $copy;
$copied:
add.u32 move, move, 1;
add.u32 at, at, 32;
bra.uni $move;
$moved:
bar.sync 0;
cvt.u64.u32 low, program;
mad.lo.u64 whole, low, stride, base;
"#;

/// From the end of a program to the next request, and the end of a lane: the last one to leave says that the lease is over. The fence after
/// the barrier is for the results of all threads of the lane: what a barrier orders before a fence, the fence orders, too.
const END: &str = r#"$ran:
bar.sync 0;
ld.shared.v2.u64 {to, from}, [held+16];
ld.shared.u32 bytes, [held+32];
shl.b32 into, tid, 4;
$give:
.pragma "nounroll";
setp.ge.u32 ends, into, bytes;
@ends bra $given;
cvt.u64.u32 low, into;
add.u64 high, outputs, low;
ld.v2.u64 {seen, since}, [high];
add.u64 high, to, low;
st.global.v2.u64 [high], {seen, since};
add.u64 high, from, low;
st.global.v2.u64 [high], {seen, since};
add.u32 into, into, 4096;
bra $give;
$given:
bar.sync 0;
@!leads bra $told_all;
fence.acq_rel.sys;
shl.b64 low, entry, 7;
add.u64 low, low, answered;
st.relaxed.sys.global.u64 [low], number;
shl.b64 low, entry, 3;
add.u64 low, low, done;
st.relaxed.gpu.global.u64 [low], number;
st.relaxed.gpu.global.u64 [control+8], number;
$told_all:
cvt.u64.u32 low, lanes;
add.u64 number, number, low;
bra.uni $next;
$leave:
@!leads bra $gone;
fence.acq_rel.sys;
sub.u32 count, lanes, 1;
atom.inc.acq_rel.gpu.global.u32 at, [control+16], count;
setp.ne.u32 ends, at, count;
@ends bra $gone;
ld.relaxed.gpu.global.u64 over, [control];
and.b64 over, over, 7;
st.relaxed.sys.global.u64 [board+272], over;
shl.b64 low, lease, 2;
or.b64 low, low, 2;
st.release.sys.global.u64 [board+264], low;
$gone:
ret;
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_known_are_set_and_others_loaded() {
        let words = [
            Known::Number(0x0000_0007_0000_0005),
            Known::Shared(96),
            Known::Address(77),
            Known::Number(1.5f64.to_bits()),
            Known::Number(u64::from(2.5f32.to_bits())),
        ];
        let text = "ld.param.u32 by, [whole+0];\nld.param.u32 shift, [whole+4];\nld.param.u64 base0, [whole+8];\n\
                    ld.param.u64 base1, [whole+16];\nld.param.f64 v1_0, [whole+24];\nld.param.f32 v2_0, [whole+32];\n\
                    ld.param.b16 v3_0, [whole+0];\nld.param.u64 base2, [of_round+8];\nadd.u32 row, row, by;\n";
        assert_eq!(
            settled(text, &words),
            "mov.b32 by, 0x5;\nmov.b32 shift, 0x7;\nadd.u64 base0, base, 96;\n\
             ld.param.u64 base1, [whole+16];\nmov.f64 v1_0, 0d3ff8000000000000;\nmov.f32 v2_0, 0f40200000;\n\
             ld.param.b16 v3_0, [whole+0];\nld.param.u64 base2, [of_round+8];\nadd.u32 row, row, by;\n"
        );
    }

    #[test]
    fn a_space_is_left_to_the_address_but_for_parameters_of_calls() {
        let text = "ld.param.u64 base1, [whole+16];\nld.param.u32 w, [of_round+8];\nld.global.nc.v4.b32 {a, b, c, d}, [at+0];\n\
                    @here st.global.f32 [at], v;\nld.param.f64 v1_0, [result];\n";
        assert_eq!(
            anywhere(text),
            "ld.u64 base1, [whole+16];\nld.u32 w, [of_round+8];\nld.v4.b32 {a, b, c, d}, [at+0];\n\
             @here st.f32 [at], v;\nld.param.f64 v1_0, [result];\n"
        );
    }

    #[test]
    fn a_kernel_does_not_hang_on_where_operands_are_kept() {
        let kernel = Kernel {
            passes: Vec::new(),
            items: Vec::new(),
            words: 1,
        };
        let program = Program {
            kernel,
            words: Vec::new(),
            partial: 0,
            counters: 0,
        };
        let of = |word| Lanes::of([(&program, vec![word])].into_iter());
        assert_eq!(of(Known::Address(64)), of(Known::Address(128)));
        let [three, four] = [3, 4].map(|n| of(Known::Number(n)));
        assert_ne!(three, four);
        assert_ne!(three.fingerprint(), four.fingerprint());
    }
}
