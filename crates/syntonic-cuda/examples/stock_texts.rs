//! Writes the texts of the kernels that a wheel has as machine code beside the committed ones, for a card, into the folder it is given:
//! `cargo xtask wheel` and `cargo xtask kernels --prove` run it. A file is named after the kind of its kernel, a dot, and what its machine
//! code is filed under.

use std::fs;
use std::io::{Error, Result};
use std::path::Path;
use syntonic_core::DType;
use syntonic_core::fuse::Program;
use syntonic_core::ops::{reduce, row_operators, softmax};
use syntonic_cuda::Named;
use syntonic_srt::{infer, nn, resonant};

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(folder), Some(architecture)) = (arguments.next(), arguments.next()) else {
        return Err(Error::other("usage: stock_texts FOLDER ARCHITECTURE"));
    };
    let card: u32 = architecture.parse().map_err(Error::other)?;
    let maps = Named {
        maps: nn::maps(),
        composites: nn::ACTIVATIONS.to_vec(),
    };
    let stock = syntonic_cuda::stock(&named(), &maps, (card / 10, card % 10));
    for kernel in stock.map_err(Error::other)? {
        let name = format!("{}.{}.ptx", kernel.kind, kernel.key);
        fs::write(Path::new(&folder).join(name), kernel.text)?;
    }
    Ok(())
}

/// The formulas over rows that have a name.
fn named() -> Vec<&'static Program> {
    let operators = row_operators::ALL.iter().chain(nn::ROW_OPERATORS);
    let operators = operators.flat_map(|o| [Some(&*o.program), o.gradient.as_ref().ok()]);
    let groups = [
        reduce::formulas(DType::F32),
        vec![&*softmax::LOG_SOFTMAX],
        operators.flatten().collect(),
        nn::formulas(),
        nn::gradients(),
        resonant::formulas(),
        infer::formulas(),
    ];
    groups.concat()
}
