"""Functions, structs and constants of the C interface, for ctypes.

Made by tools/python_bindings from include/carom; do not edit. Structs and functions are texts here, which become types when they
are first asked for: most programs need a few of them.
"""
import ctypes

VERSION = "0.1.0"
CAROM_SCENE_VERSION = 1
CAROM_OK = 0
CAROM_BAD_INPUT = 1
CAROM_NO_MEMORY = 2
CAROM_IO_FAILED = 3
CAROM_NOT_CONVERGED = 4
CAROM_IMPOSSIBLE = 5
CAROM_INTERSECTING = 6
CAROM_INTERRUPTED = 7
CAROM_UNSUPPORTED = 8
CAROM_LINEAR = 0
CAROM_CUBIC = 1
CAROM_STEP = 2
CAROM_MONOTONE = 3
CAROM_HOLD = 0
CAROM_REPEAT = 1
CAROM_EXTRAPOLATE = 2
CAROM_NUMBER = 0
CAROM_TABLE = 1
CAROM_EXPRESSION = 2
CAROM_FIELD_BOOL = 0
CAROM_FIELD_INT = 1
CAROM_FIELD_REAL = 2
CAROM_FIELD_TEXT = 3
CAROM_FIELD_FILE = 4
CAROM_FIELD_ENUM = 5
CAROM_FIELD_VECTOR = 6
CAROM_FIELD_DIRECTION = 7
CAROM_FIELD_ORIENTATION = 8
CAROM_FIELD_VALUE = 9
CAROM_FIELD_VALUE3 = 10
CAROM_FIELD_CURVE = 11
CAROM_FIELD_REALS = 12
CAROM_FIELD_BODY = 13
CAROM_FIELD_BODY_PAIR = 14
CAROM_FIELD_JOINT = 15
CAROM_FIELD_GROUP = 16
CAROM_FIELD_LIST = 17
CAROM_FIELD_TEXTS = 18
CAROM_FIELD_KIND = 19
CAROM_REQUIRED = 1
CAROM_OPTIONAL = 2
CAROM_POSITIVE = 4
CAROM_NONNEGATIVE = 8
CAROM_SHORTHAND = 16
CAROM_SHARED = 32
CAROM_NAMED = 64
CAROM_ALONG = 128
CAROM_FINGER_APEX = 0
CAROM_FINGER_UPPER = 1
CAROM_FINGER_LOWER = 2
CAROM_TOWARDS_LOWER = 0
CAROM_TOWARDS_UPPER = 1
CAROM_TOWARDS_BOTH = 2
CAROM_ATTACH_RIGID = 0
CAROM_ATTACH_AVERAGE = 1
CAROM_FLEXIBLE_MODES = 0
CAROM_FLEXIBLE_NODES = 1
CAROM_FLEXIBLE_ZONE = 2
CAROM_FRAME_MEAN = 0
CAROM_FRAME_CHORD = 1
CAROM_FRAME_ATTACHMENT = 2
CAROM_PLANE_STRESS = 0
CAROM_PLANE_STRAIN = 1
CAROM_AXISYMMETRIC = 2
CAROM_ROTATION_BODY = 0
CAROM_ROTATION_ELEMENT = 1
CAROM_UNDEFORMED = 0
CAROM_STATIC = 1
CAROM_MOTOR_TORQUE = 0
CAROM_MOTOR_SPEED = 1
CAROM_MOTOR_POSITION = 2
CAROM_MOTOR_PID = 3
CAROM_PER_DEFAULT = 0
CAROM_PER_POINT = 1
CAROM_PER_AREA = 2
CAROM_POINTS_DEFAULT = 0
CAROM_POINTS_BOTH = 1
CAROM_POINTS_FIRST = 2
CAROM_POINTS_SECOND = 3
CAROM_RESTITUTION_DEFAULT = 0
CAROM_RESTITUTION_ENERGETIC = 1
CAROM_RESTITUTION_POISSON = 2
CAROM_RESTITUTION_NEWTON = 3
CAROM_FAST = 0
CAROM_BALANCED = 1
CAROM_ACCURATE = 2
CAROM_INITIAL_DRAWN = 0
CAROM_INITIAL_STATIC = 1
CAROM_MODE_NONE = 0
CAROM_MODE_POINT_LINE = 1
CAROM_MODE_TIP_TIP = 2
CAROM_MODE_VERTEX_FACE = 3
CAROM_MODE_EDGE_EDGE = 4
CAROM_MODE_BALL_FACE = 5
CAROM_MODE_BALL_EDGE = 6
CAROM_MODE_BALL_VERTEX = 7
CAROM_MODE_BALL_BALL = 8
CAROM_MODE_RIM_FACE = 9
CAROM_MODE_STOP = 10
CAROM_MODE_JOURNAL = 11
CAROM_MODE_GUIDE = 12
CAROM_MODES = 13
CAROM_FRICTION_NONE = 0
CAROM_FRICTION_STICK = 1
CAROM_FRICTION_SLIP = 2
CAROM_EVENT_CONTACT_ON = 0
CAROM_EVENT_CONTACT_OFF = 1
CAROM_EVENT_STICK = 2
CAROM_EVENT_SLIP = 3
CAROM_EVENT_IMPACT = 4
CAROM_EVENT_TOPOLOGY = 5
CAROM_EVENT_REST = 6
CAROM_EVENT_JAM = 7
CAROM_EVENT_PARADOX = 8
CAROM_EVENT_SCENE = 9
CAROM_EVENT_TOO_DEEP = 10
CAROM_EVENT_KINDS = 11
CAROM_SEVERITY_NOTE = 0
CAROM_SEVERITY_WARNING = 1
CAROM_SEVERITY_WRONG = 2
CAROM_SEVERITIES = 3
CAROM_FINDING_IMPACTS_STOPPED = 0
CAROM_FINDING_IMPACT_CUT_SHORT = 1
CAROM_FINDING_IMPACT_LOOSENED = 2
CAROM_FINDING_FORCES_ROUGH = 3
CAROM_FINDING_FRICTION_ROUGH = 4
CAROM_FINDING_EVENT_NEAREST = 5
CAROM_FINDING_SEARCH_CUT_SHORT = 6
CAROM_FINDING_PROJECTION_LOOSE = 7
CAROM_FINDING_SOLVE_CUT_SHORT = 8
CAROM_FINDING_FRICTION_LAGS = 9
CAROM_FINDING_RESTITUTION_SLOW = 10
CAROM_FINDING_NEARLY_SHUT = 11
CAROM_FINDING_CONTACTS_UNSOLVED = 12
CAROM_FINDING_RESTITUTION_HALVED = 13
CAROM_FINDING_FALLBACKS = 14
CAROM_FINDING_NOT_FINITE = 14
CAROM_FINDING_PASSED_THROUGH = 15
CAROM_FINDING_TOUCH_MISSED = 16
CAROM_FINDING_TOUCH_OVERRUN = 17
CAROM_FINDING_WENT_ROUND = 18
CAROM_FINDING_UNSEEN_OVERLAP = 19
CAROM_FINDING_DEEP = 20
CAROM_FINDING_DEEP_AT_START = 21
CAROM_FINDING_FIELD_BOUND = 22
CAROM_FINDING_FIELD_ERROR = 23
CAROM_FINDING_PLAY_EXCEEDED = 24
CAROM_FINDING_IMPACT_LOSS = 25
CAROM_FINDING_ROLLING_LOSS = 26
CAROM_FINDING_CROSSING_EDGES = 27
CAROM_FINDING_FEW_POINTS = 28
CAROM_FINDING_CHATTER = 29
CAROM_FINDING_STEPS_REJECTED = 30
CAROM_FINDING_NUMERICAL_LOSS = 31
CAROM_FINDING_ENERGY = 32
CAROM_FINDING_VELOCITY_CHANGED = 33
CAROM_FINDING_SPIN_CHANGED = 34
CAROM_FINDING_MOTION_WAITS = 35
CAROM_FINDING_MOTION_BEHIND = 36
CAROM_FINDINGS = 37
CAROM_PAIRS_MOST = 1000
CAROM_MESH_BINARY = 0
CAROM_MESH_TEXT = 1
CAROM_MESH_OPEN_EDGE = 0
CAROM_MESH_HOLE = 1
CAROM_MESH_NONMANIFOLD_EDGE = 2
CAROM_MESH_PINCHED_VERTEX = 3
CAROM_MESH_FLIPPED_EDGE = 4
CAROM_MESH_INSIDE_OUT = 5
CAROM_MESH_DEGENERATE = 6
CAROM_MESH_DUPLICATE = 7
CAROM_MESH_SELF_INTERSECTION = 8
CAROM_MESH_UNREFERENCED = 9
CAROM_MESH_DEFECT_KINDS = 10
CAROM_MESH_PLACES = 5
CAROM_MESH_MOST_CUTS = 100000
CAROM_MESH_LINES = 16
CAROM_MESH_LINE = 160
CAROM_IMPACT_SHARING = 0
CAROM_IMPACT_TOGETHER = 1
CAROM_IMPACT_SEQUENTIAL = 2
CAROM_LINE_SOLID = 0
CAROM_LINE_DASHED = 1
CAROM_LINE_DOTTED = 2
CAROM_LINE_DASH_DOT = 3
CAROM_LINE_LONG_DASHED = 4
CAROM_LINE_DASH_DOT_DOT = 5
CAROM_LINE_NONE = 6
CAROM_MARKER_NONE = 0
CAROM_MARKER_CIRCLE = 1
CAROM_MARKER_SQUARE = 2
CAROM_MARKER_TRIANGLE = 3
CAROM_MARKER_DIAMOND = 4
CAROM_MARKER_PLUS = 5
CAROM_MARKER_CROSS = 6
CAROM_MARKER_DOT = 7
CAROM_PLOT_SCREEN = 0
CAROM_PLOT_PAPER = 1
CAROM_LEGEND_AUTO = 0
CAROM_LEGEND_OUTSIDE = 1
CAROM_LEGEND_NONE = 2
CAROM_RENDER_PATH = 4096
CAROM_RENDER_MOST_FRAMES = 100000
CAROM_ROW_MISSING = 0
CAROM_ROW_DONE = 1
CAROM_ROW_FAILED = 2
CAROM_ROW_DOUBTFUL = 3
CAROM_ROW_LIMIT = 4
CAROM_ROW_CRASHED = 5
CAROM_ROW_STATUSES = 6
CAROM_USER_MEASURES = 4

