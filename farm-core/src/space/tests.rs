//! Tests the properties of every space with random spaces, random values and random mistakes.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

/// Boxes with bounds for all entries, for each entry along the last axis, and for each entry.
fn boxes() -> impl Strategy<Value = Space> {
    let shape = prop::collection::vec(1usize..3, 0..3);
    let dtype = prop_oneof![Just(Dtype::Uint8), Just(Dtype::Int32), Just(Dtype::Float32)];
    (shape, dtype, prop::collection::vec((0u8..4, 0u8..4), 8), 0usize..3, any::<bool>()).prop_map(
        |(shape, dtype, bounds, form, unbounded)| {
            let all: usize = shape.iter().product();
            let length = [1, shape.last().copied().unwrap_or(1), all][form];
            let below = if dtype == Dtype::Uint8 { 0.0 } else { 2.0 };
            let low: Vec<f64> = bounds[..length].iter().map(|(l, _)| f64::from(*l) - below).collect();
            let mut high: Vec<f64> = low.iter().zip(&bounds).map(|(low, (_, width))| low + f64::from(*width)).collect();
            if unbounded && dtype == Dtype::Float32 {
                high[0] = f64::INFINITY;
            }
            Space::Box { low, high, shape, dtype }
        },
    )
}

fn spaces() -> impl Strategy<Value = Space> {
    let leaf = prop_oneof![
        (1usize..5).prop_map(|n| Space::Discrete { n }),
        prop::collection::vec(1usize..4, 0..4).prop_map(|nvec| Space::MultiDiscrete { nvec }),
        prop::collection::vec(1usize..3, 0..3).prop_map(|shape| Space::MultiBinary { shape }),
        (0usize..3, 0usize..3, prop_oneof![Just("é"), Just("ab"), Just(ALPHANUMERIC)]).prop_map(
            |(min_length, more, charset)| Space::Text {
                min_length,
                max_length: min_length + more,
                charset: charset.into()
            }
        ),
        boxes(),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Space::Tuple),
            prop::collection::vec(inner.clone(), 1..4).prop_map(Space::Union),
            (prop::collection::vec(inner.clone(), 0..4), 0usize..4)
                .prop_map(|(spaces, max)| Space::MultiUnion { spaces, max }),
            (inner.clone(), 0usize..4).prop_map(|(s, max)| Space::Sequence { space: Box::new(s), max }),
            prop::collection::vec(inner, 0..3)
                .prop_map(|spaces| Space::Dict(["a.b", "c"].map(String::from).into_iter().zip(spaces).collect())),
        ]
    })
}

/// The paths to all nodes in a value.
fn nodes(value: &Json) -> Vec<Vec<Json>> {
    let below: Vec<(Json, &Json)> = match value {
        Json::Array(items) => items.iter().enumerate().map(|(i, item)| (json!(i), item)).collect(),
        Json::Object(entries) => entries.iter().map(|(key, item)| (json!(key), item)).collect(),
        _ => Vec::new(),
    };
    let mut found = vec![Vec::new()];
    for (step, item) in below {
        found.extend(nodes(item).into_iter().map(|rest| [vec![step.clone()], rest].concat()));
    }
    found
}

fn node<'v>(value: &'v mut Json, path: &[Json]) -> &'v mut Json {
    path.iter().fold(value, |value, step| match step {
        Json::String(key) => &mut value[key.as_str()],
        step => &mut value[step.as_u64().unwrap() as usize],
    })
}

