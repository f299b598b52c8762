/* Pictures as PNG, still or animated [PNG2003]. */
#ifndef CAROM_RENDER_PNG_H
#define CAROM_RENDER_PNG_H

#include "files/byte_buffer.h"

typedef struct png_size {
    int width, height;
} png_size;

/* The packed rows of a picture of 3 bytes per pixel, the same for the same picture. False: out of memory. */
bool png_pack(const unsigned char *rgb, png_size size, byte_buffer *out);

/* A file is its beginning, its pictures, its end. `pictures`: 0 for a still. Errors are kept by the buffer. */
void png_begin(byte_buffer *file, png_size size, size_t pictures);
void png_add_still(byte_buffer *file, const byte_buffer *packed);
void png_add_frame(byte_buffer *file, png_size size, const byte_buffer *packed, size_t number, double fps);
void png_end(byte_buffer *file);

#endif
