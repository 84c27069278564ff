// SPDX-License-Identifier: GPL-3.0-or-later
//
// Launchers pass rank and size to a process in environment variables. Only when they name several
// processes is the plugin loaded, which links MPI. It is in the directory of the program when MPI was found at
// build time (mpi/CMakeLists.txt).
#include "program/launch.h"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <thread>

#include "base/problem.h"

namespace fnn {
namespace {

/// The first of these variables that is a number; -1 when none is.
int first_number(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value >= '0' && *value <= '9') return std::atoi(value);
  }
  return -1;
}

// Open MPI, MPICH and its derivatives, srun.
int rank() { return first_number({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"}); }
int processes() { return first_number({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"}); }
bool is_one_of_several() { return rank() >= 0 && processes() > 1; }

[[noreturn]] void refuse(const std::string& reason) {
  throw BadInput({Problem{"", "started as one of " + std::to_string(processes()) + " processes, but " + reason}});
}

}  // namespace

bool has_launcher() { return rank() >= 0; }

bool is_follower() { return is_one_of_several() && rank() > 0; }

void silence_follower() {
  if (!is_follower()) return;
  for (std::FILE* stream : {stdout, stderr}) {
    if (std::freopen("/dev/null", "w", stream) == nullptr) std::fclose(stream);
  }
}

void wait_for_leader() {
  if (is_follower()) std::this_thread::sleep_for(std::chrono::seconds(2));
}

std::size_t threads_per_process() {
  const int processors = static_cast<int>(std::thread::hardware_concurrency());
  const int here = first_number({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS_PER_NODE"});
  return static_cast<std::size_t>(std::max(1, processors / std::max(1, here)));
}

std::unique_ptr<Transport> open_transport() {
  if (!is_one_of_several()) return nullptr;
  const std::filesystem::path plugin = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "libfnn-mpi.so";
  if (!std::filesystem::exists(plugin)) {
    refuse("the designer was built without MPI: install libopenmpi-dev and build it again");
  }
  // MPI loads plugins of its own, which need its symbols in the global namespace (RTLD_GLOBAL).
  void* library = ::dlopen(plugin.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) refuse(std::string("MPI cannot be loaded: ") + ::dlerror());
  auto* const open = reinterpret_cast<Transport* (*)()>(::dlsym(library, "fnn_open_transport"));
  if (open == nullptr) refuse(plugin.string() + " is not the MPI plugin of this designer");
  return std::unique_ptr<Transport>(open());
}

}  // namespace fnn