proptest! {
    #[test]
    fn samples_belong_and_flatten_and_come_back(space in spaces(), seed: u64) {
        let sample = space.sample(&mut Stream::from_seed(seed));
        prop_assert_eq!(space.check(&sample), Ok(()), "{}: {}", space, sample);
        prop_assert!(space.contains(&sample));
        let flat = space.flatten(&sample).unwrap();
        prop_assert_eq!(flat.len(), space.flat_size());
        prop_assert!(flat.iter().all(|number| number.is_finite()));
        prop_assert_eq!(space.unflatten(&flat), Ok(sample));
    }

    #[test]
    fn spaces_come_back_from_json_as_they_were(space in spaces()) {
        prop_assert_eq!(space.validate(), Ok(()));
        let text = serde_json::to_string(&space).unwrap();
        prop_assert_eq!(serde_json::from_str::<Space>(&text).unwrap(), space);
    }

    #[test]
    fn what_is_changed_into_something_foreign_belongs_no_more(
        space in spaces(), seed: u64, at: prop::sample::Index, foreign in 0usize..5,
    ) {
        let mut sample = space.sample(&mut Stream::from_seed(seed));
        let all = nodes(&sample);
        let place = node(&mut sample, &all[at.index(all.len())]);
        *place = match (place.take(), foreign) {
            (_, 0) => Json::Null,
            // Values outside all spaces here: text with a character that no space allows, and objects with a key that no space has.
            (Json::Array(mut items), _) => { items.push(Json::Null); Json::Array(items) }
            (Json::Object(mut entries), 1) if !entries.is_empty() => { entries.remove("a.b"); Json::Object(entries) }
            (Json::Object(mut entries), _) => { entries.insert("?".into(), json!(0)); Json::Object(entries) }
            (Json::String(text), _) => json!(text + "?"),
            (_, 1) => json!(-1e300),
            (_, 2) => json!(true),
            _ => json!({"?": 0}),
        };
        let error = space.check(&sample).expect_err("it was accepted");
        prop_assert!(!space.contains(&sample));
        prop_assert!(space.flatten(&sample).is_err());
        prop_assert!(error.0.expected.is_some() && error.0.value.is_some(), "{}", error);
    }

    #[test]
    fn a_vector_that_is_read_is_the_vector_that_is_written(
        space in spaces(), seed: u64, at: prop::sample::Index, number in prop_oneof![
            Just(0.0), Just(1.0), Just(2.0), Just(0.5), Just(-7.0), Just(f64::NAN), Just(f64::INFINITY)],
    ) {
        let mut flat = space.flatten(&space.sample(&mut Stream::from_seed(seed))).unwrap();
        if !flat.is_empty() {
            let at = at.index(flat.len());
            flat[at] = number;
        }
        if let Ok(value) = space.unflatten(&flat) {
            prop_assert_eq!(space.check(&value), Ok(()));
            prop_assert_eq!(space.flatten(&value), Ok(flat.clone()));
        }
        flat.push(0.0);
        prop_assert!(space.unflatten(&flat).is_err(), "a vector that is too long");
    }

    #[test]
    fn sizes_are_what_counting_gives(space in spaces()) {
        if let Some(values) = all(&space, 3000) {
            let different: BTreeSet<String> = values.iter().map(Json::to_string).collect();
            prop_assert_eq!(different.len(), values.len());
            prop_assert!(values.iter().all(|value| space.contains(value)));
            prop_assert_eq!(space.size(), Cardinality::Finite(values.len() as u128), "{}", space);
        }
    }
}

/// Every combination of one value from each list.
fn combinations(lists: &[Vec<Json>]) -> Vec<Vec<Json>> {
    lists.iter().fold(vec![Vec::new()], |found, list| {
        found.iter().flat_map(|head| list.iter().map(|item| [head.clone(), vec![item.clone()]].concat())).collect()
    })
}

