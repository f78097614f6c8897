// bristle for C++17: friction laws and scenarios as values, errors as exceptions. Header only; link with the library of bristle.h.
//
//     bristle::Contact joint("lugre", {{"mu_s", 0.45}, {"mu_d", 0.3}});
//     double force = joint.step(v, load, 1e-3);
//
//     auto run = bristle::Run::open("belt.toml");
//     run.set("belt.velocity", 0.2);
//     run.step(1e-3);
//     double q = run.get("block.q");
#ifndef BRISTLE_HPP
#define BRISTLE_HPP

#include "bristle.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace bristle {

// What went wrong, in words.
class Error : public std::runtime_error {
public:
    explicit Error(bristle_status status) : std::runtime_error(bristle_error()), status_(status) {}
    bristle_status status() const noexcept { return status_; }

private:
    bristle_status status_;
};

namespace detail {
// True if there is an answer, false if the law has none; anything else is an exception.
inline bool check(bristle_status status) {
    if (status == BRISTLE_STATUS_OK) return true;
    if (status == BRISTLE_STATUS_NONE) return false;
    throw Error(status);
}
} // namespace detail

// A parameter and its value, SI.
using Setting = std::pair<const char *, double>;

// The names of all laws.
inline std::vector<std::string> laws() {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < bristle_law_count(); ++i) names.emplace_back(bristle_law_name(i));
    return names;
}

// A friction law with its parameters; a value like any other.
class Law {
public:
    explicit Law(const char *name, std::initializer_list<Setting> settings = {}) {
        detail::check(bristle_law_init(&law_, name));
        set(settings);
    }

    // All or none: levels that must keep an order are set together.
    void set(std::initializer_list<Setting> settings) {
        std::vector<const char *> names;
        std::vector<double> values;
        for (const auto &[name, value] : settings) {
            names.push_back(name);
            values.push_back(value);
        }
        detail::check(bristle_law_set(&law_, names.data(), values.data(), names.size()));
    }

    void choose(const char *field, const char *option) { detail::check(bristle_law_choose(&law_, field, option)); }

    double get(const char *name) const {
        double value = 0.0;
        detail::check(bristle_law_get(&law_, name, &value));
        return value;
    }

    std::size_t states() const noexcept { return bristle_law_states(&law_); }
    std::size_t elements() const noexcept { return bristle_law_elements(&law_); }
    const bristle_law *handle() const noexcept { return &law_; }

private:
    bristle_law law_;
};

// A law with the memory of one contact.
class Contact {
public:
    explicit Contact(Law law) : law_(law), z_(law_.states()), mode_(law_.elements()) { reset(); }
    explicit Contact(const char *name, std::initializer_list<Setting> settings = {}) : Contact(Law(name, settings)) {}

    // Forgets what has happened.
    void reset() {
        const bristle_at at{0.0, 1.0, 0.0};
        detail::check(bristle_law_start(law_.handle(), &at, z_.data(), mode_.data()));
    }

    // Slides at the mean rate v under the load n for the time h; the force at its end, against positive sliding. `hold` is the force
    // that would stop the contact within the step, for laws that stick by a set of forces.
    double step(double v, double n, double h, double hold = 0.0) {
        const bristle_at at{v, n, hold};
        double force = 0.0;
        if (!detail::check(bristle_law_step(law_.handle(), &at, h, z_.data(), mode_.data(), &force)))
            throw std::logic_error("this law has no step of fixed length");
        return force;
    }

    // Force and rates of the states as they are, for an integrator of your own.
    double eval(double v, double n, std::vector<double> &rates, double hold = 0.0) const {
        const bristle_at at{v, n, hold};
        double force = 0.0;
        rates.resize(z_.size());
        detail::check(bristle_law_eval(law_.handle(), &at, z_.data(), mode_.data(), &force, rates.data()));
        return force;
    }

    // The most that is borne at rest, if the law is set-valued there.
    std::optional<double> limit(double n) const {
        const bristle_at at{0.0, n, 0.0};
        double limit = 0.0;
        if (!detail::check(bristle_law_limit(law_.handle(), &at, z_.data(), mode_.data(), &limit))) return std::nullopt;
        return limit;
    }

