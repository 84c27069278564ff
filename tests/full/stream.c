/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast does rank 0 send to rank 1? Prints Mbit/s of payload, in large messages one after the other.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 4 << 20, TIMES = 2 };

static void carry(int rank, char *message)
{
    char done = 0;
    if (rank == 0) {
        MPI_Send(message, BYTES, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(&done, 1, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(message, BYTES, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&done, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *message = calloc(1, BYTES);
    carry(rank, message); /* the first makes the connections */
    double begin = MPI_Wtime();
    for (int time = 0; time < TIMES; time++)
        carry(rank, message);
    if (rank == 0)
        printf("%f\n", 8e-6 * BYTES * TIMES / (MPI_Wtime() - begin));
    free(message);
    MPI_Finalize();
    return 0;
}
