//! The text of a program of rows: `kernels/include/row_program.cuh` with the statements of a formula.

use super::row_kept::Kept;
use super::rows::{RowProgram, Stage};
use super::spelling::{constant, function, memory};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use syntonic_core::fuse::{Fold, Level, Op, Prim, Yield};
use syntonic_core::{DType, Scalar};

/// The accumulator of a fold in `fold.cuh`.
pub(super) fn folding(fold: Fold, dtype: DType) -> String {
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
pub(super) fn short_type(dtype: DType) -> &'static str {
    match dtype {
        DType::F32 => "float",
        DType::F64 => "double",
        other => crate::ptx::name::short(other),
    }
}

/// The statements of one program.
pub(super) struct Text<'a> {
    pub(super) program: RowProgram<'a>,
    kept: Vec<Kept>,
    /// Inputs along the row, with the first stage that reads each.
    pub(super) first_read: BTreeMap<u32, usize>,
    pub(super) body: String,
}

impl<'a> Text<'a> {
    /// The text that every kernel of the program has.
    pub(super) fn of(program: RowProgram<'a>) -> Text<'a> {
        let (passes, stages) = (program.passes(), program.stages());
        let mut text = Text {
            program,
            kept: program.kept(),
            first_read: first_read(&stages),
            body: String::new(),
        };
        text.members();
        text.begin();
        text.load(&stages);
        for (pass, folds) in passes.iter().enumerate() {
            text.pass(pass, folds, &stages[pass]);
        }
        text.finish(&stages[passes.len()]);
        text
    }
}

impl Text<'_> {
    pub(super) fn line(&mut self, indent: usize, text: impl AsRef<str>) {
        let _ = writeln!(self.body, "{:1$}{2}", "", 4 * indent, text.as_ref());
    }

    /// What a node computes, over values named `v<node>`.
    fn expression(&self, k: u32) -> String {
        let node = self.program.node(k);
        match node.op {
            Op::Input(input) => format!(
                "*row_address<const {}>(p, {input}, base[{input}])",
                memory(node.dtype)
            ),
            Op::Param(number) if node.dtype == DType::F32 => format!("p.single[{number}]"),
            Op::Param(number) => format!("syn::cast<{}>(p.number[{number}])", memory(node.dtype)),
            Op::Const(value) => constant(value, node.dtype),
            Op::Count => format!("syn::cast<{}>(int64_t(p.length))", memory(node.dtype)),
            Op::Apply(prim, args) => {
                if self.program.divisor_of(k).is_some() {
                    let way = if self.program.is_only_summed(k) {
                        "near"
                    } else {
                        "of"
                    };
                    return format!("d{}.{way}(v{})", args[1], args[0]);
                }
                let args: Vec<String> = args[..prim.arity()]
                    .iter()
                    .map(|a| format!("v{a}"))
                    .collect();
                let name = match (prim, node.dtype) {
                    (Prim::Log, _) if self.is_mostly_log_of_one(k) => "log_but_of_one",
                    (Prim::Log, DType::F64) => "row_log",
                    _ => function(prim),
                };
                format!("syn::{name}({})", args.join(", "))
            }
            Op::Cast(a) => format!("syn::cast<{}>(v{a})", memory(node.dtype)),
            Op::Fold(..) => String::new(),
        }
    }

    /// True for a logarithm whose operand is replaced by 1 under a condition: where that holds for most elements, a branch
    /// pays.
    fn is_mostly_log_of_one(&self, k: u32) -> bool {
        let Op::Apply(Prim::Log, [x, ..]) = self.program.node(k).op else {
            return false;
        };
        let is_one = |a: u32| matches!(self.program.node(a).op, Op::Const(value) if value.cast(DType::F64) == Scalar::Float(1.0));
        matches!(self.program.node(x).op, Op::Apply(Prim::Select, [_, _, other]) if is_one(other))
    }

