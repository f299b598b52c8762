// A strip of 2 x 1 in quadrilaterals: gmsh strip.geo -2 [-bin] -format msh22|msh41
Point(1) = {0, 0, 0, 1};
Point(2) = {2, 0, 0, 1};
Line(1) = {1, 2};
Transfinite Curve{1} = 3;
out[] = Extrude {0, 1, 0} { Line{1}; Layers{2}; Recombine; };
Physical Surface("plate") = {out[1]};
Physical Curve("foot") = {1};
