/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures the cells of a plan over MPI. What hpcc, the Intel MPI Benchmarks and OSU's lack: an all-to-all in phases, a
 * bisection with random pairings from a seed, groups of ranks alone and all at once, raw samples, and repetitions until
 * the median is known well enough.
 *
 *     mpirun ... fnn_bench < cells
 *
 * Rank 0 reads lines:
 *
 *     nodes k02 k00 k01                     the node of each rank
 *     seed 1
 *     limit 50                              no cell begins after so many seconds
 *     sampling 2 6 100 20 0.95 0.05         warm-up, least and most samples, pairings, confidence, share
 *     cell exchange 8 all 65536 0.5         kind, ranks of a group, together (one, all), octets of a message, and the
 *     cell bisection 8 all 65536 0.5 sym    limit of seconds for all repetitions; direction (uni, sym)
 *
 * and prints a line of JSON: {"ranks", "hosts"}, then one for each cell, as soon as it is measured. Launchers number
 * ranks in different ways, so they get new numbers, by `nodes`. Group k has the ranks from k * group on; only whole
 * groups take part. `one` measures the first group, while the other ranks sleep.
 *
 *     pingpong    2k and 2k + 1 send to one another in turn; a series for each pair, of half round trips
 *     exchange    each rank sends to both neighbors in the ring of its group and receives from both (section 6.2.3 of
 *                 the KLAT2 paper); a series for each rank
 *     alltoall    phase l = 1 ... group - 1: rank i sends to i + l and receives from i - l (modulo the group), then the
 *                 group has a barrier; a series for each phase, of its slowest rank, without the barrier
 *     bisection   a random permutation p of the group for each pairing: p[2i] sends to p[2i + 1], with `sym` both send;
 *                 a series for each pairing, with the time of each flow until its last octet has arrived (`flows`)
 *     barrier     a series for each group, of its slowest rank
 *
 * Method (T. Hoefler, R. Belli, Scientific Benchmarking of Parallel Computing Systems, SC '15): all pairs of ranks are
 * connected first; the first repetitions of a cell are warm-up and no samples. All ranks start a repetition at a
 * barrier. An operation whose shortest warm-up is shorter than SHORT is repeated within one sample (`times`), which is
 * their mean. Sampling ends when the nonparametric interval of the median, of order statistics by the binomial
 * distribution, is within `share` of the median (`stop`: interval), else at the limit of samples or seconds. The value
 * of a repetition is the mean of all series, of an all-to-all the sum of its phases, of a barrier that of the slowest
 * group. A bisection measures all its pairings; the value of a pairing is the mean rate of its flows.
 *
 * A cell of which one repetition takes longer than its limit of seconds has an error instead of samples, and so have
 * later cells of the same kind with longer messages, and all cells that the limit of all cells leaves out.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NODE "/etc/fnn/node"
#ifndef SHORT
#define SHORT 0.002 /* seconds; tests compile others */
#endif

enum { NAME = 256, WORD = 16, MOST_TIMES = 1000, IDLE_MICROSECONDS = 500 };

struct cell {
    char kind[WORD], together[WORD], direction[WORD];
    int group;
    long bytes;
    double seconds; /* the limit for all repetitions */
    int refused;    /* one repetition takes longer */
};

struct sampling {
    int warmup, least, most, pairings;
    double confidence, share;
};

struct plan {
    struct sampling sampling;
    unsigned long long seed;
    double limit; /* seconds in which cells begin; 0 is none */
    struct cell *cells;
    int count;
};

/* The ranks that measure a cell: `active` in the groups, `team` in the own group. Both are MPI_COMM_NULL elsewhere. */
struct ranks {
    MPI_Comm active, team;
    int place, total; /* in `active` */
    int me, size;     /* in `team` */
};

/* A flow of a bisection between ranks of a group. */
struct flow {
    int from, to;
};

/* What rank 0 has of a cell. Samples of a series are contiguous. */
struct result {
    int series, room, samples, times;
    double *values;  /* series * room */
    double *summary; /* one value for each repetition, or pairing */
    const char *stop;
    char error[200];
};

static char *out[2], *in[2];
static MPI_Comm everyone; /* all ranks, by `nodes` */

/* --- the plan --- */

/* Reads stdin; a string that the caller frees. */
static char *read_input(void)
{
    size_t size = 0, room = 1 << 16, got;
    char *text = malloc(room);
    while (text && (got = fread(text + size, 1, room - size - 1, stdin)) > 0) {
        size += got;
        if (room - size < 2)
            text = realloc(text, room *= 2);
    }
    if (text)
        text[size] = '\0';
    return text;
}

/* Gives every rank what rank 0 reads. */
static char *share_input(int rank)
{
    char *text = rank == 0 ? read_input() : NULL;
    unsigned long size = text ? strlen(text) + 1 : 0;
    MPI_Bcast(&size, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
    if (rank != 0)
        text = malloc(size);
    if (size == 0 || !text)
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Bcast(text, (int)size, MPI_CHAR, 0, MPI_COMM_WORLD);
    return text;
}

static int read_cell(const char *line, struct cell *cell)
{
    strcpy(cell->direction, "");
    return sscanf(line, "cell %15s %d %15s %ld %lf %15s", cell->kind, &cell->group, cell->together, &cell->bytes,
                  &cell->seconds, cell->direction) >= 5;
}

/* The node's name: that of a line "node NAME" in NODE, else the host name. */
static void read_name(char name[NAME])
{
    char line[512];
    FILE *node = fopen(NODE, "r");
    memset(name, 0, NAME);
    while (node && fgets(line, sizeof line, node) && sscanf(line, "node %255s", name) != 1)
        ;
    if (node)
        fclose(node);
    if (!name[0] && gethostname(name, NAME - 1) == 0)
        name[NAME - 1] = '\0';
}

/* The place of a word among those that follow "nodes" in the text, from 0; -1 if it is none of them. */
static int find_place(const char *text, const char *word)
{
    const char *line = strncmp(text, "nodes ", 6) == 0 ? text : strstr(text, "\nnodes ");
    size_t length = strlen(word), found;
    if (!line)
        return -1;
    line = strchr(line, ' ');
    for (int place = 0; *line == ' '; place++, line += found) {
        line += strspn(line, " ");
        found = strcspn(line, " \n");
        if (found == length && strncmp(line, word, length) == 0)
            return place;
    }
    return -1;
}

/* Numbers the ranks by the nodes of the plan; as the launcher did if it has none. Ends all ranks at an unknown node. */
static void number_ranks(const char *text, int rank)
{
    char name[NAME];
    read_name(name);
    int has_nodes = strncmp(text, "nodes ", 6) == 0 || strstr(text, "\nnodes ") != NULL;
    int place = has_nodes ? find_place(text, name) : rank;
    if (place < 0) {
        fprintf(stderr, "fnn_bench: %s is none of the nodes of the plan\n", name);
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    MPI_Comm_split(MPI_COMM_WORLD, 0, place, &everyone);
}

/* Ends all ranks at a line that is none of a plan. */
static struct plan read_plan(char *text)
{
    struct plan plan = {{1, 6, 100, 20, 0.95, 0.05}, 1, 0, NULL, 0};
    struct sampling *how = &plan.sampling;
    plan.cells = calloc(strlen(text) / 4 + 1, sizeof *plan.cells);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        if (read_cell(line, &plan.cells[plan.count])) {
            plan.count++;
        } else if (strncmp(line, "nodes ", 6) != 0 && sscanf(line, "seed %llu", &plan.seed) != 1
                   && sscanf(line, "limit %lf", &plan.limit) != 1
                   && sscanf(line, "sampling %d %d %d %d %lf %lf", &how->warmup, &how->least, &how->most,
                             &how->pairings, &how->confidence, &how->share) != 6) {
            fprintf(stderr, "fnn_bench: expected nodes, seed, limit, sampling or cell, not \"%s\"\n", line);
            MPI_Abort(MPI_COMM_WORLD, 3);
        }
    }
    return plan;
}

static void allocate_buffers(const struct plan *plan)
{
    long most = 1;
    for (int each = 0; each < plan->count; each++)
        most = plan->cells[each].bytes > most ? plan->cells[each].bytes : most;
    for (int side = 0; side < 2; side++) {
        out[side] = malloc((size_t)most);
        in[side] = malloc((size_t)most);
        if (!out[side] || !in[side])
            MPI_Abort(MPI_COMM_WORLD, 3);
        /* Touched, so that no page is mapped in the first repetition. */
        memset(out[side], side + 1, (size_t)most);
        memset(in[side], 0, (size_t)most);
    }
}

/* --- random pairings --- */

/* SplitMix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014). */
static uint64_t draw(uint64_t *state)
{
    uint64_t mixed = (*state += 0x9e3779b97f4a7c15u);
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 31);
}

/* The flows of a pairing, the same in every group: of a random permutation (Fisher, Yates), its neighbors in pairs. */
static int draw_flows(unsigned long long seed, int pairing, int size, int both_ways, struct flow *flows)
{
    uint64_t state = seed * 1000003u + (uint64_t)pairing;
    int *order = malloc(sizeof *order * (size_t)size), count = 0;
    for (int each = 0; each < size; each++)
        order[each] = each;
    for (int left = size - 1; left > 0; left--) {
        int chosen = (int)(draw(&state) % (uint64_t)(left + 1)), kept = order[left];
        order[left] = order[chosen];
        order[chosen] = kept;
    }
    for (int each = 0; each + 1 < size; each += 2) {
        flows[count++] = (struct flow){order[each], order[each + 1]};
        if (both_ways)
            flows[count++] = (struct flow){order[each + 1], order[each]};
    }
    free(order);
    return count;
}

/* --- one repetition on one rank: seconds per operation, of an all-to-all for each phase --- */

static void send_and_receive(const struct ranks *ranks, int to, int from, int bytes)
{
    MPI_Request requests[2];
    MPI_Irecv(in[0], bytes, MPI_BYTE, from, 0, ranks->team, &requests[0]);
    MPI_Isend(out[0], bytes, MPI_BYTE, to, 0, ranks->team, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void ping(const struct ranks *ranks, int bytes)
{
    int peer = ranks->me ^ 1;
    if (peer >= ranks->size)
        return;
    if (ranks->me < peer) {
        MPI_Send(out[0], bytes, MPI_BYTE, peer, 0, ranks->team);
        MPI_Recv(in[0], bytes, MPI_BYTE, peer, 0, ranks->team, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(in[0], bytes, MPI_BYTE, peer, 0, ranks->team, MPI_STATUS_IGNORE);
        MPI_Send(out[0], bytes, MPI_BYTE, peer, 0, ranks->team);
    }
}

static void exchange(const struct ranks *ranks, int bytes)
{
    int left = (ranks->me + ranks->size - 1) % ranks->size, right = (ranks->me + 1) % ranks->size;
    MPI_Request requests[4];
    MPI_Irecv(in[0], bytes, MPI_BYTE, left, 0, ranks->team, &requests[0]);
    MPI_Irecv(in[1], bytes, MPI_BYTE, right, 1, ranks->team, &requests[1]);
    MPI_Isend(out[0], bytes, MPI_BYTE, right, 0, ranks->team, &requests[2]);
    MPI_Isend(out[1], bytes, MPI_BYTE, left, 1, ranks->team, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

static void run_phases(const struct ranks *ranks, int bytes, int times, double *phases)
{
    for (int apart = 1; apart < ranks->size; apart++) {
        int to = (ranks->me + apart) % ranks->size, from = (ranks->me + ranks->size - apart) % ranks->size;
        double began = MPI_Wtime();
        for (int each = 0; each < times; each++)
            send_and_receive(ranks, to, from, bytes);
        phases[apart - 1] = (MPI_Wtime() - began) / times;
        MPI_Barrier(ranks->team);
    }
}

/* The time of the flow that ends at this rank; 0 if there is none. */
static double run_flows(const struct ranks *ranks, const struct flow *flows, int count, int bytes, int times)
{
    int to = MPI_PROC_NULL, from = MPI_PROC_NULL;
    for (int each = 0; each < count; each++) {
        to = flows[each].from == ranks->me ? flows[each].to : to;
        from = flows[each].to == ranks->me ? flows[each].from : from;
    }
    double began = MPI_Wtime();
    for (int each = 0; each < times; each++)
        send_and_receive(ranks, to, from, bytes);
    return from == MPI_PROC_NULL ? 0 : (MPI_Wtime() - began) / times;
}

static double run_operation(const struct ranks *ranks, const struct cell *cell, int times)
{
    double began = MPI_Wtime();
    int is_ping = strcmp(cell->kind, "pingpong") == 0, is_barrier = strcmp(cell->kind, "barrier") == 0;
    for (int each = 0; each < times; each++) {
        if (is_ping)
            ping(ranks, (int)cell->bytes);
        else if (is_barrier)
            MPI_Barrier(ranks->team);
        else
            exchange(ranks, (int)cell->bytes);
    }
    return (MPI_Wtime() - began) / times / (is_ping ? 2 : 1);
}

/* --- repetitions --- */

static int is_kind(const struct cell *cell, const char *kind)
{
    return strcmp(cell->kind, kind) == 0;
}

/* Values that a rank measures in a repetition. */
static int count_values(const struct cell *cell)
{
    return is_kind(cell, "alltoall") ? cell->group - 1 : 1;
}

/* A repetition of all active ranks. Afterwards the first has in `all` the values of every rank, of an all-to-all those
 * of the slowest. Returns the time that the slowest took. */
static double repeat(const struct ranks *ranks, const struct cell *cell, const struct flow *flows, int flow_count,
                     int times, double *own, double *all)
{
    double took, longest = 0;
    MPI_Barrier(ranks->active);
    double began = MPI_Wtime();
    if (is_kind(cell, "alltoall"))
        run_phases(ranks, (int)cell->bytes, times, own);
    else if (flows)
        own[0] = run_flows(ranks, flows, flow_count, (int)cell->bytes, times);
    else
        own[0] = run_operation(ranks, cell, times);
    took = MPI_Wtime() - began;
    if (is_kind(cell, "alltoall"))
        MPI_Reduce(own, all, count_values(cell), MPI_DOUBLE, MPI_MAX, 0, ranks->active);
    else
        MPI_Gather(own, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, ranks->active);
    MPI_Allreduce(&took, &longest, 1, MPI_DOUBLE, MPI_MAX, ranks->active);
    return longest;
}

/* The first repetitions of a cell, or of a pairing, at least one, until one takes longer than the limit. Returns the
 * longest, in seconds. `least` becomes the shortest, as the kernel may run another process during the others. */
static double warm_up(const struct ranks *ranks, const struct cell *cell, const struct flow *flows, int flow_count,
                      int repetitions, double *own, double *all, double *least)
{
    double longest = repeat(ranks, cell, flows, flow_count, 1, own, all);
    *least = longest;
    for (int each = 1; each < repetitions && longest <= cell->seconds; each++) {
        double took = repeat(ranks, cell, flows, flow_count, 1, own, all);
        *least = took < *least ? took : *least;
        longest = took > longest ? took : longest;
    }
    return longest;
}

/* How often an operation is repeated within one sample. took: a repetition of one operation, in seconds. */
static int choose_times(double took)
{
    double wanted = took > 0 ? SHORT / took + 1 : MOST_TIMES;
    return took >= SHORT ? 1 : wanted > MOST_TIMES ? MOST_TIMES : (int)wanted;
}

/* --- statistics --- */

static int compare(const void *one, const void *other)
{
    double first = *(const double *)one, second = *(const double *)other;
    return (first > second) - (first < second);
}

/* The number k of the order statistic so that the k-th smallest and the k-th largest of n samples enclose the median
 * with this confidence, counted from 1; 0 if there are too few. */
static int find_bound(int n, double confidence)
{
    long double chance = 1, below = 0;
    int bound = 0;
    for (int each = 0; each < n; each++)
        chance /= 2;
    for (int each = 0; each < n / 2; each++) {
        below += chance; /* at most `each` of n samples are below the median */
        if (below > (1 - confidence) / 2)
            break;
        bound = each + 1;
        chance = chance * (n - each) / (each + 1);
    }
    return bound;
}

/* Whether the interval of the median is within `share` of the median. */
static int is_settled(const double *values, int n, const struct sampling *how)
{
    int bound = find_bound(n, how->confidence), settled;
    if (bound == 0)
        return 0;
    double *sorted = malloc(sizeof *sorted * (size_t)n);
    memcpy(sorted, values, sizeof *sorted * (size_t)n);
    qsort(sorted, (size_t)n, sizeof *sorted, compare);
    double median = n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
    settled = sorted[bound - 1] >= median * (1 - how->share) && sorted[n - bound] <= median * (1 + how->share);
    free(sorted);
    return settled;
}

/* --- cells --- */

/* Series of a cell whose repetitions have these values. */
static int count_series(const struct cell *cell, const struct ranks *ranks)
{
    int groups = ranks->total / cell->group;
    if (is_kind(cell, "alltoall"))
        return cell->group - 1;
    if (is_kind(cell, "pingpong"))
        return groups * (cell->group / 2);
    return is_kind(cell, "barrier") ? groups : ranks->total;
}

/* The value of a series in a repetition, from those of all ranks, or of the slowest. */
static double find_value(const struct cell *cell, int series, const double *all)
{
    double most = 0;
    if (is_kind(cell, "pingpong")) {
        int pairs = cell->group / 2;
        return all[series / pairs * cell->group + series % pairs * 2];
    }
    if (!is_kind(cell, "barrier"))
        return all[series];
    for (int each = series * cell->group; each < (series + 1) * cell->group; each++)
        most = all[each] > most ? all[each] : most;
    return most;
}

/* Adds the values of a repetition to the result. */
static void add_sample(struct result *result, const struct cell *cell, const double *all)
{
    double slowest = 0, sum = 0;
    for (int series = 0; series < result->series; series++) {
        double value = find_value(cell, series, all);
        result->values[series * result->room + result->samples] = value;
        slowest = value > slowest ? value : slowest;
        sum += value;
    }
    result->summary[result->samples++] = is_kind(cell, "barrier")    ? slowest
                                         : is_kind(cell, "alltoall") ? sum
                                                                     : sum / result->series;
}

/* Why sampling ends now; NULL if it goes on. end: of the cell, by MPI_Wtime. */
static const char *find_stop(const struct result *result, const struct sampling *how, double end)
{
    if (result->samples >= how->least && is_settled(result->summary, result->samples, how))
        return "interval";
    if (result->samples >= how->most)
        return "samples";
    return MPI_Wtime() > end ? "seconds" : NULL;
}

static void refuse(struct result *result, double took, double limit)
{
    snprintf(result->error, sizeof result->error, "one repetition takes %.3g s, longer than the limit of %.3g s", took,
             limit);
}

/* Measures a cell that is no bisection, on all active ranks. */
static void measure(const struct ranks *ranks, const struct cell *cell, const struct sampling *how,
                    struct result *result)
{
    double *own = calloc((size_t)cell->group, sizeof *own);
    double *all = calloc((size_t)(ranks->total + cell->group), sizeof *all);
    double least, end = MPI_Wtime() + cell->seconds;
    double took = warm_up(ranks, cell, NULL, 0, how->warmup, own, all, &least);
    int goes_on = 1;
    result->times = choose_times(least);
    result->series = count_series(cell, ranks);
    result->room = how->most;
    if (took > cell->seconds) {
        refuse(result, took, cell->seconds);
        goes_on = 0;
    } else if (ranks->place == 0) {
        result->values = calloc((size_t)result->series * (size_t)result->room, sizeof *result->values);
        result->summary = calloc((size_t)result->room, sizeof *result->summary);
    }
    while (goes_on) {
        repeat(ranks, cell, NULL, 0, result->times, own, all);
        if (ranks->place == 0) {
            add_sample(result, cell, all);
            result->stop = find_stop(result, how, end);
            goes_on = result->stop == NULL;
        }
        MPI_Bcast(&goes_on, 1, MPI_INT, 0, ranks->active);
    }
    free(own);
    free(all);
}

/* Notes the times of the flows of a pairing, and their mean rate. */
static void add_pairing(struct result *result, const struct cell *cell, const struct flow *flows, int count,
                        const double *all)
{
    double rates = 0;
    for (int each = 0; each < result->room; each++) {
        double took = all[each / count * cell->group + flows[each % count].to];
        result->values[result->samples * result->room + each] = took;
        rates += took > 0 ? 1 / took : 0;
    }
    result->summary[result->samples++] = rates / result->room;
}

/* Measures a bisection. A series is a pairing, with one value for each flow. */
static void measure_pairings(const struct ranks *ranks, const struct cell *cell, const struct plan *plan,
                             struct result *result)
{
    const struct sampling *how = &plan->sampling;
    struct flow *flows = calloc((size_t)cell->group + 1, sizeof *flows);
    double own = 0, *all = calloc((size_t)ranks->total, sizeof *all);
    double end = MPI_Wtime() + cell->seconds;
    int goes_on = 1;
    for (int pairing = 0; pairing < how->pairings && goes_on; pairing++) {
        int count = draw_flows(plan->seed, pairing, cell->group, strcmp(cell->direction, "sym") == 0, flows);
        double least, took = warm_up(ranks, cell, flows, count, how->warmup, &own, all, &least);
        if (pairing == 0) {
            result->times = choose_times(least);
            result->room = count * (ranks->total / cell->group);
            result->values = calloc((size_t)result->room * (size_t)how->pairings, sizeof *result->values);
            result->summary = calloc((size_t)how->pairings, sizeof *result->summary);
        }
        if (took > cell->seconds && pairing == 0)
            refuse(result, took, cell->seconds);
        else
            repeat(ranks, cell, flows, count, result->times, &own, all);
        if (ranks->place == 0 && !result->error[0])
            add_pairing(result, cell, flows, count, all);
        goes_on = MPI_Wtime() <= end && !result->error[0];
        MPI_Bcast(&goes_on, 1, MPI_INT, 0, ranks->active);
    }
    if (ranks->place == 0) {
        result->stop = is_settled(result->summary, result->samples, how) ? "interval"
                       : result->samples < how->pairings                 ? "seconds"
                                                                         : "samples";
        result->series = result->samples;
        result->samples = result->room;
    }
    free(flows);
    free(all);
}

/* --- output --- */

static void print_flows(const struct plan *plan, const struct cell *cell, int total, int pairings)
{
    struct flow *flows = calloc((size_t)cell->group + 1, sizeof *flows);
    printf(", \"direction\": \"%s\", \"flows\": [", cell->direction);
    for (int pairing = 0; pairing < pairings; pairing++) {
        int count = draw_flows(plan->seed, pairing, cell->group, strcmp(cell->direction, "sym") == 0, flows);
        printf("%s[", pairing ? ", " : "");
        for (int first = 0; first < total; first += cell->group)
            for (int each = 0; each < count; each++)
                printf("%s[%d, %d]", first + each ? ", " : "", first + flows[each].from, first + flows[each].to);
        printf("]");
    }
    printf("]");
    free(flows);
}

/* total: ranks that measured the cell. */
static void print_cell(const struct plan *plan, const struct cell *cell, int total, const struct result *result)
{
    int series = result->error[0] ? 0 : result->series;
    printf("{\"kind\": \"%s\", \"group\": %d, \"together\": \"%s\", \"bytes\": %ld", cell->kind, cell->group,
           cell->together, cell->bytes);
    if (is_kind(cell, "bisection"))
        print_flows(plan, cell, total, series);
    printf(", \"times\": %d, \"warmup\": %d, \"samples\": [", result->times, plan->sampling.warmup);
    for (int each = 0; each < series; each++) {
        printf("%s[", each ? ", " : "");
        for (int sample = 0; sample < result->samples; sample++)
            printf("%s%.5g", sample ? ", " : "", result->values[each * result->room + sample]);
        printf("]");
    }
    printf("], ");
    if (result->error[0])
        printf("\"stop\": null, \"error\": \"%s\"}\n", result->error);
    else
        printf("\"stop\": \"%s\", \"error\": null}\n", result->stop);
    fflush(stdout);
}

static void print_hosts(int rank, int count)
{
    char name[NAME], *names = calloc((size_t)count, NAME);
    read_name(name);
    MPI_Gather(name, NAME, MPI_CHAR, names, NAME, MPI_CHAR, 0, everyone);
    if (rank == 0) {
        printf("{\"ranks\": %d, \"hosts\": [", count);
        for (int each = 0; each < count; each++)
            printf("%s\"%s\"", each ? ", " : "", names + (size_t)each * NAME);
        printf("]}\n");
        fflush(stdout);
    }
    free(names);
}

/* --- all cells --- */

/* Makes the communicators of a cell, on all ranks. */
static struct ranks split(const struct cell *cell, int rank, int count)
{
    struct ranks ranks = {MPI_COMM_NULL, MPI_COMM_NULL, 0, 0, 0, 0};
    int whole = strcmp(cell->together, "one") == 0 ? cell->group : count / cell->group * cell->group;
    MPI_Comm_split(everyone, rank < whole ? 0 : MPI_UNDEFINED, rank, &ranks.active);
    MPI_Comm_split(everyone, rank < whole ? rank / cell->group : MPI_UNDEFINED, rank, &ranks.team);
    if (ranks.active != MPI_COMM_NULL) {
        MPI_Comm_rank(ranks.active, &ranks.place);
        MPI_Comm_size(ranks.active, &ranks.total);
        MPI_Comm_rank(ranks.team, &ranks.me);
        MPI_Comm_size(ranks.team, &ranks.size);
    }
    return ranks;
}

/* Waits until all ranks have come here, without taking a processor from ranks that measure. */
static void wait_for_all(void)
{
    MPI_Request request;
    int done = 0;
    MPI_Ibarrier(everyone, &request);
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    while (!done) {
        usleep(IDLE_MICROSECONDS);
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
}

/* An empty message over every pair: Open MPI and UCX connect two ranks when the first message is sent. */
static void connect_all(int rank, int count)
{
    for (int apart = 1; apart < count; apart++)
        MPI_Sendrecv(NULL, 0, MPI_BYTE, (rank + apart) % count, 0, NULL, 0, MPI_BYTE, (rank + count - apart) % count, 0,
                     everyone, MPI_STATUS_IGNORE);
}

/* The refused cell before this one whose messages were as long or shorter, all else equal; NULL if there is none. */
static const struct cell *find_refused(const struct plan *plan, const struct cell *cell)
{
    for (const struct cell *each = plan->cells; each < cell; each++)
        if (each->refused && cell->group == each->group && is_kind(cell, each->kind) && cell->bytes >= each->bytes
            && strcmp(cell->together, each->together) == 0 && strcmp(cell->direction, each->direction) == 0)
            return each;
    return NULL;
}

/* Why a cell is not measured, as a text of `result`. */
static void leave_out(const struct plan *plan, const struct cell *cell, int count, int is_over, struct result *result)
{
    const struct cell *refused = find_refused(plan, cell);
    if (cell->group < 2 || cell->group > count)
        snprintf(result->error, sizeof result->error, "a group of %d needs as many ranks, there are %d", cell->group,
                 count);
    else if (refused)
        snprintf(result->error, sizeof result->error, "left out: messages of %ld octets took too long", refused->bytes);
    else if (is_over)
        snprintf(result->error, sizeof result->error, "left out: the limit of %g s for all cells was over", plan->limit);
}

/* Measures a cell on its ranks, while the others wait. */
static void measure_cell(const struct plan *plan, struct cell *cell, int rank, int count, struct result *result)
{
    struct ranks ranks = split(cell, rank, count);
    if (ranks.active != MPI_COMM_NULL && is_kind(cell, "bisection"))
        measure_pairings(&ranks, cell, plan, result);
    else if (ranks.active != MPI_COMM_NULL)
        measure(&ranks, cell, &plan->sampling, result);
    cell->refused = result->error[0] != '\0';
    if (rank == 0)
        print_cell(plan, cell, ranks.total, result);
    if (ranks.active != MPI_COMM_NULL) {
        MPI_Comm_free(&ranks.active);
        MPI_Comm_free(&ranks.team);
    }
    wait_for_all();
    free(result->values);
    free(result->summary);
}

/* Measures or leaves out all cells. */
static void run_cells(struct plan *plan, int rank, int count)
{
    double end = MPI_Wtime() + plan->limit;
    int decided[2] = {0, 0}; /* by rank 0: whether the cell was refused, and whether the limit is over */
    for (struct cell *cell = plan->cells; cell < plan->cells + plan->count; cell++) {
        struct result result = {0, 0, 0, 1, NULL, NULL, NULL, ""};
        leave_out(plan, cell, count, decided[1], &result);
        if (result.error[0]) {
            if (rank == 0)
                print_cell(plan, cell, 0, &result);
            continue;
        }
        measure_cell(plan, cell, rank, count, &result);
        decided[0] = cell->refused;
        decided[1] = plan->limit > 0 && MPI_Wtime() > end;
        MPI_Bcast(decided, 2, MPI_INT, 0, everyone);
        cell->refused = decided[0];
    }
}

int main(int argc, char **argv)
{
    int rank, count;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *text = share_input(rank);
    number_ranks(text, rank);
    MPI_Comm_rank(everyone, &rank);
    MPI_Comm_size(everyone, &count);
    struct plan plan = read_plan(text);
    allocate_buffers(&plan);
    print_hosts(rank, count);
    connect_all(rank, count);
    run_cells(&plan, rank, count);
    for (int side = 0; side < 2; side++) {
        free(out[side]);
        free(in[side]);
    }
    free(plan.cells);
    free(text);
    MPI_Comm_free(&everyone);
    MPI_Finalize();
    return 0;
}