/// All values, with each set's members in a single order; `None` if there are too many or infinitely many.
fn all(space: &Space, most: usize) -> Option<Vec<Json>> {
    let product = |lists: Vec<Vec<Json>>| {
        let count = lists.iter().try_fold(1usize, |n, list| n.checked_mul(list.len()).filter(|n| *n <= most));
        count.map(|_| combinations(&lists))
    };
    let shaped = |shape: &[usize], lists: Vec<Vec<Json>>| {
        product(lists).map(|found| {
            let nest = |numbers: Vec<Json>| {
                let mut numbers = numbers.into_iter();
                build(shape, &mut || numbers.next().unwrap())
            };
            found.into_iter().map(nest).collect::<Vec<_>>()
        })
    };
    let options = |spaces: &[Space]| {
        let mut found = Vec::new();
        for (i, space) in spaces.iter().enumerate() {
            found.extend(all(space, most)?.into_iter().map(|value| json!([i, value])));
        }
        Some(found)
    };
    let arrays = |found: Vec<Vec<Json>>| found.into_iter().map(Json::Array).collect::<Vec<_>>();
    let values = match space {
        Space::Box { low, high, shape, dtype } => {
            let entry = |i: usize| -> Option<Vec<Json>> {
                let (low, high) = (low[i % low.len()], high[i % high.len()]);
                match dtype {
                    Dtype::Float32 => (low == high).then(|| vec![json!(low)]),
                    _ => Some((low as i64..=high as i64).map(|n| json!(n)).collect()),
                }
            };
            shaped(shape, (0..shape.iter().product()).map(entry).collect::<Option<_>>()?)?
        }
        Space::Discrete { n } => (0..*n).map(|i| json!(i)).collect(),
        Space::MultiDiscrete { nvec } => {
            arrays(product(nvec.iter().map(|n| (0..*n).map(|i| json!(i)).collect()).collect())?)
        }
        Space::MultiBinary { shape } => shaped(shape, vec![vec![json!(0), json!(1)]; shape.iter().product()])?,
        Space::Text { min_length, max_length, charset } => {
            let mut texts = vec![String::new()];
            let mut found = Vec::new();
            for length in 0..=*max_length {
                if length >= *min_length {
                    found.extend(texts.iter().map(|text| json!(text)));
                }
                texts = texts.iter().flat_map(|text| charset.chars().map(move |c| format!("{text}{c}"))).collect();
                if found.len() + texts.len() > 4 * most {
                    return None;
                }
            }
            found
        }
        Space::Dict(entries) => {
            let found = product(entries.iter().map(|(_, space)| all(space, most)).collect::<Option<_>>()?)?;
            let keys = || entries.iter().map(|(key, _)| key.clone());
            found.into_iter().map(|values| Json::Object(keys().zip(values).collect())).collect()
        }
        Space::Tuple(spaces) => arrays(product(spaces.iter().map(|s| all(s, most)).collect::<Option<_>>()?)?),
        Space::Sequence { space, max } => {
            let mut found = vec![json!([])];
            if *max > 0 {
                let values = all(space, most)?;
                for length in 1..=*max {
                    found.extend(arrays(product(vec![values.clone(); length])?));
                }
            }
            found
        }
        Space::Union(spaces) => options(spaces)?,
        Space::MultiUnion { max: 0, .. } => vec![json!([])],
        Space::MultiUnion { spaces, max } => {
            let values = options(spaces)?;
            if values.len() > 11 {
                return None;
            }
            let subset = |bits: u32| (0..values.len()).filter(move |i| bits >> i & 1 == 1);
            let subsets = (0..1u32 << values.len()).filter(|bits| bits.count_ones() as usize <= *max);
            subsets.map(|bits| Json::Array(subset(bits).map(|i| values[i].clone()).collect())).collect()
        }
    };
    (values.len() <= most).then_some(values)
}

#[test]
fn sizes_of_larger_spaces_are_those_of_the_textbook() {
    let die = || Space::Discrete { n: 6 };
    let lotto = Space::MultiUnion { spaces: vec![Space::Discrete { n: 49 }], max: 2 };
    assert_eq!(lotto.size(), Cardinality::Finite(1 + 49 + 49 * 48 / 2));
    assert_eq!(Space::Sequence { space: Box::new(die()), max: 3 }.size(), Cardinality::Finite(1 + 6 + 36 + 216));
    assert_eq!(Space::MultiBinary { shape: vec![127] }.size(), Cardinality::Finite(1 << 127));
    assert_eq!(Space::MultiBinary { shape: vec![128] }.size(), Cardinality::Uncounted);
    let subsets = |n, max| Space::MultiUnion { spaces: vec![Space::Discrete { n }], max }.size();
    assert_eq!(subsets(127, 127), Cardinality::Finite(1 << 127), "2^n subsets in all");
    assert_eq!(subsets(128, 128), Cardinality::Uncounted);
    assert_eq!(Space::scalar(0.0, 1.0).size(), Cardinality::Infinite);
    assert_eq!(Space::MultiUnion { spaces: vec![Space::scalar(0.0, 1.0)], max: 1 }.size(), Cardinality::Infinite);
    let all = Space::Box { low: vec![-2147483648.0], high: vec![2147483647.0], shape: vec![3], dtype: Dtype::Int32 };
    assert_eq!(all.size(), Cardinality::Finite(1 << 96));
    assert!((0..64).all(|seed| all.contains(&all.sample(&mut Stream::from_seed(seed)))));
}

