//! The text of a program of rows: `kernels/include/row_program.cuh` with the statements of a formula.

use super::rows::RowProgram;
use super::spelling::{function, memory};
use std::collections::BTreeSet;
use std::fmt::Write;
use syntonic_core::fuse::{Fold, Level, Op, Yield};
use syntonic_core::{DType, Scalar};

/// A constant as it is written in CUDA C++, bit for bit.
pub(super) fn constant(value: Scalar, dtype: DType) -> String {
    let kind = memory(dtype);
    match dtype {
        DType::F32 => format!(
            "syn::bits_as<float>(0x{:08x}u)",
            (value.to_f64() as f32).to_bits()
        ),
        DType::F64 => format!(
            "syn::bits_as<double>(uint64_t(0x{:016x}ull))",
            value.to_f64().to_bits()
        ),
        DType::F16 | DType::BF16 => {
            let wide = constant(value, DType::F32);
            format!("syn::cast<{kind}>({wide})")
        }
        DType::Bool => value.to_bool().to_string(),
        _ => format!("{kind}({}ull)", value.to_i128() as u64),
    }
}

/// The accumulator of a fold in `fold.cuh`.
fn folding(fold: Fold, dtype: DType) -> String {
    let name = match fold {
        Fold::Sum => "Sum",
        Fold::Prod => "Prod",
        Fold::Min => "Min",
        Fold::Max => "Max",
        Fold::Any => "Any",
        Fold::All => "All",
        Fold::ArgMin => "ArgMin",
        Fold::ArgMax => "ArgMax",
    };
    format!("{name}<{}>", short_type(dtype))
}

/// The types that `fold.cuh` knows.
fn short_type(dtype: DType) -> &'static str {
    match dtype {
        DType::F32 => "float",
        DType::F64 => "double",
        other => crate::name::short(other),
    }
}

/// The statements of one program.
struct Text<'a> {
    program: RowProgram<'a>,
    kept: Vec<u32>,
    body: String,
}

