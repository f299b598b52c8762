# Writes a C file with the bytes of a file: cmake -DFILE=... -DSYMBOL=... -DOUTPUT=... -P EmbedFile.cmake
# It defines SYMBOL[] and SYMBOL_size.
file(READ ${FILE} hex HEX)
string(LENGTH "${hex}" digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "((0x..,){24})" "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT}
    "/* Made by EmbedFile.cmake. */\n#include <stddef.h>\n\n"
    "extern const unsigned char ${SYMBOL}[];\nextern const size_t ${SYMBOL}_size;\n"
    "const unsigned char ${SYMBOL}[] = {\n${bytes}\n0};\nconst size_t ${SYMBOL}_size = ${size};\n")
