//! What a lane does around its programs, and the parameter of the kernel. `service/queue/ring.rs` is the other side.

/// The parameter of the kernel, which [`BEGIN`] reads word by word.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Parameter {
    pub(crate) board: u64,
    /// Cells of requests, and moves of requests, in the host's memory.
    pub(crate) cells: u64,
    pub(crate) moves: u64,
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
    /// Where results of areas begin: in the host's memory and on the card, each with the bytes of one area.
    pub(crate) given: u64,
    pub(crate) given_room: u64,
    pub(crate) mirror: u64,
    pub(crate) mirror_room: u64,
}

/// Bytes of the parameter.
pub(super) const PARAMETER: usize = size_of::<Parameter>();

/// From the start of a lane to the choice of a program. All that programs work on is in shared memory: their words, of which those with a flag
/// are places in it, then arguments, results, and what is between.
///
/// A look is one read of a warp: the 64 cells of a request in the host's memory, each of 32 bits and the 32 low bits of the request's number, so that what
/// is read is whole once all cells have the number, without a second read. (NCCL's protocol for low latency does the same.) The first eight cells have the program, how many
/// moves there are, the area of the results, the bytes of the arguments and of the results; the others the first arguments. Further
/// arguments are read from where they lie, and so are moves, of four words each, which bring results of another request into the arguments: from where, the request that has
/// to be over before, and to where and how many bytes (32 bits each); only for these is there a fence, of about a microsecond. Every sixteenth look, and before every sixteenth request, a lane asks whether the lease is over.
pub(super) const BEGIN: &str = r#"
.reg .pred is_first, more, heads, looks_out, far;
.reg .b32 tid, lane, lanes, rooms, words, program, moves, move, area, bytes, gives, into, pause, looks, held, at, mark, datum, other_datum, flag, other_flag;
.reg .b64 board, cells, headers, answered, done, control, table, flags, stride, base, inputs, work, outputs, lease, idle, lifetime, most, given_at, given_room, mirror, mirror_room;
.reg .b64 number, entry, seen, wanted, aborted, over, reason, time, born, last, known, since, beat, beats, taken, from, needs, to, low, high, arguments, room_of_args, args, first, second;
.shared .align 16 .b8 held_of[272];
ld.param.u64 board, [given];
ld.param.u64 cells, [given+8];
ld.param.u64 headers, [given+16];
ld.param.u64 answered, [given+24];
ld.param.u64 done, [given+32];
ld.param.u64 control, [given+40];
ld.param.u64 table, [given+48];
ld.param.u64 flags, [given+56];
ld.param.u32 words, [given+64];
ld.param.u64 work, [given+72];
ld.param.u64 outputs, [given+80];
ld.param.u64 lease, [given+88];
ld.param.u64 idle, [given+96];
ld.param.u64 lifetime, [given+104];
ld.param.u64 most, [given+112];
ld.param.u64 stride, [given+120];
ld.param.u32 bytes, [given+128];
ld.param.u64 arguments, [given+136];
ld.param.u64 room_of_args, [given+144];
ld.param.u64 given_at, [given+152];
ld.param.u64 given_room, [given+160];
ld.param.u64 mirror, [given+168];
ld.param.u64 mirror_room, [given+176];
mov.u32 tid, %tid.x;
mov.u32 lane, %ctaid.x;
mov.u32 lanes, %nctaid.x;
mov.u32 held, held_of;
mov.u32 rooms, room;
mov.u32 blocks, 1;
mov.u32 first_block, 0;
setp.eq.u32 leads, tid, 0;
setp.lt.u32 looks_out, tid, 32;
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
cvt.u32.u64 mark, number;
@!looks_out bra $told;
bar.warp.sync 0xffffffff;
shl.b64 from, entry, 9;
add.u64 from, from, cells;
mad.wide.u32 from, tid, 16, from;
mov.u32 pause, 32;
mov.u32 looks, 0;
cvt.u32.u64 count, taken;
and.b32 count, count, 15;
setp.eq.u32 ends, count, 15;
@ends bra.uni $check;
$look:
.pragma "nounroll";
ld.relaxed.sys.global.v2.u64 {seen, since}, [from];
mov.b64 {datum, flag}, seen;
mov.b64 {other_datum, other_flag}, since;
setp.eq.u32 ends, flag, mark;
setp.eq.and.u32 ends, other_flag, mark, ends;
vote.sync.all.pred ends, ends, 0xffffffff;
@ends bra.uni $found;
add.u32 looks, looks, 1;
and.b32 count, looks, 15;
setp.ne.u32 ends, count, 15;
@ends bra.uni $wait;
$check:
mov.u32 at, 0;
@!leads bra $checked;
ld.relaxed.sys.global.v2.u64 {wanted, aborted}, [board+16];
ld.relaxed.gpu.global.u64 over, [control];
ld.relaxed.gpu.global.u64 seen, [control+8];
mov.u64 time, %globaltimer;
mov.u32 at, 1;
shr.u64 since, over, 3;
setp.eq.u64 ends, since, lease;
@ends bra $checked;
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
mov.u32 at, 0;
sub.s64 since, time, beat;
setp.lt.s64 ends, since, 1000000;
@ends bra $checked;
mov.u64 beat, time;
add.u64 beats, beats, 1;
@is_first st.relaxed.sys.global.u64 [board+256], beats;
bra $checked;
$stop:
shl.b64 low, lease, 3;
or.b64 low, low, reason;
atom.max.relaxed.gpu.global.u64 over, [control], low;
$checked:
shfl.sync.idx.b32 at, at, 0, 31, 0xffffffff;
setp.ne.u32 ends, at, 0;
@ends bra.uni $leaving;
$wait:
nanosleep.u32 pause;
and.b32 count, looks, 63;
setp.ne.u32 ends, count, 63;
@ends bra.uni $look;
shl.b32 pause, pause, 1;
min.u32 pause, pause, 1024;
bra.uni $look;
$found:
setp.eq.u32 far, tid, 0;
setp.ne.and.u32 far, other_datum, 0, far;
setp.eq.u32 ends, tid, 1;
setp.gt.and.u32 ends, other_datum, 224, ends;
or.pred far, far, ends;
vote.sync.any.pred far, far, 0xffffffff;
@far fence.acq_rel.sys;
mov.u32 at, 0;
add.u64 taken, taken, 1;
shl.b32 into, tid, 3;
setp.lt.u32 heads, tid, 4;
@heads add.u32 count, held, into;
@heads st.shared.v2.u32 [count], {datum, other_datum};
cvt.u64.u32 low, into;
add.u64 low, low, inputs;
@!heads st.v2.u32 [low+-32], {datum, other_datum};
$leaving:
@leads st.shared.u32 [held+256], at;
$told:
bar.sync 0;
ld.shared.u32 at, [held+256];
setp.ne.u32 ends, at, 0;
@ends bra.uni $leave;
ld.shared.v4.u32 {program, moves, area, bytes}, [held];
setp.le.u32 ends, bytes, 224;
setp.eq.and.u32 ends, moves, 0, ends;
@ends bra.uni $moved;
shl.b64 low, entry, 8;
add.u64 from, headers, low;
mad.wide.u32 from, tid, 16, from;
shl.b32 into, tid, 4;
add.u32 at, held, into;
setp.lt.u32 heads, tid, 12;
@heads ld.relaxed.sys.global.v2.u64 {seen, since}, [from];
@heads st.shared.v2.u64 [at+64], {seen, since};
mul.lo.u64 args, entry, room_of_args;
add.u64 args, args, arguments;
add.u32 into, into, 224;
$rest:
.pragma "nounroll";
setp.ge.u32 ends, into, bytes;
@ends bra $rested;
cvt.u64.u32 low, into;
add.u64 from, args, low;
add.u64 to, inputs, low;
ld.relaxed.sys.global.v2.u64 {first, second}, [from];
st.v2.u64 [to], {first, second};
add.u32 into, into, 4096;
bra $rest;
$rested:
bar.sync 0;
mov.u32 move, 0;
add.u32 at, held, 64;
$move:
.pragma "nounroll";
setp.ge.u32 ends, move, moves;
@ends bra.uni $moved_all;
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
$moved_all:
bar.sync 0;
$moved:
cvt.u64.u32 low, program;
mad.lo.u64 whole, low, stride, base;
"#;

