/* Lists of mistakes: at most twenty, each place once, in the order of the files. */
#include "base/error_list.h"

#include <stdlib.h>
#include <string.h>

static bool same_error(const carom_error *a, const carom_error *b)
{
    return a->line == b->line && strcmp(a->path, b->path) == 0 && strcmp(a->file, b->file) == 0 &&
           strcmp(a->message, b->message) == 0;
}

carom_status error_note(const carom_error *err)
{
    carom_error_list *list = err->all;
    for (int i = 0; list && i < list->count; ++i) {
        if (same_error(&list->items[i], err)) {
            return err->status;
        }
    }
    if (list && list->count < CAROM_ERRORS_MOST) {
        carom_error *item = &list->items[list->count++];
        *item = *err;
        item->all = NULL;
        item->count = 1;
    }
    return err->status;
}

bool error_goes_on(const carom_error *err, carom_status status)
{
    bool room = err && err->all && err->all->count < CAROM_ERRORS_MOST;
    return status == CAROM_OK || (status == CAROM_BAD_INPUT && room);
}

carom_status error_worse(carom_status a, carom_status b)
{
    return a == CAROM_OK || (a == CAROM_BAD_INPUT && b != CAROM_OK) ? b : a;
}

void error_list_begin(carom_error *work, carom_error_list *own, const carom_error *err, bool keep)
{
    *work = (carom_error){ .all = err && err->all ? err->all : own };
    work->all->count = keep ? work->all->count : 0;
}

/* Files in the order in which they were first found at fault; lines ascend within a file. */
static void sort_items(carom_error_list *list)
{
    for (int i = 1; i < list->count; ++i) {
        carom_error item = list->items[i];
        int k = i;
        while (k > 0 && strcmp(list->items[k - 1].file, item.file) == 0 && list->items[k - 1].line > item.line) {
            list->items[k] = list->items[k - 1];
            --k;
        }
        list->items[k] = item;
    }
}

carom_status error_list_tell(carom_error *work, carom_status status, carom_error *err)
{
    carom_error_list *list = work->all;
    if (status == CAROM_OK || !err) {
        return status;
    }
    carom_error_list *room = err->all;
    if (status == CAROM_BAD_INPUT && list->count > 0) {
        *err = list->items[0];
        err->count = list->count;
        sort_items(list);
    } else {
        *err = *work;
    }
    err->all = room;
    return status;
}
