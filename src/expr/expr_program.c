/* From text to postfix and its evaluation.
 *
 * The order of operations is muParser's (ParserBase::CreateRPN): operators wait until one that binds less appears, a
 * sign binds less than '^' and like '*', powers group from the right, a condition takes all that is before it and its
 * last branch all that follows. As muParser has accepted the text, mistakes are not explained here: whatever looks wrong
 * or unknown ends the attempt.
 *
 * What is known while reading is computed while reading. This is more than thrift: sqrt(0) is a constant, whereas the
 * square root of something that passes through zero has no derivative there. */
#include "expr/expr_program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expr/expr_scan.h"
#include "expr/jet.h"

typedef enum instruction_kind { PUSH_NUMBER, PUSH_ARGUMENT, APPLY, JUMP_UNLESS, JUMP } instruction_kind;

typedef struct instruction {
    instruction_kind kind;
    int count; /* APPLY: operands; jumps: the instruction to go on with */
    union {
        double number;
        jet_operation apply;
    };
} instruction;

struct expr_program {
    int count;
    instruction *code;
    jet *stack;
};

/* ---- reading --------------------------------------------------------------------------------------------------------- */

typedef enum pending_kind { OPEN, OPERATOR, CONDITION, ALTERNATIVE } pending_kind;

/* What waits for its operands, for its parenthesis to close, or for its branch to end. */
typedef struct pending {
    pending_kind kind;
    int priority;                 /* OPERATOR                                                */
    int count;                    /* OPERATOR: operands; OPEN: arguments so far              */
    jet_operation apply;          /* OPERATOR                                                */
    const jet_function *function; /* OPEN: of the function, NULL for a mere parenthesis      */
    int jump;                     /* CONDITION, ALTERNATIVE: whose target is not known yet   */
} pending;

typedef struct reader {
    expr_program *program;
    const char *at;
    bool wants_value; /* else an operator or an end */
    int known_from;   /* instructions before this one are not computed now: a jump leads here */
    int waiting;
    pending *pending;
} reader;

static void emit(reader *r, instruction i)
{
    r->program->code[r->program->count++] = i;
}

static void emit_apply(reader *r, jet_operation apply, int count)
{
    expr_program *p = r->program;
    int first = p->count - count;
    bool known = first >= r->known_from;
    for (int k = 0; known && k < count; ++k) {
        known = p->code[first + k].kind == PUSH_NUMBER;
        p->stack[k] = (jet){ .v = p->code[first + k].number };
    }
    if (known) {
        jet result = apply(&(jet_place){ .side = 0.0 }, p->stack, count);
        p->count = first;
        emit(r, (instruction){ .kind = PUSH_NUMBER, .number = result.v });
    } else {
        emit(r, (instruction){ .kind = APPLY, .count = count, .apply = apply });
    }
}

static void emit_jump(reader *r, instruction_kind kind)
{
    emit(r, (instruction){ .kind = kind });
    r->known_from = r->program->count;
}

static void end_jump(reader *r, int jump)
{
    r->program->code[jump].count = r->program->count;
    r->known_from = r->program->count;
}

static void wait(reader *r, pending p)
{
    r->pending[r->waiting++] = p;
}

static const pending *last_waiting(const reader *r, pending_kind kind)
{
    const pending *last = r->waiting > 0 ? &r->pending[r->waiting - 1] : NULL;
    return last && last->kind == kind ? last : NULL;
}

/* Applies the waiting operators that bind at least as strong as `priority`. */
static void apply_waiting(reader *r, int priority)
{
    const pending *last = last_waiting(r, OPERATOR);
    for (; last && last->priority >= priority; last = last_waiting(r, OPERATOR)) {
        emit_apply(r, last->apply, last->count);
        --r->waiting;
    }
}