    /// The per-row and shared values that are ready after `round` folds.
    pub(super) fn row_values(&mut self, round: usize) {
        let ready = self.program.rounds();
        for k in 0..ready.len() as u32 {
            let node = self.program.node(k);
            let fold = matches!(node.op, Op::Fold(..));
            if node.level != Level::Lane && ready[k as usize] == round && !fold {
                let line = format!("v{k} = {};", self.expression(k));
                self.line(2, line);
            }
            if self.program.divisors().contains(&k) && ready[k as usize] == round {
                self.line(2, format!("d{k}.set(v{k});"));
            }
        }
    }

    /// Reads the memory operands of a stage, and declares what is kept.
    pub(super) fn lane_operands(&mut self, stage: &Stage) {
        for k in &stage.inputs {
            let node = self.program.node(*k);
            let Op::Input(input) = node.op else { continue };
            let kind = memory(node.dtype);
            let first = self.program.first_input() == Some(input);
            // The first stage's operands are loaded when it begins.
            let begins = self.first_read.get(k) == Some(&stage.ordinal) && stage.ordinal > 0;
            let line = format!("at.template read<{kind}, {first}, {begins}>({input}, h{k})");
            self.line(2, format!("const RowVector<{kind}, V> x{k} = {line};"));
        }
        for (k, dtype, region) in self.kept_of(&stage.remembered) {
            let kind = memory(dtype);
            let line = format!("at.template kept<{kind}>({region}, h{k})");
            self.line(2, format!("const RowVector<{kind}, V> k{k} = {line};"));
        }
        for (k, dtype, _) in self.kept_of(&stage.kept) {
            self.line(2, format!("RowVector<{}, V> k{k};", memory(dtype)));
        }
    }

    fn kept_of(&self, nodes: &BTreeSet<u32>) -> Vec<(u32, DType, usize)> {
        let among = self.kept.iter().filter(|kept| nodes.contains(&kept.node));
        among
            .map(|kept| (kept.node, self.program.node(kept.node).dtype, kept.region))
            .collect()
    }

    /// The per-element values of a stage, inside the loop over `c`.
    pub(super) fn lane_values(&mut self, stage: &Stage) {
        for &k in &stage.nodes {
            let kind = memory(self.program.node(k).dtype);
            let text = if stage.inputs.contains(&k) {
                format!("x{k}.lane(c)")
            } else if stage.remembered.contains(&k) {
                format!("k{k}.lane(c)")
            } else {
                self.expression(k)
            };
            self.line(3, format!("const {kind} v{k} = {text};"));
            if stage.kept.contains(&k) {
                self.line(3, format!("k{k}.set(c, v{k});"));
            }
        }
    }

    fn keep(&mut self, stage: &Stage) {
        for (k, dtype, region) in self.kept_of(&stage.kept) {
            self.line(
                2,
                format!("at.template keep<{}>({region}, k{k}, h{k});", memory(dtype)),
            );
        }
    }

    fn members(&mut self) {
        for (k, node) in self.program.typed().nodes.iter().enumerate() {
            if node.level != Level::Lane {
                self.line(1, format!("{} v{k};", memory(node.dtype)));
            }
        }
        for k in self.program.divisors() {
            self.line(
                1,
                format!("RowDivisor<{}> d{k};", memory(self.program.node(k).dtype)),
            );
        }
        let held = self.kept.iter().map(|kept| kept.node);
        for k in held.chain(self.first_read.keys().copied()) {
            let kind = memory(self.program.node(k).dtype);
            self.body
                .push_str(&format!("    RowVector<{kind}, V> h{k}[R];\n"));
        }
        let (passes, exchange) = (self.program.passes().len(), self.program.exchange_bytes());
        let sums = self.program.sums();
        let elements = self.program.element_outputs().count() + sums.len();
        let first = self.program.first_input().map_or(0, usize::from);
        let counts = [
            ("PASSES", passes),
            ("FIRST_INPUT", first),
            ("EXCHANGE_BYTES", exchange),
            ("ELEMENTS", elements),
            ("SUMS", sums.len()),
        ];
        for (name, value) in counts {
            self.line(1, format!("static constexpr int {name} = {value};"));
        }
        let over = self.program.reads_again();
        self.line(1, format!("static constexpr bool OVER = {over};"));
        let deep = self.program.holds_deep();
        self.line(1, format!("static constexpr bool DEEP = {deep};"));
        let bytes = element_bytes(&self.program.dtypes());
        self.line(1, format!("static __device__ __forceinline__ u32 element_bytes(int operand) {{ return {bytes}; }}"));
        self.sums(&sums);
    }