    const Law &law() const noexcept { return law_; }
    std::vector<double> &states() noexcept { return z_; }
    const std::vector<double> &states() const noexcept { return z_; }

private:
    Law law_;
    std::vector<double> z_;
    std::vector<std::int8_t> mode_;
};

#ifndef BRISTLE_LAWS_ONLY
// A scenario by the caller's clock. A copy is a run of its own that goes on exactly alike; one that was moved away refuses all calls.
class Run {
public:
    struct Input {
        std::string name, unit, doc;
        double value, min, max;
    };
    struct Output {
        std::string name, unit;
    };

    static Run open(const std::string &path) { return Run([&](bristle_run **run) { return bristle_run_open(path.c_str(), run); }); }
    static Run read(const std::string &text) { return Run([&](bristle_run **run) { return bristle_run_read(text.c_str(), run); }); }

    Run(const Run &other) : Run([&](bristle_run **run) { return bristle_run_copy(other.run_.get(), run); }) {}
    Run(Run &&) noexcept = default;
    Run &operator=(Run other) noexcept {
        run_ = std::move(other.run_);
        return *this;
    }
    ~Run() = default;

    std::vector<Input> inputs() const {
        std::vector<Input> all;
        bristle_input one;
        for (std::size_t i = 0; detail::check(bristle_run_input(run_.get(), i, &one)); ++i)
            all.push_back({one.name, one.unit, one.doc, one.value, one.min, one.max});
        return all;
    }
    std::vector<Output> outputs() const {
        std::vector<Output> all;
        bristle_output one;
        for (std::size_t i = 0; detail::check(bristle_run_output(run_.get(), i, &one)); ++i) all.push_back({one.name, one.unit});
        return all;
    }

    // Places of names, for loops that ask often.
    std::size_t input(const std::string &name) const {
        std::size_t index = 0;
        detail::check(bristle_run_find_input(run_.get(), name.c_str(), &index));
        return index;
    }
    std::size_t output(const std::string &name) const {
        std::size_t index = 0;
        detail::check(bristle_run_find_output(run_.get(), name.c_str(), &index));
        return index;
    }

    void set(std::size_t index, double value) { detail::check(bristle_run_set(run_.get(), index, value)); }
    void set(const std::string &name, double value) { set(input(name), value); }
    // A number of a part or law, such as "pad.law.mu_s".
    void tune(const std::string &path, double value) { detail::check(bristle_run_tune(run_.get(), path.c_str(), value)); }

    void step(double h) { detail::check(bristle_run_step(run_.get(), h)); }
    void advance(double t) { detail::check(bristle_run_advance(run_.get(), t)); }
    double time() const noexcept { return bristle_run_time(run_.get()); }

    double get(std::size_t index) {
        double value = 0.0;
        detail::check(bristle_run_get(run_.get(), index, &value));
        return value;
    }
    double get(const std::string &name) { return get(output(name)); }
    std::vector<double> get() {
        std::vector<double> values(bristle_run_outputs(run_.get()));
        detail::check(bristle_run_get_all(run_.get(), values.data()));
        return values;
    }

    std::vector<unsigned char> save() {
        std::size_t size = 0;
        detail::check(bristle_run_save(run_.get(), nullptr, 0, &size));
        std::vector<unsigned char> bytes(size);
        detail::check(bristle_run_save(run_.get(), bytes.data(), bytes.size(), &size));
        return bytes;
    }
    void restore(const std::vector<unsigned char> &bytes) {
        detail::check(bristle_run_restore(run_.get(), bytes.data(), bytes.size()));
    }

private:
    struct Free {
        void operator()(bristle_run *run) const noexcept { bristle_run_free(run); }
    };

    // `make` writes the new run to where it is told.
    template <class Make, class = decltype(std::declval<Make>()(std::declval<bristle_run **>()))> explicit Run(Make &&make) {
        bristle_run *made = nullptr;
        detail::check(make(&made));
        run_.reset(made);
    }

    std::unique_ptr<bristle_run, Free> run_;
};
#endif

} // namespace bristle

#endif
