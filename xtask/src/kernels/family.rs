//! A family is one CUDA source: compiled as one, loaded as one, and named after its file.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::architecture::{Architecture, EVERYWHERE};
use super::compiler::{FLAGS, INCLUDE, VERSION};
use super::digest::{Digest, read};

/// Where sources that are written by hand lie, relative to the root.
const WRITTEN: &str = "kernels";

/// What sources that the generator writes are called, as if they lay there: images are named after it, so it stays the same
/// wherever a target folder is.
const GENERATED: &str = "kernels/generated";

/// All sources: those of the tree, and the generator's, which are in a folder of their own and not committed.
#[derive(Clone)]
pub(super) struct Sources {
    pub(super) root: PathBuf,
    /// Where the generator has written.
    pub(super) generated: PathBuf,
}

impl Sources {
    /// Where `file` lies, which families name relative to the root.
    pub(super) fn place(&self, file: &Path) -> PathBuf {
        match file.strip_prefix(GENERATED) {
            Ok(name) => self.generated.join(name),
            Err(_) => self.root.join(file),
        }
    }
}

/// One CUDA source and what it is compiled for.
pub(super) struct Family {
    pub(super) name: String,
    /// Relative to the root; [`Sources::place`] knows where it lies.
    pub(super) source: PathBuf,
    pub(super) architectures: Vec<Architecture>,
    /// The source and every header of ours that it includes, directly or not.
    files: Vec<PathBuf>,
}

impl Family {
    fn read(sources: &Sources, source: PathBuf) -> Result<Self> {
        let name = source
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned())
            .unwrap_or_default();
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        ensure!(
            !name.is_empty() && name.chars().all(plain),
            "{}: a family's name has lower-case letters, digits and underscores",
            source.display()
        );
        let architectures = architectures(&read(&sources.place(&source))?)
            .with_context(|| source.display().to_string())?;
        Ok(Self {
            name,
            architectures,
            files: closure(sources, &source)?,
            source,
        })
    }

    /// The name of everything that an image of this family is made from.
    pub(super) fn digest(&self, sources: &Sources, architecture: Architecture) -> Result<String> {
        let mut digest = Digest::new()
            .text(VERSION)
            .text(&FLAGS.join(" "))
            .text(&architecture.to_string());
        for file in &self.files {
            let name = file.to_string_lossy().replace('\\', "/");
            digest = digest.text(&name).text(&read(&sources.place(file))?);
        }
        Ok(digest.finish())
    }
}

/// All families, sorted by name. Two of one name are an error.
pub(super) fn families(sources: &Sources) -> Result<Vec<Family>> {
    let mut families = Vec::new();
    for folder in [WRITTEN, GENERATED].map(Path::new) {
        for file in sources_in(&sources.place(folder))? {
            families.push(Family::read(sources, folder.join(file))?);
        }
    }
    families.sort_by(|a, b| a.name.cmp(&b.name));
    for pair in families.windows(2) {
        ensure!(
            pair[0].name != pair[1].name,
            "two sources of one name: {} and {}",
            pair[0].source.display(),
            pair[1].source.display()
        );
    }
    Ok(families)
}

/// The names of the `.cu` files directly in `folder`; none if there is no such folder.
fn sources_in(folder: &Path) -> Result<BTreeSet<PathBuf>> {
    let mut names = BTreeSet::new();
    if folder.is_dir() {
        for entry in fs::read_dir(folder)? {
            let name = PathBuf::from(entry?.file_name());
            if name.extension().is_some_and(|end| end == "cu") {
                names.insert(name);
            }
        }
    }
    Ok(names)
}

/// What a line `// arch: 80 90a` among the comments at the top says, else the architectures that everything is built for.
fn architectures(text: &str) -> Result<Vec<Architecture>> {
    let comments = text.lines().take_while(|line| line.starts_with("//"));
    let mut wanted = comments.filter_map(|line| line.strip_prefix("// arch:"));
    let Some(list) = wanted.next() else {
        return Ok(EVERYWHERE.to_vec());
    };
    let list: BTreeSet<Architecture> = list
        .split([' ', ','])
        .filter(|name| !name.is_empty())
        .map(str::parse)
        .collect::<Result<_>>()?;
    ensure!(!list.is_empty(), "`// arch:` names no architecture");
    ensure!(wanted.next().is_none(), "`// arch:` occurs twice");
    Ok(list.into_iter().collect())
}

/// `source` and what it includes, sorted. Headers in angle brackets that are not ours belong to the compiler.
fn closure(sources: &Sources, source: &Path) -> Result<Vec<PathBuf>> {
    let mut found = BTreeSet::new();
    let mut open = vec![source.to_path_buf()];
    while let Some(file) = open.pop() {
        if !found.insert(file.clone()) {
            continue;
        }
        let text = read(&sources.place(&file))?;
        for (number, line) in text.lines().enumerate() {
            if let Some(wanted) = included(line) {
                match wanted.resolve(sources, &file) {
                    Some(header) => open.push(header),
                    None if wanted.bracketed => {}
                    None => bail!(
                        "{}:{}: there is no {} beside it, in {INCLUDE} or among what the generator writes",
                        file.display(),
                        number + 1,
                        wanted.name
                    ),
                }
            }
        }
    }
    Ok(found.into_iter().collect())
}

