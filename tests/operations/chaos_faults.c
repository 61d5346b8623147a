/* Loaded into a server by LD_PRELOAD: a slow disk and a clock that jumps, both set from outside while it runs. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct faults {
    volatile int64_t clock_offset_s;
    volatile int64_t sync_delay_ms;
};

static struct faults none;
static struct faults *faults = &none;

__attribute__((constructor)) static void open_faults(void)
{
    const char *path = getenv("CHAOS_FAULTS");
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *shared = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof *faults, PROT_READ, MAP_SHARED, fd, 0);
    if (shared != MAP_FAILED)
        faults = shared;
    if (fd >= 0)
        close(fd);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int result = (int)syscall(SYS_clock_gettime, clock, now);
    if (result == 0 && clock == CLOCK_REALTIME)
        now->tv_sec += faults->clock_offset_s;
    return result;
}

int fdatasync(int fd)
{
    int64_t delay = faults->sync_delay_ms;
    struct timespec pause = { delay / 1000, delay % 1000 * 1000000 };
    if (delay > 0)
        nanosleep(&pause, NULL);
    return (int)syscall(SYS_fdatasync, fd);
}
