//! How the plants develop from stage to stage.

use farm_core::Stream;

use super::*;

impl Life {
    pub(super) fn develop(&self, plot: usize, c: &mut Context<'_>) {
        let stage = c.get(self.c.stage)[plot].get();
        let first_day = c.get(self.c.entered)[plot].replace(0) == 1;
        if !(SEED..=RIPE).contains(&stage) {
            if stage == DEAD {
                set_number(c, self.c.fruits, plot, 0);
            }
            return;
        }
        let mut stream = c.stream(self.key, DAY.at(plot));
        if is_active(stage) {
            self.take(plot, c);
        }
        if first_day {
            self.begin(plot, stage, &mut stream, c);
        }
        let dangers = self.dangers(plot, stage, c);
        if stage == RIPE {
            self.keep(plot, &dangers, &mut stream, c);
        } else if !stream.bernoulli(dangers.survival()) {
            self.die(plot, dangers.worst(), c);
        } else {
            let chance = self.live(plot, stage, &mut stream, c);
            if stream.bernoulli(chance) {
                self.enter(plot, stage + 1, c);
                if stage == SEED {
                    set(c, self.c.size, plot, SPROUT_CM);
                }
                c.emit(self.c.transition, plot, f64::from(stage + 1));
            } else if stage == SEED {
                count_one(c, self.c.age_seed, plot);
            }
        }
        self.publish_progress(plot, c);
    }

    pub(super) fn enter(&self, plot: usize, stage: u8, c: &Context<'_>) {
        c.get(self.c.stage)[plot].set(stage);
        c.get(self.c.entered)[plot].set(1);
    }

    /// The first day in a stage (II.6.7 a; for flowers, Farm-gym Eq. 10).
    #[farm_core::equation("10")]
    pub(super) fn begin(&self, plot: usize, stage: u8, stream: &mut Stream, c: &Context<'_>) {
        match stage {
            BLOOM => {
                let stress = self.stress(plot, c);
                let buds = flower_buds(
                    f64::from(self.c.plant.flowers_max),
                    self.c.plant.bloom.stress_boost,
                    self.c.plant.bloom.stress_boost_speed,
                    stress,
                    self.c.plant.stress_scale,
                );
                // Eq. 10: the number of flowers depends on the height that the plant has reached.
                let flowers = stream.binomial(buds, (at(c, self.c.size, plot) / self.c.plant.size_max).clamp(0.0, 1.0));
                set_number(c, self.c.flowers, plot, flowers as i32);
                set_number(c, self.c.pollinated, plot, 0);
                set_number(c, self.c.pollinator_visits, plot, 0);
            }
            FRUIT => {
                set_number(c, self.c.fruits, plot, number(c, self.c.pollinated, plot));
                set_number(c, self.c.flowers, plot, 0);
                set(c, self.c.fruit_weight, plot, NEW_FRUIT_G);
            }
            RIPE => set_number(c, self.c.age_ripe, plot, 0),
            _ => {}
        }
    }

    /// The dangers to the plants today (Farm-gym Eqs. 2, 9, 15, 20, 21): the base of the response, and its terms.
    #[farm_core::equation("2", "9", "15", "20", "21")]
    pub(super) fn dangers(&self, plot: usize, stage: u8, c: &Context<'_>) -> Dangers {
        let beyond = |value: f64, most: f64| distance(value, f64::NEG_INFINITY, most);
        let days = |column| f64::from(number(c, column, plot));
        let frost = f64::from(c.value(self.c.frost));
        let nothing = (0.0, 0.0);
        match stage {
            SEED => {
                let p = &self.c.plant.seed;
                let birds: i32 = self.c.seed_eaters.iter().map(|column| c.value(*column)).sum();
                let birds = (p.death_birds, beyond(f64::from(birds), p.death_birds_max));
                let age = (p.death_age, beyond(days(self.c.age_seed), p.death_age_max));
                Dangers {
                    base: p.death_base,
                    terms: [birds, age, nothing, nothing],
                    causes: [BIRDS, AGE, CHANCE, CHANCE],
                }
            }
            GROW => {
                let p = &self.c.plant.grow;
                let pests = (p.death_pests, beyond(days(self.c.pests), p.death_pests_max));
                let nogrow = (p.death_nogrow, beyond(days(self.c.nogrow), p.death_nogrow_max));
                let causes = [PESTS, NO_GROWTH, CHANCE, CHANCE];
                Dangers { base: p.death_base, terms: [pests, nogrow, nothing, nothing], causes }
            }
            BLOOM => {
                let p = &self.c.plant.bloom;
                let frost = (p.death_frost, beyond(frost, p.death_frost_max));
                let causes = [FROST, CHANCE, CHANCE, CHANCE];
                Dangers { base: p.death_base, terms: [frost, nothing, nothing, nothing], causes }
            }
            FRUIT => {
                let p = &self.c.plant.fruit;
                let [low, high] = p.death_humidity;
                let noweight = (p.death_noweight, beyond(days(self.c.noweight), p.death_noweight_max));
                let humidity = (p.death_humidity_weight, distance(c.value(self.c.humidity), low, high));
                let pests = (p.death_pests, beyond(days(self.c.pests), p.death_pests_max));
                let causes = [NO_WEIGHT, HUMIDITY, PESTS, CHANCE];
                Dangers { base: p.death_base, terms: [noweight, humidity, pests, nothing], causes }
            }
            _ => {
                // These threaten each ripe fruit separately.
                let p = &self.c.plant.ripe;
                let rain = (p.rain, if c.value(self.c.rain) > 0.0 { 1.0 } else { 0.0 });
                let frost = (p.frost, beyond(frost, p.frost_max));
                let pests = (p.pests, beyond(days(self.c.pests), p.pests_max));
                let age = (p.age, beyond(days(self.c.age_ripe), p.age_max));
                Dangers { base: p.base, terms: [rain, frost, pests, age], causes: [RAIN, FROST, PESTS, AGE] }
            }
        }
    }