struct Included<'a> {
    name: &'a str,
    bracketed: bool,
}

impl Included<'_> {
    /// The file of ours that is meant, as the compiler would look for it.
    fn resolve(&self, sources: &Sources, from: &Path) -> Option<PathBuf> {
        let beside = from.parent().filter(|_| !self.bracketed);
        let places = beside
            .into_iter()
            .chain([INCLUDE, GENERATED].map(Path::new));
        let mut files = places.map(|place| tidied(&place.join(self.name)));
        files.find(|file| sources.place(file).is_file())
    }
}

/// Takes `x/..` out, so that a header has one name however it is reached.
fn tidied(path: &Path) -> PathBuf {
    let mut steps = PathBuf::new();
    for step in path.components() {
        match step {
            std::path::Component::ParentDir => drop(steps.pop()),
            std::path::Component::CurDir => {}
            step => steps.push(step),
        }
    }
    steps
}

/// The header that a line includes. Whether the preprocessor would read the line is not asked: a hash may cover too much.
fn included(line: &str) -> Option<Included<'_>> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("include")?.trim_start();
    let (close, bracketed) = match rest.chars().next()? {
        '"' => ('"', false),
        '<' => ('>', true),
        _ => return None,
    };
    let name = rest[1..].split(close).next()?;
    Some(Included { name, bracketed })
}

#[cfg(test)]
mod tests {
    use super::super::scratch::Scratch;
    use super::*;

    fn names(list: &[Architecture]) -> Vec<String> {
        list.iter().map(Architecture::to_string).collect()
    }

    #[test]
    fn the_top_of_a_source_may_name_architectures() {
        assert_eq!(
            names(&architectures("#include \"a.cuh\"\n").unwrap()),
            ["75", "80", "90"]
        );
        assert_eq!(
            names(&architectures("// What it does.\n// arch: 90a, 80\n").unwrap()),
            ["80", "90a"]
        );
        // Only at the top: further down it is a comment like any other.
        assert_eq!(
            names(&architectures("int x;\n// arch: 90a\n").unwrap()),
            ["75", "80", "90"]
        );
        for wrong in ["// arch:\n", "// arch: 91x\n", "// arch: 80\n// arch: 90\n"] {
            assert!(architectures(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn headers_are_followed_and_compiler_headers_are_not() {
        let tree = Scratch::new("closure");
        tree.write(
            "kernels/a.cu",
            "#include <cuda_fp16.h>\n#include \"b.cuh\"\n",
        );
        tree.write(
            "kernels/include/b.cuh",
            "# include \"deep/c.cuh\"\n#include <d.cuh>\n",
        );
        tree.write("kernels/include/deep/c.cuh", "#include \"../b.cuh\"\n");
        tree.write("kernels/include/d.cuh", "");
        let files = closure(&tree.sources(), Path::new("kernels/a.cu")).unwrap();
        let wanted = [
            "a.cu",
            "include/b.cuh",
            "include/d.cuh",
            "include/deep/c.cuh",
        ];
        assert_eq!(files, wanted.map(|name| Path::new("kernels").join(name)));

        tree.write("kernels/include/d.cuh", "\n#include \"absent.cuh\"\n");
        let complaint = closure(&tree.sources(), Path::new("kernels/a.cu")).unwrap_err();
        assert!(
            complaint
                .to_string()
                .contains("d.cuh:2: there is no absent.cuh"),
            "{complaint}"
        );
    }

    #[test]
    fn a_digest_covers_headers_and_architecture() {
        let tree = Scratch::new("digest");
        tree.write("kernels/a.cu", "#include \"b.cuh\"\n");
        tree.write("kernels/include/b.cuh", "int x;\n");
        let digest = |architecture: &str| {
            let family = families(&tree.sources()).unwrap().remove(0);
            let architecture = architecture.parse().unwrap();
            family.digest(&tree.sources(), architecture).unwrap()
        };
        let before = digest("80");
        assert_eq!(before, digest("80"));
        assert_ne!(before, digest("90"));
        tree.write("kernels/include/b.cuh", "int y;\n");
        assert_ne!(before, digest("80"));
    }

    #[test]
    fn names_are_plain_and_occur_once() {
        let tree = Scratch::new("names");
        tree.write("kernels/a.cu", "");
        tree.write("made/b.cu", "");
        assert_eq!(families(&tree.sources()).unwrap().len(), 2);
        tree.write("made/a.cu", "");
        assert!(families(&tree.sources()).is_err());
        tree.remove("made/a.cu");
        tree.write("kernels/A-b.cu", "");
        assert!(families(&tree.sources()).is_err());
    }
}
