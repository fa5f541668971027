//! What a page says, and that it needs nothing from elsewhere.

use serde_json::json;

use super::chart::{Standing, skyline, time};
use super::page::page;
use super::rows::{Source, source};

fn record() -> Source {
    let row = |case: &str, dtype: &str, more: serde_json::Value| {
        let mut row = json!({"case": case, "dtype": dtype, "size": [67108864], "impl": "syntonic"});
        row.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        row
    };
    let record = json!({
        "kernels_hash": "0a", "gpu": "GPU <1>", "driver": "580", "cuda": "13.0", "copy_tbps": 4.25,
        "peers": {"torch": "2.11"}, "tests": {"passed": 9, "failed": 0, "skipped": 0},
        "sanitizer": {"memcheck": 0},
        "suites": {
            "maps": {"rows": 2, "best": 0.39, "best_missing": 1, "eager": 1.5, "eager_missing": 0, "level": 1},
            "memory": {"rows": 40, "best": 1.25, "best_missing": 0, "eager": 2.0, "eager_missing": 0, "level": 38},
        },
        "rows": [
            row("add", "float32", json!({"median_us": 200.0, "bytes": 805306368, "fraction": 0.94, "ratios": {"torch": 1.5, "jax": 40.0}})),
            row("add", "float64", json!({"error": "a wrong result: 1 < 2"})),
            row("matmul", "float32", json!({"median_us": 3000.0, "bytes": 8, "tflops": 45.5, "fraction": 0.01, "ratios": {"torch": 0.5}})),
            {"case": "add", "dtype": "float32", "impl": "torch", "median_us": 300.0},
        ],
    });
    source(&record).unwrap()
}

fn benchmark() -> Source {
    let row = |implementation: &str, micros: f64| {
        json!({"suite": "nn", "case": "softmax", "dtype": "float32", "size": [8, 4096], "impl": implementation,
            "median_us": micros, "gbps": 12.0, "tflops": 0.001})
    };
    let result = json!({
        "machine": {"cpu": "A CPU", "threads": 2, "system": "linux"}, "versions": {"numpy": "2.4", "syntonic": "0.1"},
        "rows": [row("syntonic", 10.0), row("syntonic-rust", 9.0), row("numpy", 25.0), row("torch.native", 5.0)],
    });
    source(&result).unwrap()
}

#[test]
fn rows_of_a_record_are_ours_with_their_ratios() {
    let source = record();
    assert_eq!(source.rows.len(), 3);
    assert_eq!(source.rows[0].best(), Some(("torch", 1.5)));
    assert_eq!(source.rows[0].fraction, Some(0.94));
    assert_eq!(
        (source.rows[0].size.as_str(), source.rows[0].suite.as_str()),
        ("64 Mi", "element by element")
    );
    assert_eq!(
        source.rows[1].trouble.as_deref(),
        Some("a wrong result: 1 < 2")
    );
    // A product is not judged by its bytes.
    assert_eq!(
        (source.rows[2].fraction, source.rows[2].rate.as_deref()),
        (None, Some("45.5 TFLOP/s"))
    );
}

#[test]
fn suites_of_a_record_have_a_line_each() {
    let source = record();
    let told: Vec<String> = source
        .suites
        .iter()
        .map(|(name, suite)| format!("{name}: {suite}"))
        .collect();
    assert_eq!(
        told,
        [
            "memory: best peer 1.25×, eager 2.00×, 38 of 40 rows at 0.97 of the best or above",
            "maps: best peer 0.39×, eager 1.50×, 1 of 2 rows at 0.97 of the best or above, 1 missing",
        ]
    );
    let text = page(&[source]);
    assert!(text.contains("<dt>Memory</dt><dd>best peer 1.25×"));
    assert!(!page(&[benchmark()]).contains("Geometric means"));
}

#[test]
fn rows_of_the_benchmark_are_put_together() {
    let source = benchmark();
    assert_eq!(source.rows.len(), 1);
    let row = &source.rows[0];
    assert_eq!(
        (row.micros, row.suite.as_str(), row.size.as_str()),
        (Some(10.0), "nn", "8 × 4 Ki")
    );
    // Our other interface is no peer; a library's own method is shown and does not count.
    assert_eq!(row.ratios.len(), 2);
    assert_eq!(row.best(), Some(("numpy", 2.5)));
}

#[test]
fn a_page_holds_every_row_and_nothing_from_elsewhere() {
    let text = page(&[record(), benchmark()]);
    for part in [
        "GPU &lt;1&gt;",
        "A CPU",
        "1.50×",
        "0.50×",
        "2.50×",
        "a wrong result: 1 &lt; 2",
        "4.25 TB/s",
        "9 passed",
        "memcheck 0",
    ] {
        assert!(text.contains(part), "{part}");
    }
    assert_eq!(text.matches("<g class=\"row\">").count(), 4);
    assert_eq!(text.matches("<svg").count(), text.matches("</svg>").count());
    for foreign in [
        "http:", "https:", "src=", "href=", "url(", "@import", "<script",
    ] {
        assert!(!text.contains(foreign), "{foreign}");
    }
    assert!(page(&[]).contains("nothing to draw"));
}

#[test]
fn every_mark_is_on_the_drawing() {
    let text = page(&[record()]);
    let places = text
        .split("cx=\"")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap().parse::<f64>().unwrap());
    let places: Vec<f64> = places.collect();
    assert_eq!(places.len(), 3);
    assert!(
        places.iter().all(|x| (424.0..=816.0).contains(x)),
        "{places:?}"
    );
    // 40 times is beyond the axis and shown as such.
    assert_eq!(text.matches("dot beyond").count(), 1);
    assert!(skyline(vec![0.1, 1.0, 100.0]).matches("<rect").count() == 3);
}

#[test]
fn words_for_ratios_and_times() {
    assert_eq!(Standing::of(1.2), Standing::Ahead);
    assert_eq!(Standing::of(0.97), Standing::Level);
    assert_eq!(Standing::of(0.5), Standing::Behind);
    let told = [0.5, 3.456, 250.0, 2500.0, 25_000.0, 2.5e6].map(time);
    assert_eq!(
        told,
        ["500 ns", "3.46 µs", "250 µs", "2.50 ms", "25 ms", "2.5 s"]
    );
}

#[test]
fn another_file_is_refused() {
    assert!(
        source(&json!({"rows": []}))
            .unwrap_err()
            .to_string()
            .contains("neither")
    );
}
