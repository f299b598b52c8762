// A block of 2 x 1 x 1 for the files of this folder: gmsh block.geo -3 [-order 2] [-bin] -format msh22|msh41
SetFactory("Built-in");
Point(1) = {0, 0, 0, 1};
Point(2) = {2, 0, 0, 1};
Point(3) = {2, 1, 0, 1};
Point(4) = {0, 1, 0, 1};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
out[] = Extrude {0, 0, 1} { Surface{1}; Layers{1}; };
Physical Volume("body", 7) = {out[1]};
Physical Surface("bottom", 8) = {1};
Physical Surface("bottom and top", 9) = {1, out[0]};
Physical Point(3) = {1};
