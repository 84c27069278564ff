/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every rank exchanges a message with every other rank and checks what it received.
 *
 *     all_pairs [SECONDS]
 *
 * A message is 64 KiB, long enough to leave the eager path of both MPIs, and its words are computed from sender and
 * receiver, so a message from the wrong rank is noticed. In step s rank r sends to r+s and receives from r-s (modulo
 * the number of ranks): n-1 steps, each a permutation without a cycle of waiting ranks.
 *
 * Rank 0 prints one line of JSON: ranks, ordered pairs that carried a right message, octets of a message, hosts in rank
 * order, and the octets that the fabric NICs of each rank's host sent meanwhile. Messages between hosts that went over
 * another network are missing there. Some drivers (tg3, bnxt) count once a second, so a rank waits for its counters. A
 * host has the name in NODE, if that file exists. A rank that has not ended after SECONDS prints the step and the peers
 * that it waits for, also as JSON, and continues to wait: "step" 0 is MPI_Init, and a "to" or "from" of -1 is done.
 */
#include <dirent.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINKS "/etc/fnn/links"
#define NODE "/etc/fnn/node"
#define DEVICES "/sys/class/net"

enum { WORDS = 8192, MESSAGE = WORDS * sizeof(unsigned long long), NAME = 256, LAG_SECONDS = 3 };
enum { BOTH, SEND_ONLY, RECEIVE_ONLY, STATES };

/* Written before each wait, so that the signal handler need not format. */
static char reports[STATES][400];
static volatile sig_atomic_t state = BOTH;

static void report(int signal)
{
    (void)signal;
    ssize_t written = write(STDERR_FILENO, reports[state], strlen(reports[state]));
    (void)written;
}

/* The node's name: that of a line "node NAME" in NODE, else the host name. */
static void read_name(char name[NAME])
{
    char line[512];
    FILE *node = fopen(NODE, "r");
    name[0] = '\0';
    while (node && fgets(line, sizeof line, node) && sscanf(line, "node %255s", name) != 1)
        ;
    if (node)
        fclose(node);
    if (!name[0] && gethostname(name, NAME - 1) == 0)
        name[NAME - 1] = '\0';
}

static void prepare_reports(int rank, int step, int to, int from)
{
    char host[NAME];
    read_name(host);
    for (int each = BOTH; each < STATES; each++)
        snprintf(reports[each], sizeof reports[each],
                 "{\"waits\": \"%s\", \"rank\": %d, \"step\": %d, \"to\": %d, \"from\": %d}\n", host, rank, step,
                 each == RECEIVE_ONLY ? -1 : to, each == SEND_ONLY ? -1 : from);
    state = BOTH;
}

static unsigned long long word(int from, int to, int place)
{
    return ((unsigned long long)from << 40) ^ ((unsigned long long)to << 20) ^ (unsigned long long)place;
}

static int is_right(const unsigned long long *message, int from, int to)
{
    for (int place = 0; place < WORDS; place++)
        if (message[place] != word(from, to, place))
            return 0;
    return 1;
}