STRUCTS = {
    "carom_error":
        "('status', c_int), "
        "('line', c_int), "
        "('file', (c_char * 256)), "
        "('path', (c_char * 256)), "
        "('message', (c_char * 1024)), "
        "('count', c_int), "
        "('all', c_void_p),",
    "carom_error_list":
        "('count', c_int), "
        "('items', (carom_error * 20)),",
    "carom_building":
        "('what', c_char_p), "
        "('part', c_double),",
    "carom_v3":
        "('x', c_double), "
        "('y', c_double), "
        "('z', c_double),",
    "carom_quat":
        "('w', c_double), "
        "('x', c_double), "
        "('y', c_double), "
        "('z', c_double),",
    "carom_pose":
        "('position', carom_v3), "
        "('orientation', carom_quat),",
    "carom_dimension":
        "('length', c_int8), "
        "('mass', c_int8), "
        "('time', c_int8), "
        "('angle', c_int8),",
    "carom_units":
        "('length', c_double), "
        "('mass', c_double), "
        "('time', c_double), "
        "('angle', c_double), "
        "('force', c_double),",
    "carom_curve":
        "('count', c_size_t), "
        "('x', c_void_p), "
        "('y', c_void_p), "
        "('interpolation', c_int), "
        "('outside', c_int),",
    "carom_value":
        "('kind', c_int), "
        "('number', c_double), "
        "('table', carom_curve), "
        "('expression', c_char_p), "
        "('scale', c_double), "
        "('units', carom_units),",
    "carom_reals":
        "('count', c_size_t), "
        "('data', c_void_p),",
    "carom_list":
        "('count', c_size_t), "
        "('items', c_void_p),",
    "carom_choice":
        "('kind', c_char_p), "
        "('params', c_void_p),",
    "carom_field":
        "('name', c_char_p), "
        "('kind', c_int), "
        "('offset', c_size_t), "
        "('dimension', carom_dimension), "
        "('flags', c_uint), "
        "('doc', c_char_p), "
        "('names', c_void_p), "
        "('fields', c_void_p), "
        "('item_defaults', c_void_p), "
        "('size', c_size_t), "
        "('dimension_x', carom_dimension), "
        "('min_count', c_size_t), "
        "('max_count', c_size_t), "
        "('kinds', c_void_p),",
    "carom_kind":
        "('name', c_char_p), "
        "('doc', c_char_p), "
        "('fields', c_void_p), "
        "('defaults', c_void_p), "
        "('size', c_size_t),",
    "carom_material_def":
        "('name', c_char_p), "
        "('young', c_double), "
        "('poisson', c_double), "
        "('density', c_double),",
    "carom_mesh_from_file_def":
        "('file', c_char_p), "
        "('scale', c_double),",
    "carom_line_mesh_def":
        "('length', c_double), "
        "('count', c_int), "
        "('grading', c_double), "
        "('at', carom_v3),",
    "carom_plane_mesh_def":
        "('length', c_double), "
        "('height', c_double), "
        "('divisions', carom_reals), "
        "('grading', carom_reals), "
        "('at', carom_v3),",
    "carom_rod_mesh_def":
        "('radius', c_double), "
        "('length', c_double), "
        "('divisions', carom_reals), "
        "('grading', carom_reals), "
        "('at', carom_v3),",
    "carom_block_mesh_def":
        "('size', carom_v3), "
        "('divisions', carom_reals), "
        "('grading', carom_reals), "
        "('at', carom_v3),",
    "carom_finger_mesh_def":
        "('length', c_double), "
        "('width', c_double), "
        "('size', c_double), "
        "('fine', c_double), "
        "('growth', c_double), "
        "('towards', c_int), "
        "('at', carom_v3),",
    "carom_anvil_mesh_def":
        "('length', c_double), "
        "('height', c_double), "
        "('size', c_double), "
        "('fine', c_double), "
        "('growth', c_double), "
        "('at', carom_v3),",
    "carom_round_mesh_def":
        "('radius', c_double), "
        "('patch', c_double), "
        "('fine', c_double), "
        "('towards', c_int), "
        "('at', carom_v3),",
    "carom_filled_mesh_def":
        "('size', c_double), "
        "('order', c_int),",
    "carom_round_section_def":
        "('radius', c_double), "
        "('inner', c_double),",
    "carom_rectangle_section_def":
        "('height', c_double), "
        "('width', c_double),",
    "carom_general_section_def":
        "('area', c_double), "
        "('inertia_y', c_double), "
        "('inertia_z', c_double), "
        "('torsion', c_double), "
        "('shear_y', c_double), "
        "('shear_z', c_double),",
    "carom_group_nodes_def":
        "('group', c_char_p),",
    "carom_box_nodes_def":
        "('low', carom_v3), "
        "('high', carom_v3),",
    "carom_place_nodes_def":
        "('position', carom_v3),",
    "carom_flexible_attachment_def":
        "('name', c_char_p), "
        "('nodes', carom_choice), "
        "('as', c_int),",
    "carom_modes_def":
        "('count', c_int), "
        "('up_to', c_double),",
    "carom_flexible_damping_def":
        "('stiffness', c_double), "
        "('ratio', c_double),",
    "carom_probe_def":
        "('name', c_char_p), "
        "('at', carom_v3), "
        "('along', carom_reals),",
    "carom_flexible_def":
        "('given', c_bool), "
        "('mesh', carom_choice), "
        "('element', c_char_p), "
        "('section', carom_choice), "
        "('up', carom_v3), "
        "('thickness', c_double), "
        "('plane', c_int), "
        "('as', c_int), "
        "('modes', carom_modes_def), "
        "('frame', c_int), "
        "('attachments', carom_list), "
        "('zone', carom_choice), "
        "('damping', carom_flexible_damping_def), "
        "('probes', carom_list), "
        "('rotation', c_int), "
        "('initial', c_int), "
        "('stiffening', c_bool),",
    "carom_shape_def":
        "('shape', carom_choice), "
        "('at', carom_v3), "
        "('orientation', carom_quat), "
        "('density', c_double), "
        "('material', c_char_p), "
        "('touches', c_bool), "
        "('spacing', c_double), "
        "('resolution', c_int),",
    "carom_box_def":
        "('size', carom_v3),",
    "carom_sphere_def":
        "('radius', c_double),",
    "carom_cylinder_def":
        "('radius', c_double), "
        "('length', c_double),",
    "carom_capsule_def":
        "('radius', c_double), "
        "('length', c_double),",
    "carom_cone_def":
        "('radius', c_double), "
        "('height', c_double),",
    "carom_ellipsoid_def":
        "('radii', carom_v3),",
    "carom_torus_def":
        "('ring_radius', c_double), "
        "('tube_radius', c_double),",
    "carom_plane_def":
        "('normal', carom_v3),",
    "carom_rod_def":
        "('length', c_double), "
        "('radius', c_double),",
    "carom_polygon_point":
        "('at', carom_reals),",
    "carom_polygon_def":
        "('points', carom_list), "
        "('thickness', c_double),",
    "carom_mesh_vertex":
        "('at', carom_reals),",
    "carom_mesh_cell":
        "('of', carom_reals),",
    "carom_mesh_def":
        "('file', c_char_p), "
        "('scale', carom_reals), "
        "('vertices', carom_list), "
        "('triangles', carom_list),",
    "carom_sheet_def":
        "('file', c_char_p), "
        "('scale', carom_reals), "
        "('vertices', carom_list), "
        "('triangles', carom_list), "
        "('mass_per_area', c_double),",
    "carom_wire_def":
        "('file', c_char_p), "
        "('scale', carom_reals), "
        "('vertices', carom_list), "
        "('edges', carom_list), "
        "('mass_per_length', c_double), "
        "('radius', c_double),",
    "carom_points_def":
        "('file', c_char_p), "
        "('scale', carom_reals), "
        "('vertices', carom_list), "
        "('mass_per_point', c_double), "
        "('radius', c_double),",
    "carom_made_def":
        "('what', carom_choice),",
    "carom_motion_def":
        "('given', c_bool), "
        "('position', (carom_value * 3)), "
        "('axis', carom_v3), "
        "('angle', carom_value),",
    "carom_body_def":
        "('name', c_char_p), "
        "('shapes', carom_list), "
        "('position', carom_v3), "
        "('orientation', carom_quat), "
        "('velocity', carom_v3), "
        "('angular_velocity', carom_v3), "
        "('density', c_double), "
        "('mass', c_double), "
        "('inertia', carom_reals), "
        "('center_of_mass', carom_reals), "
        "('fixed', c_bool), "
        "('motion', carom_motion_def), "
        "('material', c_char_p), "
        "('color', carom_reals), "
        "('flexible', carom_flexible_def),",
    "carom_frame_def":
        "('given', c_bool), "
        "('position', carom_v3), "
        "('orientation', carom_quat),",
    "carom_attachment":
        "('bodies', (c_char_p * 2)), "
        "('at', carom_v3), "
        "('at_b', carom_reals), "
        "('axis', carom_v3), "
        "('x_axis', carom_reals), "
        "('frame_a', carom_frame_def), "
        "('frame_b', carom_frame_def),",
    "carom_joint_spring_def":
        "('coordinate', c_char_p), "
        "('stiffness', c_double), "
        "('damping', c_double), "
        "('free', c_double), "
        "('preload', c_double),",
    "carom_joint_limit_def":
        "('coordinate', c_char_p), "
        "('min', c_double), "
        "('max', c_double), "
        "('stiffness', c_double), "
        "('damping', c_double), "
        "('restitution', c_double),",
    "carom_joint_motion_def":
        "('coordinate', c_char_p), "
        "('value', carom_value),",
    "carom_joint_start_def":
        "('coordinate', c_char_p), "
        "('value', c_double), "
        "('angle', c_double), "
        "('travel', c_double), "
        "('rate', c_double),",
    "carom_joint_friction_def":
        "('given', c_bool), "
        "('coefficient', c_double), "
        "('radius', c_double), "
        "('length', c_double),",
    "carom_joint_clearance_def":
        "('given', c_bool), "
        "('play', c_double), "
        "('radius', c_double), "
        "('length', c_double),",
    "carom_joint_def":
        "('name', c_char_p), "
        "('joint', carom_choice), "
        "('attachment', carom_attachment), "
        "('springs', carom_list), "
        "('limits', carom_list), "
        "('motions', carom_list), "
        "('starts', carom_list), "
        "('friction', carom_joint_friction_def), "
        "('clearance', carom_joint_clearance_def),",
    "carom_screw_def":
        "('pitch', c_double),",
    "carom_distance_def":
        "('length', c_double), "
        "('min', c_double), "
        "('max', c_double),",
    "carom_gear_def":
        "('joint_1', c_char_p), "
        "('joint_2', c_char_p), "
        "('coordinate_1', c_char_p), "
        "('coordinate_2', c_char_p), "
        "('ratio', c_double),",
    "carom_force_def":
        "('name', c_char_p), "
        "('force', carom_choice), "
        "('attachment', carom_attachment), "
        "('joint', c_char_p), "
        "('coordinate', c_char_p),",
    "carom_load_def":
        "('force', (carom_value * 3)), "
        "('torque', (carom_value * 3)), "
        "('follow', c_bool),",
    "carom_spring_def":
        "('stiffness', c_double), "
        "('damping', c_double), "
        "('free_length', c_double), "
        "('preload', c_double), "
        "('table', carom_curve), "
        "('force', carom_value),",
    "carom_bushing_def":
        "('stiffness', carom_v3), "
        "('damping', carom_v3), "
        "('angular_stiffness', carom_v3), "
        "('angular_damping', carom_v3),",
    "carom_motor_def":
        "('mode', c_int), "
        "('target', carom_value), "
        "('gain', c_double), "
        "('damping', c_double), "
        "('limit', c_double), "
        "('integral', c_double), "
        "('anti_windup', c_double),",
    "carom_drag_def":
        "('linear', c_double), "
        "('quadratic', c_double), "
        "('angular', c_double),",
    "carom_gravity_field_def":
        "('center', carom_v3), "
        "('mu', c_double),",
    "carom_linear_law_def":
        "('k', c_double),",
    "carom_hertz_law_def":
        "('k', c_double), "
        "('n', c_double), "
        "('young', carom_reals), "
        "('poisson', carom_reals), "
        "('radius', carom_reals),",
    "carom_line_law_def":
        "('young', carom_reals), "
        "('poisson', carom_reals), "
        "('radius', carom_reals), "
        "('depth', carom_reals), "
        "('length', c_double), "
        "('plane', c_int),",
    "carom_power_law_def":
        "('k', c_double), "
        "('n', c_double), "
        "('chi', c_double), "
        "('m', c_double),",
    "carom_kelvin_voigt_law_def":
        "('k', c_double), "
        "('c', c_double), "
        "('ramp', c_double),",
    "carom_hysteretic_law_def":
        "('elastic', carom_hertz_law_def), "
        "('v_min', c_double),",
    "carom_smooth_friction_def":
        "('mu_s', c_double), "
        "('mu_d', c_double), "
        "('v_s', c_double), "
        "('v_d', c_double),",
    "carom_coulomb_friction_def":
        "('mu', c_double), "
        "('v_e', c_double),",
    "carom_lugre_friction_def":
        "('mu_s', c_double), "
        "('mu_d', c_double), "
        "('v_s', c_double), "
        "('sigma_0', c_double), "
        "('sigma_1', c_double), "
        "('sigma_2', c_double),",
    "carom_interaction_def":
        "('law', carom_choice), "
        "('friction', carom_choice), "
        "('restitution', c_double), "
        "('restitution_law', c_int), "
        "('impulse', c_double), "
        "('range', c_double), "
        "('separation', c_double), "
        "('per', c_int), "
        "('points', c_int),",
    "carom_contact_pair_def":
        "('between', carom_list), "
        "('ignore', c_bool), "
        "('interaction', carom_interaction_def),",
    "carom_contact_def":
        "('method', carom_choice), "
        "('interaction', carom_interaction_def), "
        "('pairs', carom_list), "
        "('between_joined', c_bool),",
    "carom_time_def":
        "('end', c_double), "
        "('integrator', carom_choice), "
        "('preset', c_int), "
        "('step', c_double), "
        "('tolerance', c_double),",
    "carom_record_def":
        "('every', c_double), "
        "('fields_every', c_double), "
        "('signals', carom_list),",
    "carom_input_def":
        "('name', c_char_p), "
        "('start', c_double), "
        "('unit', c_char_p),",
    "carom_integral_def":
        "('name', c_char_p), "
        "('rate', carom_value), "
        "('start', c_double), "
        "('unit', c_char_p), "
        "('size', c_double),",
    "carom_event_def":
        "('name', c_char_p), "
        "('when', carom_value), "
        "('hold', c_double), "
        "('action', carom_choice),",
    "carom_set_def":
        "('input', c_char_p), "
        "('to', c_double),",
    "carom_view_def":
        "('name', c_char_p), "
        "('look_at', c_char_p), "
        "('from', carom_v3), "
        "('follow', c_bool), "
        "('play', c_bool), "
        "('at', c_double), "
        "('speed', c_double), "
        "('hide', carom_list), "
        "('show', carom_list), "
        "('plots', carom_list),",
    "carom_scene_def":
        "('name', c_char_p), "
        "('description', c_char_p), "
        "('gravity', carom_v3), "
        "('time', carom_time_def), "
        "('record', carom_record_def), "
        "('contact', carom_contact_def), "
        "('inputs', carom_list), "
        "('states', carom_list), "
        "('events', carom_list), "
        "('materials', carom_list), "
        "('initial', c_int), "
        "('view', carom_list),",
    "carom_store_counts":
        "('kept', c_size_t), "
        "('made', c_size_t), "
        "('taken', c_size_t),",
    "carom_compile_options":
        "('keep_going', c_void_p), "
        "('context', c_void_p), "
        "('store', c_void_p),",
    "carom_body_info":
        "('name', c_char_p), "
        "('moves_freely', c_bool), "
        "('kinematic', c_bool), "
        "('mass', c_double), "
        "('center_of_mass', carom_v3), "
        "('inertia', (c_double * 6)),",
    "carom_joint_info_coordinates":
        "('name', c_char_p), "
        "('angle', c_bool),",
    "carom_joint_info":
        "('name', c_char_p), "
        "('type', c_char_p), "
        "('bodies', (c_int32 * 2)), "
        "('first_coordinate', c_int), "
        "('coordinate_count', c_int), "
        "('coordinates', (carom_joint_info_coordinates * 3)), "
        "('friction', c_double), "
        "('clearance', c_double),",
    "carom_note":
        "('warning', c_bool), "
        "('file', c_char_p), "
        "('line', c_int), "
        "('path', c_char_p), "
        "('message', c_char_p),",
    "carom_mobility":
        "('gruebler', c_int), "
        "('degrees', c_int), "
        "('equations', c_int), "
        "('rank', c_int), "
        "('rank_known', c_bool), "
        "('redundant_count', c_int), "
        "('redundant', c_void_p),",
    "carom_state_view":
        "('time', c_void_p), "
        "('poses', c_void_p), "
        "('velocities', c_void_p), "
        "('body_count', c_size_t), "
        "('pose_stride', c_size_t), "
        "('velocity_stride', c_size_t), "
        "('inputs', c_void_p), "
        "('input_count', c_size_t),",
    "carom_integration":
        "('integrator', c_char_p), "
        "('adaptive', c_bool), "
        "('step', c_double), "
        "('tolerance', c_double),",
    "carom_assembly":
        "('position_error', c_double), "
        "('position_change', c_double), "
        "('velocity_error', c_double), "
        "('iterations', c_int),",
    "carom_step_report":
        "('dt', c_double), "
        "('next', c_double), "
        "('iterations', c_int), "
        "('evaluations', c_int), "
        "('rejected', c_int), "
        "('contacts', c_int), "
        "('penetration', c_double), "
        "('distance', c_double), "
        "('fallbacks', c_int), "
        "('switches', c_int), "
        "('waiting', c_int),",
    "carom_ledger":
        "('kinetic', c_double), "
        "('potential', c_double), "
        "('elastic', c_double), "
        "('work_motors', c_double), "
        "('work_loads', c_double), "
        "('work_motion', c_double), "
        "('lost_damping', c_double), "
        "('lost_drag', c_double), "
        "('lost_stops', c_double), "
        "('lost_friction', c_double), "
        "('lost_contact', c_double), "
        "('lost_impact', c_double), "
        "('lost_numerics', c_double), "
        "('lost_handover', c_double), "
        "('residue', c_double), "
        "('momentum', carom_v3), "
        "('angular_momentum', carom_v3), "
        "('momentum_residue', carom_v3), "
        "('angular_momentum_residue', carom_v3), "
        "('position_error', c_double), "
        "('velocity_error', c_double),",
    "carom_event":
        "('t', c_double), "
        "('kind', c_int), "
        "('body', (c_int32 * 2)), "
        "('position', carom_v3), "
        "('normal', carom_v3), "
        "('speed', c_double), "
        "('joint', c_int32), "
        "('mode', c_int), "
        "('speed_after', c_double), "
        "('slip', carom_v3), "
        "('slip_after', carom_v3), "
        "('impulse', carom_v3), "
        "('energy_lost', c_double), "
        "('friction', c_int), "
        "('friction_after', c_int), "
        "('named', c_int32),",
    "carom_contact_point":
        "('body', (c_int32 * 2)), "
        "('gap', c_double), "
        "('position', carom_v3), "
        "('normal', carom_v3), "
        "('force', carom_v3), "
        "('slip', carom_v3),",
    "carom_collider_info":
        "('body', c_int32), "
        "('shape', c_char_p), "
        "('material', c_char_p), "
        "('size', c_double), "
        "('points', c_int), "
        "('depth', c_int), "
        "('field', c_char_p), "
        "('nodes', c_size_t), "
        "('build', c_double), "
        "('spacing', c_double), "
        "('error', c_double), "
        "('exact', c_bool), "
        "('why_points', c_char_p),",
    "carom_search_counts":
        "('searches', c_long), "
        "('features', c_long), "
        "('cells', c_long),",
    "carom_contact_rule":
        "('example', (c_int32 * 2)), "
        "('pairs', c_size_t), "
        "('friction', c_char_p), "
        "('restitution', c_double), "
        "('law', c_char_p), "
        "('per_area', c_bool), "
        "('points', (c_bool * 2)), "
        "('restitution_law', c_char_p), "
        "('impulse', c_double), "
        "('mu', c_double),",
    "carom_clearance":
        "('body', (c_int32 * 2)), "
        "('gap', c_double), "
        "('size', c_double),",
    "carom_finding":
        "('kind', c_int), "
        "('name', c_char_p), "
        "('severity', c_int), "
        "('place', c_char_p), "
        "('text', c_char_p), "
        "('remedy', c_char_p), "
        "('count', c_long), "
        "('number', c_double), "
        "('limit', c_double), "
        "('unit', c_char_p), "
        "('first', c_double), "
        "('worst', c_double),",
    "carom_result_body":
        "('name', c_char_p), "
        "('role', c_char_p), "
        "('mass', c_double), "
        "('color', (c_double * 3)),",
    "carom_motion":
        "('pose', carom_pose), "
        "('velocity', carom_v3), "
        "('angular_velocity', carom_v3),",
    "carom_result_shape":
        "('body', c_int32), "
        "('kind', c_char_p), "
        "('surface', c_int), "
        "('pose_b', carom_pose),",
    "carom_surface":
        "('vertex_count', c_size_t), "
        "('triangle_count', c_size_t), "
        "('vertices', c_void_p), "
        "('triangles', c_void_p),",
    "carom_result_joint":
        "('name', c_char_p), "
        "('type', c_char_p), "
        "('body', (c_int32 * 2)), "
        "('marker_b', (carom_pose * 2)), "
        "('has_markers', c_bool),",
    "carom_result_force":
        "('name', c_char_p), "
        "('kind', c_char_p), "
        "('body', (c_int32 * 2)), "
        "('marker_b', (carom_pose * 2)), "
        "('joint', c_int), "
        "('turns', c_bool),",
    "carom_result_pair":
        "('body', (c_int32 * 2)), "
        "('first_touch', c_double), "
        "('last_touch', c_double), "
        "('in_contact', c_double), "
        "('peak_force', c_double), "
        "('peak_at', c_double), "
        "('impulse', c_double), "
        "('penetration', c_double),",
    "carom_contact_overview":
        "('most_points', c_size_t), "
        "('most_points_at', c_double), "
        "('penetration', c_double), "
        "('penetration_at', c_double), "
        "('penetration_body', (c_int32 * 2)), "
        "('force', c_double), "
        "('force_at', c_double), "
        "('force_body', (c_int32 * 2)),",
    "carom_export_format":
        "('name', c_char_p), "
        "('extension', c_char_p), "
        "('folder', c_bool), "
        "('signals', c_bool), "
        "('doc', c_char_p),",
    "carom_export_options":
        "('format', c_char_p), "
        "('path', c_char_p), "
        "('every', c_size_t), "
        "('from', c_double), "
        "('until', c_double), "
        "('exaggeration', c_double), "
        "('signals', c_void_p), "
        "('signal_count', c_size_t),",
    "carom_export_report":
        "('frames', c_size_t), "
        "('events', c_size_t), "
        "('files', c_size_t), "
        "('bytes', c_uint64), "
        "('without_shapes', c_bool), "
        "('planes', c_size_t), "
        "('poses_held', c_size_t), "
        "('deformation_off', c_double),",
    "carom_fmu_options":
        "('scene', c_char_p), "
        "('path', c_char_p), "
        "('overrides', c_void_p), "
        "('override_count', c_size_t), "
        "('inputs', c_void_p), "
        "('input_count', c_size_t), "
        "('outputs', c_void_p), "
        "('output_count', c_size_t),",
    "carom_mesh_info":
        "('vertex_count', c_int), "
        "('triangle_count', c_int), "
        "('low', carom_v3), "
        "('high', carom_v3), "
        "('area', c_double), "
        "('volume', c_double), "
        "('center', carom_v3), "
        "('inertia', (c_double * 9)), "
        "('shortest_edge', c_double), "
        "('longest_edge', c_double),",
    "carom_mesh_defect":
        "('count', c_size_t), "
        "('place_count', c_int), "
        "('places', (carom_v3 * 5)),",
    "carom_mesh_report":
        "('defects', (carom_mesh_defect * 10)), "
        "('components', c_int), "
        "('cavities', c_int), "
        "('closed', c_bool), "
        "('solid', c_bool), "
        "('euler', c_int),",
    "carom_mesh_repair_options":
        "('weld', c_double), "
        "('fill', c_int), "
        "('keep_degenerate', c_bool), "
        "('keep_duplicates', c_bool), "
        "('keep_orientation', c_bool), "
        "('everything_outwards', c_bool),",
    "carom_mesh_repair_log":
        "('line_count', c_int), "
        "('lines', ((c_char * 160) * 16)),",
    "carom_make_box":
        "('size', carom_v3), "
        "('spacing', c_double),",
    "carom_make_sphere":
        "('radius', c_double), "
        "('spacing', c_double), "
        "('triangles', c_int),",
    "carom_make_cylinder":
        "('radius', c_double), "
        "('length', c_double), "
        "('spacing', c_double),",
    "carom_make_capsule":
        "('radius', c_double), "
        "('length', c_double), "
        "('spacing', c_double),",
    "carom_make_cone":
        "('radius', c_double), "
        "('height', c_double), "
        "('spacing', c_double),",
    "carom_make_torus":
        "('ring_radius', c_double), "
        "('tube_radius', c_double), "
        "('spacing', c_double),",
    "carom_make_gear":
        "('module', c_double), "
        "('teeth', c_int), "
        "('pressure_angle', c_double), "
        "('width', c_double), "
        "('bore', c_double), "
        "('backlash', c_double), "
        "('flank_steps', c_int), "
        "('spacing', c_double),",
    "carom_make_bolt":
        "('diameter', c_double), "
        "('pitch', c_double), "
        "('length', c_double), "
        "('thread', c_double), "
        "('sectors', c_int),",
    "carom_make_nut":
        "('diameter', c_double), "
        "('pitch', c_double), "
        "('height', c_double), "
        "('clearance', c_double), "
        "('sectors', c_int),",
    "carom_make_chain_link":
        "('diameter', c_double), "
        "('pitch', c_double), "
        "('width', c_double), "
        "('spacing', c_double),",
    "carom_make_tube":
        "('radius', c_double), "
        "('hole', c_double), "
        "('length', c_double), "
        "('sectors', c_int), "
        "('spacing', c_double),",
    "carom_make_link_plate":
        "('pitch', c_double), "
        "('radius_1', c_double), "
        "('radius_2', c_double), "
        "('hole_1', c_double), "
        "('hole_2', c_double), "
        "('thickness', c_double), "
        "('sectors', c_int), "
        "('spacing', c_double),",
    "carom_make_sprocket":
        "('teeth', c_int), "
        "('pitch', c_double), "
        "('roller', c_double), "
        "('clearance', c_double), "
        "('width', c_double), "
        "('bore', c_double), "
        "('steps', c_int), "
        "('spacing', c_double),",
    "carom_make_geneva_wheel":
        "('slots', c_int), "
        "('distance', c_double), "
        "('pin', c_double), "
        "('lock', c_double), "
        "('clearance', c_double), "
        "('width', c_double), "
        "('bore', c_double), "
        "('steps', c_int), "
        "('spacing', c_double),",
    "carom_make_geneva_disc":
        "('slots', c_int), "
        "('distance', c_double), "
        "('lock', c_double), "
        "('clearance', c_double), "
        "('width', c_double), "
        "('bore', c_double), "
        "('steps', c_int), "
        "('spacing', c_double),",
    "carom_make_spiral":
        "('radius', c_double), "
        "('end_radius', c_double), "
        "('angle', c_double), "
        "('round', c_double), "
        "('thickness', c_double), "
        "('height', c_double), "
        "('sectors', c_int), "
        "('spacing', c_double),",
    "carom_make_statue":
        "('height', c_double), "
        "('triangles', c_int),",
    "carom_make_docking_ring":
        "('radius', c_double), "
        "('thickness', c_double), "
        "('height', c_double), "
        "('spacing', c_double),",
    "carom_make_docking_latch":
        "('length', c_double), "
        "('height', c_double), "
        "('width', c_double), "
        "('nose', c_double), "
        "('tip', c_double), "
        "('slope', c_double), "
        "('spacing', c_double),",
    "carom_make_docking_catch":
        "('depth', c_double), "
        "('height', c_double), "
        "('width', c_double), "
        "('tooth', c_double), "
        "('ramp', c_double), "
        "('tip', c_double), "
        "('slope', c_double), "
        "('spacing', c_double),",
    "carom_sdf_options":
        "('kind', c_char_p), "
        "('sign', c_char_p), "
        "('scale', c_double), "
        "('spacing', c_double), "
        "('resolution', c_int), "
        "('margin', c_double), "
        "('band', c_double), "
        "('tolerance', c_double), "
        "('threads', c_int), "
        "('cache', c_char_p), "
        "('keep_going', c_void_p), "
        "('context', c_void_p),",
    "carom_sdf_info":
        "('kind', c_char_p), "
        "('sign', c_char_p), "
        "('spacing', c_double), "
        "('low', carom_v3), "
        "('high', carom_v3), "
        "('node_count', c_size_t), "
        "('bytes', c_size_t), "
        "('error_bound', c_double), "
        "('error_mean', c_double), "
        "('band', c_double), "
        "('volume', c_double), "
        "('triangle_count', c_int), "
        "('vertex_count', c_int), "
        "('open_edges', c_int), "
        "('nonmanifold_edges', c_int), "
        "('flipped_edges', c_int), "
        "('self_intersections', c_size_t), "
        "('build_seconds', c_double), "
        "('from_cache', c_bool),",
    "carom_sdf_slice":
        "('axis', c_int), "
        "('at', c_double), "
        "('low', (c_double * 2)), "
        "('high', (c_double * 2)), "
        "('columns', c_int), "
        "('rows', c_int),",
    "carom_impact_problem":
        "('contacts', c_int), "
        "('slips', c_int), "
        "('rule', c_int), "
        "('W', c_void_p), "
        "('restitution', c_void_p), "
        "('mu', c_void_p),",
    "carom_flexible_info":
        "('kind', c_char_p), "
        "('node_count', c_int), "
        "('element_count', c_int), "
        "('freedom_count', c_int), "
        "('coordinate_count', c_int), "
        "('lowest', c_double), "
        "('highest', c_double), "
        "('dropped', c_int), "
        "('facet_count', c_int), "
        "('critical_step', c_double), "
        "('critical_at', carom_v3), "
        "('critical_distance', c_double), "
        "('usual_distance', c_double),",
    "carom_modes_options":
        "('count', c_int), "
        "('free', c_bool),",
    "carom_mode_info":
        "('kind', c_char_p), "
        "('attachment', c_char_p), "
        "('frequency', c_double), "
        "('mass', (c_double * 3)),",
    "carom_body_frequency":
        "('frequency', c_double), "
        "('better', c_double),",
    "carom_page_options":
        "('title', c_char_p), "
        "('labels', c_void_p),",
    "carom_comparison_row":
        "('group', c_char_p), "
        "('name', c_char_p), "
        "('unit', c_char_p), "
        "('values', c_void_p),",
    "carom_comparison":
        "('run_count', c_size_t), "
        "('row_count', c_size_t), "
        "('rows', c_void_p),",
    "carom_series":
        "('x', c_void_p), "
        "('y', c_void_p), "
        "('count', c_size_t), "
        "('label', c_char_p), "
        "('line', c_int), "
        "('marker', c_int), "
        "('colour', c_char_p), "
        "('width', c_double), "
        "('hue', c_uint), "
        "('marker_spacing', c_double), "
        "('panel', c_size_t), "
        "('right', c_bool),",
    "carom_axis":
        "('label', c_char_p), "
        "('unit', c_char_p), "
        "('log', c_bool), "
        "('min', c_double), "
        "('max', c_double),",
    "carom_mark":
        "('horizontal', c_bool), "
        "('at', c_double), "
        "('extent', c_double), "
        "('text', c_char_p), "
        "('colour', c_char_p), "
        "('panel', c_size_t),",
    "carom_panel":
        "('y', carom_axis), "
        "('right', carom_axis),",
    "carom_inset":
        "('panel', c_size_t), "
        "('x_min', c_double), "
        "('x_max', c_double), "
        "('y_min', c_double), "
        "('y_max', c_double),",
    "carom_figure":
        "('width', c_double), "
        "('height', c_double), "
        "('dpi', c_double), "
        "('title', c_char_p), "
        "('x', carom_axis), "
        "('y', carom_axis), "
        "('series', c_void_p), "
        "('series_count', c_size_t), "
        "('marks', c_void_p), "
        "('mark_count', c_size_t), "
        "('style', c_int), "
        "('legend', c_int), "
        "('grid', c_bool), "
        "('right', carom_axis), "
        "('panels', c_void_p), "
        "('panel_count', c_size_t), "
        "('insets', c_void_p), "
        "('inset_count', c_size_t),",
    "carom_render_options":
        "('path', c_char_p), "
        "('view', c_char_p), "
        "('width', c_int), "
        "('height', c_int), "
        "('fps', c_double), "
        "('speed', c_double), "
        "('from', c_void_p), "
        "('until', c_void_p), "
        "('without_caption', c_bool), "
        "('threads', c_int),",
    "carom_render_report":
        "('frames', c_size_t), "
        "('width', c_int), "
        "('height', c_int), "
        "('from', c_double), "
        "('until', c_double), "
        "('speed', c_double), "
        "('instead_of_film', c_bool), "
        "('path', (c_char * 4096)),",
    "carom_progress":
        "('t', c_double), "
        "('end', c_double), "
        "('dt', c_double), "
        "('wall', c_double), "
        "('steps', c_long), "
        "('contacts', c_int), "
        "('warning', c_char_p), "
        "('begun', c_bool),",
    "carom_verification":
        "('frames', c_long), "
        "('pairs', c_long), "
        "('intersections', c_long), "
        "('wall', c_double), "
        "('t', c_double), "
        "('body', (c_int32 * 2)), "
        "('shape', (c_int * 2)), "
        "('first', (c_char * 400)),",
    "carom_run_report":
        "('t', c_double), "
        "('saved', c_double), "
        "('wall', c_double), "
        "('steps', c_long), "
        "('rejected', c_long), "
        "('energy_error_max', c_double), "
        "('kinetic_max', c_double), "
        "('turnover_max', c_double), "
        "('position_error_max', c_double), "
        "('velocity_error_max', c_double), "
        "('penetration_max', c_double), "
        "('contacts_max', c_long), "
        "('switches', c_long), "
        "('events', c_long), "
        "('evaluations', c_long), "
        "('detection', c_double), "
        "('detection_processor', c_double), "
        "('searched', carom_search_counts), "
        "('assembly', carom_assembly), "
        "('stopped_by', (c_char * 100)), "
        "('resumable', c_bool), "
        "('findings', (c_long * 3)), "
        "('gravest', (c_char * 512)), "
        "('verified', carom_verification),",
    "carom_run_options":
        "('folder', c_char_p), "
        "('duration', c_double), "
        "('threads', c_int), "
        "('checkpoint_every', c_double), "
        "('scene_text', c_char_p), "
        "('command', c_char_p), "
        "('keep_going', c_void_p), "
        "('context', c_void_p), "
        "('report', c_void_p), "
        "('processor_time', c_bool), "
        "('verify', c_bool),",
    "carom_run_amount":
        "('frames', c_double), "
        "('bytes', c_double),",
    "carom_sink":
        "('self', c_void_p), "
        "('every', c_double), "
        "('begin', c_void_p), "
        "('frame', c_void_p), "
        "('event', c_void_p), "
        "('step', c_void_p), "
        "('end', c_void_p), "
        "('destroy', c_void_p),",
    "carom_run_def":
        "('duration', c_double), "
        "('threads', c_int), "
        "('sink', c_void_p), "
        "('from', c_void_p), "
        "('checkpoint', c_char_p), "
        "('keep_going', c_void_p), "
        "('context', c_void_p), "
        "('processor_time', c_bool), "
        "('verify', c_bool),",
    "carom_folder_options":
        "('folder', c_char_p), "
        "('checkpoint_every', c_double), "
        "('scene_text', c_char_p), "
        "('command', c_char_p),",
    "carom_column":
        "('values', c_void_p), "
        "('count', c_size_t), "
        "('stride', c_size_t),",
    "carom_row":
        "('run', c_size_t), "
        "('status', c_int), "
        "('inputs', c_void_p), "
        "('values', c_void_p), "
        "('reason', c_void_p), "
        "('wall', c_double), "
        "('cpu', c_double), "
        "('steps', c_long),",
    "carom_sweep_progress":
        "('runs', c_size_t), "
        "('rows', (c_size_t * 6)), "
        "('wall', c_double), "
        "('fresh', c_size_t),",
    "carom_sweep_options":
        "('folder', c_char_p), "
        "('workers', c_int), "
        "('part', c_int), "
        "('parts', c_int), "
        "('keep_going', c_void_p), "
        "('context', c_void_p), "
        "('begins', c_void_p), "
        "('begins_context', c_void_p),",
    "carom_user_marker":
        "('position', carom_v3), "
        "('x', carom_v3), "
        "('y', carom_v3), "
        "('z', carom_v3), "
        "('velocity', carom_v3), "
        "('angular_velocity', carom_v3),",
    "carom_user_force_input":
        "('t', c_double), "
        "('a', carom_user_marker), "
        "('b', carom_user_marker), "
        "('mass', c_double), "
        "('coordinate', c_double), "
        "('rate', c_double), "
        "('inputs', c_void_p), "
        "('input_count', c_size_t), "
        "('numbers', c_void_p), "
        "('number_count', c_size_t),",
    "carom_user_force_output":
        "('force', carom_v3), "
        "('torque', carom_v3), "
        "('along', c_double), "
        "('potential', c_double), "
        "('potential_rate', c_double), "
        "('dissipation', c_double), "
        "('measures', (c_double * 4)),",
    "carom_user_force_tangent":
        "('stiffness', ((c_double * 12) * 12)), "
        "('damping', ((c_double * 12) * 12)), "
        "('along_stiffness', c_double), "
        "('along_damping', c_double),",
    "carom_user_measure":
        "('name', c_char_p), "
        "('dimension', carom_dimension),",
    "carom_user_force_def":
        "('law', c_char_p), "
        "('version', c_int), "
        "('numbers', carom_reals), "
        "('measures', carom_list), "
        "('force', c_void_p), "
        "('tangent', c_void_p), "
        "('context', c_void_p),",
    "carom_user_law_def":
        "('name', c_char_p), "
        "('numbers', carom_reals),",
    "carom_user_normal_input":
        "('gap', c_double), "
        "('gap_rate', c_double), "
        "('approach', c_double), "
        "('restitution', c_double), "
        "('numbers', c_void_p), "
        "('number_count', c_size_t),",
    "carom_user_normal_output":
        "('force', c_double), "
        "('d_gap', c_double), "
        "('d_gap_rate', c_double), "
        "('elastic', c_double), "
        "('potential', c_double),",
    "carom_user_normal_law_def":
        "('name', c_char_p), "
        "('version', c_int), "
        "('numbers', carom_reals), "
        "('force', c_void_p), "
        "('context', c_void_p), "
        "('remembers_approach', c_bool), "
        "('uses_restitution', c_bool), "
        "('probe_depth', c_double), "
        "('probe_speed', c_double),",
    "carom_user_friction_input":
        "('speed', c_double), "
        "('numbers', c_void_p), "
        "('number_count', c_size_t),",
    "carom_user_friction_output":
        "('mu', c_double), "
        "('slope', c_double),",
    "carom_user_friction_law_def":
        "('name', c_char_p), "
        "('version', c_int), "
        "('numbers', carom_reals), "
        "('friction', c_void_p), "
        "('context', c_void_p), "
        "('stick', c_double), "
        "('slide', c_double), "
        "('coefficient', c_double),",
}

