//! The studies that come with the project.

/// A study that comes with the project.
#[derive(Debug, Clone, Copy)]
pub struct Shipped {
    /// Its name, that of its file.
    pub name: &'static str,
    /// The folder that it lies in, below `farm-study/studies`.
    pub folder: &'static str,
    /// Its file.
    pub(crate) file: &'static str,
    /// Its YAML.
    pub text: &'static str,
}

macro_rules! shipped {
    ($folder:literal: $($name:literal),+ $(,)?) => {
        /// The studies, in the order in which pages show them.
        pub const SHIPPED: &[Shipped] = &[$(Shipped {
            name: $name,
            folder: $folder,
            file: concat!($name, ".yaml"),
            text: include_str!(concat!("../studies/", $folder, "/", $name, ".yaml")),
        }),+];
    };
}

shipped!("curves":
    "yield_per_hectare",
    "yield_per_plant",
    "harvest_index",
    "water_productivity",
    "season",
    "sowing_date",
    "temperature",
    "water",
    "waterlogging",
    "nitrogen",
    "phosphorus",
    "potassium",
    "density",
    "weeds",
    "emergence",
    "insects",
);

/// The files that the studies share, by folder and name.
const SHARED: [(&str, &str, &str); 2] = [
    ("curves", "plot.yaml", include_str!("../studies/curves/plot.yaml")),
    ("curves", "crops.yaml", include_str!("../studies/curves/crops.yaml")),
];

/// The study of a name.
pub(crate) fn find(name: &str) -> Option<&'static Shipped> {
    SHIPPED.iter().find(|study| study.name == name)
}

/// The text of a file that studies of a folder share.
pub(crate) fn file(folder: &str, name: &str) -> Option<&'static str> {
    SHARED.iter().find(|(of, known, _)| *of == folder && *known == name).map(|(.., text)| *text)
}
