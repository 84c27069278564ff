/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A preloaded library: the clock of every process that starts from now on is OFFSET seconds ahead of the kernel's.
 *
 * Containers share the clock of their machine. Monotonic clocks and sleeps stay as they are. libfaketime also adjusts
 * the deadlines of sleeps, and its clock_nanosleep() fails with EINVAL for a deadline that has passed, as subprocess of
 * Python may give.
 *
 * Build: gcc -shared -fPIC -DOFFSET=86400 -xc clock.c -o clock.so
 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int result = (int)syscall(SYS_clock_gettime, clock, now);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += OFFSET;
    return result;
}

int timespec_get(struct timespec *now, int base)
{
    return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, now) == 0 ? base : 0;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec precise;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &precise) != 0) return -1;
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *result)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}
