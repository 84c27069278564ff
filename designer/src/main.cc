// SPDX-License-Identifier: GPL-3.0-or-later
//
// fnn-designer: the engine of the toolkit. It reads and writes documents and knows nothing of IP
// addresses, hosts or Ansible. One run is a list of passes; each is a file of its own:
//
//   json_text, json_syntax     bytes to JSON, with the place of every syntax error, and back
//   shape, spec                structure, meaning, normal form; all problems at once
//   bounds                     proofs that there is no design, and what to change
//   designing                  the stages of a search:
//     rails                      one switch holds everybody
//     genetic, islands           crossover, operators, local_search over neighborhoods and wiring
//     fleet, launch              islands in several processes, when mpirun started them
//   watch, checkpoint, stopping  progress and log, the state to go on from, Ctrl-C; at any time
//   cabling                    names for what the search found: tidy, or close to what stands
//   design_document, writing   the design, in one atomic step
//   check                      the judge, which shares nothing with the search
//   legs, peer_bound, choice   which of the shared switches each pair uses
//   evaluate/                  what a design will deliver: fabric, measures, evaluation_document
#include "program/cli.h"

int main(int argc, char** argv) { return fnn::run(argc, argv); }
