//! Bad input to shafts, gears, clutches, stops and controllers: the place, the value and a way out.

use crate::terminal::Terminal;

/// A machine in order, to be spoilt.
const GOOD: &str = r#"title = "Machine"

[parts.motor]
kind = "rotor"
inertia = "0.1 kg m^2"

[parts.shaft]
kind = "rotor"
inertia = "2 kg m^2"

[parts.gear]
kind = "gear"
between = ["motor", "shaft"]
ratio = 5

[parts.cage]
kind = "mass"
mass = "20 kg"

[parts.push]
kind = "torque"
on = "motor"
value = "1 N m"

[parts.brake]
kind = "brake"
on = "shaft"
force = { kind = "ramp", slope = "10 N/s" }
radius = "10 cm"
law = { kind = "coulomb", mu_d = 0.3, mu_s = 0.4 }

[parts.limit]
kind = "hard_stop"
between = ["cage", "ground"]
at = "1 m"

[parts.servo]
kind = "sampled_pid"
on = "cage"
period = "1 ms"
kp = "100 N/m"

[parts.teeth]
kind = "backlash"
between = ["shaft", "ground"]
play = "1 deg"
k = "100 N m/rad"

[studies.run]
kind = "simulate"
duration = "1 s"
"#;

fn message(text: &str) -> String {
    let terminal = Terminal::new();
    terminal.file("machine.toml", text);
    terminal.refuses(&["run", "machine.toml"])
}

#[test]
fn the_machine_to_be_spoilt_is_in_order() {
    let terminal = Terminal::new();
    let reply = terminal.file("machine.toml", GOOD).types(&["check", "machine.toml"]);
    assert_eq!(reply.code, Some(0), "{}", reply.err);
}

/// One snapshot per case: name, what is replaced, by what.
macro_rules! spoilt {
    ($($name:ident: $from:expr => $to:expr;)*) => {
        $(#[test]
        fn $name() {
            assert!(GOOD.contains($from), "`{}` is not in the machine", $from);
            insta::assert_snapshot!(stringify!($name), message(&GOOD.replacen($from, $to, 1)));
        })*
    };
}