    fn begin(&mut self) {
        self.line(1, "template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {");
        self.row_values(0);
        self.line(1, "}");
        self.line(
            1,
            "template <class At> static __device__ __forceinline__ void fetch(const At& at) {",
        );
        for node in &self.program.typed().nodes {
            if let (Op::Input(input), Level::Lane) = (node.op, node.level) {
                let first = self.program.first_input() == Some(input);
                let kind = memory(node.dtype);
                self.line(2, format!("at.template fetch<{kind}, {first}>({input});"));
            }
        }
        self.line(1, "}");
    }

    /// Loads the operands of the first stage before its arithmetic; and those that each later stage reads first.
    fn load(&mut self, stages: &[Stage]) {
        for stage in stages {
            let head = match stage.ordinal {
                0 => "load(const At& at)".to_owned(),
                later => format!("load_ahead(Pass<{later}>, const At& at)"),
            };
            self.line(
                1,
                format!("template <class At> __device__ __forceinline__ void {head} {{"),
            );
            let is_first = |k: &u32| self.first_read.get(k) == Some(&stage.ordinal);
            let new = stage.inputs.iter().copied().filter(is_first).collect();
            self.loads(&new);
            self.line(1, "}");
        }
    }

    /// Statements that load these inputs.
    pub(super) fn loads(&mut self, inputs: &BTreeSet<u32>) {
        for k in inputs {
            if let Op::Input(input) = self.program.node(*k).op {
                let kind = memory(self.program.node(*k).dtype);
                self.line(2, format!("at.template load<{kind}>({input}, h{k});"));
            }
        }
    }

