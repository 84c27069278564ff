# SPDX-License-Identifier: GPL-3.0-or-later
#
# The entry point for users with a fresh clone. `make help` describes every target.
# Stamp files (in .venv/ and build/stamps/) keep the second run quick: a step runs again only if its inputs changed.

.DEFAULT_GOAL := help
SHELL := /bin/bash

PYTHON ?= python3
VENV := .venv
PIP := $(VENV)/bin/pip --disable-pip-version-check
PLAYBOOK := $(VENV)/bin/ansible-playbook
# The generator of the site pins packages that the toolkit uses in other versions.
DOCS := build/docs-venv
# The one locale that every machine has. Ansible stops if the user's locale was never generated, as with one that ssh
# forwards.
export LC_ALL := C.UTF-8
# After `su` or sudo, PATH may lack the directories of dpkg's tools, debootstrap and runc.
export PATH := $(PATH):/usr/local/sbin:/usr/sbin:/sbin
# An ANSIBLE_CONFIG in the environment could belong to another checkout and load the roles of that one.
export ANSIBLE_CONFIG := $(CURDIR)/ansible.cfg
# Containers, bridges and namespaces need root; a user with sudo is asked once.
AS_ROOT :=
ifneq ($(shell id -u),0)
  ifneq ($(shell command -v sudo 2> /dev/null),)
    AS_ROOT := sudo --preserve-env=ANSIBLE_CONFIG,CI,FNN_BENCH_LAB_MBPS,FNN_LAB_SUITE,LC_ALL,PATH
  else
    AS_ROOT := echo "Run as root, or install sudo: the lab and its tests make containers and namespaces" >&2; exit 1;
  endif
endif
# `make site LAB=vm` boots virtual machines instead of containers.
LAB ?= containers
ifeq ($(LAB),vm)
  INVENTORY ?= inventory/machines
  SETUP_OF_SITE := machines-setup
else ifeq ($(LAB),containers)
  SETUP_OF_SITE := lab-setup
else
  $(error LAB=$(LAB): expected containers or vm)
endif
INVENTORY ?= inventory/lab
# `make test ONLY=unit` needs no container.
LAB_OF_TESTS := $(if $(and $(ONLY),$(if $(filter-out unit lint designer,$(ONLY)),,alone)),,lab-setup)
DESIGNER_SOURCES := $(shell find designer -type f -not -path '*/tests/*' 2>/dev/null) schemas/fnn-spec.schema.json

.PHONY: help
help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# Compiling and downloading wait for different things, so two steps run at a time.
TWO_STEPS := +@$(MAKE) --no-print-directory --jobs=2

.PHONY: site
site:  ## design the example cluster, boot it as containers, configure it, prove it (LAB=vm: as virtual machines)
	$(TWO_STEPS) setup $(SETUP_OF_SITE)
	@$(AS_ROOT) scripts/site.sh $(INVENTORY)

.PHONY: test
test:  ## lint, unit, C++, golden and error tests, and the Molecule scenario (ONLY="unit lint" for some)
	$(TWO_STEPS) setup test-setup $(LAB_OF_TESTS)
	@$(AS_ROOT) $(VENV)/bin/python scripts/test.py $(ONLY)

.PHONY: test-full
test-full: setup lab-setup test-setup full-setup  ## the same and what takes longer: fuzzing, random specs, every capacity
	@$(AS_ROOT) $(VENV)/bin/python scripts/test.py --full

.PHONY: generate
generate: .venv/stamp-controller  ## write the files that are made from schemas/variables.yml
	@$(VENV)/bin/python scripts/generate.py

.PHONY: docs
docs: build/stamps/docs  ## build the documentation as a site, in build/docs
	@NO_MKDOCS_2_WARNING=1 PYTHONDONTWRITEBYTECODE=1 $(DOCS)/bin/python -m scripts.docs

.PHONY: gallery
gallery: setup test-setup build/stamps/full-packages  ## make the pictures of README and docs again, from committed inventories
	@PYTHONDONTWRITEBYTECODE=1 $(VENV)/bin/python -m scripts.gallery

.PHONY: collection
collection: .venv/stamp-controller  ## build an Ansible collection from this checkout, in build/collection
	@PYTHONDONTWRITEBYTECODE=1 $(VENV)/bin/python -m scripts.collection

.PHONY: bench
bench: setup lab-setup full-setup build/designer-bench/bench/fnn-bench build/plain-annealing build/speed-annealing  ## compare the designer with its rivals (ONLY="rates sparse" for some; RECORD=1 for docs/)
	@PATH="$(CURDIR)/$(VENV)/bin:$$PATH" python -m bench $(ONLY) $(if $(RECORD),--record)

.PHONY: bench-lab
bench-lab: setup full-setup  ## compare the network of KLAT2 with a tree on the same wiring, as namespaces (RECORD=1 for docs/)
	@$(AS_ROOT) env PATH="$(CURDIR)/$(VENV)/bin:$$PATH" python -m bench lab $(if $(RECORD),--record)

.PHONY: setup
setup: .venv/stamp-controller bin/fnn-designer  ## what a user with hardware needs: Python environment and designer

.PHONY: lab-setup
lab-setup: build/stamps/lab-packages  ## what the lab needs on top: podman and the node image
	@$(AS_ROOT) scripts/lab-image.sh

.PHONY: machines-setup
machines-setup: build/stamps/lab-packages build/stamps/machines-packages  ## what a lab of virtual machines needs

