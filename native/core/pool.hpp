// The core's threads. They sleep until there is work. Work is cut into fixed blocks, each a pure function of its number,
// so that results do not depend on how many threads there are, nor on who does what.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <type_traits>

namespace volery {

int threads();
int most_threads();
void set_threads(int count);  // 1 to most_threads()

// A call of work(block), without owning it: std::function would allocate.
class BlockWork {
 public:
  template <class F>
    requires(!std::is_same_v<std::remove_const_t<F>, BlockWork>)
  explicit BlockWork(F& f)
      : object_(const_cast<void*>(static_cast<const void*>(&f))),
        call_([](void* o, std::int64_t b) { (*static_cast<F*>(o))(b); }) {}
  void operator()(std::int64_t block) const { call_(object_, block); }

 private:
  void* object_;
  void (*call_)(void*, std::int64_t);
};

void run_blocks(std::int64_t blocks, BlockWork work);

// work(block) for all blocks 0 … blocks − 1, on all threads. Any thread may call it at any time, work too. Of
// exceptions the one of the lowest block is thrown on, when all are done.
template <class F>
void parallel_blocks(std::int64_t blocks, F&& work) {
  if (blocks <= 1 || threads() == 1) {
    for (std::int64_t b = 0; b < blocks; ++b) work(b);
    return;
  }
  std::remove_reference_t<F>& named = work;
  run_blocks(blocks, BlockWork(named));
}

// work(first, end) for ranges of at most `per` of `count` things.
template <class F>
void parallel_ranges(std::int64_t count, std::int64_t per, F&& work) {
  parallel_blocks((count + per - 1) / per,
                  [&](std::int64_t b) { work(b * per, std::min(count, (b + 1) * per)); });
}

}  // namespace volery