#[test]
fn flat_vectors_are_those_of_gymnasium() {
    // The results of `gymnasium.spaces.utils.flatten` in Gymnasium 1.4.0 for the same spaces and values.
    assert_eq!(Space::Discrete { n: 3 }.flatten(&json!(1)).unwrap(), [0.0, 1.0, 0.0]);
    let two = Space::MultiDiscrete { nvec: vec![2, 3] };
    assert_eq!(two.flatten(&json!([1, 0])).unwrap(), [0.0, 1.0, 1.0, 0.0, 0.0]);
    let text = Space::Text { min_length: 0, max_length: 4, charset: "abc".into() };
    assert_eq!(text.flatten(&json!("cab")).unwrap(), [2.0, 0.0, 1.0, 3.0]);
    assert_eq!(Space::text(3).flatten(&json!("aZ")).unwrap(), [36.0, 35.0, 62.0]);
    let dict = Space::Dict(vec![("x".into(), Space::scalar(0.0, 9.0)), ("y".into(), Space::Discrete { n: 2 })]);
    assert_eq!(dict.flatten(&json!({"y": 1, "x": 2.5})).unwrap(), [2.5, 0.0, 1.0]);
    let binary = Space::MultiBinary { shape: vec![2] };
    let pair = Space::Tuple(vec![binary, Space::Discrete { n: 2 }]);
    assert_eq!(pair.flatten(&json!([[1, 0], 1])).unwrap(), [1.0, 0.0, 0.0, 1.0]);
    let square = Space::Box { low: vec![0.0], high: vec![9.0], shape: vec![2, 2], dtype: Dtype::Float32 };
    assert_eq!(square.flatten(&json!([[1.0, 2.0], [3.0, 4.0]])).unwrap(), [1.0, 2.0, 3.0, 4.0]);
    // This project's own forms: a one-hot index, the value and zeros; and slots with a flag.
    let union = vec![Space::Discrete { n: 2 }, Space::scalar(0.0, 9.0)];
    assert_eq!(Space::Union(union.clone()).flatten(&json!([1, 4.0])).unwrap(), [0.0, 1.0, 4.0, 0.0]);
    let set = Space::MultiUnion { spaces: union, max: 2 };
    assert_eq!(set.flatten(&json!([[0, 1]])).unwrap(), [1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn errors_name_the_place_the_value_and_what_belongs_there() {
    let plot =
        Space::Dict(vec![("plot".into(), Space::Discrete { n: 4 }), ("amount#L".into(), Space::scalar(0.0, 5.0))]);
    let space = Space::MultiUnion { spaces: vec![Space::Dict(Vec::new()), plot], max: 2 };
    let refused = |value: Json, place: &str, expected: &str| {
        let error = space.check(&value).unwrap_err();
        assert_eq!(error.0.path.to_string(), place, "{error}");
        assert!(error.to_string().contains(expected), "{error}");
    };
    refused(json!([[1, {"plot": 4, "amount#L": 1.0}]]), "[0][1].plot", "from 0 to 3");
    refused(json!([[0, {}], [1, {"plot": 0, "amount#L": 7.5}]]), "[1][1].amount#L", "a finite number from 0 to 5");
    refused(json!([[1, {"plot": 0, "amount": 1.0}]]), "[0][1].amount", "did you mean `amount#L`?");
    refused(json!([[1, {"plot": 0}]]), "[0][1]", "the key `amount#L` is missing");
    refused(json!([[2, {}]]), "[0][0]", "from 0 to 1");
    refused(json!([[0]]), "[0]", "a pair [index, value]");
    refused(json!([[0, {}], [1, {"plot": 0, "amount#L": 1}], [0, {}]]), "", "at most 2");
    refused(json!([[0, {}], [0, {}]]), "[1]", "twice");
    let once = json!([[1, {"plot": 0, "amount#L": 1}], [1, {"plot": 0, "amount#L": 1.0}]]);
    refused(once, "[1]", "twice");
    let mut flat = space.flatten(&json!([[1, {"plot": 2, "amount#L": 1.5}]])).unwrap();
    let wrong = |flat: &[f64], place: &str, words: &str| {
        let error = space.unflatten(flat).unwrap_err();
        assert_eq!(error.0.path.to_string(), place, "{error}");
        assert!(error.to_string().contains(words), "{error}");
    };
    // Each slot has the flag, two numbers for the index, four for the plot, and one for the amount.
    assert_eq!(flat[..8], [1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.5]);
    wrong(&flat[1..], "", "16 numbers");
    flat[7] = f64::NAN;
    wrong(&flat, "[0][1].amount#L", "number 7 of the flat vector");
    flat[7] = 1.5;
    flat[6] = 1.0;
    wrong(&flat, "[0][1].plot", "0, because number 5 is already 1");
    flat[6] = 0.0;
    flat[9] = 1.0;
    wrong(&flat, "[1]", "0, because the value has ended");
}

#[test]
fn descriptions_of_no_space_are_refused_with_their_place() {
    let number = |low: &str, high: &str, shape: &str, dtype: &str| {
        format!(r#"{{"type": "Box", "of": {{"low": {low}, "high": {high}, "shape": {shape}, "dtype": "{dtype}"}}}}"#)
    };
    let cases = [
        (r#"{"type": "Discrete", "of": {"n": 0}}"#.to_owned(), "of.n", "an integer from 1"),
        (r#"{"type": "Discrete", "of": {"n": 4294967296}}"#.to_owned(), "of.n", "an integer from 1"),
        (r#"{"type": "Discrete", "of": {"n": -1}}"#.to_owned(), "of.n", "0 or more"),
        (r#"{"type": "Discrete", "of": {"m": 1}}"#.to_owned(), "of", "the key `n` is missing"),
        (r#"{"type": "Discrete", "of": {"n": 1, "start": 1}}"#.to_owned(), "of.start", "unknown key"),
        (r#"{"type": "Discret", "of": {"n": 1}}"#.to_owned(), "type", "did you mean `Discrete`?"),
        (r#"{"type": "MultiDiscrete", "of": {"nvec": [2, 0]}}"#.to_owned(), "of.nvec[1]", "no value"),
        (r#"{"type": "MultiBinary", "of": {"shape": [4000000000, 4000000000, 4000000000]}}"#.to_owned(), "of.shape", "too large"),
        // This has no values, but consists of four thousand million empty lists.
        (r#"{"type": "MultiBinary", "of": {"shape": [4294967295, 0]}}"#.to_owned(), "of.shape", "at most 67108864 values"),
        (r#"{"type": "MultiBinary", "of": {"shape": [4, 18446744073709551615, 0]}}"#.to_owned(), "of.shape", "too large"),
        (number("[0.0]", "[1.0]", "[0, 4294967294]", "float32"), "of.shape", "too large"),
        (number("[1.0, 0.0]", "[0.5]", "[2]", "float32"), "of.low[0]", "at most the highest value, 0.5"),
        (number("[0.0, 0.0, 0.0]", "[1.0]", "[2]", "float32"), "of.low", "1 or 2 values"),
        (number("[]", "[1.0]", "[]", "float32"), "of.low", "1 values"),
        (number("[0.0]", "[null]", "[]", "float32"), "of.high[0]", "this is not a valid bound"),
        (number("[\"nan\"]", "[1.0]", "[]", "float32"), "of.low[0]", "this is not a valid bound"),
        (number("[\"inf\"]", "[\"inf\"]", "[]", "float32"), "of.low[0]", "does not fit the dtype"),
        (number("[0.0]", "[\"inf\"]", "[]", "int32"), "of.high[0]", "32-bit"),
        (number("[0.5]", "[1.0]", "[]", "int32"), "of.low[0]", "32-bit"),
        (number("[0.0]", "[256.0]", "[]", "uint8"), "of.high[0]", "from 0 to 255"),
        (number("[0.0]", "[1.0]", "[]", "float64"), "of.dtype", "uint8, int32 or float32"),
        (r#"{"type": "Text", "of": {"min_length": 3, "max_length": 2}}"#.to_owned(), "of.min_length", "above max_length"),
        (r#"{"type": "Text", "of": {"max_length": 2, "charset": ""}}"#.to_owned(), "of.charset", "no characters"),
        (r#"{"type": "Text", "of": {"max_length": 2, "charset": "aba"}}"#.to_owned(), "of.charset", "twice"),
        (r#"{"type": "Union", "of": []}"#.to_owned(), "of", "at least one space"),
        (
            r#"{"type": "Dict", "of": [["a", {"type": "Tuple", "of": []}], ["a", {"type": "Tuple", "of": []}]]}"#.to_owned(),
            "of[1][0]",
            "each key once",
        ),
        (
            r#"{"type": "MultiUnion", "of": {"max": 1, "spaces": [{"type": "Tuple", "of": [{"type": "Discrete", "of": {"n": 0}}]}]}}"#
                .to_owned(),
            "of.spaces[0].of[0].of.n",
            "no value",
        ),
        (
            r#"{"type": "Sequence", "of": {"max": 4000000000, "space": {"type": "Discrete", "of": {"n": 9}}}}"#.to_owned(),
            "",
            "too long",
        ),
        ("3".to_owned(), "", "an object with type, of"),
    ];
    for (text, place, words) in &cases {
        let error = Space::from_json(&serde_json::from_str(text).unwrap()).expect_err(text);
        assert_eq!(error.0.path.to_string(), *place, "{text}: {error}");
        assert!(error.to_string().contains(words), "{text}: {error}");
        assert!(serde_json::from_str::<Space>(text).unwrap_err().to_string().contains(words), "{text}");
    }
    let nan = Space::scalar(f64::NAN, 1.0);
    assert!(nan.validate().is_err() && !nan.contains(&json!(0.5)));
    // Samples from these spaces have no meaning, but sampling must not panic.
    let empty = Space::Box { low: vec![], high: vec![], shape: vec![], dtype: Dtype::Int32 };
    for space in [empty, Space::Union(vec![]), Space::Discrete { n: 0 }, nan] {
        space.sample(&mut Stream::from_seed(0));
        assert!(!space.contains(&Json::Null) && space.unflatten(&[0.0]).is_err());
    }
}

#[test]
fn draws_are_distributed_as_said() {
    let share = |space: &Space, event: &dyn Fn(&Json) -> bool| {
        let mut stream = Stream::from_seed(1);
        (0..20_000).filter(|_| event(&space.sample(&mut stream))).count() as f64 / 20_000.0
    };
    let near = |found: f64, expected: f64| {
        // Five standard deviations of a share in 20 000 draws.
        let bound = 5.0 * (expected * (1.0 - expected) / 20_000.0).sqrt();
        assert!((found - expected).abs() <= bound, "{found} instead of {expected}");
    };
    let spaces = vec![Space::Discrete { n: 1 }, Space::Discrete { n: 3 }];
    near(share(&Space::Union(spaces.clone()), &|v| v[0] == 0), 0.5);
    // Sets of at most two values. The set is empty with probability 1/3. A second draw repeats the first with probability (1/2)² + 3·(1/6)²
    // = 1/3.
    let set = Space::MultiUnion { spaces, max: 2 };
    near(share(&set, &|v| v.as_array().unwrap().is_empty()), 1.0 / 3.0);
    near(share(&set, &|v| v.as_array().unwrap().len() == 2), 2.0 / 9.0);
    near(share(&Space::text(3), &|v| v.as_str().unwrap().len() == 3), 0.25);
    // The median of an exponential number with mean 1 is ln 2.
    let above = Space::Box { low: vec![2.0], high: vec![f64::INFINITY], shape: vec![], dtype: Dtype::Float32 };
    near(share(&above, &|v| v.as_f64().unwrap() < 2.0 + std::f64::consts::LN_2), 0.5);
    let bytes = Space::Box { low: vec![0.0], high: vec![9.0], shape: vec![], dtype: Dtype::Uint8 };
    near(share(&bytes, &|v| *v == json!(9)), 0.1);
}
