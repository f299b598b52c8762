/* Our own invariants, never the caller's input: checked in every build, because a wrong answer costs a user more than a
 * comparison. What happens then is up to the handler: carom_set_assert_handler. */
#ifndef CAROM_BASE_ASSERT_H
#define CAROM_BASE_ASSERT_H

#define CAROM_ASSERT(condition) ((condition) ? (void)0 : carom_broken(__FILE__, __LINE__, #condition))

_Noreturn void carom_broken(const char *file, int line, const char *condition);

#endif
