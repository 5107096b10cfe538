//! The codes of farmers, levels and policies.

use farm_core::codes;

codes! {
    /// Farmers: where they are, what they carry and what they see.
    pub enum FarmerError: "farmers" {
        /// A plot lies beyond the field.
        ///
        /// Plots count from 0.
        PlotBeyondField = "plot-beyond-field",
        /// The moves of a farmer are not four names.
        ///
        /// Give one name each for north, south, east and west.
        WrongMoves = "wrong-moves",
        /// The window of a farmer is not valid: it has no middle, reaches beyond the map's margin, or shows an unsuitable variable.
        ///
        /// The farmer is on the middle tile of the window, so the window has an odd number of tiles in each row and column.
        WrongWindow = "wrong-window",
        /// The farmer reaches plots that its window does not show.
        ///
        /// The player would act on plots that it cannot see.
        BlindReach = "blind-reach",
        /// The stock of a farmer is not valid: it has no unit, starts above its capacity, or shares its amounts with another stock.
        ///
        /// The unit decides which amounts are taken from a stock.
        WrongStock = "wrong-stock",
        /// The places of a farmer are not valid: there are too many, two are on one plot, or a name has another meaning.
        ///
        /// A stock is refilled at its place.
        WrongPlace = "wrong-place",
        /// The field is too large for a farmer on foot.
        ///
        /// Each coordinate of the farmer is stored in one byte, 0 to 255.
        FieldTooLarge = "field-too-large",
    }
}

codes! {
    /// What the first seasons of a game show when it is checked.
    pub enum RehearsalError: "rehearsal" {
        /// An action was never possible.
        ///
        /// All policies of the game and a random player played some seasons. Remove the action, or make it possible.
        NeverPossible = "never-possible",
        /// Nothing grew on a field.
        ///
        /// All policies of the game and a random player played some seasons, and no plant ever sprouted.
        NothingGrew = "nothing-grew",
        /// A crop can be sown, but no policy of the game ever sows it.
        ///
        /// Plots with growing plants cannot be sown. If the game is about sowing, start with bare plots (`stage: none`).
        NeverSown = "never-sown",
        /// Every season is over after its first step.
        ///
        /// A condition that ends the season holds from the start.
        OverAtOnce = "over-at-once",
        /// All rewards of all policies are equal.
        ///
        /// Learning is impossible if no action changes the reward.
        EqualRewards = "equal-rewards",
        /// No reward is ever above 0.
        ///
        /// If every action only costs money, the best policy is to wait.
        NothingPays = "nothing-pays",
        /// No policy keeps a limit of the game.
        ///
        /// Even waiting exceeds the limit, so the limit does not distinguish good policies from bad ones.
        LimitNeverKept = "limit-never-kept",
    }
}

codes! {
    /// Levels: worlds to start from.
    pub enum LevelError: "levels" {
        /// The file is not a level.
        ///
        /// A level is a mapping with the game, the map, the farmer and the things on the map.
        NotALevel = "not-a-level",
        /// The level belongs to another game.
        ///
        /// A level lists the things of one game and works only with this game.
        LevelOfOtherGame = "level-of-other-game",
        /// The game has no levels.
        ///
        /// Only games with one field, a map and a farmer on the map have levels.
        NoLevels = "no-levels",
        /// The things of a level do not match the game: some are missing, unknown or indistinguishable.
        ///
        /// A level lists every thing of the game.
        WrongThings = "wrong-things",
        /// The world can't be written as a level of AutoEnv-36.
        ///
        /// Its environments 18 and 19 have their own rules, things and stages, and one market.
        NotOfAutoEnv = "not-of-autoenv",
        /// The map of a level is not made of rows of one length.
        ///
        /// Each row has a `.` or a `#` for each tile.
        WrongMap = "wrong-map",
        /// This is not a valid tile.
        ///
        /// A tile is two integers `[x, y]`, counted from 0 at the top-left corner.
        NotATile = "not-a-tile",
        /// A thing or the farmer is on a fence tile.
        ///
        /// Place it on a tile that is `.` on the map.
        StandsInFence = "stands-in-fence",
    }
}

codes! {
    /// Policies: scripted players.
    pub enum PolicyError: "policies" {
        /// A rule of a policy has no action.
        ///
        /// A rule has conditions and an action, and acts when the conditions hold.
        RuleWithoutAction = "rule-without-action",
        /// A rule for each plot names no field, or several fields.
        ///
        /// `plot: here` is a plot of one field.
        WrongPlots = "wrong-plots",
        /// The game has no action that the policy can use.
        ///
        /// The rules of the game must allow the action.
        NothingToActOn = "nothing-to-act-on",
        /// Policies use each other in a circle.
        ///
        /// The player would never choose an action.
        PolicyCircle = "policy-circle",
        /// The policy's memory has no number with this name.
        ///
        /// `memory` of the same policy declares the numbers that its rules read and change.
        UnknownMemory = "unknown-memory",
        /// A number in the memory of a policy reads a number that is written below it.
        ///
        /// Each day, the numbers are updated in the order written, so they can't read each other in a circle.
        MemoryOrder = "memory-order",
    }
}