spoilt! {
    gear_between_a_rotor_and_a_mass: "between = [\"motor\", \"shaft\"]" => "between = [\"motor\", \"cage\"]";
    rack_without_a_radius: "[parts.push]" => "[parts.drum]\nkind = \"rack\"\nbody = \"cage\"\nrotor = \"shaft\"\n\n[parts.push]";
    loop_of_ideal_gears: "[parts.cage]" => "[parts.second]\nkind = \"gear\"\nbetween = [\"motor\", \"shaft\"]\nratio = 4\n\n[parts.cage]";
    a_loop_of_three_gears: "[parts.cage]" => "[parts.idler]\nkind = \"rotor\"\ninertia = \"1 kg m^2\"\n\n[parts.second]\nkind = \"gear\"\nbetween = [\"shaft\", \"idler\"]\nratio = 2\n\n[parts.third]\nkind = \"gear\"\nbetween = [\"idler\", \"motor\"]\nratio = 3\n\n[parts.cage]";
    a_gear_between_two_drives: "ratio = 5" => "ratio = 5\n\n[parts.first]\nkind = \"rotary_drive\"\nspeed = \"1 rad/s\"\n\n[parts.last]\nkind = \"rotary_drive\"\nspeed = \"1 rad/s\"\n\n[parts.second]\nkind = \"gear\"\nbetween = [\"first\", \"last\"]\nratio = 2";
    the_same_gear_twice: "[parts.cage]" => "[parts.second]\nkind = \"gear\"\nbetween = [\"motor\", \"shaft\"]\nratio = 5\n\n[parts.cage]";
    a_stop_that_starts_violated: "mass = \"20 kg\"" => "mass = \"20 kg\"\nq = \"1.2 m\"";
    a_sample_period_of_zero: "period = \"1 ms\"" => "period = \"0 s\"";
    a_load_that_is_never_positive: "slope = \"10 N/s\"" => "from = \"-5 N\", slope = \"-10 N/s\"";
    a_contact_that_is_never_pressed_on: "[parts.push]" => "[parts.rail]\nkind = \"contact\"\nbetween = [\"cage\", \"ground\"]\nload = { kind = \"sine\", amplitude = \"2 N\", frequency = \"1 Hz\", mean = \"-3 N\" }\nlaw = { kind = \"coulomb\", mu_d = 0.3 }\n\n[parts.push]";
    a_planar_contact_that_is_never_pressed_on: "[parts.push]" => "[parts.box]\nkind = \"planar_mass\"\nmass = \"1 kg\"\n\n[parts.floor]\nkind = \"planar_contact\"\nbetween = [\"box\", \"ground\"]\nload = { kind = \"constant\", value = \"-3 N\" }\nlaw = { kind = \"coulomb\", mu_d = 0.3 }\n\n[parts.push]";
    a_force_where_a_torque_is_due: "value = \"1 N m\"" => "value = \"1 N\"";
    a_torque_on_a_mass: "on = \"motor\"" => "on = \"cage\"";
    a_ratio_of_zero: "ratio = 5" => "ratio = 0";
    an_efficiency_above_one: "ratio = 5" => "ratio = 5\nefficiency = 1.2";
    bearings_that_rub_less_when_driven: "ratio = 5" => "ratio = 5\nbearing = \"2 N m\"\nback_bearing = \"1 N m\"";
    a_gear_carried_by_a_mass: "ratio = 5" => "ratio = 5\nsupport = \"cage\"";
    a_gear_carried_by_its_own_shaft: "ratio = 5" => "ratio = 5\nsupport = \"shaft\"";
    a_torque_against_itself: "value = \"1 N m\"" => "value = \"1 N m\"\nagainst = \"motor\"";
    a_brake_under_a_law_of_forces: "mu_d = 0.3, mu_s = 0.4" => "F_d = \"3 N\", F_s = \"4 N\"";
    a_negative_play: "play = \"1 deg\"" => "play = \"-1 deg\"";
    play_as_a_length: "play = \"1 deg\"" => "play = \"1 mm\"";
    half_a_face: "radius = \"10 cm\"" => "radius = \"10 cm\"\nfaces = 1.5";
    a_sine_that_ends_before_it_begins: "value = \"1 N m\"" => "value = { kind = \"sine\", amplitude = \"1 N m\", frequency = \"2 Hz\", start = \"1 s\", end = \"0.5 s\" }";
    an_output_of_unlike_units: "[parts.motor]" => "[outputs]\nodd = \"push.torque + cage.v\"\n\n[parts.motor]";
    an_output_of_nothing: "[parts.motor]" => "[outputs]\npower = \"push.torqe * motor.speed\"\n\n[parts.motor]";
    an_output_that_may_divide_by_zero: "[parts.motor]" => "[outputs]\nratio = \"shaft.speed / motor.speed\"\n\n[parts.motor]";
    an_output_called_time: "[parts.motor]" => "[outputs]\ntime = \"motor.speed\"\n\n[parts.motor]";
    a_negative_inertia: "inertia = \"0.1 kg m^2\"" => "inertia = \"-0.1 kg m^2\"";
    a_planetary_gear_without_teeth: "[parts.push]" => "[parts.ring]\nkind = \"rotor\"\ninertia = \"1 kg m^2\"\n\n[parts.set]\nkind = \"planetary\"\nsun = \"motor\"\nring = \"ring\"\ncarrier = \"shaft\"\nratio = 0\n\n[parts.push]";
    a_clutch_without_faces: "[parts.push]" => "[parts.clutch]\nkind = \"clutch\"\nbetween = [\"motor\", \"shaft\"]\nforce = \"10 N\"\nradius = \"10 cm\"\nfaces = 0\nlaw = { kind = \"coulomb\", mu_d = 0.3 }\n\n[parts.push]";
    a_clutch_without_a_radius: "[parts.push]" => "[parts.clutch]\nkind = \"clutch\"\nbetween = [\"motor\", \"shaft\"]\nforce = \"10 N\"\nradius = \"0 cm\"\nlaw = { kind = \"coulomb\", mu_d = 0.3 }\n\n[parts.push]";
    a_controller_that_reads_nothing: "kp = \"100 N/m\"" => "kp = \"100 N/m\"\nreads = \"wheel\"";
    a_controller_of_a_rotor_along_a_line: "on = \"cage\"" => "on = \"shaft\"";
    a_tether_of_negative_length: "[parts.push]" => "[parts.rope]\nkind = \"tether\"\nbetween = [\"cage\", \"ground\"]\nk = \"100 N/m\"\nlength = { kind = \"ramp\", from = \"-1 m\", slope = \"-1 m/s\" }\n\n[parts.push]";
    a_spring_that_pushes_all_along: "[parts.push]" => "[parts.spring]\nkind = \"spring\"\nbetween = [\"cage\", \"ground\"]\nk = { kind = \"constant\", value = \"-5 N/m\" }\n\n[parts.push]";
    a_contact_along_a_line_under_a_body_in_the_plane: "[parts.push]" => "[parts.box]\nkind = \"planar_mass\"\nmass = \"1 kg\"\n\n[parts.floor]\nkind = \"contact\"\nbetween = [\"box\", \"ground\"]\nload = \"3 N\"\nlaw = { kind = \"coulomb\", mu_d = 0.3 }\n\n[parts.push]";
    a_lever_without_an_arm: "[parts.push]" => "[parts.block]\nkind = \"mass\"\nmass = \"1 kg\"\n\n[parts.lever]\nkind = \"lever\"\nbetween = [\"cage\", \"block\"]\nfirst = \"0 m\"\nsecond = \"1 m\"\n\n[parts.push]";
    a_spring_table_with_one_point_too_few: "[parts.push]" => "[parts.spring]\nkind = \"table_spring\"\nbetween = [\"cage\", \"ground\"]\nstretches = [\"0 m\", \"1 m\"]\nforces = [\"0 N\"]\n\n[parts.push]";
    no_equilibrium: "duration = \"1 s\"" => "duration = \"1 s\"\nstart = \"equilibrium\"";
}
