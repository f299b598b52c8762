#include "dynamics/start_graph.h"

#include <string.h>

int joint_graph_node(const carom_model *model, int body)
{
    return model->bodies[body].slot >= 0 ? body : CAROM_GROUND;
}

int joint_graph_end(const carom_model *model, int joint, int side)
{
    return joint_graph_node(model, model->joints[joint].body[side]);
}

bool joint_graph_create(joint_graph *g, const carom_model *model, carom_arena *arena)
{
    *g = (joint_graph){ .model = model,
                        .first = CAROM_ARENA_ARRAY(arena, int, model->body_count + 2),
                        .edges = CAROM_ARENA_ARRAY(arena, int, 2 * model->joint_count + 1),
                        .moving = CAROM_ARENA_ARRAY(arena, bool, model->body_count + 1),
                        .queue = CAROM_ARENA_ARRAY(arena, int, model->body_count + 1) };
    if (arena->failed) {
        return false;
    }
    for (int k = 0; k < 2 * model->joint_count; ++k) {
        g->first[joint_graph_end(model, k / 2, k % 2) + 2]++;
    }
    for (int i = 0; i < model->body_count; ++i) {
        g->first[i + 1] += g->first[i];
    }
    for (int k = 0; k < 2 * model->joint_count; ++k) {
        g->edges[g->first[joint_graph_end(model, k / 2, k % 2) + 1]++] = k / 2;
    }
    return true;
}

bool joint_graph_part(joint_graph *g, int cut, int from, int other)
{
    const carom_model *model = g->model;
    int count = 0;
    memset(g->moving, 0, (size_t)model->body_count * sizeof *g->moving);
    g->moving[from] = true;
    g->queue[count++] = from;
    for (int k = 0; k < count; ++k) {
        int body = g->queue[k];
        for (int e = g->first[body]; e < g->first[body + 1]; ++e) {
            int a = joint_graph_end(model, g->edges[e], 0);
            int next = a == body ? joint_graph_end(model, g->edges[e], 1) : a;
            if (g->edges[e] != cut && !g->moving[next]) {
                g->moving[next] = true;
                g->queue[count++] = next;
            }
        }
    }
    return !g->moving[other];
}

bool joint_graph_geared(const carom_model *model, int joint)
{
    bool geared = false;
    for (int k = 0; k < model->coupler_count && !geared; ++k) {
        geared = model->couplers[k].joint[0] == joint || model->couplers[k].joint[1] == joint;
    }
    return geared;
}

int joint_graph_side(joint_graph *g, int joint)
{
    int node[2] = { joint_graph_end(g->model, joint, 0), joint_graph_end(g->model, joint, 1) };
    if (joint_graph_geared(g->model, joint) || node[0] == node[1]) {
        return -1;
    }
    int side = node[1] == CAROM_GROUND ? 0 : 1;
    if (!joint_graph_part(g, joint, node[side], node[!side])) {
        return -1;
    }
    if (g->moving[CAROM_GROUND]) { /* the other side is the free one */
        side = !side;
        joint_graph_part(g, joint, node[side], node[!side]);
    }
    return side;
}
