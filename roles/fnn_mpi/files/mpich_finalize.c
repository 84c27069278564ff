/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lets MPICH 4.0 end over TCP.
 *
 * Built as libmpich.so.12 with the real one as its only need, in a directory that the loader searches first
 * (ld.so.conf.d). So every program that is linked with MPICH finds these two functions before MPICH's, and all others
 * where they were, whether mpiexec, srun or a person starts it; no environment variable has to reach the ranks, and
 * programs without MPICH load nothing.
 *
 * The problem. In MPI_Finalize each rank of MPICH 4.0 (ch4:ucx, src/mpid/ch4/netmod/ucx/ucx_init.c) disconnects from
 * every other and waits until UCX says that is done; then it waits in a barrier of the process manager, where nothing
 * serves UCX any more. But UCX 1.13 cannot call a TCP connection done before the other end has acknowledged it
 * (src/uct/tcp/tcp_ep.c, UCT_TCP_EP_FLAG_NEED_FLUSH). So the first rank to leave keeps all later ones waiting for an
 * acknowledgement for ever:
 *
 *     rank 0   disconnect, acknowledged by 1, done -- process manager's barrier: waits for rank 1
 *     rank 1          still in its last receive -- disconnect: waits for an acknowledgement from rank 0
 *
 * Six ranks on two cores hung in more than half of all runs, and none of UCX's or MPICH's settings avoids it.
 *
 * The way out. A program that calls MPI_Finalize has completed its communication (MPI 4.0, section 11.2), so after one
 * more barrier over all ranks no message is under way, and nothing is lost when nobody disconnects politely: the
 * connections are closed with the worker, after the process manager's barrier. With newer versions this does no harm.
 *
 * Everything is looked up when it is needed, so a program that is not MPICH's is left alone.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

/* MPI_COMM_WORLD in MPICH's binary interface, the same in all its versions since 3.1. */
enum { COMM_WORLD = 0x44000000 };

static int everyone_is_done;

void *ucp_disconnect_nb(void *endpoint)
{
    void *(*disconnect)(void *) = (void *(*)(void *))dlsym(RTLD_NEXT, "ucp_disconnect_nb");
    return everyone_is_done ? NULL : disconnect(endpoint);
}

int MPI_Finalize(void)
{
    int (*barrier)(int) = (int (*)(int))dlsym(RTLD_NEXT, "PMPI_Barrier");
    int (*finalize)(void) = (int (*)(void))dlsym(RTLD_NEXT, "PMPI_Finalize");
    int failed = barrier(COMM_WORLD);
    everyone_is_done = !failed;
    return failed ? failed : finalize();
}