    pub(super) fn die(&self, plot: usize, cause: u8, c: &mut Context<'_>) {
        self.enter(plot, DEAD, c);
        c.get(self.c.cause_of_death)[plot].set(cause);
        c.emit(self.c.death, plot, f64::from(cause));
    }

    /// A day that the plants survived, by stage. Returns the probability of entering the next stage (II.6.7 c, d).
    pub(super) fn live(&self, plot: usize, stage: u8, stream: &mut Stream, c: &mut Context<'_>) -> f64 {
        match stage {
            SEED => self.germinate(plot, c),
            GROW => self.grow(plot, stream, c),
            BLOOM => self.bloom(plot, stream, c),
            _ => self.fruit(plot, stream, c),
        }
    }

    /// Probability of sprouting (Farm-gym Eq. 3).
    #[farm_core::equation("3")]
    pub(super) fn germinate(&self, plot: usize, c: &Context<'_>) -> f64 {
        let p = &self.c.plant.seed;
        let ([t_low, t_high], [h_low, h_high]) = (p.sprout_temperature, p.sprout_humidity);
        let age = f64::from(number(c, self.c.age_seed, plot));
        response(
            p.sprout_base,
            &[
                (p.sprout_temperature_weight, distance(c.value(self.c.temperature), t_low, t_high)),
                (p.sprout_humidity_weight, distance(c.value(self.c.humidity), h_low, h_high)),
                (p.sprout_age_weight, distance(age, p.sprout_age_min, f64::INFINITY)),
            ],
        )
    }

    /// The plant gains height (Farm-gym Eqs. 4–6). Returns the probability of blooming (Eqs. 7, 8).
    #[farm_core::equation("4", "5", "6", "7", "8")]
    pub(super) fn grow(&self, plot: usize, stream: &mut Stream, c: &mut Context<'_>) -> f64 {
        let p = &self.c.plant.grow;
        let rate = self.rate(&p.rate, plot, stream, c);
        if rate >= p.rate.min {
            set(c, self.c.size, plot, flow(at(c, self.c.size, plot), rate, p.speed, self.c.plant.size_max));
            set_number(c, self.c.nogrow, plot, 0);
        } else {
            count_one(c, self.c.nogrow, plot);
        }
        let threshold = self.size_threshold(plot, c);
        set(c, self.c.size_threshold, plot, threshold);
        response(0.0, &[(p.bloom_size, distance(at(c, self.c.size, plot), threshold, f64::INFINITY))])
    }

    /// Flowers are pollinated (Farm-gym Eqs. 11–13). Returns the probability of fruiting (Eq. 14).
    #[farm_core::equation("11", "12", "13", "14")]
    pub(super) fn bloom(&self, plot: usize, stream: &mut Stream, c: &Context<'_>) -> f64 {
        let p = &self.c.plant.bloom;
        let visitors = self.c.visits.iter().filter(|column| c.get(**column)[plot].get() != 0).count() as i32;
        let visits = number(c, self.c.pollinator_visits, plot).saturating_add(visitors).min(LONG);
        set_number(c, self.c.pollinator_visits, plot, visits);
        let [low, high] = p.wind_temperature;
        let by_wind =
            response(p.wind_base, &[(p.wind_temperature_weight, distance(c.value(self.c.temperature), low, high))]);
        let by_insects =
            response(p.insect_base, &[(p.visits_weight, distance(f64::from(visits), p.visits_min, f64::INFINITY))]);
        let chance = pollination([p.auto_rate, p.wind_rate, p.insect_rate], [p.auto_success, by_wind, by_insects]);
        let pollinated = number(c, self.c.pollinated, plot);
        let waiting = (number(c, self.c.flowers, plot) - pollinated).max(0);
        set_number(c, self.c.pollinated, plot, pollinated + stream.binomial(waiting as u32, chance) as i32);
        count_one(c, self.c.age_bloom, plot);
        let age = f64::from(number(c, self.c.age_bloom, plot));
        response(0.0, &[(p.duration_weight, distance(age, p.duration, f64::INFINITY))])
    }

