fn main() {
    let mut args = std::env::args().skip(1);
    let out = args.next().unwrap();
    let names: Vec<String> = args.collect();
    for name in names {
        let start = std::time::Instant::now();
        let study = match farm_study::Study::read(&name) { Ok(s) => s, Err(p) => { println!("{p}"); continue } };
        match study.run(2) {
            Err(p) => println!("{name}: {p}"),
            Ok(r) => {
                println!("== {name} {:.1}s {}", start.elapsed().as_secs_f64(), r.is_as_said());
                for p in &r.panels { for l in &p.lines { println!("  {:10} {:12} {}", p.title, l.title, l.points.iter().map(|p| format!("{:.3}", p.mean)).collect::<Vec<_>>().join(" ")); } }
                for row in study.rows(&r) { println!("  * {} | {} | {}", row[0], row[1], row[2]); }
                let d = study.chart(&r).unwrap();
                let name = std::path::Path::new(&name).file_stem().unwrap().to_str().unwrap().to_owned();
                std::fs::write(format!("{out}/{name}.svg"), d.svg()).unwrap();
                std::fs::write(format!("{out}/{name}.png"), d.png(1.5).unwrap()).unwrap();
            }
        }
    }
}
