//! The Philox4x32-10 bijection (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as
//! 1, 2, 3", SC11).

const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
const KEY_STEPS: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];
const ROUNDS: u32 = 10;

/// Four random words for a 128-bit `counter` under a 64-bit `key`, least significant word first.
///
/// ```
/// use syntonic_core::random::philox4x32_10;
///
/// // The known answer of Salmon et al.'s Random123 for zeros.
/// let words = philox4x32_10([0; 4], [0; 2]);
/// assert_eq!(words, [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
/// ```
#[inline(always)]
pub fn philox4x32_10(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let mut state = counter;
    let mut round_key = key;
    for _ in 0..ROUNDS {
        state = round(state, round_key);
        round_key = [
            round_key[0].wrapping_add(KEY_STEPS[0]),
            round_key[1].wrapping_add(KEY_STEPS[1]),
        ];
    }
    state
}

#[inline(always)]
fn round(state: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let even = u64::from(MULTIPLIERS[0]) * u64::from(state[0]);
    let odd = u64::from(MULTIPLIERS[1]) * u64::from(state[2]);
    [
        (odd >> 32) as u32 ^ state[1] ^ key[0],
        odd as u32,
        (even >> 32) as u32 ^ state[3] ^ key[1],
        even as u32,
    ]
}
