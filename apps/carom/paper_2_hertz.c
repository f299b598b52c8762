/* Beside paper 2: impacts of balls of finite elements against Hertz's closed form, and Timoshenko's ball on a beam that is a solid.
 *
 * The finite elements know nothing of Hertz. His half spaces are larger than any ball: where the contact has a radius a, a ball of radius R
 * is stiffer by a share of about a/R, 3 % here. */
#include <math.h>
#include <stdio.h>

#include "paper_2.h"

#define PI 3.14159265358979323846

/* Two bodies that strike: effective modulus and radius, reduced mass, speed. */
typedef struct strike {
    const char *scene, *name, *signal;
    double modulus, radius, mass, speed; /* [Pa], [m], [kg], [m/s] */
    const settings *set;                 /* NULL: none */
} strike;

/* F = 4/3 E sqrt(R) d^1.5; a half sine with another exponent, of duration 2 I d/v. */
static void hertz_pulse(const strike *s, double *peak, double *duration)
{
    double k = 4.0 / 3.0 * s->modulus * sqrt(s->radius);
    double deepest = pow(1.25 * s->mass * s->speed * s->speed / k, 0.4);
    *peak = k * pow(deepest, 1.5);
    *duration = 2.0 * sqrt(PI) * tgamma(1.4) / tgamma(0.9) * deepest / s->speed;
}

static int compare_strike(paper_report *r, const strike *s, double share)
{
    carom_result *result = NULL;
    force_curve c = { 0 };
    int code = run_case(r, s->scene, s->name, s->set, &result, NULL);
    code = code == EXIT_DONE ? take_curve(result, s->signal, &c) : code;
    if (code == EXIT_DONE) {
        double peak, duration, most = 0.0, end = 0.0;
        char label[80];
        hertz_pulse(s, &peak, &duration);
        for (size_t k = 0; k < c.count; ++k) {
            most = fmax(most, c.force[k]);
            end = c.force[k] > 0.0 ? (double)k * c.h : end;
        }
        snprintf(label, sizeof label, "%s: peak [N]", s->name);
        paper_row(r, label, most, peak, share * peak, "Hertz");
        snprintf(label, sizeof label, "%s: duration [us]", s->name);
        paper_row(r, label, 1e6 * end, 1e6 * duration, share * 1e6 * duration, "Hertz");
    }
    free_curve(&c);
    carom_result_close(result);
    return code;
}

static double ball_mass(double density, double R)
{
    return density * 4.0 / 3.0 * PI * R * R * R;
}

/* The beam of "struck beams" as a solid: its modes bend, the dent is in the law. */
static int solid_beam(paper_report *r)
{
    carom_result *result = NULL;
    force_curve c = { 0 };
    settings s = { 0 };
    double most = 0.0;
    settings_text(&s, "bodies.beam.flexible.mesh",
                  "{\"block\":{\"size\":[0.1535,0.01,0.01],\"divisions\":[60,2,2]}}");
    settings_text(&s, "bodies.beam.flexible.element", "hexahedron8");
    settings_text(&s, "bodies.beam.flexible.modes", "{\"count\":16}");
    int code = run_case(r, "ball-on-beam.json", "ball-on-solid-beam", &s, &result, NULL);
    code = code == EXIT_DONE ? take_curve(result, "ball.contact.force.y", &c) : code;
    for (size_t k = 0; k < c.count; ++k) {
        most = fmax(most, c.force[k]);
    }
    if (code == EXIT_DONE) {
        paper_row(r, "ball on hexahedra: peak [N]", most, 4.977, 0.05, "Timoshenko");
    }
    free_curve(&c);
    carom_result_close(result);
    return code;
}

/* Rigid balls with Hertz's law: the closed form itself. */
static int by_law(paper_report *r)
{
    const double steel = 207e9 / (1.0 - 0.3 * 0.3);
    settings soft = { 0 };
    settings_number(&soft, "variables.R", 0.02);
    settings_number(&soft, "variables.v", 0.5);
    settings_number(&soft, "variables.E", 70e9);
    settings_number(&soft, "variables.nu", 0.33);
    settings_number(&soft, "variables.rho", 2700.0);
    settings_number(&soft, "variables.hard", 1e30);
    settings_number(&soft, "variables.end", 1.4e-4);
    const strike cases[] = {
        { "ball-by-law.json", "ball law, half space", "ball.contact.force.y", 0.5 * steel, 0.01,
          ball_mass(7800.0, 0.01), 1.0, NULL },
        { "two-balls-by-law.json", "law, two balls", "upper.contact.force.y", 0.5 * steel, 0.005,
          0.5 * ball_mass(7800.0, 0.01), 0.1, NULL },
        { "ball-by-law.json", "ball law, wall", "ball.contact.force.y", 70e9 / (1.0 - 0.33 * 0.33), 0.02,
          ball_mass(2700.0, 0.02), 0.5, &soft },
    };
    int code = EXIT_DONE;
    for (size_t k = 0; k < sizeof cases / sizeof *cases && code == EXIT_DONE; ++k) {
        code = compare_strike(r, &cases[k], 0.005);
    }
    return code;
}

int hertz_item(paper_report *r)
{
    const double steel = 207e9 / (1.0 - 0.3 * 0.3);
    const strike cases[] = {
        { "ball-on-bed.json", "ball on a half space", "ball.contact.force.y", 0.5 * steel, 0.01,
          ball_mass(7800.0, 0.01), 1.0, NULL },
        { "two-balls.json", "two balls", "upper.contact.force.y", 0.5 * steel, 0.005, 0.5 * ball_mass(7800.0, 0.01),
          0.1, NULL },
        { "ball-on-wall.json", "ball on a rigid wall", "ball.contact.force.y", 70e9 / (1.0 - 0.33 * 0.33), 0.02,
          ball_mass(2700.0, 0.02), 0.5, NULL },
    };
    int code = EXIT_DONE;
    for (size_t k = 0; k < sizeof cases / sizeof *cases && code == EXIT_DONE; ++k) {
        code = compare_strike(r, &cases[k], 0.05);
    }
    paper_note(
        r,
        "Balls are solids of revolution of finite elements; meshes of two that touch do not match. A contact whose radius "
        "is 3 % of the ball's is stiffer than Hertz's by about as much.");
    code = code == EXIT_DONE ? by_law(r) : code;
    return code == EXIT_DONE ? solid_beam(r) : code;
}
