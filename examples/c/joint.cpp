// The same joint in C++: errors are exceptions, a contact keeps its memory.
#include "bristle.hpp"

#include <iostream>

int main() {
    bristle::Contact joint("lugre", {{"mu_s", 0.45}, {"mu_d", 0.3}, {"sigma0", 1e5}, {"sigma1", 300.0}});
    double v = 0.0, x = 0.0;
    for (int i = 0; i < 10000; ++i) {
        v += 1e-4 * (5.0 - joint.step(v, 10.0, 1e-4));
        x += 1e-4 * v;
    }
    std::cout << bristle::laws().size() << " laws; travelled " << x << " m\n";
    try {
        joint.step(v, -1.0, 1e-4);
    } catch (const bristle::Error &error) {
        std::cout << "refused: " << error.what() << "\n";
        return x > 0.5 ? 0 : 1;
    }
    return 2;
}