# name: (result, [arguments])
FUNCTIONS = {
    "carom_advance": "(c_int, [c_void_p, c_void_p, c_void_p, c_double, c_double, c_void_p])",
    "carom_assemble": "(c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p])",
    "carom_barrier_values": "(c_int, [c_void_p, c_size_t, c_double, c_double, c_void_p, c_void_p, c_void_p, c_void_p])",
    "carom_batch_advance": "(c_int, [c_void_p, c_double, c_double, c_int, c_void_p, c_void_p])",
    "carom_batch_count": "(c_size_t, [c_void_p])",
    "carom_batch_create": "(c_int, [c_void_p, c_size_t, c_void_p, c_void_p, c_void_p])",
    "carom_batch_destroy": "(None, [c_void_p])",
    "carom_batch_error": "(POINTER(carom_error), [c_void_p, c_size_t])",
    "carom_batch_failed": "(c_size_t, [c_void_p])",
    "carom_batch_forgive": "(None, [c_void_p, c_size_t])",
    "carom_batch_observe": "(c_int, [c_void_p, c_void_p, c_int, c_void_p, c_void_p])",
    "carom_batch_set": "(c_int, [c_void_p, c_char_p, c_void_p, c_size_t, c_void_p])",
    "carom_batch_state": "(c_void_p, [c_void_p, c_size_t])",
    "carom_body_def_default": "(carom_body_def, [])",
    "carom_body_fields": "(POINTER(carom_field), [])",
    "carom_check_start": "(c_int, [c_void_p, c_void_p, c_void_p, c_void_p])",
    "carom_clearances_destroy": "(None, [c_void_p])",
    "carom_compare": "(c_int, [c_void_p, c_size_t, c_void_p, c_void_p])",
    "carom_comparison_destroy": "(None, [c_void_p])",
    "carom_compile": "(c_int, [c_void_p, c_void_p, c_void_p])",
    "carom_compile_with": "(c_int, [c_void_p, c_void_p, c_void_p, c_void_p])",
    "carom_contact_def_default": "(carom_contact_def, [])",
    "carom_contact_fields": "(POINTER(carom_field), [])",
    "carom_contact_mode_name": "(c_char_p, [c_int])",
    "carom_dimension_text": "(c_char_p, [carom_dimension, c_void_p, c_size_t])",
    "carom_edge_edge_distances": "(c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_void_p, c_int, c_void_p])",
    "carom_error_text": "(c_char_p, [c_void_p, c_void_p, c_size_t])",
    "carom_event_actions": "(c_void_p, [])",
    "carom_event_has_details": "(c_bool, [c_void_p])",
    "carom_event_kind_name": "(c_char_p, [c_int])",
    "carom_event_normal_impulse": "(c_double, [c_void_p])",
    "carom_event_tangential_impulse": "(c_double, [c_void_p])",
    "carom_export_format_at": "(POINTER(carom_export_format), [c_size_t])",
    "carom_export_format_find": "(POINTER(carom_export_format), [c_char_p])",
    "carom_features": "(c_char_p, [])",
    "carom_figure_write": "(c_int, [c_void_p, c_char_p, c_void_p])",
    "carom_finding_kind_name": "(c_char_p, [c_int])",
    "carom_findings_at": "(POINTER(carom_finding), [c_void_p, c_size_t])",
    "carom_findings_count": "(c_size_t, [c_void_p])",
    "carom_findings_destroy": "(None, [c_void_p])",
    "carom_flexible_def_default": "(carom_flexible_def, [])",
    "carom_flexible_fields": "(POINTER(carom_field), [])",
    "carom_fmu_export": "(c_int, [c_void_p, c_void_p, c_void_p])",
    "carom_force_def_default": "(carom_force_def, [])",
    "carom_force_fields": "(POINTER(carom_field), [])",
    "carom_force_kinds": "(c_void_p, [])",
    "carom_frame_observe": "(c_int, [c_void_p, c_void_p, c_void_p, c_void_p])",
    "carom_frame_time": "(c_double, [c_void_p])",
    "carom_friction_law_kinds": "(c_void_p, [])",
    "carom_friction_state_name": "(c_char_p, [c_int])",
    "carom_impacts": "(c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_void_p, c_void_p, c_int, c_void_p])",
    "carom_integrator_kinds": "(c_void_p, [])",
    "carom_joint_def_default": "(carom_joint_def, [])",
    "carom_joint_fields": "(POINTER(carom_field), [])",
    "carom_joint_kinds": "(c_void_p, [])",
    "carom_linking_number": "(c_double, [c_void_p, c_int, c_void_p, c_int])",
    "carom_material_def_default": "(carom_material_def, [])",
    "carom_material_fields": "(POINTER(carom_field), [])",
    "carom_memory_create": "(c_int, [c_void_p, c_double, c_void_p, c_void_p])",
    "carom_memory_destroy": "(None, [c_void_p])",
    "carom_memory_events": "(POINTER(carom_event), [c_void_p, c_void_p])",
    "carom_memory_signal": "(carom_column, [c_void_p, c_size_t])",
    "carom_memory_times": "(carom_column, [c_void_p])",
    "carom_mesh_check": "(c_int, [c_void_p, c_void_p, c_void_p])",
    "carom_mesh_create": "(c_int, [c_void_p, c_void_p, c_int, c_void_p, c_int, c_void_p])",
    "carom_mesh_defect_meaning": "(c_char_p, [c_int])",
    "carom_mesh_defect_name": "(c_char_p, [c_int])",
    "carom_mesh_destroy": "(None, [c_void_p])",
    "carom_mesh_formats": "(c_char_p, [])",
    "carom_mesh_get_info": "(None, [c_void_p, c_void_p])",
    "carom_mesh_make": "(c_int, [c_void_p, c_char_p, c_void_p, c_void_p])",
    "carom_mesh_make_kinds": "(c_void_p, [])",
    "carom_mesh_pair_create": "(c_int, [c_void_p, c_void_p, c_void_p, c_void_p])",
    "carom_mesh_pair_destroy": "(None, [c_void_p])",
    "carom_mesh_pair_sweep": "(c_int, [c_void_p, c_void_p, c_void_p, c_size_t, c_double, c_void_p, c_void_p, c_int, c_void_p])",
    "carom_mesh_read": "(c_int, [c_void_p, c_char_p, c_double, c_void_p])",
    "carom_mesh_refine": "(c_int, [c_void_p, c_int, c_void_p])",
    "carom_mesh_refine_edges": "(c_int, [c_void_p, c_double, c_void_p])",
    "carom_mesh_repair": "(c_int, [c_void_p, c_void_p, c_void_p, c_void_p])",
    "carom_mesh_repair_defaults": "(carom_mesh_repair_options, [])",
    "carom_mesh_triangle_count": "(c_int, [c_void_p])",
    "carom_mesh_triangles": "(c_void_p, [c_void_p])",
    "carom_mesh_vertex_count": "(c_int, [c_void_p])",
    "carom_mesh_vertices": "(POINTER(carom_v3), [c_void_p])",
    "carom_mesh_write": "(c_int, [c_void_p, c_char_p, c_int, c_void_p])",
    "carom_method_kinds": "(c_void_p, [])",
    "carom_model_body": "(carom_body_info, [c_void_p, c_int32])",
    "carom_model_body_count": "(c_int, [c_void_p])",
    "carom_model_body_name": "(c_char_p, [c_void_p, c_int32])",
    "carom_model_collider": "(carom_collider_info, [c_void_p, c_int])",
    "carom_model_collider_count": "(c_int, [c_void_p])",
    "carom_model_contact_rules": "(c_size_t, [c_void_p, c_void_p, c_size_t])",
    "carom_model_coordinate_count": "(c_int, [c_void_p])",
    "carom_model_destroy": "(None, [c_void_p])",
    "carom_model_equation_name": "(c_char_p, [c_void_p, c_int, c_void_p, c_size_t])",
    "carom_model_event_count": "(c_int, [c_void_p])",
    "carom_model_event_name": "(c_char_p, [c_void_p, c_int])",
    "carom_model_find_body": "(c_int32, [c_void_p, c_char_p])",
    "carom_model_find_input": "(c_int, [c_void_p, c_char_p])",
    "carom_model_find_joint": "(c_int32, [c_void_p, c_char_p])",
    "carom_model_flexible": "(carom_flexible_info, [c_void_p, c_int32])",
    "carom_model_force_count": "(c_int, [c_void_p])",
    "carom_model_force_name": "(c_char_p, [c_void_p, c_int32])",
    "carom_model_hash": "(c_uint64, [c_void_p])",
    "carom_model_input_count": "(c_int, [c_void_p])",
    "carom_model_input_dimension": "(carom_dimension, [c_void_p, c_int])",
    "carom_model_input_name": "(c_char_p, [c_void_p, c_int])",
    "carom_model_integration": "(carom_integration, [c_void_p])",
    "carom_model_joint": "(carom_joint_info, [c_void_p, c_int32])",
    "carom_model_joint_count": "(c_int, [c_void_p])",
    "carom_model_joint_name": "(c_char_p, [c_void_p, c_int32])",
    "carom_model_notes": "(c_size_t, [c_void_p, c_void_p])",
    "carom_modes_count": "(c_int, [c_void_p])",
    "carom_modes_destroy": "(None, [c_void_p])",
    "carom_modes_export": "(c_int, [c_void_p, c_char_p, c_void_p, c_void_p])",
    "carom_modes_find": "(c_int, [c_void_p, c_char_p, c_void_p, c_void_p, c_void_p])",
    "carom_modes_frequency": "(carom_body_frequency, [c_void_p, c_int])",
    "carom_modes_frequency_count": "(c_int, [c_void_p])",
    "carom_modes_get": "(carom_mode_info, [c_void_p, c_int])",
    "carom_modes_mass": "(c_double, [c_void_p])",
    "carom_modes_page": "(c_int, [c_void_p, c_char_p, c_char_p, c_void_p])",
    "carom_modes_strain": "(c_double, [c_void_p, c_int])",
    "carom_node_choice_kinds": "(c_void_p, [])",
    "carom_normal_law_kinds": "(c_void_p, [])",
    "carom_observe": "(c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p])",
    "carom_observe_clearances": "(c_int, [c_void_p, c_void_p, c_void_p, c_double, c_void_p, c_void_p, c_void_p])",
    "carom_observe_coordinates": "(c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p])",
    "carom_observe_ledger": "(c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p])",
    "carom_observe_mobility": "(c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p])",
    "carom_observe_signal": "(c_int, [c_void_p, c_void_p, c_void_p, c_char_p, c_void_p, c_void_p])",
    "carom_observer_count": "(c_size_t, [c_void_p])",
    "carom_observer_create": "(c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_void_p])",
    "carom_observer_create_all": "(c_int, [c_void_p, c_void_p, c_void_p])",
    "carom_observer_destroy": "(None, [c_void_p])",
    "carom_observer_name": "(c_char_p, [c_void_p, c_size_t])",
    "carom_observer_unit": "(c_char_p, [c_void_p, c_size_t])",
    "carom_page_write": "(c_int, [c_void_p, c_size_t, c_void_p, c_char_p, c_void_p])",
    "carom_params_choice": "(carom_choice, [c_void_p])",
    "carom_params_create": "(c_int, [c_void_p, c_char_p, c_void_p, c_void_p])",
    "carom_params_destroy": "(None, [c_void_p])",
    "carom_params_get": "(c_int, [c_void_p, c_char_p, c_void_p, c_void_p])",
    "carom_params_get_text": "(c_char_p, [c_void_p, c_char_p])",
    "carom_params_set": "(c_int, [c_void_p, c_char_p, c_double, c_void_p])",
    "carom_params_set_list": "(c_int, [c_void_p, c_char_p, c_void_p, c_size_t, c_void_p])",
    "carom_params_set_text": "(c_int, [c_void_p, c_char_p, c_char_p, c_void_p])",
    "carom_point_triangle_distances": "(c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_void_p, c_int, c_void_p])",
    "carom_poses": "(None, [c_void_p, c_void_p, c_void_p])",
    "carom_render": "(c_int, [c_void_p, c_void_p, c_void_p, c_void_p])",
    "carom_result_body_count": "(c_size_t, [c_void_p])",
    "carom_result_body_info": "(carom_result_body, [c_void_p, c_int32])",
    "carom_result_body_name": "(c_char_p, [c_void_p, c_int32])",
    "carom_result_close": "(None, [c_void_p])",
    "carom_result_contact_count": "(c_size_t, [c_void_p, c_size_t])",
    "carom_result_contact_overview": "(c_int, [c_void_p, c_void_p, c_void_p])",
    "carom_result_contacts": "(c_int, [c_void_p, c_size_t, c_void_p, c_void_p])",
    "carom_result_effort": "(c_int, [c_void_p, c_size_t, c_size_t, c_void_p, c_void_p, c_void_p])",
    "carom_result_event_count": "(c_size_t, [c_void_p])",
    "carom_result_event_name": "(c_char_p, [c_void_p, c_void_p])",
    "carom_result_events": "(POINTER(carom_event), [c_void_p])",
    "carom_result_export": "(c_int, [c_void_p, c_void_p, c_void_p, c_void_p])",
    "carom_result_export_csv": "(c_int, [c_void_p, c_char_p, c_void_p, c_size_t, c_void_p])",
    "carom_result_find_signal": "(c_int, [c_void_p, c_char_p, c_void_p, c_void_p, c_void_p])",
    "carom_result_findings": "(c_int, [c_void_p, c_void_p, c_void_p])",
    "carom_result_force_count": "(c_size_t, [c_void_p])",
    "carom_result_force_info": "(carom_result_force, [c_void_p, c_size_t])",
    "carom_result_frame_count": "(c_size_t, [c_void_p])",
    "carom_result_has_contacts": "(c_bool, [c_void_p])",
    "carom_result_joint_count": "(c_size_t, [c_void_p])",
    "carom_result_joint_info": "(carom_result_joint, [c_void_p, c_size_t])",
    "carom_result_motion": "(c_int, [c_void_p, c_int32, c_size_t, c_void_p, c_void_p])",
    "carom_result_node_count": "(c_size_t, [c_void_p, c_int32])",
    "carom_result_nodes": "(c_int, [c_void_p, c_int32, c_size_t, c_void_p, c_void_p, c_void_p])",
    "carom_result_nodes_every": "(c_size_t, [c_void_p, c_int32])",
    "carom_result_number": "(c_bool, [c_void_p, c_char_p, c_void_p])",
    "carom_result_open": "(c_int, [c_char_p, c_void_p, c_void_p])",
    "carom_result_pairs": "(c_int, [c_void_p, c_void_p, c_void_p, c_void_p])",
    "carom_result_pairs_destroy": "(None, [c_void_p])",
    "carom_result_pairs_of_steps": "(c_bool, [c_void_p])",
    "carom_result_reaction": "(c_int, [c_void_p, c_size_t, c_size_t, c_void_p, c_void_p, c_void_p])",
    "carom_result_recorded_count": "(c_size_t, [c_void_p])",
    "carom_result_scene": "(c_char_p, [c_void_p])",
    "carom_result_shape_count": "(c_size_t, [c_void_p])",
    "carom_result_shape_info": "(carom_result_shape, [c_void_p, c_size_t])",
    "carom_result_signal": "(POINTER(c_double), [c_void_p, c_size_t])",
    "carom_result_signal_count": "(c_size_t, [c_void_p])",
    "carom_result_signal_name": "(c_char_p, [c_void_p, c_size_t])",
    "carom_result_signal_unit": "(c_char_p, [c_void_p, c_size_t])",
    "carom_result_summary": "(c_void_p, [c_void_p])",
    "carom_result_summary_text": "(c_char_p, [c_void_p])",
    "carom_result_surface": "(c_int, [c_void_p, c_size_t, c_void_p, c_void_p])",
    "carom_result_surface_count": "(c_size_t, [c_void_p])",
    "carom_result_text": "(c_char_p, [c_void_p, c_char_p])",
    "carom_result_time": "(POINTER(c_double), [c_void_p])",
    "carom_resume_folder": "(c_int, [c_void_p, c_void_p, c_void_p])",
    "carom_row_destroy": "(None, [c_void_p])",
    "carom_row_pack": "(c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p])",
    "carom_row_status_name": "(c_char_p, [c_int])",
    "carom_row_unpack": "(c_int, [c_void_p, c_char_p, c_size_t, c_void_p, c_void_p])",
    "carom_run_advance": "(c_int, [c_void_p, c_double, c_double, c_void_p])",
    "carom_run_check": "(c_int, [c_void_p, c_double, c_void_p, c_void_p])",
    "carom_run_create": "(c_int, [c_void_p, c_void_p, c_void_p, c_void_p])",
    "carom_run_destroy": "(None, [c_void_p])",
    "carom_run_ended": "(c_bool, [c_void_p])",
    "carom_run_folder": "(c_int, [c_void_p, c_void_p, c_void_p])",
    "carom_run_report_of": "(carom_run_report, [c_void_p])",
    "carom_run_state": "(c_void_p, [c_void_p])",
    "carom_run_summary": "(c_int, [c_void_p, c_void_p, c_void_p])",
    "carom_scene_def_default": "(carom_scene_def, [])",
    "carom_scene_fields": "(POINTER(carom_field), [])",
    "carom_scene_import": "(c_int, [c_char_p, c_size_t, c_char_p, c_char_p, c_void_p, c_size_t, c_char_p, c_void_p, c_void_p])",
    "carom_scene_load": "(c_int, [c_char_p, c_void_p, c_size_t, c_void_p, c_void_p])",
    "carom_scene_parse": "(c_int, [c_char_p, c_size_t, c_char_p, c_char_p, c_void_p, c_size_t, c_void_p, c_void_p])",
    "carom_scene_reference": "(c_void_p, [])",
    "carom_scene_schema": "(c_void_p, [])",
    "carom_scratch_create": "(c_int, [c_void_p, c_int, c_void_p, c_void_p])",
    "carom_scratch_destroy": "(None, [c_void_p])",
    "carom_scratch_watch": "(None, [c_void_p, c_void_p, c_void_p])",
    "carom_sdf_about": "(carom_sdf_info, [c_void_p])",
    "carom_sdf_destroy": "(None, [c_void_p])",
    "carom_sdf_draw_slice": "(c_int, [c_void_p, c_int, c_double, c_int, c_char_p, c_char_p, c_void_p])",
    "carom_sdf_open": "(c_int, [c_char_p, c_void_p, c_void_p, c_void_p])",
    "carom_sdf_options_default": "(carom_sdf_options, [])",
    "carom_sdf_remarks": "(c_void_p, [c_void_p])",
    "carom_sdf_sample": "(c_double, [c_void_p, carom_v3, c_void_p])",
    "carom_sdf_sample_many": "(c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_void_p, c_int, c_void_p])",
    "carom_sdf_save": "(c_int, [c_void_p, c_char_p, c_void_p])",
    "carom_sdf_slice_of_box": "(carom_sdf_slice, [c_void_p, c_int, c_double, c_int])",
    "carom_sdf_slice_values": "(c_int, [c_void_p, c_void_p, c_void_p, c_void_p])",
    "carom_section_kinds": "(c_void_p, [])",
    "carom_set_assert_handler": "(c_void_p, [c_void_p])",
    "carom_set_signal": "(c_int, [c_void_p, c_void_p, c_void_p, c_char_p, c_double, c_void_p])",
    "carom_severity_name": "(c_char_p, [c_int])",
    "carom_shape_def_default": "(carom_shape_def, [])",
    "carom_shape_fields": "(POINTER(carom_field), [])",
    "carom_shape_kinds": "(c_void_p, [])",
    "carom_sink_folder": "(c_int, [c_void_p, c_void_p, c_void_p])",
    "carom_sink_memory": "(carom_sink, [c_void_p])",
    "carom_spec_add_body": "(c_int, [c_void_p, c_void_p, c_void_p])",
    "carom_spec_add_force": "(c_int, [c_void_p, c_void_p, c_void_p])",
    "carom_spec_add_friction_law": "(c_int, [c_void_p, c_void_p, c_void_p])",
    "carom_spec_add_joint": "(c_int, [c_void_p, c_void_p, c_void_p])",
    "carom_spec_add_normal_law": "(c_int, [c_void_p, c_void_p, c_void_p])",
    "carom_spec_body": "(POINTER(carom_body_def), [c_void_p, c_size_t])",
    "carom_spec_body_count": "(c_size_t, [c_void_p])",
    "carom_spec_create": "(c_void_p, [])",
    "carom_spec_destroy": "(None, [c_void_p])",
    "carom_spec_force": "(POINTER(carom_force_def), [c_void_p, c_size_t])",
    "carom_spec_force_count": "(c_size_t, [c_void_p])",
    "carom_spec_joint": "(POINTER(carom_joint_def), [c_void_p, c_size_t])",
    "carom_spec_joint_count": "(c_size_t, [c_void_p])",
    "carom_spec_note_origin": "(None, [c_void_p, c_char_p, c_int, c_char_p])",
    "carom_spec_note_setting": "(None, [c_void_p, c_char_p, c_int])",
    "carom_spec_remarks": "(c_size_t, [c_void_p, c_void_p])",
    "carom_spec_scene": "(POINTER(carom_scene_def), [c_void_p])",
    "carom_spec_set_scene": "(c_int, [c_void_p, c_void_p, c_void_p])",
    "carom_spec_units": "(c_char_p, [c_void_p])",
    "carom_state_angular_velocity": "(carom_v3, [c_void_p, c_void_p, c_int32])",
    "carom_state_copy": "(c_int, [c_void_p, c_void_p])",
    "carom_state_create": "(c_void_p, [c_void_p])",
    "carom_state_destroy": "(None, [c_void_p])",
    "carom_state_hash": "(c_uint64, [c_void_p])",
    "carom_state_input": "(c_double, [c_void_p, c_void_p, c_int])",
    "carom_state_pose": "(carom_pose, [c_void_p, c_void_p, c_int32])",
    "carom_state_restore": "(c_int, [c_void_p, c_void_p, c_void_p, c_size_t, c_void_p])",
    "carom_state_save": "(c_int, [c_void_p, c_void_p, c_void_p, c_size_t, c_void_p])",
    "carom_state_set_coordinate": "(c_int, [c_void_p, c_void_p, c_int, c_double, c_double, c_void_p])",
    "carom_state_set_input": "(c_int, [c_void_p, c_void_p, c_int, c_double, c_void_p])",
    "carom_state_set_pose": "(c_int, [c_void_p, c_void_p, c_int32, carom_pose, c_void_p])",
    "carom_state_set_velocity": "(c_int, [c_void_p, c_void_p, c_int32, carom_v3, carom_v3, c_void_p])",
    "carom_state_size": "(c_size_t, [c_void_p])",
    "carom_state_time": "(c_double, [c_void_p])",
    "carom_state_velocity": "(carom_v3, [c_void_p, c_void_p, c_int32])",
    "carom_status_name": "(c_char_p, [c_int])",
    "carom_step": "(c_int, [c_void_p, c_void_p, c_void_p, c_double, c_void_p, c_void_p])",
    "carom_step_contacts": "(POINTER(carom_contact_point), [c_void_p, c_void_p])",
    "carom_step_events": "(POINTER(carom_event), [c_void_p, c_void_p])",
    "carom_step_findings": "(c_int, [c_void_p, c_void_p, c_void_p, c_void_p])",
    "carom_store_count": "(carom_store_counts, [c_void_p])",
    "carom_store_create": "(c_void_p, [])",
    "carom_store_destroy": "(None, [c_void_p])",
    "carom_study_changes": "(c_int, [c_void_p, c_size_t, c_void_p, c_void_p, c_void_p])",
    "carom_study_destroy": "(None, [c_void_p])",
    "carom_study_evaluate": "(c_int, [c_void_p, c_size_t, c_void_p, c_void_p])",
    "carom_study_kept": "(c_size_t, [c_void_p, c_void_p, c_size_t])",
    "carom_study_load": "(c_int, [c_void_p, c_char_p, c_void_p])",
    "carom_study_measure": "(c_char_p, [c_void_p, c_size_t])",
    "carom_study_measure_count": "(c_size_t, [c_void_p])",
    "carom_study_name": "(c_char_p, [c_void_p])",
    "carom_study_needs": "(c_bool, [c_void_p, c_size_t])",
    "carom_study_note_crash": "(c_int, [c_void_p, c_void_p, c_size_t, c_char_p, c_void_p])",
    "carom_study_open": "(c_int, [c_char_p, c_size_t, c_void_p, c_void_p])",
    "carom_study_page": "(c_int, [c_void_p, c_char_p, c_void_p])",
    "carom_study_row": "(POINTER(carom_row), [c_void_p, c_size_t])",
    "carom_study_run_count": "(c_size_t, [c_void_p])",
    "carom_study_sampling": "(c_char_p, [c_void_p])",
    "carom_study_scene": "(c_char_p, [c_void_p, c_void_p, c_void_p])",
    "carom_study_summary": "(c_void_p, [c_void_p])",
    "carom_study_sweep": "(c_int, [c_void_p, c_void_p, c_void_p])",
    "carom_study_unit": "(c_char_p, [c_void_p, c_size_t])",
    "carom_study_variable": "(c_char_p, [c_void_p, c_size_t])",
    "carom_study_variable_count": "(c_size_t, [c_void_p])",
    "carom_summary_name": "(c_char_p, [c_void_p, c_char_p, c_size_t])",
    "carom_summary_number": "(c_bool, [c_void_p, c_char_p, c_void_p])",
    "carom_summary_size": "(c_size_t, [c_void_p, c_char_p])",
    "carom_summary_text": "(c_char_p, [c_void_p, c_char_p])",
    "carom_sweep_add": "(c_int, [c_void_p, c_void_p, c_void_p])",
    "carom_sweep_close": "(c_int, [c_void_p, c_void_p])",
    "carom_sweep_open": "(c_int, [c_void_p, c_void_p, c_void_p, c_void_p])",
    "carom_sweep_progress_of": "(carom_sweep_progress, [c_void_p])",
    "carom_sweep_take": "(c_bool, [c_void_p, c_void_p])",
    "carom_text_destroy": "(None, [c_void_p])",
    "carom_units_factor": "(c_double, [c_void_p, carom_dimension])",
    "carom_units_si": "(carom_units, [])",
    "carom_value_expression": "(carom_value, [c_char_p])",
    "carom_value_number": "(carom_value, [c_double])",
    "carom_version": "(c_char_p, [])",
    "carom_view": "(carom_state_view, [c_void_p, c_void_p])",
    "carom_view_fields": "(POINTER(carom_field), [])",
    "carom_volume_mesh_kinds": "(c_void_p, [])",
}


class _Names(dict):
    """What the texts above speak of: types of ctypes, and structs."""

    def __missing__(self, name):
        return globals().get(name) or __getattr__(name)


_names = _Names({name: getattr(ctypes, name) for name in dir(ctypes) if name.startswith("c_")}, POINTER=ctypes.POINTER)


def __getattr__(name):
    """A struct, made when it is first asked for."""
    if name not in STRUCTS:
        raise AttributeError(f"there is no '{name}' in the C interface")
    made = type(name, (ctypes.Structure,), {"_fields_": eval(f"[{STRUCTS[name]}]", {}, _names)})
    globals()[name] = made
    return made


def types_of(function):
    """The result and the arguments of a function."""
    return eval(FUNCTIONS[function], {}, _names)
