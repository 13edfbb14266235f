#include "core/pool.hpp"

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace volery {
namespace {

struct Job {
  Job(std::int64_t count, BlockWork what) : blocks(count), work(what) {}
  const std::int64_t blocks;
  const BlockWork work;
  std::atomic<std::int64_t> next{0};
  int helpers = 0;  // workers inside; under the pool's mutex
  std::mutex failing;
  std::exception_ptr failure;
  std::int64_t failed = 0;

  void take() {
    for (std::int64_t b; (b = next.fetch_add(1, std::memory_order_relaxed)) < blocks;) {
      try {
        work(b);
      } catch (...) {
        std::lock_guard lock(failing);
        if (!failure || b < failed) failure = std::current_exception(), failed = b;
      }
    }
  }
};

class Pool {
 public:
  explicit Pool(int workers) {
    for (int i = 0; i < workers; ++i) std::thread([this] { serve(); }).detach();
  }
  void run(Job& job, int most_helpers) {
    {
      std::lock_guard lock(mutex_);
      for (int i = 0; i < most_helpers; ++i) waiting_.push_back(&job);
    }
    most_helpers == 1 ? wake_.notify_one() : wake_.notify_all();
    job.take();
    std::unique_lock lock(mutex_);
    std::erase(waiting_, &job);
    done_.wait(lock, [&] { return job.helpers == 0; });
  }

 private:
  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [this] { return !waiting_.empty(); });
      Job& job = *waiting_.front();
      waiting_.pop_front();
      ++job.helpers;
      lock.unlock();
      job.take();
      lock.lock();
      if (--job.helpers == 0) done_.notify_all();
    }
  }
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::deque<Job*> waiting_;  // a place for each worker that may help
};

std::atomic<int> chosen{0};
std::atomic<Pool*> shared{nullptr};
std::mutex making;

// The pool is never destroyed: its threads sleep when the process ends. A forked child has none of them, and perhaps a
// mutex that is locked for good: it gets a pool of its own.
Pool& pool() {
  if (Pool* there = shared.load(std::memory_order_acquire)) return *there;
  std::lock_guard lock(making);
  if (!shared) {
    static std::once_flag once;
    std::call_once(once, [] {
      pthread_atfork([] { making.lock(); }, [] { making.unlock(); },
                     [] { shared = nullptr, making.unlock(); });
    });
    shared.store(new Pool(most_threads() - 1), std::memory_order_release);
  }
  return *shared;
}

}  // namespace

int most_threads() {
  static const int count = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  // At least four, so that it can be seen on any machine that results do not depend on their number.
  return std::max(4, count);
}

int threads() {
  const int count = chosen.load(std::memory_order_relaxed);
  return count ? count : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void set_threads(int count) {
  if (count < 1 || count > most_threads())
    throw std::invalid_argument("threads = " + std::to_string(count) + ": must be 1 to " +
                                std::to_string(most_threads()));
  chosen = count;
}

void run_blocks(std::int64_t blocks, BlockWork work) {
  Job job(blocks, work);
  pool().run(job, static_cast<int>(std::min<std::int64_t>(blocks, threads())) - 1);
  if (job.failure) std::rethrow_exception(job.failure);
}

}  // namespace volery