.PHONY: test-setup
test-setup: .venv/stamp-test bin/libfnn-mpi.so  ## what the tests need on top

.PHONY: full-setup
full-setup: .venv/stamp-bench build/stamps/docs build/stamps/full-packages build/stamps/sanity-packages

.PHONY: lab-down
lab-down: .venv/stamp-controller  ## remove every node, bridge and namespace of the lab, and nothing else (LAB=vm)
	@$(AS_ROOT) $(PLAYBOOK) -i $(INVENTORY) playbooks/lab-down.yml

.PHONY: lock
lock:  ## update the pinned Python packages (needs uv)
	uv pip compile --universal --generate-hashes --python-version 3.11 --no-header --no-emit-index-url --upgrade --quiet \
	  -o requirements.lock requirements.in
	uv pip compile --universal --generate-hashes --python-version 3.11 --no-header --no-emit-index-url --quiet \
	  -c requirements.lock -o requirements-test.lock requirements-test.in
	uv pip compile --universal --generate-hashes --python-version 3.11 --no-header --no-emit-index-url --quiet \
	  -c requirements-test.lock -o requirements-bench.lock requirements-bench.in
	uv pip compile --universal --generate-hashes --python-version 3.11 --no-header --no-emit-index-url --upgrade --quiet \
	  -o requirements-docs.lock requirements-docs.in

.PHONY: designs
designs: setup  ## search the designs of the committed clusters again
	@PATH="$(CURDIR)/$(VENV)/bin:$$PATH" scripts/designs.sh

.PHONY: clean
clean:  ## remove what was built here (not the lab: make lab-down)
	@rm -rf build .venv bin .cache 2> /dev/null || { $(AS_ROOT) rm -rf build .venv bin .cache; }

build/stamps/%-packages: scripts/bootstrap.sh
	@PYTHON="$(PYTHON)" scripts/bootstrap.sh $*
	@mkdir -p $(@D) && touch $@

$(VENV)/bin/pip: | build/stamps/controller-packages
	@echo "==> Python environment in $(VENV)"
	@$(PYTHON) -m venv $(VENV)

.venv/stamp-controller: requirements.lock | $(VENV)/bin/pip
	@echo "==> Python packages of requirements.lock (hashes checked)"
	@$(PIP) install --quiet --require-hashes -r requirements.lock
	@touch $@

.venv/stamp-test: requirements-test.lock .venv/stamp-controller
	@echo "==> Python packages of requirements-test.lock (hashes checked)"
	@$(PIP) install --quiet --require-hashes -r requirements-test.lock
	@touch $@

.venv/stamp-bench: requirements-bench.lock .venv/stamp-controller
	@echo "==> Python packages of requirements-bench.lock (hashes checked)"
	@$(PIP) install --quiet --require-hashes -r requirements-bench.lock
	@touch $@

build/stamps/docs: requirements-docs.lock | build/stamps/controller-packages
	@echo "==> Python packages of requirements-docs.lock, in $(DOCS) (hashes checked)"
	@$(PYTHON) -m venv --clear $(DOCS)
	@$(DOCS)/bin/pip --disable-pip-version-check install --quiet --require-hashes -r requirements-docs.lock
	@mkdir -p $(@D) && touch $@

# ansible-test pins these packages itself and installs them into environments of its own.
SANITY := ansible-doc import import.plugin runtime-metadata validate-modules yamllint pep8
build/stamps/sanity-packages: requirements-test.lock | .venv/stamp-test
	@echo "==> Python packages of ansible-test, in build/sanity"
	@$(PIP) download --quiet --only-binary :all: --dest build/sanity \
	  $(SANITY:%=-r $(VENV)/lib/python3*/site-packages/ansible_test/_data/requirements/sanity.%.txt)
	@mkdir -p $(@D) && touch $@

build/designer-bench/bench/fnn-bench: $(DESIGNER_SOURCES) | build/stamps/controller-packages
	@echo "==> The designer's micro-benchmarks"
	@cmake -S designer -B build/designer-bench -DCMAKE_BUILD_TYPE=Release -DFNN_BENCH=ON > build/designer-bench.log \
	  && cmake --build build/designer-bench --parallel 2 --target fnn-bench fnn-evaluate-bench >> build/designer-bench.log \
	  || { tail -n 40 build/designer-bench.log; exit 1; }

# The rival gets every instruction of this machine, as the designer's kernels do.
build/%-annealing: bench/annealing/%_annealing.cc | build/stamps/controller-packages
	@echo "==> A rival of the designer: $@"
	@$(CXX) -std=c++20 -O2 -march=native -Wall -Wextra -o $@ $<

# cmake starts a make of its own, which must not take this one for its parent.
define compile_designer
@export MAKEFLAGS=; cmake -S designer -B build/designer -DCMAKE_BUILD_TYPE=Release > build/designer.log \
	  && cmake --build build/designer --parallel 2 --target fnn-designer >> build/designer.log \
	  && cmake --install build/designer --prefix . >> build/designer.log \
	  || { tail -n 40 build/designer.log; exit 1; }
@touch -c $@
endef

bin/fnn-designer: $(DESIGNER_SOURCES) | build/stamps/controller-packages
	@echo "==> The designer: bin/fnn-designer"
	$(compile_designer)

# Needs an MPI, which the test packages install. If the designer was compiled before them, this adds the plugin.
bin/libfnn-mpi.so: bin/fnn-designer build/stamps/test-packages
	@echo "==> The designer's plugin for mpirun: $@"
	$(compile_designer)