/* Ends operators and last branches, back to what only a sign of its own can end. */
static void end_waiting(reader *r)
{
    apply_waiting(r, 0);
    for (const pending *last = last_waiting(r, ALTERNATIVE); last; last = last_waiting(r, ALTERNATIVE)) {
        end_jump(r, last->jump);
        --r->waiting;
        apply_waiting(r, 0);
    }
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Digits with a point and an exponent; strtod, which follows the locale, must see the same end. */
static bool read_number(reader *r)
{
    static const char digits[] = "0123456789";
    const char *end = r->at + strspn(r->at, digits);
    end += *end == '.' ? 1 + strspn(end + 1, digits) : 0;
    if (*end == 'e' || *end == 'E') {
        const char *exponent = end + (end[1] == '+' || end[1] == '-' ? 2 : 1);
        size_t length = strspn(exponent, digits);
        end = length > 0 ? exponent + length : end;
    }
    char *seen;
    double number = strtod(r->at, &seen);
    if (seen != end || expr_is_name_char(*end) || !isfinite(number)) {
        return false;
    }
    emit(r, (instruction){ .kind = PUSH_NUMBER, .number = number });
    r->at = end;
    r->wants_value = false;
    return true;
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(text, word, length) == 0;
}

static bool read_name(reader *r)
{
    size_t length = strspn(r->at, EXPR_NAME_CHARS);
    const char *name = r->at;
    r->at += length;
    if (*r->at == '(') {
        const jet_function *function = jet_find_function(name, length);
        wait(r, (pending){ .kind = OPEN, .count = 1, .function = function });
        ++r->at;
        return function != NULL;
    }
    r->wants_value = false;
    if (is_word(name, length, "pi") || is_word(name, length, "_pi")) {
        emit(r, (instruction){ .kind = PUSH_NUMBER, .number = 3.14159265358979323846 });
    } else if (is_word(name, length, "e") || is_word(name, length, "_e")) {
        emit(r, (instruction){ .kind = PUSH_NUMBER, .number = 2.71828182845904523536 });
    } else {
        emit(r, (instruction){ .kind = PUSH_ARGUMENT });
    }
    return true;
}

static bool read_value(reader *r)
{
    char c = *r->at;
    if (c == '(') {
        wait(r, (pending){ .kind = OPEN, .count = 1 });
        ++r->at;
        return true;
    }
    if (c == '-') {
        wait(r, (pending){ .kind = OPERATOR, .priority = JET_SIGN_PRIORITY, .count = 1, .apply = jet_negative });
        ++r->at;
        return true;
    }
    if (is_digit(c) || (c == '.' && is_digit(r->at[1]))) {
        return read_number(r);
    }
    return expr_is_name_char(c) && read_name(r);
}

static bool close_parenthesis(reader *r)
{
    end_waiting(r);
    const pending *open = last_waiting(r, OPEN);
    if (!open) {
        return false;
    }
    const jet_function *function = open->function;
    int count = open->count;
    --r->waiting;
    if (!function) {
        return count == 1;
    }
    if (function->count == 0) { /* muParser does not compute these while reading, either */
        emit(r, (instruction){ .kind = APPLY, .count = count, .apply = function->apply });
        return true;
    }
    emit_apply(r, function->apply, count);
    return function->count == count;
}

static bool next_argument(reader *r)
{
    end_waiting(r);
    r->wants_value = true;
    return last_waiting(r, OPEN) && r->pending[r->waiting - 1].count++ > 0;
}

static bool begin_condition(reader *r)
{
    apply_waiting(r, 0);
    wait(r, (pending){ .kind = CONDITION, .jump = r->program->count });
    emit_jump(r, JUMP_UNLESS);
    r->wants_value = true;
    return true;
}

static bool begin_alternative(reader *r)
{
    end_waiting(r);
    const pending *condition = last_waiting(r, CONDITION);
    if (!condition) {
        return false;
    }
    int unless = condition->jump;
    r->pending[r->waiting - 1] = (pending){ .kind = ALTERNATIVE, .jump = r->program->count };
    emit_jump(r, JUMP);
    end_jump(r, unless);
    r->wants_value = true;
    return true;
}

static bool read_operator(reader *r)
{
    const jet_operator *found = jet_find_operator(r->at);
    if (!found) {
        return false;
    }
    apply_waiting(r, found->priority + (found->priority == JET_POWER_PRIORITY));
    wait(r, (pending){ .kind = OPERATOR, .priority = found->priority, .count = 2, .apply = found->apply });
    r->at += strlen(found->text);
    r->wants_value = true;
    return true;
}

static bool read_after_value(reader *r)
{
    switch (*r->at) {
    case ')':
        ++r->at;
        return close_parenthesis(r);
    case ',':
        ++r->at;
        return next_argument(r);
    case '?':
        ++r->at;
        return begin_condition(r);
    case ':':
        ++r->at;
        return begin_alternative(r);
    default:
        return read_operator(r);
    }
}

static bool read_text(reader *r)
{
    for (r->at += strspn(r->at, " "); *r->at; r->at += strspn(r->at, " ")) {
        if (!(r->wants_value ? read_value(r) : read_after_value(r))) {
            return false;
        }
    }
    end_waiting(r);
    return !r->wants_value && r->waiting == 0;
}

/* ---- creation -------------------------------------------------------------------------------------------------------- */

/* No character makes more than one instruction, one operand, or one thing that waits. */
static expr_program *allocate(size_t capacity)
{
    expr_program *p = calloc(1, sizeof *p);
    if (!p) {
        return NULL;
    }
    p->code = calloc(capacity, sizeof *p->code);
    p->stack = calloc(capacity, sizeof *p->stack);
    if (!p->code || !p->stack) {
        expr_program_destroy(p);
        return NULL;
    }
    return p;
}

carom_status expr_program_create(expr_program **out, const char *clean, carom_error *err)
{
    size_t capacity = strlen(clean) + 1;
    *out = allocate(capacity);
    reader r = { .program = *out, .at = clean, .wants_value = true };
    r.pending = calloc(capacity, sizeof *r.pending);
    if (!*out || !r.pending) {
        free(r.pending);
        expr_program_destroy(*out);
        *out = NULL;
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for an expression");
    }
    if (!read_text(&r)) {
        expr_program_destroy(*out);
        *out = NULL;
    }
    free(r.pending);
    return CAROM_OK;
}

void expr_program_destroy(expr_program *p)
{
    if (p) {
        free(p->code);
        free(p->stack);
        free(p);
    }
}

/* ---- evaluation ------------------------------------------------------------------------------------------------------ */

/* On one side of x. False where this does not give finite derivatives. */
static bool run(expr_program *p, double x, jet_place *place, jet *out)
{
    jet *top = p->stack; /* one beyond the last operand */
    for (int k = 0; k < p->count; ++k) {
        const instruction *i = &p->code[k];
        switch (i->kind) {
        case PUSH_NUMBER:
            *top++ = (jet){ .v = i->number };
            break;
        case PUSH_ARGUMENT:
            *top++ = (jet){ .v = x, .d = 1.0 };
            break;
        case APPLY:
            top -= i->count;
            *top = i->apply(place, top, i->count);
            ++top;
            break;
        case JUMP_UNLESS:
            k = jet_sign(place, *--top) == 0.0 ? i->count - 1 : k;
            break;
        case JUMP:
            k = i->count - 1;
            break;
        }
    }
    *out = p->stack[0];
    return !place->lost && isfinite(out->v) && isfinite(out->d) && isfinite(out->dd);
}

static jet mean(jet a, jet b)
{
    return (jet){ 0.5 * (a.v + b.v), 0.5 * (a.d + b.d), 0.5 * (a.dd + b.dd) };
}

bool expr_program_run(expr_program *p, double x, double out[3])
{
    jet_place after = { .side = 1.0 };
    jet result;
    bool found = run(p, x, &after, &result);
    if (after.kink) {
        jet_place before = { .side = -1.0 };
        jet other;
        bool other_found = run(p, x, &before, &other);
        result = found && other_found ? mean(result, other) : other_found ? other : result;
        found = found || other_found;
    }
    out[0] = result.v;
    out[1] = result.d;
    out[2] = result.dd;
    return found;
}
