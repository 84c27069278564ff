/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MPI_Alltoall again and again, for so many seconds, and how long the longest round took.
 *
 *     alltoall SECONDS
 *
 * Rank 0 prints one line of JSON: ranks, rounds, wrong (words that a rank should not have received) and longest, the
 * seconds of the longest round on any rank.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORDS = 2048 };

static long exchange(int *out, int *in, int rank, int ranks, int number)
{
    long wrong = 0;
    for (int place = 0; place < ranks * WORDS; place++)
        out[place] = number ^ (rank << 20) ^ place / WORDS << 16;
    MPI_Alltoall(out, WORDS, MPI_INT, in, WORDS, MPI_INT, MPI_COMM_WORLD);
    for (int place = 0; place < ranks * WORDS; place++)
        wrong += in[place] != (number ^ (place / WORDS << 20) ^ rank << 16);
    return wrong;
}

int main(int argc, char **argv)
{
    int rank, ranks, number = 0, goes_on = 1;
    long wrong = 0, all_wrong = 0;
    double longest = 0, all_longest = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int *out = malloc(sizeof *out * WORDS * (size_t)ranks), *in = malloc(sizeof *in * WORDS * (size_t)ranks);
    double end = MPI_Wtime() + (argc > 1 ? atof(argv[1]) : 1);
    if (rank == 0) {
        printf("started\n");
        fflush(stdout);
    }
    while (goes_on) {
        double began = MPI_Wtime();
        wrong += exchange(out, in, rank, ranks, number++);
        goes_on = MPI_Wtime() < end;
        MPI_Bcast(&goes_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (MPI_Wtime() - began > longest)
            longest = MPI_Wtime() - began;
    }
    MPI_Reduce(&wrong, &all_wrong, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&longest, &all_longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("{\"ranks\": %d, \"rounds\": %d, \"wrong\": %ld, \"longest\": %.3f}\n", ranks, number, all_wrong,
               all_longest);
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
