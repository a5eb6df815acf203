/* The search for the best arrangement once more, in C: a measurement, not part of the package.
   The twin of okey101.kernel.solver.search with points as its aim; benchmarks/kernel_c.py calls it
   with the kernel's own tables. */
#include <stdint.h>

typedef int64_t i64;

/* Places in the room, as okey101.kernel.tables has them; handed over once. */
static i64 LOW, HIGH, POWERS, MOST, STARTS;
static const i64 *room;
static const uint16_t *runs;

void places(const uint16_t *cells, const i64 *words, i64 low, i64 high, i64 powers, i64 most,
            i64 starts) {
    runs = cells, room = words;
    LOW = low, HIGH = high, POWERS = powers, MOST = most, STARTS = starts;
}

static inline i64 max(i64 a, i64 b) { return a > b ? a : b; }

static inline i64 part(i64 own) { return room[LOW + (own & 127)] + room[HIGH + (own >> 7)]; }

static inline i64 colour_index(i64 one, i64 two, int colour) {
    return part(one >> 13 * colour & 8191) + part(two >> 13 * colour & 8191);
}

static inline i64 in_runs(i64 kinds, i64 okeys) {
    const i64 begins = 2047LL | 2047LL << 13 | 2047LL << 26 | 2047LL << 39;
    if (okeys == 2) return kinds;
    i64 up = kinds >> 1, far = kinds >> 2;
    i64 starts = okeys ? ((kinds & up) | (kinds & far) | (up & far)) : (kinds & up & far);
    starts &= begins;
    return kinds & (starts | starts << 1 | starts << 2);
}

static inline i64 top_two(const i64 *g) {
    i64 a = g[0], b = g[1], c = g[2], d = g[3], t;
    if (a < b) t = a, a = b, b = t;
    if (c < d) t = c, c = d, d = t;
    return a >= c ? a + max(b, c) : c + max(d, a);
}

typedef struct { i64 first, end, weigh, power[4], rest[3], upto[3]; } Level;
typedef struct { i64 weight, now[3], index[4], left, option; } State;

/* What runs weigh with no okey, one and two, so many being left. */
static inline void look(State *s) {
    i64 g[4], gg[4], none = 0;
    for (int c = 0; c < 4; c++) {
        const uint16_t *cell = runs + 4 * s->index[c];
        none += cell[0], g[c] = cell[1], gg[c] = cell[2];
    }
    s->now[0] = s->now[1] = s->now[2] = none;
    if (s->left) {
        s->now[1] = s->now[2] = none + max(max(g[0], g[1]), max(g[2], g[3]));
        if (s->left == 2)
            s->now[2] = none + max(max(max(gg[0], gg[1]), max(gg[2], gg[3])), top_two(g));
    }
}

static inline i64 reach(const State *s, const i64 *rest) {
    i64 most = s->now[s->left] + rest[0];
    if (s->left) most = max(most, s->now[s->left - 1] + rest[1]);
    if (s->left == 2) most = max(most, s->now[0] + rest[2]);
    return most;
}

i64 search(i64 one, i64 two, i64 okeys, i64 floor, i64 *chosen) {
    Level levels[13];
    State states[15];
    i64 inside = in_runs(one, okeys), twins = two & inside;
    i64 a = one & 8191, b = one >> 13 & 8191, c = one >> 26 & 8191, d = one >> 39 & 8191;
    i64 numbers = okeys == 0 ? ((a & b & (c | d)) | (c & d & (a | b)))
                : okeys == 1 ? ((a & b) | (c & d) | ((a | b) & (c | d))) : (a | b | c | d);
    for (int n = 0; n < 14; n++) chosen[n] = -1;
    State *s = states;
    s->weight = 0, s->left = okeys, s->option = -1;
    for (int k = 0; k < 4; k++) s->index[k] = colour_index(inside, twins, k);
    look(s);
    i64 best = max(s->now[okeys], floor);
    int count = 0, number_of[13];
    i64 rest[3] = {0, 0, 0};
    for (; numbers; numbers &= numbers - 1) {
        int n = __builtin_ctzll(numbers);
        Level *l = levels + count;
        i64 key = 0, three[4] = {1, 3, 9, 27};
        for (int k = 0; k < 4; k++) {
            key += three[k] * ((one >> (13 * k + n) & 1) + (two >> (13 * k + n) & 1));
            l->power[k] = inside >> (13 * k + n) & 1 ? room[POWERS + n] : 0;
            l->rest[k < 3 ? k : 0] = rest[k < 3 ? k : 0];
        }
        l->weigh = 128 * (n + 1) + 1;
        l->first = room[STARTS + okeys * 81 + key], l->end = room[STARTS + okeys * 81 + key + 1];
        i64 most = room[MOST + okeys * 81 + key];
        i64 plain = (most & 15) * l->weigh, wild = (most >> 4 & 15) * l->weigh;
        i64 wilder = (most >> 8 & 15) * l->weigh;
        rest[2] = max(max(rest[2] + plain, rest[1] + wild), rest[0] + wilder);
        rest[1] = max(rest[1] + plain, rest[0] + wild);
        rest[0] += plain;
        for (int k = 0; k < 3; k++) l->upto[k] = rest[k];
        number_of[count++] = n;
    }
    i64 bar = best, taken[13];
    for (int depth = 0; depth >= 0;) {
        s = states + depth;
        if (depth == count) {
            if (bar < best && s->weight + s->now[s->left] == best) {
                bar = best;
                for (int up = 0; up < count; up++) chosen[1 + number_of[count - 1 - up]] = taken[up];
            }
            depth--;
            continue;
        }
        Level *l = levels + count - 1 - depth;
        if (s->option < 0) {
            if (s->weight + reach(s, l->upto) <= bar) { depth--; continue; }
            s->option = l->first;
            s[1] = *s, s[1].option = -1;
            taken[depth++] = -1;
            continue;
        }
        if (s->option == l->end) { depth--; continue; }
        i64 option = s->option++, code = room[option], used = code >> 4 & 3;
        if (used > s->left) continue;
        State *next = s + 1;
        i64 more = s->weight + (code & 15) * l->weigh;
        State bound = *s;
        bound.left = s->left - used;
        if (more + reach(&bound, l->rest) <= bar) continue;
        for (int k = 0; k < 4; k++)
            next->index[k] = s->index[k] - (code >> (8 + 2 * k) & 3) * l->power[k];
        next->left = s->left - used, next->weight = more, next->option = -1;
        look(next);
        if (more + next->now[next->left] > best) best = more + next->now[next->left], bar = best - 1;
        if (more + reach(next, l->rest) > bar) taken[depth++] = option;
    }
    return best;
}

void search_many(i64 n, const i64 *one, const i64 *two, const i64 *okeys, i64 *out, i64 *chosen) {
    for (i64 i = 0; i < n; i++) out[i] = search(one[i], two[i], okeys[i], -1, chosen + 14 * i);
}