static int exchange_with_all(int rank, int ranks)
{
    static unsigned long long out[WORDS], in[WORDS];
    int right = 0;
    for (int step = 1; step < ranks; step++) {
        int to = (rank + step) % ranks, from = (rank - step + ranks) % ranks, first;
        MPI_Request requests[2];
        for (int place = 0; place < WORDS; place++) {
            out[place] = word(rank, to, place);
            in[place] = 0;
        }
        prepare_reports(rank, step, to, from);
        MPI_Irecv(in, WORDS, MPI_UNSIGNED_LONG_LONG, from, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(out, WORDS, MPI_UNSIGNED_LONG_LONG, to, 0, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitany(2, requests, &first, MPI_STATUS_IGNORE);
        state = first == 0 ? SEND_ONLY : RECEIVE_ONLY;
        MPI_Waitany(2, requests, &first, MPI_STATUS_IGNORE);
        right += is_right(in, from, rank);
    }
    return right;
}

/* Reads the first word of an attribute of a network device, "" where it has none. */
static void read_attribute(const char *device, const char *attribute, char word[32])
{
    char path[512];
    snprintf(path, sizeof path, DEVICES "/%s/%s", device, attribute);
    word[0] = '\0';
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%31s", word) != 1)
        word[0] = '\0';
    if (file)
        fclose(file);
}

/* Octets that the NIC with this MAC has sent; a VLAN or bridge on top of it has the same MAC and has sent no more. */
static long long count_nic(const char *mac)
{
    long long most = 0;
    DIR *devices = opendir(DEVICES);
    for (struct dirent *each; devices && (each = readdir(devices));) {
        char address[32], sent[32];
        read_attribute(each->d_name, "address", address);
        if (strcmp(address, mac) != 0)
            continue;
        read_attribute(each->d_name, "statistics/tx_bytes", sent);
        most = atoll(sent) > most ? atoll(sent) : most;
    }
    if (devices)
        closedir(devices);
    return most;
}

/* Octets that the fabric NICs of this host have sent. A line of LINKS is "SWITCH MAC ADDRESS MTU" or a comment. */
static long long count_sent(void)
{
    char line[512], mac[32];
    long long sent = 0;
    FILE *links = fopen(LINKS, "r");
    while (links && fgets(line, sizeof line, links))
        if (line[0] != '#' && sscanf(line, "%*s %31s", mac) == 1)
            sent += count_nic(mac);
    if (links)
        fclose(links);
    return sent;
}

/* Octets that this host has sent over its fabric NICs since `before`; waits until they are as many as are needed. */
static long long wait_for_sent(long long before, long long needed)
{
    for (int tries = 0; count_sent() - before < needed && tries < LAG_SECONDS * 10; tries++)
        usleep(100000);
    return count_sent() - before;
}

/* Octets of the messages from the ranks of this host to those of others. */
static long long count_needed(const char *names, const char *own, int ranks)
{
    long long here = 0;
    for (int each = 0; each < ranks; each++)
        here += strcmp(names + (size_t)each * NAME, own) == 0;
    return here * (ranks - here) * MESSAGE;
}

int main(int argc, char **argv)
{
    int rank, ranks, right, all_right = 0;
    char name[NAME] = "";
    prepare_reports(-1, 0, -1, -1);
    signal(SIGALRM, report);
    alarm(argc > 1 ? (unsigned)atoi(argv[1]) : 0);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    read_name(name);
    /* All ranks of a host count before any rank sends, and after the last message has arrived. */
    long long before = count_sent();
    MPI_Barrier(MPI_COMM_WORLD);
    right = exchange_with_all(rank, ranks);
    prepare_reports(rank, ranks, -1, -1);
    MPI_Barrier(MPI_COMM_WORLD);
    char *names = calloc((size_t)ranks, NAME);
    MPI_Allgather(name, NAME, MPI_CHAR, names, NAME, MPI_CHAR, MPI_COMM_WORLD);
    long long sent = wait_for_sent(before, count_needed(names, name, ranks));
    MPI_Reduce(&right, &all_right, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    long long *octets = rank == 0 ? calloc((size_t)ranks, sizeof sent) : NULL;
    MPI_Gather(&sent, 1, MPI_LONG_LONG, octets, 1, MPI_LONG_LONG, 0, MPI_COMM_WORLD);

    if (rank == 0) {
        printf("{\"ranks\": %d, \"pairs\": %d, \"message\": %d, \"hosts\": [", ranks, all_right, MESSAGE);
        for (int each = 0; each < ranks; each++)
            printf("%s\"%s\"", each ? ", " : "", names + (size_t)each * NAME);
        printf("], \"sent\": [");
        for (int each = 0; each < ranks; each++)
            printf("%s%lld", each ? ", " : "", octets[each]);
        printf("]}\n");
        free(octets);
    }
    free(names);
    MPI_Finalize();
    return rank == 0 && all_right != ranks * (ranks - 1);
}
