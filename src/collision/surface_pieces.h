/* Flat faces and straight lines of two surfaces, whatever pieces they are cut into.
 *
 * A vertex beside a flat face is near to several of its triangles, an edge across a straight line to several of its edges; an edge inside
 * of a face is no edge of the solid, and a joint inside of a line no corner. What acts between all near features would be a bump
 * wherever pieces meet. So features inside are left out, and what acts with a face or a line does not depend on its pieces. */
#ifndef CAROM_COLLISION_SURFACE_PIECES_H
#define CAROM_COLLISION_SURFACE_PIECES_H

#include "collision/surface_pair.h"

/* Whether a feature of the pair lies inside of a flat face, or is a vertex inside of a straight line. */
bool surface_pair_inner(const surface_pair *p, const feature_pair *pair);

typedef enum piece_kind { NO_PIECES, PIECES_OF_LINES, PIECES_OF_FACE } piece_kind;

/* Pairs of features that are pieces of the same two. */
typedef struct piece_group {
    piece_kind kind;
    int side;   /* whose the face is: 0 A's, 1 B's */
    int key[2]; /* a vertex and a face; the lines of A and of B */
} piece_group;

piece_group surface_piece_group(const surface_pair *p, const feature_pair *pair);
bool piece_group_same(const piece_group *g, const piece_group *h);

/* Puts the pairs of a group beside each other, behind those of none. False when memory runs out. */
bool surface_sort_pieces(const surface_pair *p, near_list *list);

/* One of a group, with its distance where both stand; roundings are those of both features. */
typedef struct piece_candidate {
    size_t item; /* of the list */
    feature_pair pair;
    feature_distance d;
} piece_candidate;

/* Two closest points. */
typedef struct piece_term {
    size_t item; /* of the list: a pair that has them */
    feature_distance d;
    int times; /* how often it counts; less than none beside a corner where the outline of a face turns inwards */
    int on
        [4]; /* vertices at the ends of the edges on which they lie, of the face or of both lines; equal: a corner; -1: inside */
    int at;
} piece_term;

enum { PIECE_TERMS = 9 }; /* at most, for each candidate */

/* What of a law of the distance, which is zero beyond `range` [m], acts within a group of which all near pairs are told. Returns how
 * many terms. */
int surface_piece_terms(const surface_pair *p, const piece_candidate *at, int count, double range, piece_term *out);

#endif
