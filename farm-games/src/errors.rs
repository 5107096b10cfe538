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
        /// There is one for each of north, south, east and west.
        WrongMoves = "wrong-moves",
        /// The window of a farmer does not fit: it has no middle, reaches beyond the margin of the map, or shows what can't be shown.
        ///
        /// The farmer stands in the middle of an odd number of tiles.
        WrongWindow = "wrong-window",
        /// The farmer reaches plots that its window does not show.
        ///
        /// Whoever plays it acts blindly there.
        BlindReach = "blind-reach",
        /// The stock of a farmer does not fit: it has no unit, begins with more than its capacity, or is not the only one for an amount.
        ///
        /// The unit tells what amounts are drawn from a stock.
        WrongStock = "wrong-stock",
        /// The places of a farmer do not fit: too many, two at one plot, or one with a name that has another meaning.
        ///
        /// A place is where a stock is filled up.
        WrongPlace = "wrong-place",
        /// The field is too large for a farmer who walks in it.
        ///
        /// The position of the farmer is kept as bytes.
        FieldTooLarge = "field-too-large",
    }
}

codes! {
    /// What the first seasons of a game show when it is checked.
    pub enum RehearsalError: "rehearsal" {
        /// An action was never possible.
        ///
        /// All policies, random play among them, played some seasons. What a player can never do hides what the game is about.
        NeverPossible = "never-possible",
        /// Nothing grew on a field.
        ///
        /// All policies, random play among them, played some seasons, and no plant ever sprouted.
        NothingGrew = "nothing-grew",
        /// A crop may be sown, and no policy of the game ever sowed it.
        ///
        /// Where something grows from the start, nothing can be sown: the season is that of the plants that were there.
        NeverSown = "never-sown",
        /// Every season is over after its first step.
        ///
        /// A condition that ends the season holds from the start.
        OverAtOnce = "over-at-once",
        /// All rewards of all policies are equal.
        ///
        /// Nothing can be learned where nothing pays.
        EqualRewards = "equal-rewards",
        /// No reward is ever above 0.
        ///
        /// Where every action only costs, doing nothing is the best play.
        NothingPays = "nothing-pays",
        /// No policy keeps a limit, whatever it does.
        ///
        /// A limit that waiting breaks too tells nobody how to farm.
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
        /// A world has the things of its own game.
        LevelOfOtherGame = "level-of-other-game",
        /// The game has no levels.
        ///
        /// Levels are for games with one field that has a map, and a farmer on it.
        NoLevels = "no-levels",
        /// The things of a level are not those of the game: some are missing, unknown, or can't be told apart.
        ///
        /// A level is a whole world.
        WrongThings = "wrong-things",
        /// The world can't be written as a level of AutoEnv-36.
        ///
        /// Its environments 18 and 19 have rules, things and stages of their own, and one market.
        NotOfAutoEnv = "not-of-autoenv",
        /// The map of a level is not made of rows of one length.
        ///
        /// Each row has a `.` or a `#` for each tile.
        WrongMap = "wrong-map",
        /// This is not a valid tile.
        ///
        /// A tile is two whole numbers `[x, y]`, counted from 0 at the top-left corner.
        NotATile = "not-a-tile",
        /// A thing or the farmer stands in a fence.
        ///
        /// Place it on a tile that is `.` on the map.
        StandsInFence = "stands-in-fence",
    }
}

codes! {
    /// Policies: who plays by a rule.
    pub enum PolicyError: "policies" {
        /// A rule of a policy does nothing.
        ///
        /// A rule has conditions, and an action that is taken when they hold.
        RuleWithoutAction = "rule-without-action",
        /// A rule for each plot does not say which field it looks at, or mixes several.
        ///
        /// `plot: here` is a plot of one field.
        WrongPlots = "wrong-plots",
        /// Nothing in the game does what the policy wants done.
        ///
        /// The rules of the game must allow the action.
        NothingToActOn = "nothing-to-act-on",
        /// Policies lead back to themselves.
        ///
        /// The player would never come to an action.
        PolicyCircle = "policy-circle",
    }
}
