use serde_json::json;

use super::*;

/// For each kind of space: values that belong to it, and values that do not.
#[test]
fn values_belong_to_their_space_and_no_others_do() {
    let bytes = Space::Box { low: vec![0.0, 1.0], high: vec![9.0], shape: vec![2, 2], dtype: Dtype::Uint8 };
    let above = Space::Box { low: vec![2.0], high: vec![f64::INFINITY], shape: vec![], dtype: Dtype::Float32 };
    let dict = Space::Dict(vec![("x.y".into(), Space::scalar(0.0, 9.0)), ("y".into(), Space::Discrete { n: 2 })]);
    let options = vec![Space::Discrete { n: 2 }, Space::scalar(0.0, 9.0)];
    let cases = [
        (bytes, json!([[0, 1], [9.0, 9]]), vec![json!([[0, 0], [9, 9]]), json!([[0, 1]]), json!([[0, 1], [9, 9.5]])]),
        (above, json!(1e300), vec![json!(1.5), json!(null), json!([3]), json!(true)]),
        (Space::Discrete { n: 3 }, json!(2), vec![json!(3), json!(-1), json!(1.0), json!("1")]),
        (Space::MultiDiscrete { nvec: vec![2, 3] }, json!([1, 2]), vec![json!([2, 1]), json!([1]), json!([1, 2, 0])]),
        (Space::MultiBinary { shape: vec![2] }, json!([1, 0.0]), vec![json!([1, 2]), json!([1]), json!(1)]),
        (dict, json!({"y": 1, "x.y": 2.5}), vec![json!({"y": 1}), json!({"y": 1, "x.y": 2.5, "z": 0}), json!([])]),
        (
            Space::MultiUnion { spaces: options, max: 2 },
            json!([[1, 4.0], [0, 1]]),
            vec![json!([[1, 4.0], [1, 4]]), json!([[0, 0], [0, 1], [1, 0]]), json!([[0, 2]])],
        ),
    ];
    for (space, inside, outside) in cases {
        assert!(space.contains(&inside), "{space}: {inside}");
        for value in outside {
            assert!(!space.contains(&value), "{space}: {value}");
        }
    }
    // Spaces without values contain nothing, and checking them must not panic.
    let empty = Space::Box { low: vec![], high: vec![], shape: vec![], dtype: Dtype::Int32 };
    for space in [empty, Space::Discrete { n: 0 }, Space::scalar(f64::NAN, 1.0)] {
        assert!([Json::Null, json!(0), json!([[0, 0]])].iter().all(|value| !space.contains(value)), "{space}");
    }
}

#[test]
fn infinite_bounds_are_words_in_json() {
    let space = Space::Box { low: vec![f64::NEG_INFINITY], high: vec![2.5], shape: vec![3], dtype: Dtype::Float32 };
    let expected = json!({"type": "Box", "of": {"low": ["-inf"], "high": [2.5], "shape": [3], "dtype": "float32"}});
    assert_eq!(json!(space), expected);
}
