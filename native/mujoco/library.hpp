// MuJoCo's own functions, called without its headers: from the library that Python's module has loaded.
#pragma once
#include <memory>
#include <string>

namespace volery {

using MujocoStage = void (*)(const void* model, void* data);

class MujocoLibrary {
 public:
  explicit MujocoLibrary(const std::string& path);
  ~MujocoLibrary();
  MujocoLibrary(const MujocoLibrary&) = delete;
  MujocoLibrary& operator=(const MujocoLibrary&) = delete;
  // One that there is not is an error that names it. A stage is a function of a model and its data, such as mj_step1.
  void* function(const char* name) const;
  MujocoStage stage(const char* name) const { return reinterpret_cast<MujocoStage>(function(name)); }
  // What MuJoCo would end the process for becomes an exception.
  void call(MujocoStage stage, const void* model, void* data) const;

 private:
  void* find(const char* name) const;

  void* handle_;
  void* set_handler_;
};

// A model with its data; who holds it sees to it that both live.
class MujocoRecord {
 public:
  MujocoRecord(std::shared_ptr<const MujocoLibrary> library, const void* model, void* data)
      : library_(std::move(library)), model_(model), data_(data) {}
  using ContactForce = void (*)(const void* model, const void* data, int contact, double* force);

  MujocoStage stage(const char* name) const { return library_->stage(name); }
  ContactForce contact_force() const { return reinterpret_cast<ContactForce>(library_->function("mj_contactForce")); }
  void contact_force(ContactForce function, int contact, double* force) const {
    function(model_, data_, contact, force);
  }
  void run(MujocoStage stage) const { library_->call(stage, model_, data_); }

 private:
  std::shared_ptr<const MujocoLibrary> library_;
  const void* model_;
  void* data_;
};

}  // namespace volery
