# Writes a C file with the files of a folder as byte arrays: cmake -DFOLDER=... -DTABLE=... -DOUTPUT=... -P embed.cmake
# So the installed program needs no files beside it. Its table is of the type declared in examples.h.
file(GLOB_RECURSE paths RELATIVE ${FOLDER}
    ${FOLDER}/*.json ${FOLDER}/*.stl ${FOLDER}/*.obj ${FOLDER}/*.ply ${FOLDER}/*.csv ${FOLDER}/*.bash)
list(SORT paths)

set(arrays "")
set(entries "")
set(number 0)
foreach(path IN LISTS paths)
    file(READ ${FOLDER}/${path} hex HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    string(REGEX REPLACE "((0x..,){24})" "\\1\n" bytes "${bytes}")
    set(description "")
    if(path MATCHES "^[^/]*\\.json$")
        file(READ ${FOLDER}/${path} text)
        if(text MATCHES "\"description\"[ \t\r\n]*:[ \t\r\n]*(\"([^\"\\\\]|\\\\.)*\")")
            set(description "${CMAKE_MATCH_1}")
        endif()
    endif()
    if(NOT description)
        set(description "\"\"")
    endif()
    string(APPEND arrays "static const unsigned char data_${number}[] = {\n${bytes}\n0};\n")
    string(APPEND entries "    { \"${path}\", ${description}, data_${number}, sizeof data_${number} - 1 },\n")
    math(EXPR number "${number} + 1")
endforeach()

file(WRITE ${OUTPUT}.new
    "/* Made by embed.cmake from ${FOLDER}. */\n#include \"examples.h\"\n\n${arrays}\n"
    "extern const example_file ${TABLE}[];\nconst example_file ${TABLE}[] = {\n${entries}    { NULL, NULL, NULL, 0 },\n};\n")
execute_process(COMMAND ${CMAKE_COMMAND} -E copy_if_different ${OUTPUT}.new ${OUTPUT})
file(REMOVE ${OUTPUT}.new)
