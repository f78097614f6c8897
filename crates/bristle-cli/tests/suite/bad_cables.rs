//! Cables that cannot be: place, value, way out.

use crate::terminal::Terminal;

/// A capstan in order, to be spoilt.
const GOOD: &str = r#"title = "Capstan"

[parts.rope]
kind = "cable"
length = "2 m"
elements = 20
ea = "9.2 MN"
ei = "0.7 N m^2"
density = "0.4555 kg/m"
over = ["drum"]

[parts.drum]
kind = "drum"
radius = "25 cm"
law = { kind = "cdq", mu_d = 0.25, eps = "1 cm/s", alpha = 0.9 }

[parts.left]
kind = "cable_end"
at = "first"
mass = "10 kg"

[parts.right]
kind = "cable_end"
at = "last"
mass = "10 kg"

[parts.earth]
kind = "gravity"

[studies.run]
kind = "simulate"
duration = "0.1 s"
"#;

fn spoilt(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "`{from}` is not in the scenario");
    let terminal = Terminal::new();
    terminal.file("rope.toml", GOOD.replacen(from, to, 1));
    let before = terminal.listing();
    let reply = terminal.types(&["run", "rope.toml"]);
    assert_eq!(reply.code, Some(2), "{}{}", reply.out, reply.err);
    assert_eq!(reply.out, "");
    assert_eq!(terminal.listing(), before, "something was left behind");
    reply.err
}

#[test]
fn the_capstan_to_be_spoilt_is_in_order() {
    let terminal = Terminal::new();
    let reply = terminal.file("rope.toml", GOOD).types(&["check", "rope.toml"]);
    assert_eq!(reply.code, Some(0), "{}", reply.err);
    insta::assert_snapshot!(reply.out);
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
    cable_inside_a_drum: "[parts.earth]" => "[parts.post]\nkind = \"drum\"\nx = \"-30 cm\"\ny = \"-50 cm\"\nradius = \"10 cm\"\n\n[parts.earth]";
    cable_of_no_elements: "elements = 20" => "elements = 0";
    cable_of_half_an_element: "elements = 20" => "elements = 20.5";
    overlapping_drums: "[parts.earth]" => "[parts.other]\nkind = \"drum\"\nx = \"30 cm\"\nradius = \"10 cm\"\n\n[parts.earth]";
    sigmoid_not_monotone: "alpha = 0.9" => "alpha = 0.9, beta = 1.4";
    cable_too_short: "length = \"2 m\"" => "length = \"60 cm\"";
    cable_that_falls_off: "law = { kind = \"cdq\", mu_d = 0.25, eps = \"1 cm/s\", alpha = 0.9 }\n\n[parts.left]\nkind = \"cable_end\"\nat = \"first\"\nmass = \"10 kg\"\n\n[parts.right]\nkind = \"cable_end\"\nat = \"last\"\nmass = \"10 kg\"" => "sense = \"against\"\n\n[parts.left]\nkind = \"cable_end\"\nat = \"first\"\nsupport = \"pinned\"\nx = \"-30 cm\"\ny = \"30 cm\"\n\n[parts.right]\nkind = \"cable_end\"\nat = \"last\"\nsupport = \"pinned\"\nx = \"30 cm\"\ny = \"30 cm\"";
    cable_over_nothing: "over = [\"drum\"]" => "over = [\"drun\"]";
    end_tied_to_nothing: "at = \"last\"" => "at = \"last\"\non = \"trolly\"";
    end_tied_and_pinned: "[parts.earth]" => "[parts.block]\nkind = \"trolley\"\nmass = \"1 kg\"\n\n[parts.hook]\nkind = \"cable_end\"\nat = \"first\"\non = \"block\"\nsupport = \"pinned\"\n\n[parts.earth]";
    drum_carried_by_a_line: "[parts.left]" => "on = \"block\"\n\n[parts.block]\nkind = \"mass\"\nmass = \"1 kg\"\n\n[parts.left]";
    end_of_which_cable: "[parts.earth]" => "[parts.second]\nkind = \"cable\"\nlength = \"1 m\"\nea = \"1e5 N\"\ndensity = \"1 kg/m\"\n\n[parts.earth]";
    held_end_without_a_place: "mass = \"10 kg\"" => "support = \"pinned\"";
    two_first_ends: "at = \"last\"" => "at = \"first\"";
    set_valued_law_on_a_drum: "kind = \"cdq\", mu_d = 0.25, eps = \"1 cm/s\", alpha = 0.9" => "kind = \"coulomb\", mu_d = 0.25, mu_s = 0.3";
    law_in_forces_on_a_drum: "mu_d = 0.25" => "F_d = \"3 N\"";
    drum_turned_twice: "[parts.earth]" => "[parts.servo]\nkind = \"drum_servo\"\nturns = \"drum\"\nangle = { kind = \"constant\", value = \"0 rad\" }\n\n[parts.motor]\nkind = \"drum_motor\"\nturns = \"drum\"\ninertia = \"1 kg m^2\"\n\n[parts.earth]";
    servo_of_nothing: "[parts.earth]" => "[parts.servo]\nkind = \"drum_servo\"\nturns = \"drums\"\nangle = { kind = \"constant\", value = \"0 rad\" }\n\n[parts.earth]";
    study_not_for_cables: "kind = \"simulate\"\nduration = \"0.1 s\"" => "kind = \"steady\"";
    output_of_no_end: "duration = \"0.1 s\"" => "duration = \"0.1 s\"\nshow = [\"left.z\"]";
    settings_that_are_gone: "[studies.run]" => "[cable_solver]\nstep = \"10 ms\"\n\n[studies.run]";
    cable_method_of_a_mechanism: "[studies.run]" => "[solver]\nmethod = \"generalised_alpha\"\n\n[studies.run]";
    drum_without_a_cable: "[parts.rope]\nkind = \"cable\"\nlength = \"2 m\"\nelements = 20\nea = \"9.2 MN\"\nei = \"0.7 N m^2\"\ndensity = \"0.4555 kg/m\"\nover = [\"drum\"]\n" => "";
}

#[test]
fn a_law_that_cannot_hold_a_cable_is_not_compared() {
    let terminal = Terminal::new();
    let reply = terminal.file("rope.toml", GOOD).types(&["compare", "rope.toml", "--laws", "quinn,coulomb"]);
    assert_eq!(reply.code, Some(2), "{}{}", reply.out, reply.err);
    assert!(reply.err.contains("under law `coulomb`: part `drum`"), "{}", reply.err);
    assert!(reply.err.contains("take quinn, cdq or karnopp"), "{}", reply.err);
}

#[test]
fn laws_are_compared_on_a_cable() {
    let terminal = Terminal::new();
    let reply =
        terminal.file("rope.toml", GOOD).types(&["compare", "rope.toml", "--laws", "quinn,cdq,karnopp"]);
    assert_eq!(reply.code, Some(0), "{}{}", reply.out, reply.err);
    assert!(reply.out.contains("3 laws compared"), "{}", reply.out);
}
