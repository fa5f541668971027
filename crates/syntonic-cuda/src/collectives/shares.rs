//! Who of a group owns which items.

use std::ops::Range;

/// Elements of the smallest share of a reduction: to ask for fewer costs more than to move them. A multiple of every vector's length.
const GRAIN: usize = 1 << 14;

/// `total` items in `owners` parts that follow each other: as long as each other, and the first ones longer by one where that leaves some.
pub(super) fn even(total: usize, owners: usize) -> impl Iterator<Item = Range<usize>> {
    let (each, longer) = (total / owners.max(1), total % owners.max(1));
    let start = move |owner: usize| owner * each + owner.min(longer);
    (0..owners).map(move |owner| start(owner)..start(owner + 1))
}

/// As [`even`], in whole grains: the last parts of few items are empty.
pub(super) fn coarse(total: usize, owners: usize) -> impl Iterator<Item = Range<usize>> {
    let each = total.div_ceil(owners.max(1)).next_multiple_of(GRAIN);
    let start = move |owner: usize| owner.saturating_mul(each).min(total);
    (0..owners).map(move |owner| start(owner)..start(owner + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_has_one_owner() {
        for total in [
            0,
            1,
            2,
            7,
            GRAIN - 1,
            GRAIN,
            GRAIN + 1,
            8 * GRAIN + 3,
            1 << 22,
        ] {
            for owners in 1..10 {
                let both: [Vec<Range<usize>>; 2] = [
                    even(total, owners).collect(),
                    coarse(total, owners).collect(),
                ];
                for parts in &both {
                    assert_eq!(parts.len(), owners);
                    let end = parts.iter().fold(0, |at, part| {
                        assert_eq!(part.start, at, "{parts:?}");
                        part.end
                    });
                    assert_eq!(end, total);
                }
                let [even, coarse] = both;
                let lengths = even.iter().map(Range::len);
                let (least, most) = (lengths.clone().min(), lengths.max());
                assert!(most <= least.map(|n| n + 1), "{even:?}");
                let whole = |part: &&Range<usize>| part.end < total;
                let mut inner = coarse.iter().filter(whole);
                assert!(inner.all(|part| part.end.is_multiple_of(GRAIN)));
            }
        }
    }
}
