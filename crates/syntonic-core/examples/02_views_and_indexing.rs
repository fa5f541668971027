//! Views move nothing; indexing is NumPy's. `cargo run -p syntonic-core --example 02_views_and_indexing`

use syntonic_core::prelude::*;

fn main() -> syntonic_core::Result<()> {
    let x = Tensor::arange(0, 24, 1)?.reshape(&[2, 3, 4])?;

    // Positions, ranges and whole axes, one for each axis; negative ones count from the end.
    let part = x.index((0, 1.., -2..))?;
    println!("{part}");
    assert_eq!(part.to_vec::<i64>()?, [6, 7, 10, 11]);
    assert!(part.shares_storage(&x), "a view");

    // As many whole axes as are left out, a new axis, every second position, an axis backwards.
    assert_eq!(x.index((Ellipsis, NewAxis, 0))?.shape(), [2, 3, 1]);
    let thinned = x.index((.., .., IndexItem::every(.., 2)))?;
    assert_eq!(thinned.shape(), [2, 3, 2]);
    let backwards = x.index((1, 2, IndexItem::every(.., -1)))?;
    assert_eq!(backwards.to_vec::<i64>()?, [23, 22, 21, 20]);

    // Tensors as an index: where a mask is true, or positions. These are copies.
    let large = x.index(&x.greater(20)?)?;
    assert_eq!(large.to_vec::<i64>()?, [21, 22, 23]);
    let picked = x.index((0, &Tensor::from([2, 0]), 0))?;
    assert_eq!(picked.to_vec::<i64>()?, [8, 0]);

    // Other views: transposed, permuted, stretched.
    assert_eq!(x.t()?.shape(), [2, 4, 3]);
    assert_eq!(x.permute(&[2, 0, 1])?.shape(), [4, 2, 3]);
    let stretched = Tensor::from([1, 2]).broadcast_to(&[1000, 2])?;
    assert_eq!(stretched.strides(), [0, 1]);

    // What is written goes to this tensor alone.
    let mut y = x.clone();
    y.set((.., 0), -1)?;
    y.add_at((1, 1, 0..2), &Tensor::from([100, 200]))?;
    println!("{y}");
    assert_eq!(y.index((1, 1))?.to_vec::<i64>()?, [116, 217, 18, 19]);
    assert_eq!(x.min(..)?.to_scalar::<i64>()?, 0);
    Ok(())
}

#[test]
fn its_assertions_hold() -> syntonic_core::Result<()> {
    main()
}
