//! Writes texts of kernels as they are made at run time, for a card, into the folder it is given: `cargo xtask kernels --prove`
//! runs it.

use std::io::{Error, Result};
use std::path::Path;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(folder), Some(architecture)) = (arguments.next(), arguments.next()) else {
        return Err(Error::other("usage: made_texts FOLDER ARCHITECTURE"));
    };
    let card: u32 = architecture.parse().map_err(Error::other)?;
    for (name, text) in syntonic_cuda::made_texts((card / 10, card % 10)) {
        if text.is_empty() {
            return Err(Error::other(format!("{name} has no text for {card}")));
        }
        std::fs::write(Path::new(&folder).join(format!("{name}.ptx")), text)?;
    }
    Ok(())
}
