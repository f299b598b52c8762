/* The smallest program on top of an installed carom. */
#include <stdio.h>
#include <string.h>

#include <carom/carom.h>

int main(void)
{
    printf("carom %s: %s\n", CAROM_VERSION, carom_status_name(CAROM_OK));
    return strcmp(carom_status_name(CAROM_OK), "ok");
}
