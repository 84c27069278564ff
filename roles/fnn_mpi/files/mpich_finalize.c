/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A wrapper library with which MPI_Finalize of MPICH 4.0 ends over TCP.
 *
 * It is built as libmpich.so.12, with the real library as its only dependency, in a directory that the loader searches
 * first (ld.so.conf.d). So every program that is linked with MPICH gets these two functions instead of MPICH's, and all
 * others from MPICH, whether mpiexec, srun or a person starts it. No environment variable has to reach the ranks, and
 * programs without MPICH do not load it.
 *
 * The problem. In MPI_Finalize each rank of MPICH 4.0 (ch4:ucx, src/mpid/ch4/netmod/ucx/ucx_init.c) disconnects from
 * every other and waits until UCX reports completion; then it waits in a barrier of the process manager, in which UCX
 * makes no progress. But UCX 1.13 does not complete the disconnect of a TCP connection before the other end has
 * acknowledged it (src/uct/tcp/tcp_ep.c, UCT_TCP_EP_FLAG_NEED_FLUSH). So all later ranks wait forever for the
 * acknowledgement of the first rank that entered the barrier:
 *
 *     rank 0   disconnect, acknowledged by 1, done -- process manager's barrier: waits for rank 1
 *     rank 1          still in its last receive -- disconnect: waits for an acknowledgement from rank 0
 *
 * Six ranks on two cores hung in more than half of all runs, and no setting of UCX or MPICH avoids it.
 *
 * The solution. A program that calls MPI_Finalize has completed its communication (MPI 4.0, section 11.2). So after one
 * more barrier over all ranks no message is in flight, and the ranks may skip the disconnect: the connections are
 * closed with the worker, after the barrier of the process manager. With newer versions this does no harm.
 *
 * Symbols are looked up at the time of the call, so other programs are not affected.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

/* MPI_COMM_WORLD in MPICH's binary interface, the same in all its versions since 3.1. */
enum { COMM_WORLD = 0x44000000 };

static int all_ranks_done;

void *ucp_disconnect_nb(void *endpoint)
{
    void *(*disconnect)(void *) = (void *(*)(void *))dlsym(RTLD_NEXT, "ucp_disconnect_nb");
    return all_ranks_done ? NULL : disconnect(endpoint);
}

int MPI_Finalize(void)
{
    int (*barrier)(int) = (int (*)(int))dlsym(RTLD_NEXT, "PMPI_Barrier");
    int (*finalize)(void) = (int (*)(void))dlsym(RTLD_NEXT, "PMPI_Finalize");
    int failed = barrier(COMM_WORLD);
    all_ranks_done = !failed;
    return failed ? failed : finalize();
}
