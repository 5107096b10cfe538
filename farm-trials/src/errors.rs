//! The codes of field trials.

use farm_core::codes;

codes! {
    /// Field trials: experiments that are played and compared with measurements.
    pub enum TrialError: "trials" {
        /// A folder or a file of field trials can't be read.
        ///
        /// A folder of trials has experiment files of DSSAT such as `UFGA8201.MZX`, the weather files and the soil profiles that they name,
        /// and files with measured values next to the experiment files. They may be in subfolders.
        UnreadableTrial = "unreadable-trial",
        /// No treatment has this trial, this number or this crop.
        ///
        /// A treatment is written as its trial and its number: `UFGA8201:4`. Without a number, all treatments of the trial are meant.
        UnknownTreatment = "unknown-treatment",
        /// A treatment can't be played.
        ///
        /// Its crop is not in the program, or the folder lacks its soil or its weather.
        UnplayableTreatment = "unplayable-treatment",
        /// A file with parameters of crops can't be used.
        ///
        /// The file is YAML with parameters of the entity `Plant` below the name of a parameter set: `corn: {crop: {density#nb.m-2: 8}}`.
        WrongPlants = "wrong-plants",
    }
}
