//! Bringing the committed images up to date: only what changed is compiled, as many at once as there are processors.

use std::collections::BTreeSet;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

use anyhow::{Context, Result, bail, ensure};

use super::architecture::Architecture;
use super::digest::{Digest, read};
use super::family::{Family, Sources, families};
use super::manifest::{self, Made, Manifest, Record};
use super::store::{self, IMAGES, Texts};
use super::{ptx, table};

/// What is to be brought up to date; nothing named means everything.
#[derive(Clone, Copy, Default)]
pub(super) struct Wish<'a> {
    pub(super) family: Option<&'a str>,
    pub(super) architecture: Option<Architecture>,
    /// Also what did not change.
    pub(super) force: bool,
}

impl Wish<'_> {
    fn covers(&self, family: &Family, architecture: Architecture) -> bool {
        self.family.is_none_or(|name| name == family.name)
            && self
                .architecture
                .is_none_or(|wanted| wanted == architecture)
    }
}

/// One image to compile.
pub(super) struct Job<'a> {
    pub(super) family: &'a Family,
    pub(super) architecture: Architecture,
    /// The digest that the image is made from.
    pub(super) from: String,
}

/// The images of `wish` that are not what their sources make them.
pub(super) fn plan<'a>(
    sources: &Sources,
    families: &'a [Family],
    manifest: &Manifest,
    wish: Wish<'_>,
) -> Result<Vec<Job<'a>>> {
    let mut jobs = Vec::new();
    for family in families {
        let record = manifest.0.get(&family.name);
        let texts = texts(&sources.root, &family.name, record);
        for &architecture in &family.architectures {
            if wish.covers(family, architecture) {
                let from = family.digest(sources, architecture)?;
                if wish.force || !is_made(record, &texts, architecture, &from) {
                    jobs.push(Job {
                        family,
                        architecture,
                        from,
                    });
                }
            }
        }
    }
    Ok(jobs)
}

/// The texts of a family as the manifest knows them; none where the two do not fit together.
fn texts(root: &Path, family: &str, record: Option<&Record>) -> Texts {
    let read = |record: &Record| store::read(root, family, record).ok();
    record.and_then(read).unwrap_or_default()
}

fn is_made(record: Option<&Record>, texts: &Texts, architecture: Architecture, from: &str) -> bool {
    let made = |which| record.and_then(|record| record.images.get(&which));
    let there = |which| {
        let text = texts.get(&which);
        let digest = text.map(|text| Digest::new().text(text).finish());
        made(which).is_some_and(|made| digest.is_some_and(|found| found == made.ptx))
    };
    made(architecture)
        .is_some_and(|made| made.from == from && there(made.same.unwrap_or(architecture)))
}