/// Bytes of results that a lane gives as cells, as [`BEGIN`] has arguments: the host has them as soon as they are there. More are written as they are,
/// which takes half the bytes, and the host waits for the number behind them.
pub(crate) const CELLED: u32 = 2048;

/// From the end of a program to the next request, and the end of a lane: the last one to leave says that the lease is over. The fence after
/// the barrier is for the results of all threads of the lane: what a barrier orders before a fence, the fence orders, too.
pub(super) const END: &str = r#"$ran:
bar.sync 0;
ld.shared.u32 area, [held+8];
ld.shared.u32 gives, [held+16];
cvt.u64.u32 low, area;
mad.lo.u64 to, low, given_room, given_at;
mad.lo.u64 from, low, mirror_room, mirror;
setp.gt.u32 far, gives, 2048;
@far bra.uni $plain;
shl.b32 into, tid, 2;
$cell:
.pragma "nounroll";
setp.ge.u32 ends, into, gives;
@ends bra $given;
cvt.u64.u32 low, into;
add.u64 high, outputs, low;
ld.u32 datum, [high];
add.u64 high, from, low;
st.global.u32 [high], datum;
mov.b64 seen, {datum, mark};
shl.b64 low, low, 1;
add.u64 high, to, low;
st.relaxed.sys.global.u64 [high], seen;
add.u32 into, into, 1024;
bra $cell;
$plain:
shl.b32 into, tid, 4;
$give:
.pragma "nounroll";
setp.ge.u32 ends, into, gives;
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
    fn texts_have_the_numbers_of_the_host() {
        assert!(END.contains(&format!("setp.gt.u32 far, gives, {CELLED};")));
        let last = format!("[given+{}];", PARAMETER - size_of::<u64>());
        assert!(BEGIN.contains(&last) && !BEGIN.contains(&format!("[given+{PARAMETER}]")));
    }
}
