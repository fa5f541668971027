//! The structures whose numbers N make correction factors.

use syntonic_core::{Error, Result};

macro_rules! structures {
    ($($name:ident = $key:literal, $n:literal: $what:literal;)*) => {
        /// A structure of a Lie algebra or its lattice with a number N. Bourbaki, *Groupes et algèbres de Lie*, chapters 4 to 6,
        /// plates IV to IX, has them; J. H. Conway and N. J. A. Sloane, *Sphere Packings, Lattices and Groups*, the kissing
        /// number.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Structure {
            $(#[doc = $what] $name,)*
        }

        impl Structure {
            /// All of them.
            pub const ALL: &[Structure] = &[$(Structure::$name),*];

            /// Its name, such as `E8_dim`.
            ///
            /// ```
            /// use syntonic_srt::golden::Structure;
            ///
            /// assert_eq!(Structure::E8Dimension.name(), "E8_dim");
            /// ```
            pub fn name(self) -> &'static str {
                match self {
                    $(Structure::$name => $key,)*
                }
            }

            /// Its number N.
            ///
            /// ```
            /// use syntonic_srt::golden::Structure;
            ///
            /// assert_eq!((Structure::E8Roots.number(), Structure::D4Kissing.number()), (240, 24));
            /// ```
            pub fn number(self) -> u32 {
                match self {
                    $(Structure::$name => $n,)*
                }
            }
        }
    };
}

structures! {
    E8Dimension = "E8_dim", 248: "The dimension of E8, 248.";
    E8Roots = "E8_roots", 240: "The roots of E8, 240.";
    E8Positive = "E8_positive", 120: "The positive roots of E8, 120.";
    E8Coxeter = "E8_coxeter", 30: "The Coxeter number of E8, 30.";
    E8Rank = "E8_rank", 8: "The rank of E8, 8.";
    E7Dimension = "E7_dim", 133: "The dimension of E7, 133.";
    E7Roots = "E7_roots", 126: "The roots of E7, 126.";
    E7Positive = "E7_positive", 63: "The positive roots of E7, 63.";
    E7Fundamental = "E7_fundamental", 56: "The fundamental representation of E7, 56.";
    E7Coxeter = "E7_coxeter", 18: "The Coxeter number of E7, 18.";
    E7Rank = "E7_rank", 7: "The rank of E7, 7.";
    E6Dimension = "E6_dim", 78: "The dimension of E6, 78.";
    E6Roots = "E6_roots", 72: "The roots of E6, 72.";
    E6Positive = "E6_positive", 36: "The positive roots of E6, 36.";
    E6Fundamental = "E6_fundamental", 27: "The fundamental representation of E6, 27.";
    E6Coxeter = "E6_coxeter", 12: "The Coxeter number of E6, 12.";
    E6Rank = "E6_rank", 6: "The rank of E6, 6.";
    F4Dimension = "F4_dim", 52: "The dimension of F4, 52.";
    D4Adjoint = "D4_adjoint", 28: "The adjoint representation of D4, 28.";
    D4Kissing = "D4_kissing", 24: "The kissing number of the lattice D4, 24.";
    D4Rank = "D4_rank", 4: "The rank of D4, 4.";
    G2Dimension = "G2_dim", 14: "The dimension of G2, 14.";
    G2Roots = "G2_roots", 12: "The roots of G2, 12.";
    G2Rank = "G2_rank", 2: "The rank of G2, 2.";
}

impl Structure {
    /// The structure of a name. Errors where none has it.
    ///
    /// ```
    /// use syntonic_srt::golden::Structure;
    ///
    /// assert_eq!(Structure::from_name("E8_dim")?, Structure::E8Dimension);
    /// assert!(Structure::from_name("E9_dim").is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn from_name(name: &str) -> Result<Structure> {
        let found = Structure::ALL.iter().copied().find(|s| s.name() == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = Structure::ALL.iter().map(|s| s.name()).collect();
            Error::value(
                "structure",
                format!(
                    "{name:?} is no structure; hint: one of {}",
                    names.join(", ")
                ),
            )
        })
    }
}

impl From<Structure> for f64 {
    fn from(structure: Structure) -> f64 {
        f64::from(structure.number())
    }
}