/// Compiles `wish` by `make`, which gives the text of one image as it is to be committed, and writes what follows from it.
///
/// What could be made is written also when something else could not.
pub(super) fn refresh(
    sources: &Sources,
    wish: Wish<'_>,
    prepare: impl FnOnce(&[Job<'_>]) -> Result<Maker>,
) -> Result<()> {
    let (root, families) = (sources.root.as_path(), families(sources)?);
    ensure!(
        wish.family
            .is_none_or(|name| families.iter().any(|family| family.name == name)),
        "there is no family `{}`; there are: {}",
        wish.family.unwrap_or_default(),
        families
            .iter()
            .map(|family| family.name.as_str())
            .collect::<Vec<_>>()
            .join(", ")
    );
    let mut manifest = Manifest::salvage(root);
    let jobs = plan(sources, &families, &manifest, wish)?;
    let mut failures = Vec::new();
    if !jobs.is_empty() {
        let maker = prepare(&jobs)?;
        let mut made = in_parallel(&jobs, &maker).into_iter();
        for family in jobs.chunk_by(|a, b| a.family.name == b.family.name) {
            let name = &family[0].family.name;
            let mut record = manifest.0.remove(name).unwrap_or_default();
            let mut texts = texts(root, name, Some(&record));
            for (job, text) in family.iter().zip(made.by_ref()) {
                let entered = text.and_then(|text| enter(&mut record, &mut texts, job, text));
                if let Err(error) = entered {
                    failures.push(format!("{name} for {}: {error:#}", job.architecture));
                }
            }
            if texts.is_empty() {
                continue;
            }
            leave_out_repeated(&mut record, &mut texts);
            store::write(root, name, &texts)?;
            manifest.0.insert(name.clone(), record);
        }
    }
    forget_what_is_gone(root, &families, &mut manifest)?;
    write(root, &manifest)?;
    eprintln!(
        "{} images made, {} not",
        jobs.len() - failures.len(),
        failures.len()
    );
    match failures.is_empty() {
        true => Ok(()),
        false => bail!("{}", failures.join("\n")),
    }
}

/// Makes the text of one image.
pub(super) type Maker = Box<dyn Fn(&Job<'_>) -> Result<String> + Sync>;

fn in_parallel(jobs: &[Job<'_>], maker: &Maker) -> Vec<Result<String>> {
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let next = Mutex::new(0..jobs.len());
    let results = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..processors.min(jobs.len()) {
            scope.spawn(|| {
                loop {
                    let taken = next.lock().expect("a worker died").next();
                    let Some(index) = taken else { break };
                    let text = maker(&jobs[index]);
                    results.lock().expect("a worker died").push((index, text));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("a worker died");
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, text)| text).collect()
}

/// Takes an image into its family and its row of the manifest.
fn enter(record: &mut Record, texts: &mut Texts, job: &Job<'_>, text: String) -> Result<()> {
    let claims = ptx::claims(&text)?;
    // What has other kernels is of sources that are no more, and is made anew by the next run.
    if record.entries != claims.entries {
        texts.clear();
    }
    record.entries = claims.entries;
    record.images.insert(
        job.architecture,
        Made {
            isa: claims.isa.to_string(),
            from: job.from.clone(),
            ptx: Digest::new().text(&text).finish(),
            same: None,
        },
    );
    texts.insert(job.architecture, text);
    Ok(())
}

/// Removes every image whose text an older architecture's is, but for the target: that one runs on the newer too.
fn leave_out_repeated(record: &mut Record, texts: &mut Texts) {
    // What a lost text left behind is made anew by the next run.
    record
        .images
        .retain(|which, made| made.same.is_some() || texts.contains_key(which));
    let mut kept: Vec<(Architecture, String)> = Vec::new();
    for (&architecture, made) in &mut record.images {
        if architecture.exact || made.same.is_some() {
            continue;
        }
        let text = ptx::without_target(&texts[&architecture]);
        match kept.iter().find(|(_, older)| *older == text) {
            Some(&(older, _)) => {
                made.same = Some(older);
                texts.remove(&architecture);
            }
            None => kept.push((architecture, text)),
        }
    }
}

/// Forgets families without a source, and architectures that a family is not compiled for any more.
fn forget_what_is_gone(root: &Path, families: &[Family], manifest: &mut Manifest) -> Result<()> {
    let wanted = |name: &str| families.iter().find(|family| family.name == name);
    manifest.0.retain(|name, _| wanted(name).is_some());
    for (name, record) in &mut manifest.0 {
        let asked = |which: &Architecture| {
            wanted(name).is_some_and(|family| family.architectures.contains(which))
        };
        if record.images.keys().all(asked) {
            continue;
        }
        let mut texts = texts(root, name, Some(record));
        record.images.retain(|which, _| asked(which));
        texts.retain(|which, _| asked(which));
        store::write(root, name, &texts)?;
    }
    Ok(())
}

/// Writes the manifest and the table, and removes images that nothing asks for. Unchanged files keep their time stamps.
fn write(root: &Path, manifest: &Manifest) -> Result<()> {
    for (file, text) in [
        (manifest::FILE, manifest.text()?),
        (table::FILE, table::text(manifest)),
    ] {
        let path = root.join(file);
        if read(&path).ok().as_deref() != Some(&text) {
            fs::write(&path, text).with_context(|| format!("cannot write {file}"))?;
        }
    }
    for orphan in orphans(root, manifest)? {
        fs::remove_file(root.join(&orphan))?;
        eprintln!("removed {}", orphan.display());
    }
    Ok(())
}

/// Files among the images that the manifest does not know, relative to the root.
pub(super) fn orphans(root: &Path, manifest: &Manifest) -> Result<Vec<PathBuf>> {
    let known: BTreeSet<PathBuf> = manifest
        .0
        .iter()
        .filter(|(_, record)| !record.images.is_empty())
        .map(|(name, _)| store::file(name))
        .collect();
    let mut found = Vec::new();
    let mut open = vec![PathBuf::from(IMAGES)];
    while let Some(folder) = open.pop().filter(|folder| root.join(folder).is_dir()) {
        for entry in fs::read_dir(root.join(&folder))? {
            let path = folder.join(entry?.file_name());
            if root.join(&path).is_dir() {
                open.push(path);
            } else if !known.contains(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::super::check::complaints;
    use super::super::scratch::{Scratch, image_of, tree_with};
    use super::*;

    fn everything() -> Wish<'static> {
        Wish::default()
    }

    /// Refreshes with an imitated compiler; gives how many images it made.
    fn count(tree: &Scratch, wish: Wish<'_>) -> usize {
        let mut count = 0;
        refresh(&tree.sources(), wish, |jobs| {
            count = jobs.len();
            Ok(Box::new(|job| {
                Ok(image_of(&job.family.name, job.architecture))
            }))
        })
        .unwrap();
        count
    }

    #[test]
    fn images_that_differ_in_their_target_alone_are_one_file() {
        let tree = tree_with("repeated", &["a"]);
        let alike = |text: String, architecture: Architecture| {
            text.replace(&format!("// {architecture}"), "// all")
        };
        let remake = |force: bool| {
            let wish = Wish {
                force,
                ..everything()
            };
            refresh(&tree.sources(), wish, |_| {
                Ok(Box::new(move |job| {
                    Ok(alike(
                        image_of(&job.family.name, job.architecture),
                        job.architecture,
                    ))
                }))
            })
            .unwrap();
        };
        for force in [false, false, true] {
            remake(force);
            assert_eq!(tree.texts("a").len(), 1);
            assert_eq!(complaints(&tree.sources()).unwrap(), [""; 0]);
        }
        assert_eq!(count(&tree, everything()), 0);
        tree.remove("kernels/ptx/a.lzma");
        assert_eq!(count(&tree, everything()), 3);
        assert_eq!(complaints(&tree.sources()).unwrap(), [""; 0]);
    }

    #[test]
    fn only_what_changed_is_made() {
        let tree = tree_with("refresh", &["a", "b"]);
        assert_eq!(count(&tree, everything()), 6);
        assert_eq!(complaints(&tree.sources()).unwrap(), [""; 0]);
        assert_eq!(count(&tree, everything()), 0);

        tree.write("kernels/a.cu", "// Changed.\n");
        let only_b = Wish {
            family: Some("b"),
            ..everything()
        };
        assert_eq!(count(&tree, only_b), 0);
        let only_80 = Wish {
            architecture: Some("80".parse().unwrap()),
            ..everything()
        };
        assert_eq!(count(&tree, only_80), 1);
        assert_eq!(count(&tree, everything()), 2);

        // A header of everybody, an image that was edited or lost, and force.
        tree.write("kernels/include/all.cuh", "// Changed.\n");
        assert_eq!(count(&tree, everything()), 3);
        tree.replace("a", "75", Some("edited".to_owned()));
        assert_eq!(count(&tree, everything()), 1);
        tree.replace("b", "90", None);
        assert_eq!(count(&tree, everything()), 3);
        assert_eq!(
            count(
                &tree,
                Wish {
                    force: true,
                    ..only_b
                }
            ),
            3
        );
        assert_eq!(complaints(&tree.sources()).unwrap(), [""; 0]);
    }

    #[test]
    fn what_is_gone_is_forgotten() {
        let tree = tree_with("gone", &["a", "b"]);
        count(&tree, everything());
        tree.remove("kernels/a.cu");
        tree.write("kernels/b.cu", "// arch: 90a\n");
        assert_eq!(count(&tree, everything()), 1);
        assert_eq!(complaints(&tree.sources()).unwrap(), [""; 0]);
        assert!(!tree.root().join("kernels/ptx/a.lzma").exists());
        assert!(tree.read(table::FILE).contains("&[Kind::exactly(90)]"));
    }

    #[test]
    fn one_failure_is_named_and_the_rest_is_kept() {
        let tree = tree_with("failure", &["a", "b"]);
        let outcome = refresh(&tree.sources(), everything(), |_| {
            Ok(Box::new(|job| {
                ensure!(job.family.name != "a", "no such instruction");
                Ok(image_of(&job.family.name, job.architecture))
            }))
        });
        let complaint = outcome.unwrap_err().to_string();
        assert!(
            complaint.contains("a for 75: no such instruction"),
            "{complaint}"
        );
        assert!(!complaint.contains("b for"), "{complaint}");
        assert_eq!(count(&tree, everything()), 3);
        assert!(
            refresh(
                &tree.sources(),
                Wish {
                    family: Some("c"),
                    ..everything()
                },
                |_| bail!("asked")
            )
            .is_err()
        );
    }

    #[test]
    fn results_come_back_in_order() {
        let tree = tree_with("order", &["a", "b", "c", "d"]);
        let families = families(&tree.sources()).unwrap();
        let jobs = plan(
            &tree.sources(),
            &families,
            &Manifest::default(),
            everything(),
        )
        .unwrap();
        let calls = AtomicUsize::new(0);
        let calls: &'static AtomicUsize = Box::leak(Box::new(calls));
        let maker: Maker = Box::new(|job| {
            calls.fetch_add(1, Ordering::Relaxed);
            Ok(format!("{}.{}", job.family.name, job.architecture))
        });
        let texts: Vec<String> = in_parallel(&jobs, &maker)
            .into_iter()
            .map(Result::unwrap)
            .collect();
        let wanted: Vec<String> = jobs
            .iter()
            .map(|job| format!("{}.{}", job.family.name, job.architecture))
            .collect();
        assert_eq!(texts, wanted);
        assert_eq!(calls.load(Ordering::Relaxed), 12);
    }
}
