//! `cargo xtask site`: the documentation as a folder of pages, made from the sources.
//!
//! Two environments take turns. In the project's, which has the package installed, guides and notebooks are run and a page is
//! written for each public name (`crates/syntonic-py/docs/pages`). In that of the site, which has Sphinx and nothing else, the pages become
//! HTML; whatever Sphinx complains of is an error.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::ci;
use crate::command::{example, read, run as run_command};
use crate::report;
use crate::steps::begin;
use crate::tree::{root, target_dir};
use crate::venv::{Purpose, Venv};
use crate::wheel::{self, Profile};

/// Guides, notebooks, the settings of Sphinx, and the package that writes pages.
const DOCS: &str = "crates/syntonic-py/docs";
/// All rows of the committed records, drawn; the guide on benchmarks leads to it.
const MEASURED: &str = "measured.html";
/// What the pages of names take from the tests of the package: a valid call of each.
const TESTS: &str = "crates/syntonic-py/tests";

/// What `cargo xtask site` makes.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The folder of the site; the default is `site` in the target folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Also make the documentation of the Rust crates, in the folder `rust` of the site
    #[arg(long)]
    rustdoc: bool,
}

/// Makes the site, or says what is wrong with it.
pub(crate) fn run(options: &Options) -> Result<()> {
    let out = match &options.out {
        Some(out) => std::path::absolute(out)?,
        None => target_dir()?.join("site"),
    };
    let pages = write_pages()?;
    to_html(&pages, &out, options.rustdoc)?;
    report::write(&out.join(MEASURED), &[])?;
    if options.rustdoc {
        begin("the documentation of the Rust crates", "1 minute");
        rustdoc(&out.join("rust"))?;
    }
    println!("{}: {}", out.join("index.html").display(), size(&out)?);
    Ok(())
}

/// The site, of the wheel that the tests use: no second compilation, so this is what CI does.
pub(crate) fn check() -> Result<()> {
    run(&Options {
        out: None,
        rustdoc: false,
    })
}

/// Runs guides and notebooks and writes all pages as Markdown; their folder.
fn write_pages() -> Result<PathBuf> {
    let project = Venv::ready(Purpose::Project)?;
    begin(
        "the Python package, built",
        "3 minutes the first time, then at once",
    );
    wheel::install(&project, &project, Profile::Checked)?;
    begin(
        "guides and notebooks, run, and a page for each name",
        "30 seconds",
    );
    let made = target_dir()?.join("site-pages");
    fs::create_dir_all(&made)?;
    let (table, pages) = (made.join("elementwise.tsv"), made.join("pages"));
    fs::write(&table, read(&mut example("elementwise_table")?)?)?;
    let mut python = project.python()?;
    let places = [root()?.join(DOCS), root()?.join(TESTS)];
    python.env("PYTHONPATH", std::env::join_paths(places)?);
    python.args(["-m", "pages", "--tree"]).arg(root()?);
    python.arg("--table").arg(&table);
    run_command(python.arg("--out").arg(&pages))?;
    Ok(pages)
}

/// Makes HTML of the pages. A link that leads nowhere, a page that nothing leads to and any other complaint is an error.
fn to_html(pages: &Path, out: &Path, with_rustdoc: bool) -> Result<()> {
    let site = Venv::ready(Purpose::Site)?;
    begin("the pages as HTML", "1 minute");
    make_room(out)?;
    let mut sphinx = site.python()?;
    sphinx.args(["-m", "sphinx", "--builder", "html", "--quiet", "--nitpicky"]);
    sphinx.args(["--fail-on-warning", "--keep-going", "--jobs", "auto"]);
    if with_rustdoc {
        sphinx.args(["--tag", "rustdoc"]);
    }
    sphinx.arg("--conf-dir").arg(root()?.join(DOCS));
    sphinx
        .arg("--doctree-dir")
        .arg(target_dir()?.join("site-pages").join("doctrees"));
    run_command(sphinx.arg(pages).arg(out))
}

/// Removes the site of a former call, and nothing else.
fn make_room(out: &Path) -> Result<()> {
    if !out.exists() {
        return Ok(());
    }
    let ours = out.join("searchindex.js").is_file() || fs::read_dir(out)?.next().is_none();
    ensure!(
        ours,
        "{} is there and is no site; hint: name a new folder, or one that this command made",
        out.display()
    );
    Ok(fs::remove_dir_all(out)?)
}

/// The documentation of the crates, as CI checks it, put into the site.
fn rustdoc(out: &Path) -> Result<()> {
    ci::documents()?;
    copy(&target_dir()?.join("doc"), out)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
        let entry = entry?;
        let place = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &place)?;
        } else {
            fs::copy(entry.path(), place)?;
        }
    }
    Ok(())
}

/// How many pages a folder has, and how large it is.
fn size(folder: &Path) -> Result<String> {
    let (mut pages, mut bytes) = (0, 0);
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                open.push(entry.path());
                continue;
            }
            bytes += entry.metadata()?.len();
            pages += usize::from(entry.path().extension().is_some_and(|end| end == "html"));
        }
    }
    Ok(format!("{pages} pages, {:.1} MB", bytes as f64 / 1e6))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_copied_and_counted_whole() {
        let here = std::env::temp_dir().join(format!("syntonic-site-{}", std::process::id()));
        let (from, to) = (here.join("from"), here.join("to"));
        fs::create_dir_all(from.join("inner")).unwrap();
        fs::write(from.join("index.html"), "a".repeat(1000)).unwrap();
        fs::write(from.join("inner").join("page.html"), "b").unwrap();
        fs::write(from.join("inner").join("style.css"), "c").unwrap();
        copy(&from, &to).unwrap();
        assert_eq!(size(&to).unwrap(), size(&from).unwrap());
        assert_eq!(size(&to).unwrap(), "2 pages, 0.0 MB");
        assert_eq!(
            fs::read_to_string(to.join("inner").join("page.html")).unwrap(),
            "b"
        );
        fs::remove_dir_all(here).unwrap();
    }

    #[test]
    fn a_folder_that_is_no_site_is_left_alone() {
        let out = std::env::temp_dir().join(format!("syntonic-no-site-{}", std::process::id()));
        fs::create_dir_all(&out).unwrap();
        fs::write(out.join("mine.txt"), "mine").unwrap();
        let complaint = make_room(&out).unwrap_err().to_string();
        assert!(complaint.contains("no site"), "{complaint}");
        assert!(out.join("mine.txt").is_file());
        fs::remove_file(out.join("mine.txt")).unwrap();
        make_room(&out).unwrap();
        assert!(!out.exists());
    }
}
