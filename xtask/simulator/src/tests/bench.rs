//! Runs a few lines of PTX.

use crate::{Card, Checks, Fault, Launch, Memory, Module, run};

/// A card with few processors, so that what depends on their number shows.
pub(super) const CARD: Card = Card {
    capability: (9, 0),
    processors: 2,
    shared_per_block_optin: 232_448,
    checks: Checks {
        init: false,
        race: false,
        proxy: false,
    },
};

/// A kernel of which the parameters are two addresses and a number, with registers of every kind.
pub(super) fn text(variables: &str, body: &str) -> String {
    format!(
        ".version 8.3\n.target sm_90\n.address_size 64\n{variables}\n.visible .entry k(\n.param .u64 a,\n.param .u64 b,\n\
         .param .u32 n\n)\n{{\n.reg .pred %p<20>;\n.reg .b16 %h<20>;\n.reg .b32 %r<40>;\n.reg .f32 %f<20>;\n\
         .reg .b64 %d<40>;\n.reg .f64 %e<20>;\n{body}\n}}\n"
    )
}

/// Memory of the card with values in it.
pub(super) struct Bench {
    pub(super) memory: Memory,
    pub(super) card: Card,
}

impl Bench {
    pub(super) fn new() -> Self {
        Self {
            memory: Memory::new(),
            card: CARD,
        }
    }

    pub(super) fn upload(&self, values: &[u64]) -> u64 {
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        self.upload_bytes(&bytes)
    }

    pub(super) fn upload_bytes(&self, bytes: &[u8]) -> u64 {
        let address = self.memory.allocate(bytes.len());
        self.memory.write(address, bytes);
        address
    }

    pub(super) fn download_bytes(&self, address: u64) -> Vec<u8> {
        let (_, bytes) = self.memory.size_of(address).unwrap();
        // SAFETY: the allocation is live and has so many bytes.
        unsafe { std::slice::from_raw_parts(address as *const u8, bytes) }.to_vec()
    }

    pub(super) fn download(&self, address: u64) -> Vec<u64> {
        let (_, bytes) = self.memory.size_of(address).unwrap();
        // SAFETY: the allocation is live and has so many bytes.
        (0..bytes / 8)
            .map(|index| unsafe { (address as *const u64).add(index).read() })
            .collect()
    }

    pub(super) fn launch(
        &self,
        text: &str,
        grid: u32,
        block: u32,
        cluster: u32,
        shared: u32,
        params: (u64, u64, u32),
    ) -> Result<(), Fault> {
        let mut bytes = Vec::new();
        bytes.extend_from_slice(&params.0.to_le_bytes());
        bytes.extend_from_slice(&params.1.to_le_bytes());
        bytes.extend_from_slice(&params.2.to_le_bytes());
        self.start(text, grid, block, cluster, shared, &bytes)
    }

    /// As `launch`, for a kernel with other parameters.
    pub(super) fn start(
        &self,
        text: &str,
        grid: u32,
        block: u32,
        cluster: u32,
        shared: u32,
        params: &[u8],
    ) -> Result<(), Fault> {
        let module = Module::parse(text, &self.memory).unwrap();
        let entry = module.entry("k").unwrap();
        let launch = Launch {
            entry,
            grid: [grid, 1, 1],
            block: [block, 1, 1],
            cluster: [cluster, 1, 1],
            shared,
            params,
        };
        run(&module, &launch, &self.memory, &self.card).map(|_| ())
    }
}

/// What threads of one block leave in `%d2`, each having found its number in `%r1` and its input in `%d1`.
pub(super) fn threads(variables: &str, body: &str, inputs: &[u64]) -> Result<Vec<u64>, Fault> {
    let bench = Bench::new();
    let (a, b) = (bench.upload(inputs), bench.upload(&vec![0; inputs.len()]));
    let whole = format!(
        "mov.u32 %r1, %tid.x;\nld.param.u64 %d10, [a];\nmul.wide.u32 %d11, %r1, 8;\nadd.s64 %d10, %d10, %d11;\n\
         ld.global.u64 %d1, [%d10];\n{body}\nDONE:\nld.param.u64 %d12, [b];\nadd.s64 %d12, %d12, %d11;\n\
         st.global.u64 [%d12], %d2;\nret;"
    );
    bench.launch(
        &text(variables, &whole),
        1,
        inputs.len() as u32,
        1,
        0,
        (a, b, inputs.len() as u32),
    )?;
    Ok(bench.download(b))
}

/// As `threads`, where nothing goes wrong and no variables are needed.
pub(super) fn each(body: &str, inputs: &[u64]) -> Vec<u64> {
    threads("", body, inputs).unwrap()
}

/// One instruction on two words: the first is the lower half of each input.
pub(super) fn words(instruction: &str, inputs: &[(u32, u32)]) -> Vec<u32> {
    let packed: Vec<u64> = inputs
        .iter()
        .map(|(a, b)| u64::from(*a) | u64::from(*b) << 32)
        .collect();
    let body = format!("mov.b64 {{%r2, %r3}}, %d1;\n{instruction}\ncvt.u64.u32 %d2, %r4;");
    each(&body, &packed)
        .into_iter()
        .map(|value| value as u32)
        .collect()
}

/// One instruction on two singles, `%f1` and `%f2`, with the result in `%f3`.
pub(super) fn singles(instruction: &str, inputs: &[(f32, f32)]) -> Vec<f32> {
    let inputs: Vec<_> = inputs
        .iter()
        .map(|(a, b)| (a.to_bits(), b.to_bits()))
        .collect();
    let body = format!("mov.b32 %f1, %r2;\nmov.b32 %f2, %r3;\n{instruction}\nmov.b32 %r4, %f3;");
    words(&body, &inputs)
        .into_iter()
        .map(f32::from_bits)
        .collect()
}
