/* Contact laws: pure functions with derivatives. A normal law turns gap and gap rate into a force that pushes apart; a
 * friction law turns slip and normal force into a force against the slip. Both see one point; forces are per unit
 * weight, the weight being 1 (per point) or the point's share of the surface (per area). NaN goes in and comes out. */
#ifndef CAROM_ELEMENTS_LAWS_LAW_H
#define CAROM_ELEMENTS_LAWS_LAW_H

#include <carom/elements.h>

#include "math/mat3.h"

/* ---- normal laws ---------------------------------------------------------------------------------------------- */

typedef struct contact_rate {
    double gap;      /* [m] negative: penetration */
    double gap_rate; /* [m/s] negative: approaching */
} contact_rate;

/* What the parameters and the restitution come to, where that takes some work. */
typedef struct law_constants {
    bool known;     /* false: worked out again at every call */
    double k;       /* [N/m^n] stiffness */
    double damping; /* a(e) of the hysteretic family */
} law_constants;

/* What the contact remembers and what the pair is made of. */
typedef struct law_context {
    double approach;         /* [m/s] >= 0: speed at first touch */
    double restitution;      /* asked for, 0..1 */
    law_constants constants; /* for speed only: by law_context_make, once per pair */
} law_context;

/* The derivatives are exact. d_gap_rate <= 0 always; d_gap <= 0 but where damping grows faster with depth than the
 * elastic force and the contact opens (power with m > n, the ramp of kelvin-voigt).
 * Books: force * gap_rate = -d(potential)/dt - dissipation, where dissipation = -(force - elastic) * gap_rate >= 0.
 * While a force is cut off at zero `elastic` and `potential` go on: what is still stored is lost. */
typedef struct law_force {
    double force;      /* [N] >= 0 */
    double d_gap;      /* [N/m] */
    double d_gap_rate; /* [N s/m] <= 0 */
    double elastic;    /* [N] the part that derives from `potential`; force - elastic is damping */
    double potential;  /* [J] stored */
} law_force;

typedef struct carom_normal_law {
    carom_kind kind; /* first */

    /* Refuses parameters and restitution; must have passed before `force` is asked. */
    carom_status (*check)(const void *params, double restitution, carom_error *err);

    /* For gap >= 0 everything is 0. The force never pulls: it is cut off at 0, with its derivatives. */
    law_force (*force)(contact_rate c, const law_context *context, const void *params);

    /* NULL: there are none. */
    law_constants (*constants)(const void *params, double restitution);

    /* The law uses `approach`; else no speed has to be remembered. */
    bool remembers_approach;

    /* The law uses `restitution`; else it takes no notice of it. */
    bool uses_restitution;

    /* An impact along the normal loses exactly the part 1 - e^2 of its energy, at any restitution e that `check` takes;
     * other laws come near it. */
    bool exact_restitution;
} carom_normal_law;

/* The context of a pair, with its constants; approach is 0 and left to the caller. */
law_context law_context_make(const carom_normal_law *law, const void *params, double restitution);

/* [m] The penetration at which the law stores this energy [J] (per unit weight): how deep a body with this kinetic
 * energy gets, or gets at most where the law damps. 0 where the energy is not positive; HUGE_VAL where no depth holds
 * it. */
double law_depth_for_energy(const carom_normal_law *law, const void *params, double energy);

/* [s] How long a body of this mass [kg] (per unit weight) and approach speed [m/s] touches, damping left aside; to
 * 1e-4 of itself. */
double law_contact_time(const carom_normal_law *law, const void *params, double mass, double speed);

/* ---- friction laws -------------------------------------------------------------------------------------------- */

/* One point's friction over the present step; world axes, tangential to the contact. */
typedef struct friction_input {
    v3 slip;       /* [m/s] velocity of A relative to B across the normal */
    double normal; /* [N] force */
    double dt;     /* [s] since the beginning of the step: bristles move on from there */
    v3 bristle;    /* [m] deflection at the beginning of the step, turned into the present tangent plane */
    v3 slip_begin; /* [m/s] slip at the beginning of the step */
} friction_input;

/* Minus the derivative of the force by slip (at the end of the step, also through the bristle) is `along` t t^T +
 * `across` (I - n n^T - t t^T) with t the direction of slip; both >= 0, for Newton's method: where friction falls with
 * speed `along` is 0 instead of negative. At zero slip both are equal, so that t does not matter. With bristles off the
 * line of slip the matrix has further parts, which are left out. The force is proportional to `normal` and the bristle
 * does not depend on it: the derivative by `normal` is force / normal. */
typedef struct friction_force {
    v3 force;      /* [N] on A */
    double along;  /* [N s/m] */
    double across; /* [N s/m] */
    v3 bristle;    /* [m] deflection now; 0 for laws without bristles */
} friction_force;

/* Slip speeds by which a contact is said to stick, below `stick`, or to slide, above `slide`; between the two it goes on
 * as it was. Where a law made smooth lets contacts creep, it is creep that counts as sticking. */
typedef struct friction_speeds {
    double stick, slide; /* [m/s] 0 < stick <= slide; both 0: the coefficients are, and there is no friction */
} friction_speeds;

typedef struct carom_friction_law {
    carom_kind kind; /* first */

    /* Refuses parameters; must have passed before `force` is asked. */
    carom_status (*check)(const void *params, carom_error *err);
    friction_force (*force)(const friction_input *in, const void *params);
    friction_speeds (*speeds)(const void *params); /* NULL: neither sticks nor slides, there is no friction */
    bool has_bristles;                             /* the deflection is remembered from step to step */

    /* Coulomb's coefficient, for methods whose friction is exact; NULL: 0. Of laws with two, that of sliding. */
    double (*coefficient)(const void *params);

    /* That of sticking, where it is another one; NULL: it is not. */
    double (*static_coefficient)(const void *params);
} carom_friction_law;

/* The law with this name, or NULL. */
const carom_normal_law *carom_normal_law_find(const char *name);
const carom_friction_law *carom_friction_law_find(const char *name);

#endif
