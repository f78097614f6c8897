//! Bad input gets the place, the value and a way out, exit code 2, and leaves nothing behind.

use crate::terminal::Terminal;

/// A scenario in order, to be spoilt.
const GOOD: &str = r#"title = "Block on a belt"

[parts.block]
kind = "mass"
mass = "1 kg"

[parts.belt]
kind = "drive"
v = "0.1 m/s"

[parts.tie]
kind = "spring"
between = ["block", "ground"]
k = "100 N/m"

[parts.pad]
kind = "contact"
between = ["block", "belt"]
load = "10 N"
law = { kind = "lugre", mu_d = 0.3, mu_s = 0.4, sigma0 = "1e5 N/m" }

[studies.run]
kind = "simulate"
duration = "1 s"
"#;

/// The message for the good scenario with one piece replaced.
fn spoilt(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "`{from}` is not in the scenario");
    message(GOOD.replacen(from, to, 1))
}

fn message(text: impl AsRef<[u8]>) -> String {
    let terminal = Terminal::new();
    terminal.file("belt.toml", text);
    terminal.refuses(&["run", "belt.toml"])
}

#[test]
fn the_scenario_to_be_spoilt_is_in_order() {
    let terminal = Terminal::new();
    let reply = terminal.file("belt.toml", GOOD).types(&["check", "belt.toml"]);
    assert_eq!(reply.code, Some(0), "{}", reply.err);
}

/// One snapshot per case: name, what is replaced, by what.
macro_rules! spoilt {
    ($($name:ident: $from:expr => $to:expr;)*) => {
        $(#[test]
        fn $name() {
            insta::assert_snapshot!(stringify!($name), spoilt($from, $to));
        })*
    };
}

spoilt! {
    unknown_parameter: "sigma0 =" => "sigma_0 =";
    unknown_key_of_a_part: "mass = \"1 kg\"" => "weight = \"1 kg\"\nmass = \"1 kg\"";
    unknown_section: "[studies.run]" => "[study.run]";
    unknown_law: "kind = \"lugre\"" => "kind = \"lugree\"";
    unknown_part: "kind = \"drive\"" => "kind = \"conveyor\"";
    unknown_study: "kind = \"simulate\"" => "kind = \"simulation\"";
    unknown_method: "[studies.run]" => "[solver]\nmethod = \"rodas5\"\n\n[studies.run]";
    wrong_unit: "k = \"100 N/m\"" => "k = \"100 N/s\"";
    unknown_unit: "k = \"100 N/m\"" => "k = \"100 lbs/in\"";
    missing_unit: "mass = \"1 kg\"" => "mass = 1";
    out_of_range: "mass = \"1 kg\"" => "mass = \"-1 kg\"";
    law_out_of_range: "mu_s = 0.4" => "mu_s = 40";
    missing_key: "k = \"100 N/m\"\n" => "";
    missing_kind: "kind = \"spring\"\n" => "";
    no_such_body: "between = [\"block\", \"belt\"]" => "between = [\"blok\", \"belt\"]";
    no_body_at_all: "between = [\"block\", \"belt\"]" => "between = [\"table\", \"belt\"]";
    not_a_body: "between = [\"block\", \"belt\"]" => "between = [\"tie\", \"belt\"]";
    two_parts_of_one_name: "[parts.belt]" => "[parts.block]";
    a_part_called_ground: "[parts.belt]" => "[parts.ground]";
    not_a_number: "mu_s = 0.4" => "mu_s = nan";
    infinite_number: "v = \"0.1 m/s\"" => "v = \"inf m/s\"";
    negative_duration: "duration = \"1 s\"" => "duration = \"-1 s\"";
    absurd_time_span: "duration = \"1 s\"" => "duration = \"1e12 s\"";
    too_many_samples: "duration = \"1 s\"" => "duration = \"1e9 s\"\nstep = \"1 us\"";
    coefficients_and_forces: "mu_s = 0.4" => "F_s = \"4 N\"";
    forces_and_load: "mu_d = 0.3, mu_s = 0.4" => "F_d = \"3 N\", F_s = \"4 N\"";
    no_load: "load = \"10 N\"\n" => "";
    no_studies: "[studies.run]\nkind = \"simulate\"\nduration = \"1 s\"\n" => "";
    wrong_type: "between = [\"block\", \"ground\"]" => "between = \"block\"";
    not_toml: "kind = \"mass\"" => "kind: mass";
    static_below_kinetic: "kind = \"lugre\", mu_d = 0.3, mu_s = 0.4, sigma0 = \"1e5 N/m\"" => "kind = \"coulomb\", mu_d = 0.5, mu_s = 0.4";
    unknown_output: "duration = \"1 s\"" => "duration = \"1 s\"\nshow = [\"block.x\"]";
    tolerance_out_of_range: "[studies.run]" => "[solver]\nrtol = 1\n\n[studies.run]";
}

