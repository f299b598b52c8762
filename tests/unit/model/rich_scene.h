/* A scene with something of everything that compiles: shapes, a mesh used twice, joints with springs, limits, motion
 * and friction, a gear, forces with numbers, tables and expressions. */
#ifndef CAROM_TESTS_RICH_SCENE_H
#define CAROM_TESTS_RICH_SCENE_H

#include <stdlib.h>
#include <unistd.h>

#include <carom/carom.h>

#include "support/check.h"

static const char rich_scene_text[] =
    "{ \"carom\": 1, \"name\": \"rich\", \"gravity\": [0, 0, -9.81],\n"
    "  \"time\": {\"end\": 2, \"preset\": \"balanced\", \"step\": 0.001, \"tolerance\": 1e-6,\n"
    "             \"integrator\": {\"generalized-alpha\": {\"rho\": 0.8, \"newton_limit\": 10}}},\n"
    "  \"contact\": {\"method\": \"none\"},\n"
    "  \"bodies\": [\n"
    "    {\"name\": \"arm\", \"density\": 1000, \"velocity\": [0, 0, 0.1],\n"
    "     \"shapes\": [{\"box\": [1, 0.1, 0.1]}, {\"sphere\": 0.2, \"at\": [0.5, 0, 0], \"density\": 2000}]},\n"
    "    {\"name\": \"wheel\", \"shape\": {\"cylinder\": {\"radius\": 0.3, \"length\": 0.1}}, \"density\": 500,\n"
    "     \"position\": [2, 0, 0]},\n"
    "    {\"name\": \"slide\", \"mass\": 2, \"inertia\": [1, 1, 1], \"position\": [0, 3, 0]},\n"
    "    {\"name\": \"rock\", \"shape\": {\"mesh\": {\"file\": \"tetra.obj\", \"scale\": 1}}, \"density\": 10,\n"
    "     \"position\": [0, 0, 4]},\n"
    "    {\"name\": \"pebble\", \"shape\": {\"mesh\": {\"file\": \"tetra.obj\", \"scale\": 1}}, \"density\": 10,\n"
    "     \"position\": [0, 0, 8]},\n"
    "    {\"name\": \"table\", \"shape\": {\"box\": [3, 3, 0.1]}, \"position\": [0, 0, -5],\n"
    "     \"motion\": {\"position\": [0, \"0.1*sin(t)\", 0], \"axis\": [0, 0, 1], \"angle\": \"t\"}},\n"
    "    {\"name\": \"floor\", \"shape\": {\"plane\": [0, 0, 1]}, \"fixed\": true} ],\n"
    "  \"joints\": [\n"
    "    {\"name\": \"hinge\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"arm\"],\n"
    "     \"spring\": {\"stiffness\": 3, \"damping\": 0.1}, \"limits\": {\"min\": -1, \"max\": 2},\n"
    "     \"friction\": {\"coefficient\": 0.1, \"radius\": 0.02}},\n"
    "    {\"name\": \"axle\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"wheel\"], \"at\": [2, 0, 0]},\n"
    "    {\"name\": \"rail\", \"type\": \"cylindrical\", \"bodies\": [\"ground\", \"slide\"], \"at\": [0, 3, 0],\n"
    "     \"motion\": [{\"coordinate\": \"travel\", \"value\": \"0.2*sin(3*t)\"},\n"
    "                  {\"coordinate\": \"angle\",\n"
    "                   \"value\": {\"table\": [[0, 0], [1, 0.5], [2, 0]], \"interpolation\": \"cubic\"}}]},\n"
    "    {\"name\": \"stage\", \"type\": \"gear\", \"joint_1\": \"hinge\", \"joint_2\": \"axle\", \"ratio\": 2} ],\n"
    "  \"forces\": [\n"
    "    {\"name\": \"strut\", \"type\": \"spring\", \"bodies\": [\"arm\", \"slide\"], \"at\": [0.5, 0, 0],\n"
    "     \"at_b\": [0, 3, 0], \"damping\": 1, \"force\": \"10*extension + arm.position.x*t\",\n"
    "     \"table\": {\"table\": [[-1, -5], [0, 0], [1, 7]], \"outside\": \"extrapolate\"}},\n"
    "    {\"name\": \"motor\", \"type\": \"motor\", \"joint\": \"hinge\", \"mode\": \"torque\", \"gain\": 1,\n"
    "     \"target\": {\"table\": [[0, 0], [1, 3]], \"outside\": \"hold\"}},\n"
    "    {\"name\": \"wind\", \"type\": \"load\", \"body\": \"wheel\", \"force\": [\"sin(t)\", 1, 0]},\n"
    "    {\"name\": \"air\", \"type\": \"drag\", \"body\": \"all\", \"linear\": 0.1} ],\n"
    "  \"record\": {\"every\": 0.01, \"signals\": [\"hinge.angle\", \"strut.length\"]} }\n";

static const char rich_scene_tetra[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

/* A folder with tetra.obj in it. */
static inline void rich_scene_folder(char *folder, size_t size)
{
    snprintf(folder, size, "/tmp/carom-test-XXXXXX");
    CHECK(mkdtemp(folder) != NULL);
    char path[300];
    snprintf(path, sizeof path, "%s/tetra.obj", folder);
    FILE *f = fopen(path, "w");
    CHECK(f != NULL);
    fputs(rich_scene_tetra, f);
    CHECK_EQ(fclose(f), 0);
}

static inline void rich_scene_remove(const char *folder)
{
    char path[300];
    snprintf(path, sizeof path, "%s/tetra.obj", folder);
    unlink(path);
    rmdir(folder);
}

static inline carom_spec *rich_scene_spec(const char *folder, const char *override)
{
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    CHECK_OK(carom_scene_parse(rich_scene_text, strlen(rich_scene_text), "rich.json", folder, &override,
                               override ? 1 : 0, &spec, &err),
             err);
    return spec;
}

#endif
