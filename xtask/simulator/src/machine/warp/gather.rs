//! Lanes that wait for other lanes of their warp.

use super::{Pause, Warp};
use crate::code::{Code, Exit};
use crate::machine::context::{Context, lanes};
use crate::machine::fault::Trouble;
use crate::machine::op::{Exec, Op};
use crate::machine::ops::special;
use crate::machine::rows::LANES;

impl Warp {
    /// Runs an instruction for which all lanes of a mask have to come.
    #[inline(always)]
    pub(super) fn gather(&mut self, context: &mut Context, op: &Op, mask: u32) {
        let masks = context.row::<u32>(mask);
        let needed = masks.at(self.active.trailing_zeros() as usize % LANES) & self.live;
        // Lanes that all name the same mask, and there are no others of it.
        context.shadow.met_warp();
        if needed == self.active && self.together == 0 {
            // SAFETY: as for every instruction in `run`.
            unsafe { (op.exec)(context, op) };
            return self.go(self.pc + 1);
        }
        let masks = context.get::<u32>(mask);
        self.gather_parts(context, op, &masks);
    }

    /// The same where lanes have several masks, or some did not come yet.
    #[inline(never)]
    fn gather_parts(&mut self, context: &mut Context, op: &Op, masks: &[u32; LANES]) {
        let here = self.together & self.held_at(self.pc);
        let come = self.active | here;
        self.together &= !here;
        let mut done = 0;
        for lane in lanes(come) {
            let needed = masks[lane] & self.live;
            if done >> lane & 1 != 0 || needed & !come != 0 {
                continue;
            }
            let group =
                lanes(come & masks[lane] | 1 << lane).filter(|&other| masks[other] == masks[lane]);
            context.mask = group.map(|other| 1 << other).sum();
            done |= context.mask;
            // SAFETY: as for every instruction in `run`.
            unsafe { (op.exec)(context, op) };
        }
        self.active = come;
        let held = come & !done;
        self.park(held);
        self.together |= held;
        if self.active != 0 {
            self.go(self.pc + 1);
        }
    }

    /// No lane may run: either lanes wait for the block, or those that wait for each other never meet.
    pub(super) fn stuck(&mut self, context: &mut Context, code: &Code) -> Pause {
        if self.together == 0 {
            return Pause::Blocked;
        }
        if self.release_barrier(context, code) || self.retry(context, code) {
            return Pause::Turn;
        }
        if self.meeting.iter().fold(self.cluster, |all, one| all | one) != 0 {
            return Pause::Blocked;
        }
        let lane = self.together.trailing_zeros() as usize % LANES;
        self.pc = self.at[lane];
        if let Exit::Together(op, _) = &code.blocks[self.pc as usize].exit {
            let what = format!(
                "lanes {:#010x} wait for lanes of their mask that never come",
                self.together
            );
            context.fail(op, lane, Trouble::Deadlock(what));
        }
        Pause::Failed
    }

    /// Lanes may come to a barrier of the warp at several places: lets those go of whose masks all came.
    fn release_barrier(&mut self, context: &Context, code: &Code) -> bool {
        let masks =
            lanes(self.together).map(|lane| match &code.blocks[self.at[lane] as usize].exit {
                Exit::Together(op, mask)
                    if std::ptr::fn_addr_eq(op.exec, special::nothing as Exec) =>
                {
                    Some((lane, context.lane::<u32>(*mask, lane)))
                }
                _ => None,
            });
        let masks: Vec<(usize, u32)> = masks.flatten().collect();
        let come: u32 = masks.iter().map(|(lane, _)| 1 << lane).sum();
        let complete = masks
            .iter()
            .filter(|(_, mask)| mask & self.live & !come == 0);
        let released: u32 = complete.map(|(lane, _)| 1 << lane).sum();
        self.together &= !released;
        self.let_go(released);
        released != 0
    }

    /// Lanes that ended meanwhile need not come any more: runs what now has all its lanes.
    fn retry(&mut self, context: &mut Context, code: &Code) -> bool {
        let places: Vec<u32> = lanes(self.together).map(|lane| self.at[lane]).collect();
        for pc in places {
            let Exit::Together(op, mask) = &code.blocks[pc as usize].exit else {
                continue;
            };
            let masks = context.get::<u32>(*mask);
            let here = self.together & self.held_at(pc);
            if lanes(here).any(|lane| masks[lane] & self.live & !here == 0) {
                self.together &= !here;
                self.active = here;
                self.pc = pc;
                self.gather_parts(context, op, &masks);
                return true;
            }
        }
        false
    }
}
