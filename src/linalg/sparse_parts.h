/* What a sparse matrix is made of, for the files that factor it. */
#ifndef CAROM_LINALG_SPARSE_PARTS_H
#define CAROM_LINALG_SPARSE_PARTS_H

#include "linalg/sparse.h"

#include <cholmod.h>

struct sparse_matrix {
    cholmod_sparse *lower; /* packed, rows ascending */
    cholmod_common cm;
};

/* A workspace of CHOLMOD that prints nothing. */
void sparse_start(cholmod_common *cm);

/* What a failure in that workspace is told as. */
carom_status sparse_no_room(const cholmod_common *cm, carom_error *err);

#endif