    /// The fruits gain weight (Farm-gym Eqs. 16, 17). Returns the probability of ripening (Eqs. 18, 19).
    #[farm_core::equation("16", "17", "18", "19")]
    pub(super) fn fruit(&self, plot: usize, stream: &mut Stream, c: &mut Context<'_>) -> f64 {
        let p = &self.c.plant.fruit;
        let rate = self.rate(&p.rate, plot, stream, c);
        if rate >= p.rate.min {
            let weight = flow(at(c, self.c.fruit_weight, plot), rate, self.fruit_speed, self.c.plant.fruit_weight_max);
            set(c, self.c.fruit_weight, plot, weight);
            set_number(c, self.c.noweight, plot, 0);
        } else {
            count_one(c, self.c.noweight, plot);
        }
        let threshold = self.weight_threshold(plot, c);
        set(c, self.c.weight_threshold, plot, threshold);
        response(0.0, &[(p.ripe_weight, distance(at(c, self.c.fruit_weight, plot), threshold, f64::INFINITY))])
    }

    /// Ripe fruits are lost to rain, frost, pests and age (Farm-gym Eq. 21). Without fruits, the plant dies.
    #[farm_core::equation("21")]
    pub(super) fn keep(&self, plot: usize, dangers: &Dangers, stream: &mut Stream, c: &mut Context<'_>) {
        let fruits = number(c, self.c.fruits, plot).max(0) as u32;
        let chance = (dangers.survival() + self.c.plant.ripe.noise * stream.normal()).clamp(0.0, 1.0);
        let left = match self.decay {
            RipeDecay::Binomial => stream.binomial(fruits, chance),
            RipeDecay::Floor => (chance * f64::from(fruits)) as u32,
        };
        set_number(c, self.c.fruits, plot, left as i32);
        count_one(c, self.c.age_ripe, plot);
        if left == 0 {
            self.die(plot, if fruits == 0 { NO_FRUITS } else { dangers.worst() }, c);
        }
    }

    /// The day's rate of growth: 1 if nothing is missing, plus noise (Farm-gym Eqs. 4, 5, 16). Hindrances multiply this rate by a share.
    #[farm_core::equation("4", "5", "16")]
    pub(super) fn rate(&self, r: &Rate, plot: usize, stream: &mut Stream, c: &mut Context<'_>) -> f64 {
        let relative = self.relative;
        let required = values(self.plots(), plot, self.c.required, c);
        let missing = |x: usize| {
            let (supply, required) = (at(c, self.c.supply[x], plot), required[x]);
            if relative { shortage(supply, required) } else { distance(supply, required, f64::INFINITY) }
        };
        let (water, wilting, capacity) =
            (at(c, self.c.supply_water, plot), c.value(self.c.wilting), c.value(self.c.capacity));
        // Eq. 5: the water that the plant needs, between the wilting point and the capacity.
        let wanted = (1.0 - r.drought) * wilting + r.drought * capacity;
        let dry = if relative {
            // Plants cannot use water below the wilting point, so the share is of the water above it.
            shortage((water - wilting).max(0.0), wanted - wilting)
        } else {
            distance(water, wanted, f64::INFINITY)
        };
        let [low, high] = r.temperature;
        let limits = [
            (r.temperature_weight, distance(c.value(self.c.temperature), low, high)),
            (r.nitrogen, missing(0)),
            (r.phosphorus, missing(1)),
            (r.potassium, missing(2)),
            (r.carbon, missing(3)),
            (r.water, dry),
        ];
        // The same order as in `LIMITS` after "nothing".
        let worst = worst_term(&limits);
        let mut limit = worst.map_or(0, |i| i + 1);
        let mut left = 1.0;
        if !self.c.hindrances.is_empty() {
            let penalty = worst.map_or(0.0, |i| limits[i].0 * limits[i].1);
            let (share, cause) = hindered(&self.c.hindrances, plot, penalty, c);
            left = share;
            limit = cause.map_or(limit, usize::from);
        }
        c.get(self.c.limited_by)[plot].set(limit as u8);
        if limit != 0 {
            c.emit(self.c.limited, plot, limit as f64);
        }
        let perfect = response(r.base, &limits);
        left * (perfect + r.noise * stream.normal()).clamp(0.0, 1.5)
    }

    pub(super) fn stress(&self, plot: usize, c: &Context<'_>) -> f64 {
        total_stress(values(self.plots(), plot, self.c.stress, c), at(c, self.c.stress_water, plot))
    }

    pub(super) fn size_threshold(&self, plot: usize, c: &Context<'_>) -> f64 {
        bloom_threshold(self.stress(plot, c), self.c.plant.stress_scale) * self.c.plant.size_max
    }

    pub(super) fn weight_threshold(&self, plot: usize, c: &Context<'_>) -> f64 {
        let p = &self.c.plant.fruit;
        let missing = p.visits_min - f64::from(number(c, self.c.pollinator_visits, plot));
        let share =
            ripe_threshold(self.stress(plot, c), self.c.plant.stress_scale, p.stress_weight, missing, p.visits_weight);
        share * self.c.plant.fruit_weight_max
    }
}
