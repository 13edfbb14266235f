#include "mujoco/library.hpp"

#include <dlfcn.h>

#include <atomic>
#include <csetjmp>
#include <cstdio>
#include <stdexcept>

namespace volery {
namespace {

struct Message {  // the beginning of MuJoCo's mjLogMessage
  int level, topic;
  char subject[1024];
};
constexpr int error_level = 3;
using Handler = void (*)(const Message*);
using SetHandler = Handler (*)(Handler);

std::atomic<Handler (*)()> global_handler{nullptr};
thread_local std::jmp_buf* way_back = nullptr;
thread_local char said[sizeof(Message::subject)];

// MuJoCo's error function may not return: between it and `call` are only frames of C.
void on_message(const Message* message) {
  if (message->level == error_level && way_back) {
    std::snprintf(said, sizeof(said), "%s", message->subject);
    std::longjmp(*way_back, 1);
  }
  const auto rest = global_handler.load();
  if (const Handler handler = rest ? rest() : nullptr) handler(message);
}

}  // namespace

MujocoLibrary::MujocoLibrary(const std::string& path) : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (!handle_) throw std::invalid_argument("library: " + path + " is no MuJoCo library that can be opened");
  set_handler_ = find("_mjPRIVATE_setTlsLogHandler");
  global_handler = reinterpret_cast<Handler (*)()>(find("_mjPRIVATE_getGlobalLogHandler"));
}

MujocoLibrary::~MujocoLibrary() { dlclose(handle_); }

void* MujocoLibrary::find(const char* name) const { return dlsym(handle_, name); }

void* MujocoLibrary::function(const char* name) const {
  void* found = find(name);
  if (!found) throw std::invalid_argument(std::string("library: has no function ") + name);
  return found;
}

void MujocoLibrary::call(MujocoStage stage, const void* model, void* data) const {
  const SetHandler set = reinterpret_cast<SetHandler>(set_handler_);
  if (!set) return stage(model, data);
  std::jmp_buf here;
  std::jmp_buf* const before = way_back;
  const Handler former = set(&on_message);
  const bool failed = setjmp(here) != 0;
  if (!failed) {
    way_back = &here;
    stage(model, data);
  }
  way_back = before;
  set(former);
  if (failed) throw std::runtime_error(std::string("MuJoCo: ") + said);
}

}  // namespace volery
