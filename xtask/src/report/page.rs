//! The page around the drawings: one file with everything in it.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::chart::{PEERS, Standing, escaped, peer_class, rows, skyline};
use super::rows::{Row, Source};

const STYLE: &str = include_str!("page.css");

/// What the drawings mean.
const INTRODUCTION: &str = "Each line is one computation on the same data in the same run. A dot is a library: how long it took over how long \
    Syntonic took, so to the right of 1× Syntonic is faster. The bar ends at the best of them. Beyond 16× and 1/4× a dot is pale \
    and stands at the edge. On a GPU, the part of a copy is the bytes that have to be moved, over the time, over the bandwidth \
    of a plain copy. Point at a line for all its times.";

/// A page of all sources.
pub(super) fn page(sources: &[Source]) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Syntonic, measured</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>Syntonic, measured</h1>\n<p class=\"quiet\">{INTRODUCTION}</p>\n"
    );
    for source in sources {
        section(&mut out, source);
    }
    if sources.is_empty() {
        out.push_str("<p>There is nothing to draw: no record of a GPU is committed, and no rows were given.</p>\n");
    }
    out.push_str(
        "<footer>Drawn by <code>cargo xtask bench --report</code>.</footer>\n</body>\n</html>\n",
    );
    out
}

fn section(out: &mut String, source: &Source) {
    let _ = writeln!(out, "<section>\n<h2>{}</h2>", escaped(&source.title));
    let ratios: Vec<f64> = source
        .rows
        .iter()
        .filter_map(|row| Some(row.best()?.1))
        .collect();
    cards(out, &source.rows, &ratios);
    out.push_str("<dl>\n");
    for (name, value) in source.facts.iter().filter(|fact| !fact.1.is_empty()) {
        let _ = writeln!(out, "<dt>{}</dt><dd>{}</dd>", escaped(name), escaped(value));
    }
    out.push_str("</dl>\n");
    means(out, source);
    legend(out, &source.rows);
    if !ratios.is_empty() {
        let _ = writeln!(
            out,
            "<h3>All rows, best peer over Syntonic</h3>\n<div class=\"panel\">{}</div>",
            skyline(ratios)
        );
    }
    for suite in suites(&source.rows) {
        let of_suite: Vec<&Row> = source
            .rows
            .iter()
            .filter(|row| row.suite == suite)
            .collect();
        let _ = writeln!(
            out,
            "<h3>{}</h3>\n<div class=\"panel\">{}</div>",
            heading(suite),
            rows(&of_suite)
        );
    }
    out.push_str("</section>\n");
}

/// A line for each suite whose means the record has.
fn means(out: &mut String, source: &Source) {
    if source.suites.is_empty() {
        return;
    }
    out.push_str("<dl>\n");
    for (name, suite) in &source.suites {
        let told = escaped(&suite.to_string());
        let _ = writeln!(out, "<dt>{}</dt><dd>{told}</dd>", heading(name));
    }
    out.push_str("</dl>\n<p class=\"quiet\">Geometric means; a row without a right result, or without a peer, counts 0.1.</p>\n");
}

/// The suites in the order of their first rows.
fn suites(rows: &[Row]) -> Vec<&str> {
    let mut seen = BTreeSet::new();
    let names = rows.iter().map(|row| row.suite.as_str());
    names.filter(|suite| seen.insert(*suite)).collect()
}

/// A suite's name as a heading.
fn heading(suite: &str) -> String {
    let name = match suite {
        "nn" => "network layers",
        "copies" => "copies of the host",
        other => other,
    };
    let mut letters = name.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    escaped(&format!(
        "{}{}",
        first.unwrap_or_default(),
        letters.as_str()
    ))
}

fn cards(out: &mut String, rows: &[Row], ratios: &[f64]) {
    let count = |wanted| {
        ratios
            .iter()
            .filter(|&&ratio| Standing::of(ratio) == wanted)
            .count()
    };
    let card = |out: &mut String, class: &str, value: String, told: &str| {
        let _ = writeln!(
            out,
            "<div class=\"card {class}\"><b>{value}</b>{told}</div>"
        );
    };
    out.push_str("<div class=\"cards\">\n");
    card(out, "", rows.len().to_string(), "computations");
    if !ratios.is_empty() {
        card(
            out,
            "ahead",
            count(Standing::Ahead).to_string(),
            "ahead of the best peer",
        );
        card(
            out,
            "",
            count(Standing::Level).to_string(),
            "level, within 5 %",
        );
        card(out, "behind", count(Standing::Behind).to_string(), "behind");
        let mean = ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64;
        card(out, "", format!("{:.2}×", mean.exp()), "geometric mean");
    }
    let troubles = rows.iter().filter(|row| row.trouble.is_some()).count();
    if troubles > 0 {
        card(
            out,
            "behind",
            troubles.to_string(),
            "without a right result",
        );
    }
    out.push_str("</div>\n");
}

fn legend(out: &mut String, rows: &[Row]) {
    let names: BTreeSet<&str> = rows
        .iter()
        .flat_map(|row| row.ratios.keys().map(String::as_str))
        .collect();
    let place = |name: &&str| {
        PEERS
            .iter()
            .position(|peer| peer == name)
            .unwrap_or(PEERS.len())
    };
    let mut names: Vec<&str> = names.into_iter().collect();
    names.sort_by_key(place);
    out.push_str("<div class=\"legend\">");
    for name in names {
        let _ = write!(
            out,
            "<span><i class=\"{}\"></i>{}</span>",
            peer_class(name),
            escaped(name)
        );
    }
    for (colour, told) in [
        ("ahead", "ahead"),
        ("level", "level, within 5 %"),
        ("behind", "behind"),
    ] {
        let _ = write!(
            out,
            "<span><i class=\"square\" style=\"background:var(--{colour})\"></i>{told}</span>"
        );
    }
    out.push_str("</div>\n");
}