impl Text<'_> {
    fn line(&mut self, indent: usize, text: impl AsRef<str>) {
        let _ = writeln!(self.body, "{:1$}{2}", "", 4 * indent, text.as_ref());
    }

    /// What a node computes, over values named `v<node>`.
    fn expression(&self, k: u32) -> String {
        let node = self.program.node(k);
        match node.op {
            Op::Input(input) => {
                format!(
                    "*row_element<const {0}>(p, {input}, row, RowPlace{{0, 0}})",
                    memory(node.dtype)
                )
            }
            Op::Param(number) => format!("syn::cast<{}>(p.number[{number}])", memory(node.dtype)),
            Op::Const(value) => constant(value, node.dtype),
            Op::Count => format!("syn::cast<{}>(int64_t(p.length))", memory(node.dtype)),
            Op::Apply(prim, args) => {
                let args: Vec<String> = args[..prim.arity()]
                    .iter()
                    .map(|a| format!("v{a}"))
                    .collect();
                format!("syn::{}({})", function(prim), args.join(", "))
            }
            Op::Cast(a) => format!("syn::cast<{}>(v{a})", memory(node.dtype)),
            Op::Fold(..) => String::new(),
        }
    }

    /// The values of a row or of all rows that are ready after `round` folds.
    fn row_values(&mut self, round: usize) {
        let ready = self.program.rounds();
        for k in 0..ready.len() as u32 {
            let node = self.program.node(k);
            let fold = matches!(node.op, Op::Fold(..));
            if node.level != Level::Lane && ready[k as usize] == round && !fold {
                let line = format!("v{k} = {};", self.expression(k));
                self.line(2, line);
            }
        }
    }

    /// The lane values of a stage, inside the loop over `c`; `before` are those of earlier stages.
    fn lane_values(&mut self, stage: &BTreeSet<u32>, before: &BTreeSet<u32>) {
        for &k in stage {
            let node = self.program.node(k);
            let kind = memory(node.dtype);
            let mut text = self.expression(k);
            let kept = self.kept.contains(&k);
            if matches!(node.op, Op::Input(_)) {
                text = format!("x{k}[at + c]");
            } else if kept && before.contains(&k) {
                text = format!("KEPT ? k{k}[at + c] : {text}");
            }
            self.line(3, format!("const {kind} v{k} = {text};"));
            if kept && !before.contains(&k) {
                self.line(3, format!("if (KEPT) k{k}[at + c] = v{k};"));
            }
        }
    }

    fn members(&mut self) {
        for (k, node) in self.program.typed().nodes.iter().enumerate() {
            let kind = memory(node.dtype);
            if node.level != Level::Lane {
                self.line(1, format!("{kind} v{k};"));
            } else if matches!(node.op, Op::Input(_)) {
                self.line(1, format!("{kind} x{k}[N];"));
            }
        }
        for k in self.kept.clone() {
            let kind = memory(self.program.node(k).dtype);
            self.line(1, format!("{kind} k{k}[N];"));
        }
    }

    fn begin(&mut self) {
        self.line(1, "template <class Params> __device__ __forceinline__ void begin(const Params& p, u64 row) {");
        self.row_values(0);
        self.line(1, "}");
        self.line(
            1,
            "template <int V, class Params> __device__ __forceinline__ void load(const Params& p, u64 row, RowPlace place, int at) {",
        );
        for (k, node) in self.program.typed().nodes.iter().enumerate() {
            if let (Op::Input(input), Level::Lane) = (node.op, node.level) {
                self.line(
                    2,
                    format!("row_load<V>(x{k} + at, p, {input}, row, place);"),
                );
            }
        }
        self.line(1, "}");
    }

    fn pass(
        &mut self,
        pass: usize,
        folds: &[(u32, Fold, u32)],
        stage: &BTreeSet<u32>,
        before: &BTreeSet<u32>,
    ) {
        let of = |f: &(u32, Fold, u32)| folding(f.1, self.program.node(f.2).dtype);
        let names: Vec<(u32, u32, String, &str)> = folds
            .iter()
            .map(|f| (f.0, f.2, of(f), short_type(self.program.node(f.2).dtype)))
            .collect();
        self.line(1, format!("struct Folds{pass} {{"));
        for (k, _, folding, _) in &names {
            self.line(2, format!("typename {folding}::Thread f{k};"));
        }
        self.line(1, "};");
        self.line(
            1,
            format!("static __device__ __forceinline__ Folds{pass} start(Pass<{pass}>) {{"),
        );
        let starts: Vec<String> = names
            .iter()
            .map(|(_, _, f, _)| format!("{f}::start()"))
            .collect();
        self.line(2, format!("return {{{}}};", starts.join(", ")));
        self.line(1, "}");
        self.line(
            1,
            format!(
                "template <int V, bool KEPT> __device__ __forceinline__ void statements(Pass<{pass}>, Folds{pass}& folds, int at, u32 ordinal) {{"
            ),
        );
        for (k, _, _, kind) in &names {
            self.line(2, format!("{kind} a{k}[V];"));
        }
        self.body.push_str("#pragma unroll\n");
        self.line(2, "for (int c = 0; c < V; ++c) {");
        self.lane_values(stage, before);
        for (k, of, _, _) in &names {
            self.line(3, format!("a{k}[c] = v{of};"));
        }
        self.line(2, "}");
        for (k, _, folding, _) in &names {
            self.line(
                2,
                format!("{folding}::template take<V>(folds.f{k}, a{k}, ordinal);"),
            );
        }
        self.line(1, "}");
        self.line(
            1,
            format!(
                "template <class At, class Params> __device__ __forceinline__ void join(Pass<{pass}>, Folds{pass}& folds, u32 threads, bool any, At at, const Params& p) {{"
            ),
        );
        for (k, _, folding, _) in &names {
            self.line(
                2,
                format!("v{k} = joined<{folding}>(folds.f{k}, threads, any, at);"),
            );
        }
        self.row_values(pass + 1);
        self.line(1, "}");
    }

    fn finish(&mut self, stage: &BTreeSet<u32>, before: &BTreeSet<u32>) {
        let inputs = self.program.typed().inputs.len();
        let elements: Vec<(usize, u32)> = self.program.element_outputs().collect();
        self.line(
            1,
            format!("static constexpr int ELEMENTS = {};", elements.len()),
        );
        self.line(
            1,
            "template <int V, bool KEPT, class Params> __device__ __forceinline__ void finish(const Params& p, u64 row, RowPlace place, int at) {",
        );
        for (o, node) in &elements {
            let kind = memory(self.program.node(*node).dtype);
            self.line(2, format!("{kind} y{o}[V];"));
        }
        self.body.push_str("#pragma unroll\n");
        self.line(2, "for (int c = 0; c < V; ++c) {");
        self.lane_values(stage, before);
        for (o, node) in &elements {
            self.line(3, format!("y{o}[c] = v{node};"));
        }
        self.line(2, "}");
        for (o, _) in &elements {
            self.line(
                2,
                format!("row_store<V>(y{o}, p, {}, row, place);", inputs + o),
            );
        }
        self.line(1, "}");
        self.line(1, "template <class Params> __device__ __forceinline__ void finish_row(const Params& p, u64 row) {");
        for (o, output) in self.program.typed().outputs.iter().enumerate() {
            if output.role == Yield::RowScalar {
                let kind = memory(output.dtype);
                let at = inputs + o;
                self.line(
                    2,
                    format!(
                        "*row_element<{kind}>(p, {at}, row, RowPlace{{0, 0}}) = v{};",
                        output.node
                    ),
                );
            }
        }
        self.line(1, "}");
    }
}

/// The text of a program's kernels.
pub(super) fn kernel(name: &str, program: RowProgram<'_>) -> String {
    let mut text = Text {
        program,
        kept: program.kept(),
        body: String::new(),
    };
    let entry = program.entry();
    let struct_name = entry.replacen("rows_", "Rows_", 1);
    let (passes, stages) = (program.passes(), program.stages());
    text.members();
    text.line(
        1,
        format!("static constexpr int PASSES = {};", passes.len()),
    );
    text.begin();
    let mut before = BTreeSet::new();
    for (pass, folds) in passes.iter().enumerate() {
        text.pass(pass, folds, &stages[pass], &before);
        before.extend(&stages[pass]);
    }
    text.finish(&stages[passes.len()], &before);
    let dtypes: Vec<&str> = program
        .typed()
        .inputs
        .iter()
        .map(|&d| crate::name::short(d))
        .collect();
    format!(
        "\n// {name}({})\nnamespace syntonic {{\ntemplate <int N> struct {struct_name} {{\n{}}};\n}}  // namespace syntonic\n\
         SYNTONIC_ROWS({entry}, syntonic::{struct_name}, {}, {}, {})\n",
        dtypes.join(", "),
        text.body,
        program.operands(),
        program.lanes(),
        program.held(),
    )
}
