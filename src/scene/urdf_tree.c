/* The tree of URDF: links by their names, the joint above each, parents before children. */
#include "scene/urdf.h"

static int place_of(const urdf_tree *tree, const char *name)
{
    const json_t *number = json_object_get(tree->numbers, name);
    return number ? (int)json_integer_value(number) : ROBOT_NONE;
}

static carom_status list_links(const urdf_reading *u, urdf_tree *tree)
{
    const robot *r = &u->robot;
    int n = 0;
    for (const xml_element *e = xml_child(u->root, "link"); e; e = xml_next(e, "link")) {
        ++n;
    }
    tree->numbers = json_object();
    tree->links = CAROM_ARENA_ARRAY(r->arena, const xml_element *, n + 1);
    tree->above = CAROM_ARENA_ARRAY(r->arena, const xml_element *, n + 1);
    tree->parent = CAROM_ARENA_ARRAY(r->arena, int, n + 1);
    tree->order = CAROM_ARENA_ARRAY(r->arena, int, n + 1);
    tree->first = CAROM_ARENA_ARRAY(r->arena, int, n + 1);
    tree->next = CAROM_ARENA_ARRAY(r->arena, int, n + 1);
    if (!tree->numbers || r->arena->failed) {
        return robot_no_memory(r);
    }
    carom_status status = CAROM_OK;
    for (const xml_element *e = xml_child(u->root, "link"); e && status == CAROM_OK; e = xml_next(e, "link")) {
        const char *name = NULL;
        status = robot_text(r, e, "name", &name);
        if (status == CAROM_OK && json_object_get(tree->numbers, name)) {
            status = robot_fail(r, e, "there are two links '%.80s'", name);
        }
        if (status == CAROM_OK && json_object_set_new(tree->numbers, name, json_integer(tree->count)) != 0) {
            status = robot_no_memory(r);
        }
        tree->parent[tree->count] = tree->first[tree->count] = tree->next[tree->count] = ROBOT_NONE;
        tree->links[tree->count++] = e;
    }
    if (status == CAROM_OK && tree->count == 0) {
        status = robot_fail(r, u->root, "the robot has no links");
    }
    return status;
}

static carom_status end_of_joint(const robot *r, const urdf_tree *tree, const xml_element *joint, const char *which,
                                 int *out)
{
    const xml_element *end = xml_child(joint, which);
    const char *name = NULL;
    carom_status status = end ? robot_text(r, end, "link", &name)
                              : robot_fail(r, joint, "there is no <%s link=\"...\"/> in it", which);
    *out = status == CAROM_OK ? place_of(tree, name) : ROBOT_NONE;
    return status == CAROM_OK && *out == ROBOT_NONE ? robot_fail(r, end, "there is no link '%.80s'", name) : status;
}

static carom_status hang_link(const robot *r, urdf_tree *tree, const xml_element *joint, json_t *names, int *last)
{
    int parent = ROBOT_NONE;
    int child = ROBOT_NONE;
    const char *name = NULL;
    carom_status status = robot_text(r, joint, "name", &name);
    if (status == CAROM_OK && json_object_get(names, name)) {
        status = robot_fail(r, joint, "there are two joints '%.80s'", name);
    }
    if (status == CAROM_OK && json_object_set_new(names, name, json_true()) != 0) {
        return robot_no_memory(r);
    }
    status = status == CAROM_OK ? end_of_joint(r, tree, joint, "parent", &parent) : status;
    status = status == CAROM_OK ? end_of_joint(r, tree, joint, "child", &child) : status;
    if (status == CAROM_OK && parent == child) {
        status = robot_fail(r, joint, "it joins '%.80s' to itself", xml_attribute_of(tree->links[child], "name"));
    }
    if (status == CAROM_OK && tree->above[child]) {
        status = robot_fail(r, joint, "'%.80s' has two parents: the joint in line %d has it already",
                            xml_attribute_of(tree->links[child], "name"), tree->above[child]->line);
    }
    if (status == CAROM_OK) {
        int *link = last[parent] == ROBOT_NONE ? &tree->first[parent] : &tree->next[last[parent]];
        *link = child;
        last[parent] = child;
        tree->above[child] = joint;
        tree->parent[child] = parent;
    }
    return status;
}

static carom_status list_joints(const urdf_reading *u, urdf_tree *tree)
{
    const robot *r = &u->robot;
    json_t *names = json_object();
    int *last = CAROM_ARENA_ARRAY(r->arena, int, tree->count + 1);
    carom_status status = names && last ? CAROM_OK : robot_no_memory(r);
    for (int i = 0; last && i < tree->count; ++i) {
        last[i] = ROBOT_NONE;
    }
    for (const xml_element *e = xml_child(u->root, "joint"); e && error_goes_on(r->t->r->err, status);
         e = xml_next(e, "joint")) {
        status = error_worse(status, hang_link(r, tree, e, names, last));
    }
    json_decref(names);
    return status;
}

/* From the root down. What is not reached goes around in a circle. */
static carom_status sort_links(const urdf_reading *u, urdf_tree *tree)
{
    const robot *r = &u->robot;
    int root = ROBOT_NONE;
    int known = 0;
    for (int i = 0; i < tree->count; ++i) {
        if (tree->above[i]) {
            continue;
        }
        if (root != ROBOT_NONE) {
            return robot_fail(r, tree->links[i],
                              "'%.80s' and '%.80s' (line %d) are both roots: no joint leads to them",
                              xml_attribute_of(tree->links[i], "name"), xml_attribute_of(tree->links[root], "name"),
                              tree->links[root]->line);
        }
        root = i;
    }
    if (root != ROBOT_NONE) {
        tree->order[known++] = root;
    }
    for (int done = 0; done < known; ++done) {
        for (int c = tree->first[tree->order[done]]; c != ROBOT_NONE; c = tree->next[c]) {
            tree->order[known++] = c;
        }
    }
    if (known == tree->count) {
        return CAROM_OK;
    }
    bool *seen = CAROM_ARENA_ARRAY(r->arena, bool, tree->count + 1);
    if (!seen) {
        return robot_no_memory(r);
    }
    for (int i = 0; i < known; ++i) {
        seen[tree->order[i]] = true;
    }
    int lost = 0;
    while (seen[lost]) {
        ++lost;
    }
    return robot_fail(r, tree->above[lost], "joints go around in a circle: '%.80s' hangs on itself",
                      xml_attribute_of(tree->links[lost], "name"));
}

carom_status urdf_read_tree(const urdf_reading *u, urdf_tree *tree)
{
    carom_status status = list_links(u, tree);
    status = status == CAROM_OK ? list_joints(u, tree) : status;
    return status == CAROM_OK ? sort_links(u, tree) : status;
}
