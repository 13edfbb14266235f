% Fly a robot round a circle from Octave (or MATLAB, with its udpport): physics outside, 100 answers a second.
%
%   volery run examples/octave/circle.yaml      in one terminal
%   octave-cli examples/octave/fly_circle.m     in another; needs Debian's octave-sockets
%
% The packets are described in src/volery/protocols/udp/README.md.
1;

function bytes = header (kind, step, time, robot)
  name = zeros (1, 32, "uint8");
  name(1:numel (robot)) = uint8 (robot);
  bytes = [uint8("VLRY"), uint8([1, kind, 0, 0]), typecast(uint64 (step), "uint8"), typecast(int64 (time), "uint8"), name];
endfunction

function [step, time, p] = read_state (bytes)
  step = typecast (bytes(9:16), "uint64");
  time = typecast (bytes(17:24), "int64");
  p = typecast (bytes(57:80), "double");
endfunction

function bytes = motion (step, time, robot, p, yaw, v, w)
  q = [cos(yaw / 2), 0, 0, sin(yaw / 2)];
  numbers = [p, q, v, w];
  bytes = [header(2, step, time, robot), typecast(numbers, "uint8"), typecast(uint16 ([0, 0]), "uint8")];
endfunction

pkg load sockets
arguments = argv ();
port = 9870;
count = 1000;
if (numel (arguments) > 0) port = str2double (arguments{1}); endif
if (numel (arguments) > 1) count = str2double (arguments{2}); endif

s = socket (AF_INET, SOCK_DGRAM, 0);
connect (s, struct ("addr", "127.0.0.1", "port", port));
send (s, header (4, 0, 0, "uav1"));

radius = 5;
speed = 2;
answered = uint64 (0);
answers = 0;
while (answers < count)
  [bytes, n] = recv (s, 65507);
  [step, time, p] = read_state (uint8 (bytes));
  % Where it is to be at the end of this step of 10 ms: a point on the circle, nose ahead.
  angle = speed / radius * (double (time) * 1e-9 + 0.01);
  place = [radius * cos(angle), radius * sin(angle), 5];
  v = speed * [-sin(angle), cos(angle), 0];
  send (s, motion (step, time, "uav1", place, angle + pi / 2, v, [0, 0, speed / radius]));
  % A state that is told again, since its answer was late, is answered again but not counted.
  if (answers == 0 || step != answered) answers = answers + 1; endif
  answered = step;
endwhile
printf ("%d answers, last seen at %.3f %.3f %.3f\n", count, p);
disconnect (s);
