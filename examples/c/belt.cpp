// The same in C++: a run is freed by its owner, copied as a value, and cannot be used once it has been moved away.
#include "bristle.hpp"

#include <iostream>

int main(int count, char **words) {
    if (count < 2) {
        std::cerr << "usage: belt SCENARIO\n";
        return 2;
    }
    auto run = bristle::Run::open(words[1]);
    for (const auto &output : run.outputs()) std::cout << output.name << " [" << output.unit << "]\n";
    run.step(0.5);
    bristle::Run twin = run;
    run.step(0.5);
    twin.step(0.5);
    if (run.get("block.q") != twin.get("block.q") || run.time() != 1.0) return 1;

    bristle::Run moved = std::move(run);
    int refused = 0;
    const auto refuses = [&](auto &&body) {
        try {
            body();
        } catch (const bristle::Error &error) {
            std::cout << "refused: " << error.what() << "\n";
            ++refused;
        }
    };
    refuses([&] { run.step(0.5); });
    refuses([&] { moved.get("block.p"); });
    refuses([&] { moved.set("belt.speed", 1.0); });
    refuses([&] { moved.step(-1.0); });
    refuses([&] { bristle::Run::read("[parts.block]\nkind = \"mas\"\n"); });
    refuses([&] { bristle::Run::open("nowhere.toml"); });
    return refused == 6 ? 0 : 1;
}