#[test]
fn an_empty_file() {
    insta::assert_snapshot!(message(" \n"));
}

#[test]
fn a_file_that_is_not_text() {
    insta::assert_snapshot!(message([0u8, 159, 146, 150]));
}

#[test]
fn a_missing_file() {
    insta::assert_snapshot!(Terminal::new().refuses(&["run", "nowhere.toml"]));
}

/// The message for a table file of a force.
fn table(csv: &str) -> String {
    let terminal = Terminal::new();
    let force = "[parts.push]\nkind = \"force\"\non = \"block\"\nsignal = { kind = \"polyline\", file = \"push.csv\" }\n\n";
    terminal
        .file("push.csv", csv)
        .file("belt.toml", GOOD.replace("[studies.run]", &format!("{force}[studies.run]")));
    terminal.refuses(&["run", "belt.toml"])
}

#[test]
fn a_table_with_a_gap() {
    insta::assert_snapshot!(table("time [s], force [N]\n0, 0\n1,\n2, 5\n"));
}

#[test]
fn a_table_with_a_missing_column() {
    insta::assert_snapshot!(table("0, 0\n1\n2, 5\n"));
}

#[test]
fn a_table_with_unsorted_times() {
    insta::assert_snapshot!(table("time [s], force [N]\n0, 0\n2, 5\n1, 3\n"));
}

#[test]
fn a_table_with_words() {
    insta::assert_snapshot!(table("0, 0\n1, much\n"));
}

#[test]
fn a_table_with_infinite_numbers() {
    insta::assert_snapshot!(table("0, 0\n1, inf\n"));
}

#[test]
fn a_table_that_is_not_there() {
    let terminal = Terminal::new();
    let force = "[parts.push]\nkind = \"force\"\non = \"block\"\nsignal = { kind = \"polyline\", file = \"push.csv\" }\n\n";
    terminal.file("belt.toml", GOOD.replace("[studies.run]", &format!("{force}[studies.run]")));
    insta::assert_snapshot!(terminal.refuses(&["run", "belt.toml"]));
}

#[test]
fn an_output_folder_below_a_file() {
    let terminal = Terminal::new();
    terminal.file("belt.toml", GOOD).file("results", "mine");
    insta::assert_snapshot!(terminal.refuses(&["run", "belt.toml", "--out", "results/belt"]));
}

#[test]
fn an_output_folder_that_is_a_file() {
    let terminal = Terminal::new();
    terminal.file("belt.toml", GOOD).file("results", "mine");
    insta::assert_snapshot!(terminal.refuses(&["run", "belt.toml", "--out", "results"]));
}

#[test]
fn an_output_folder_with_other_contents() {
    let terminal = Terminal::new();
    terminal.file("belt.toml", GOOD);
    std::fs::create_dir(terminal.folder.join("results")).unwrap();
    terminal.file("results/thesis.txt", "do not lose");
    insta::assert_snapshot!(terminal.refuses(&["run", "belt.toml", "--out", "results"]));
}

#[test]
fn an_unknown_law_to_compare() {
    let terminal = Terminal::new();
    terminal.file("belt.toml", GOOD);
    insta::assert_snapshot!(terminal.refuses(&["compare", "belt.toml", "--laws", "lugre,colomb"]));
}

#[test]
fn an_unknown_name_to_show() {
    insta::assert_snapshot!(Terminal::new().refuses(&["show", "lugres"]));
}

#[test]
fn a_new_scenario_does_not_replace_an_old_one() {
    let terminal = Terminal::new();
    terminal.file("belt.toml", "mine");
    insta::assert_snapshot!(terminal.refuses(&["new", "belt"]));
    assert_eq!(std::fs::read_to_string(terminal.folder.join("belt.toml")).unwrap(), "mine");
}

/// Everything that is wrong is told at once, in the order of the file.
#[test]
fn several_mistakes_at_once() {
    let text = GOOD
        .replace("mass = \"1 kg\"", "mass = \"3 12 kg\"")
        .replace("k = \"100 N/m\"", "k = \"100 N/m\"\nlength = \"1 m\"")
        .replace("kind = \"lugre\"", "kind = \"lugree\"")
        .replace("[studies.run]", "[solver]\nrtol = 1e-14\n\n[studies.run]")
        .replace("duration = \"1 s\"", "duration = \"1e308 d\"\n\n[studies.rest]\nkind = \"stedy\"");
    let terminal = Terminal::new();
    terminal.file("belt.toml", text);
    insta::assert_snapshot!(terminal.refuses(&["check", "belt.toml"]));
}

