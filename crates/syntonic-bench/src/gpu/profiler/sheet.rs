//! The table that `ncu --csv --page raw` writes: what the program and the profiler say, a line of names, a line of units, and a line a
//! launch.

/// What is asked for: the time, the parts of their peaks that memory and tensor cores reach, and the part of the warps that are resident.
pub(super) const METRICS: [&str; 4] = [
    "gpu__time_duration.sum",
    "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active",
    "sm__warps_active.avg.pct_of_peak_sustained_active",
];

/// Columns that stand before the metrics.
const ID: &str = "ID";
const NAME: &str = "Kernel Name";

/// One launch. Percentages are nothing where a card does not count them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Launch {
    pub(super) kernel: String,
    pub(super) microseconds: f64,
    pub(super) dram: Option<f64>,
    pub(super) tensor: Option<f64>,
    pub(super) occupancy: Option<f64>,
}

/// The launches in order, or what is wrong with the text.
pub(super) fn launches(text: &str) -> Result<Vec<Launch>, String> {
    let head = format!("\"{ID}\",");
    let mut lines = text.lines().skip_while(|line| !line.starts_with(&head));
    let Some(names) = lines.next().map(cells) else {
        // Without a launch there is no table.
        return match text.contains("No kernels were profiled") {
            true => Ok(Vec::new()),
            false => Err("there is no table in it".to_owned()),
        };
    };
    let column = |wanted: &str| names.iter().position(|name| name == wanted);
    let needed = |wanted| column(wanted).ok_or_else(|| format!("it has no column {wanted}"));
    let (kernel, time) = (needed(NAME)?, needed(METRICS[0])?);
    let shares = [1, 2, 3].map(|k| column(METRICS[k]));
    let units = lines.next().map(cells).unwrap_or_default();
    let unit = units.get(time).map_or("", String::as_str);
    let scale = microseconds_of(unit).ok_or_else(|| format!("its times are in {unit:?}"))?;
    let mut launches = Vec::new();
    // What the program writes at its end stands behind the table.
    for line in lines.take_while(|line| line.starts_with('"')) {
        let cells = cells(line);
        let number = |at: usize| cells.get(at).and_then(|cell| number(cell));
        let short = || format!("a line is incomplete: {line}");
        launches.push(Launch {
            kernel: cells.get(kernel).cloned().ok_or_else(short)?,
            microseconds: scale * number(time).ok_or_else(short)?,
            dram: shares[0].and_then(number),
            tensor: shares[1].and_then(number),
            occupancy: shares[2].and_then(number),
        });
    }
    Ok(launches)
}

fn microseconds_of(unit: &str) -> Option<f64> {
    match unit {
        "ns" | "nsecond" => Some(1e-3),
        "us" | "usecond" => Some(1.0),
        "ms" | "msecond" => Some(1e3),
        "s" | "second" => Some(1e6),
        _ => None,
    }
}

/// A number, whose thousands may be apart.
fn number(cell: &str) -> Option<f64> {
    let number: f64 = cell.replace(',', "").parse().ok()?;
    number.is_finite().then_some(number)
}

/// The cells of a line; within quotes a comma is none, and two quotes are one.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    let mut letters = line.chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            '"' if quoted && letters.peek() == Some(&'"') => cell.extend(letters.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(std::mem::take(&mut cell)),
            c => cell.push(c),
        }
    }
    cells.push(cell);
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = include_str!("fixtures/raw.csv");

    #[test]
    fn a_table_is_read() {
        let found = launches(TABLE).unwrap();
        assert_eq!(found.len(), 3);
        assert_eq!(
            found[0],
            Launch {
                kernel: "jit_steps_0123456789abcdef".to_owned(),
                microseconds: 12.352,
                dram: Some(41.27),
                tensor: Some(0.0),
                occupancy: Some(24.81),
            }
        );
        assert_eq!(found[1].kernel, "void gemm<float, 128>(Params<float, 2>)");
        assert_eq!(found[1].microseconds, 1234.56);
        assert_eq!((found[1].tensor, found[1].dram), (Some(71.5), Some(18.0)));
        assert_eq!(found[2].tensor, None);
    }

    #[test]
    fn times_come_in_other_units() {
        for (unit, first) in [("us", 12_352.0), ("msecond", 12_352e3), ("nsecond", 12.352)] {
            let text = TABLE.replace("\"ns\"", &format!("\"{unit}\""));
            assert_eq!(launches(&text).unwrap()[0].microseconds, first);
        }
        let text = TABLE.replace("\"ns\"", "\"cycle\"");
        assert_eq!(launches(&text).unwrap_err(), "its times are in \"cycle\"");
    }

    #[test]
    fn what_is_no_table_is_told() {
        let error = |text: &str| launches(text).unwrap_err();
        assert!(error("==ERROR== something\n").contains("no table"));
        let other = TABLE.replace("gpu__time_duration.sum", "gpu__cycles.sum");
        assert!(error(&other).contains("no column gpu__time_duration.sum"));
        let cut = TABLE.replace("\"12,352\"", "\"\"");
        assert!(error(&cut).contains("incomplete"));
        assert_eq!(
            launches("==WARNING== No kernels were profiled.\n"),
            Ok(Vec::new())
        );
    }

    #[test]
    fn quotes_keep_commas_and_quotes() {
        assert_eq!(
            cells(r#""a,b","say ""x""",,c"#),
            ["a,b", r#"say "x""#, "", "c"]
        );
    }
}
