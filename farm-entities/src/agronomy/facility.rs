//! Facility: a lifeless object on a field. The only kind is a scarecrow.
//!
//! | writes | unit |
//! |---|---|
//! | scarecrow on the field | none, basic, advanced |
//! | birds that it keeps away (role `scarecrow_strength`) | nb |
//!
//! Source: Farm-gym paper; equation sheet II.10. A scarecrow works from the day when it is put up, because actions come
//! before birds.

use farm_core::prelude::*;
use farm_roles::SCARECROW_STRENGTH;

/// A scarecrow that the farmer can put up and remove.
#[derive(Debug, Clone, Parameters)]
pub(crate) struct Facility {
    /// Number of birds that each type of scarecrow keeps away each day.
    scarecrow_strength: ScarecrowStrength,
}

/// Number of birds that each type of scarecrow keeps away each day.
#[derive(Debug, Clone, Parameters)]
pub(crate) struct ScarecrowStrength {
    /// Birds that stay away without a scarecrow.
    #[parameter(unit = "nb", range = 0..=MAX_BIRDS)]
    none: i32,
    /// Birds that a basic scarecrow keeps away.
    #[parameter(unit = "nb", default = 4, range = 0..=MAX_BIRDS)]
    basic: i32,
    /// Birds that an advanced scarecrow keeps away.
    #[parameter(unit = "nb", default = 10, range = 0..=MAX_BIRDS)]
    advanced: i32,
}

const MAX_BIRDS: i32 = 100_000;

impl Facility {
    fn types(&self) -> ActionParameter {
        let ScarecrowStrength { basic, advanced, .. } = self.scarecrow_strength;
        let doc = format!(
            "Type of scarecrow. A `basic` one keeps {basic} birds away each day, and an `advanced` one keeps {advanced} away."
        );
        ActionParameter::choice("type", &["basic", "advanced"], &doc)
    }
}

#[derive(Columns)]
struct Equipment {
    facility: Facility,
    /// Type of scarecrow on the field.
    #[category(names = &["none", "basic", "advanced"])]
    scarecrow: Column<u8>,
    /// Number of birds that the scarecrow keeps away each day.
    #[count(name = "scarecrow_strength#nb", range = 0..=MAX_BIRDS, default = f64::from(facility.scarecrow_strength.none), hidden, role = SCARECROW_STRENGTH)]
    strength: Column<i32>,
    /// Puts up a scarecrow, which replaces any existing one and takes effect on the same day.
    #[action(parameters = [facility.types()], done = "put up a scarecrow", badge = include_str!("sprites/badges/scarecrow.svg"), without_effect = "this scarecrow is there already")]
    put_scarecrow: usize,
    /// Removes the scarecrow. Has no effect if there is none.
    #[action(name = "remove_scarecrow", done = "took the scarecrow away", badge = include_str!("sprites/badges/scarecrow.svg"), without_effect = "there is no scarecrow")]
    _remove: usize,
}

#[register(
    entity = Facility,
    source = "Farm-gym paper; equation sheet II.10",
    sets = include_str!("facility.yaml"),
    picture = Picture::in_status_bar("Scarecrow")
        .label("scarecrow", "basic", "basic", include_str!("sprites/scarecrow_basic.svg"))
        .label("scarecrow", "advanced", "advanced", include_str!("sprites/scarecrow_advanced.svg"))
        .otherwise("none", include_str!("sprites/scarecrow_none.svg"))
)]
impl Behaviour for Equipment {
    /// The scarecrow may be an initial condition; its strength is derived from it.
    fn after_initial_conditions(&self, c: &mut Context<'_>) {
        let ScarecrowStrength { none, basic, advanced } = self.facility.scarecrow_strength;
        c.get(self.strength)[0].set([none, basic, advanced][usize::from(c.value(self.scarecrow)).min(2)]);
    }

    fn act(&self, action: usize, arguments: CallArguments<'_>, c: &mut Context<'_>) {
        c.get(self.scarecrow)[0].set(self.wanted(action, arguments));
        self.after_initial_conditions(c);
    }

    fn has_effect(&self, action: usize, arguments: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        reader.get(self.scarecrow)[0] != self.wanted(action, arguments)
    }
}

impl Equipment {
    /// The scarecrow on the field after an action.
    fn wanted(&self, action: usize, arguments: CallArguments<'_>) -> u8 {
        // The words of the action leave out "none".
        if action == self.put_scarecrow { arguments.choice(0) as u8 + 1 } else { 0 }
    }
}