/// `check` and `run` agree on every one of these.
#[test]
fn check_refuses_what_run_refuses() {
    let sweep = |more: &str| {
        format!(
            "[studies.run]\nkind = \"sweep\"\nparameter = \"belt.v\"\nfrom = \"0.1 m/s\"\nto = \"0.2 m/s\"\n{more}"
        )
    };
    let study = "[studies.run]\nkind = \"simulate\"\nduration = \"1 s\"\n";
    let coulomb = "{ kind = \"coulomb\", mu_d = 0.3, mu_s = 0.4 }";
    let law = "{ kind = \"lugre\", mu_d = 0.3, mu_s = 0.4, sigma0 = \"1e5 N/m\" }";
    let over =
        "[studies.run]\nkind = \"sweep\"\nparameter = \"pad.law.mu_s\"\nfrom = \"0.2\"\nto = \"0.5\"\n";
    for (from, to, words) in [
        (study, &*format!("[solver]\nrtol = 1e-14\n\n{study}"), "`rtol` is 1e-14"),
        (study, &sweep("points = 2.7\n"), "only whole numbers"),
        (study, &sweep("multiplicities = [1.5]\n"), "1.5 returns"),
        (study, &sweep("rtol = 1e-14\n"), "`rtol` is 1e-14"),
        (study, "[studies.\"a\\u001b[31m\"]\nkind = \"simulate\"\nduration = \"1 s\"\n", "cannot be seen"),
        (study, "[studies.\"=1+1\"]\nkind = \"simulate\"\nduration = \"1 s\"\n", "formula"),
        ("kind = \"mass\"\n", "kind = \"planar_mass\"\n", "planar_contact"),
    ] {
        let terminal = Terminal::new();
        terminal.file("belt.toml", GOOD.replacen(from, to, 1));
        let [check, run] = ["check", "run"].map(|word| terminal.refuses(&[word, "belt.toml"]));
        assert!(check.contains(words) && check == run && !check.contains('\u{1b}'), "{check}{run}");
    }
    let terminal = Terminal::new();
    terminal.file("belt.toml", GOOD.replace(law, coulomb).replace(study, over));
    let message = terminal.refuses(&["check", "belt.toml"]);
    assert!(message.contains("`pad.law.mu_s` = 0.2") && message.contains("static level"), "{message}");
}

/// A device or a pipe has no end; a folder has no text.
#[cfg(unix)]
#[test]
fn only_regular_files_are_read() {
    let terminal = Terminal::new();
    let force = |file: &str| {
        format!(
            "[parts.push]\nkind = \"force\"\non = \"block\"\nsignal = {{ kind = \"polyline\", file = \"{file}\" }}\n\n[studies.run]"
        )
    };
    assert!(terminal.refuses(&["check", "/dev/zero"]).contains("not a regular file"));
    assert!(terminal.refuses(&["run", "."]).contains("it is a folder"));
    for (file, words) in [("/dev/zero", "not a regular file"), (".", "it is a folder")] {
        terminal.file("belt.toml", GOOD.replace("[studies.run]", &force(file)));
        let message = terminal.refuses(&["run", "belt.toml"]);
        assert!(message.contains(words), "{message}");
    }
    terminal.file("long.toml", format!("{GOOD}# {}", "x".repeat(4_000_000)));
    assert!(terminal.refuses(&["check", "long.toml"]).contains("4.0 MB, more than 4 MB"));
}

/// The renderer cannot draw beyond column 65,535, so that a long line is shown around the mistake only.
#[test]
fn a_mistake_far_to_the_right() {
    let terminal = Terminal::new();
    let law = format!("law = {{ {}kind = \"lugree\"", " ".repeat(70_000));
    terminal.file("belt.toml", GOOD.replace("law = { kind = \"lugre\"", &law));
    let message = terminal.refuses(&["check", "belt.toml"]);
    assert!(message.contains("belt.toml:20:70016") && message.len() < 2000, "{message}");
    terminal.file("belt.toml", GOOD.replace("mu_s = 0.4", &format!("mu_s = {}", "4".repeat(1_000_000))));
    let message = terminal.refuses(&["check", "belt.toml"]);
    assert!(message.contains("has 1000000 characters") && message.len() < 3000, "{message}");
}
