// SPDX-License-Identifier: GPL-3.0-or-later
//
// fnn-designer: the engine of the toolkit. It reads and writes documents and does not depend on IP
// addresses, hosts or Ansible. One run is a sequence of passes; each is in a file of its own:
//
//   json_text, json_syntax     bytes to JSON, with the position of every syntax error, and back
//   shape, spec                structure, meaning, normal form; all problems at once
//   bounds                     proofs that there is no design, and suggested changes
//   designing                  the stages of a search:
//     rails                      one switch holds all nodes
//     genetic, islands           crossover, mutation_operators, local_search over incremental_wiring
//     process_group, launch      islands in several processes, when mpirun started them
//   run_monitor                progress and log
//   checkpoint, stopping       the state to resume from, Ctrl-C; at any time
//   cabling                    names for the wiring found: canonical, or close to the standing cables
//   design_document, writing   the design, in one atomic step
//   wiring_facts, wiring_table the design for people; answer: text on a terminal, JSON elsewhere
//   check                      the independent check, which shares no code with the search
//   legs, peer_bound, choice   which of the shared switches each pair uses
//   evaluate/                  the predicted performance of a design: fabric, measures, evaluation_document
#include "program/cli.h"

int main(int argc, char** argv) { return fnn::run(argc, argv); }
