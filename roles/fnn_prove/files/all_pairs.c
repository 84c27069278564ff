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
 * order, and what the fabric NICs of each one's host sent meanwhile, in octets. Messages between hosts that went over
 * another network are missing there. A rank that has not ended after SECONDS prints what it waits for, also as JSON,
 * and goes on waiting: "step" 0 is MPI_Init, and a "to" or "from" of -1 is done.
 */
#include <dirent.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINKS "/etc/fnn/links"
#define DEVICES "/sys/class/net"

enum { WORDS = 8192, BOTH, SEND_ONLY, RECEIVE_ONLY, STATES };

/* Written before each wait, so that the signal handler need not format. */
static char reports[STATES][400];
static volatile sig_atomic_t state = BOTH;

static void report(int signal)
{
    (void)signal;
    ssize_t written = write(STDERR_FILENO, reports[state], strlen(reports[state]));
    (void)written;
}

static void prepare_reports(int rank, int step, int to, int from)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
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

int main(int argc, char **argv)
{
    int rank, ranks, length, right, all_right = 0;
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    prepare_reports(-1, 0, -1, -1);
    signal(SIGALRM, report);
    alarm(argc > 1 ? (unsigned)atoi(argv[1]) : 0);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Get_processor_name(name, &length);

    /* All ranks of a host count before any rank sends, and after the last message has arrived. */
    long long sent = -count_sent();
    MPI_Barrier(MPI_COMM_WORLD);
    right = exchange_with_all(rank, ranks);
    prepare_reports(rank, ranks, -1, -1);
    MPI_Barrier(MPI_COMM_WORLD);
    sent += count_sent();
    MPI_Reduce(&right, &all_right, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    char *names = rank == 0 ? calloc((size_t)ranks, sizeof name) : NULL;
    MPI_Gather(name, sizeof name, MPI_CHAR, names, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
    long long *octets = rank == 0 ? calloc((size_t)ranks, sizeof sent) : NULL;
    MPI_Gather(&sent, 1, MPI_LONG_LONG, octets, 1, MPI_LONG_LONG, 0, MPI_COMM_WORLD);

    if (rank == 0) {
        printf("{\"ranks\": %d, \"pairs\": %d, \"message\": %zu, \"hosts\": [", ranks, all_right,
               WORDS * sizeof(unsigned long long));
        for (int each = 0; each < ranks; each++)
            printf("%s\"%s\"", each ? ", " : "", names + (size_t)each * sizeof name);
        printf("], \"sent\": [");
        for (int each = 0; each < ranks; each++)
            printf("%s%lld", each ? ", " : "", octets[each]);
        printf("]}\n");
        free(names);
        free(octets);
    }
    MPI_Finalize();
    return rank == 0 && all_right != ranks * (ranks - 1);
}