    fn pass(&mut self, pass: usize, folds: &[(u32, Fold, u32)], stage: &Stage) {
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
                "template <class At> __device__ __forceinline__ void statements(Pass<{pass}>, Folds{pass}& folds, const At& at, u32 ordinal) {{"
            ),
        );
        self.lane_operands(stage);
        for (k, _, _, kind) in &names {
            self.line(2, format!("{kind} a{k}[V];"));
        }
        self.body.push_str("#pragma unroll\n");
        self.line(2, "for (int c = 0; c < V; ++c) {");
        self.lane_values(stage);
        for (k, of, _, _) in &names {
            self.line(3, format!("a{k}[c] = v{of};"));
        }
        self.line(2, "}");
        self.keep(stage);
        for (k, _, folding, _) in &names {
            self.line(
                2,
                format!("row_take<{folding}, V>(at, folds.f{k}, a{k}, ordinal);"),
            );
        }
        self.line(1, "}");
        self.join(pass, &names);
    }

    fn join(&mut self, pass: usize, names: &[(u32, u32, String, &str)]) {
        self.line(
            1,
            format!(
                "template <class Exchange, class Position, class Params> __device__ __forceinline__ void join(Pass<{pass}>, Folds{pass}& folds, const Exchange& exchange, bool any, Position position, const Params& p) {{"
            ),
        );
        if let [(s, _, first, _), (t, _, second, _)] = names
            && first == second
            && first.starts_with("Sum<")
        {
            self.line(
                2,
                format!(
                    "const auto both = row_joined<{first}>(exchange, folds.f{s}, folds.f{t}, any);"
                ),
            );
            self.line(2, format!("v{s} = {first}::finish(both.first);"));
            self.line(2, format!("v{t} = {first}::finish(both.second);"));
        } else {
            self.join_each(names);
        }
        self.row_values(pass + 1);
        self.line(1, "}");
    }

    /// Folds one after the other, each in its own part of shared memory.
    fn join_each(&mut self, names: &[(u32, u32, String, &str)]) {
        for (k, _, folding, _) in names {
            self.line(
                2,
                format!(
                    "const auto a{k} = row_gathered<{folding}>(folds.f{k}, exchange, any, position);"
                ),
            );
        }
        for (at, (k, ..)) in names.iter().enumerate() {
            self.line(2, format!("exchange.template put<{}>(a{k});", 16 * at));
        }
        self.line(2, "exchange.sync();");
        for (at, (k, _, folding, _)) in names.iter().enumerate() {
            self.line(
                2,
                format!(
                    "v{k} = {folding}::finish(exchange.template get<{folding}, {}>(a{k}));",
                    16 * at
                ),
            );
        }
    }

    /// Writes the elements of a stage, and adds those that are summed over the rows.
    fn elements(&mut self, stage: &Stage) {
        let inputs = self.program.typed().inputs.len();
        let elements: Vec<(usize, u32)> = self.program.element_outputs().collect();
        let sums = self.program.sums();
        let summed = sums.iter().map(|sum| (sum.output, sum.node));
        let all: Vec<(usize, u32)> = elements.iter().copied().chain(summed).collect();
        if all.is_empty() {
            return;
        }
        self.line(
            1,
            "template <class At> __device__ __forceinline__ void finish(const At& at) {",
        );
        self.lane_operands(stage);
        for (o, node) in &all {
            let kind = memory(self.program.node(*node).dtype);
            self.line(2, format!("RowVector<{kind}, V> y{o};"));
        }
        self.body.push_str("#pragma unroll\n");
        self.line(2, "for (int c = 0; c < V; ++c) {");
        self.lane_values(stage);
        for (o, node) in &all {
            self.line(3, format!("y{o}.set(c, v{node});"));
        }
        self.line(2, "}");
        for (o, _) in &elements {
            self.line(2, format!("at.write({}, y{o});", inputs + o));
        }
        for sum in &sums {
            let kind = memory(self.program.node(sum.node).dtype);
            let (region, o) = (sum.region, sum.output);
            self.line(2, format!("at.template gather<{kind}>({region}, y{o});"));
        }
        self.line(1, "}");
    }

    fn finish(&mut self, stage: &Stage) {
        self.elements(stage);
        let inputs = self.program.typed().inputs.len();
        self.line(1, "template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {");
        for (o, output) in self.program.typed().outputs.iter().enumerate() {
            if output.role == Yield::RowScalar {
                let kind = memory(output.dtype);
                let at = inputs + o;
                self.line(
                    2,
                    format!(
                        "*row_address<{kind}>(p, {at}, base[{at}]) = v{};",
                        output.node
                    ),
                );
            }
        }
        self.line(1, "}");
    }
}

/// Inputs along the row, with the first stage that reads each.
fn first_read(stages: &[Stage]) -> BTreeMap<u32, usize> {
    let mut first = BTreeMap::new();
    for stage in stages {
        for &k in &stage.inputs {
            first.entry(k).or_insert(stage.ordinal);
        }
    }
    first
}

/// The size of an element of number `operand` among operands of these types, as an expression.
fn element_bytes(dtypes: &[DType]) -> String {
    let mut text = String::new();
    for (k, pair) in dtypes.windows(2).enumerate() {
        if pair[0].size() != pair[1].size() {
            let _ = write!(text, "operand <= {k} ? {} : ", pair[0].size());
        }
    }
    let last = dtypes.last().map_or(0, |dtype| dtype.size());
    text + &last.to_string()
}
