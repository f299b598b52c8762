/* carom schema: the JSON Schema of scenes, for editors. */
#include <stdio.h>

#include "command.h"

static int schema(const arguments *args)
{
    char *text = arguments_have(args, "--reference") ? carom_scene_reference() : carom_scene_schema();
    if (!text) {
        complain("out of memory");
        return EXIT_GAVE_UP;
    }
    fputs(text, stdout);
    fputc('\n', stdout);
    carom_text_destroy(text);
    return EXIT_DONE;
}

static const option options[] = {
    { "--reference", 0, NULL, "The same as a Markdown reference for people" },
    { NULL, 0, NULL, NULL },
};

const command command_schema = {
    .name = "schema",
    .summary = "print the JSON Schema of the scene format",
    .operands = "",
    .options = options,
    .notes = "Editors complete and check scenes with it: in VS Code, \"json.schemas\": [{\"fileMatch\": "
             "[\"*.scene.json\"],\n"
             "\"url\": \"./carom.schema.json\"}].",
    .example = "  carom schema > carom.schema.json",
    .run = schema,
};
