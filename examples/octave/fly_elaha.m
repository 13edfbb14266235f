% Fly the elastic aircraft from Octave: a turn to the left, and a wing of 20 bones that bends with the load.
%
%   volery run examples/octave/elaha.yaml       in one terminal
%   octave-cli examples/octave/fly_elaha.m      in another; needs Debian's octave-sockets
%
% The packets are described in src/volery/protocols/udp/README.md.
1;

function bytes = header (kind, step, time, robot)
  name = zeros (1, 32, "uint8");
  name(1:numel (robot)) = uint8 (robot);
  bytes = [uint8("VLRY"), uint8([1, kind, 0, 0]), typecast(uint64 (step), "uint8"), typecast(int64 (time), "uint8"), name];
endfunction

% bones: one quaternion a row, against rest: root, right wing 1 to 10, left wing 11 to 20, elevators, rudder.
function bytes = motion (step, time, robot, p, q, v, w, bones)
  numbers = [p, q, v, w];
  counts = typecast (uint16 ([0, rows(bones)]), "uint8");
  bytes = [header(2, step, time, robot), typecast(numbers, "uint8"), counts, typecast(bones'(:)', "uint8")];
endfunction

function q = times (a, b)
  q = [a(1) * b(1) - dot(a(2:4), b(2:4)), a(1) * b(2:4) + b(1) * a(2:4) + cross(a(2:4), b(2:4))];
endfunction

pkg load sockets
arguments = argv ();
port = 9870;
count = 1000;
if (numel (arguments) > 0) port = str2double (arguments{1}); endif
if (numel (arguments) > 1) count = str2double (arguments{2}); endif

s = socket (AF_INET, SOCK_DGRAM, 0);
connect (s, struct ("addr", "127.0.0.1", "port", port));
send (s, header (4, 0, 0, "elaha"));

speed = 6.6;            % [m/s]
bank = 8 * pi / 180;    % to the left
dt = 0.01;
soft = 0.6 * pi / 180;  % bend of each bone in level flight
turn = 9.80665 * tan (bank) / speed;
p = [0, 0, 60];
heading = 0;
roll = 0;
bend = soft;
answers = 0;
while (answers < count)
  [bytes, n] = recv (s, 65507);
  bytes = uint8 (bytes);
  step = typecast (bytes(9:16), "uint64");
  time = typecast (bytes(17:24), "int64");
  % A state is told again when its answer is late: the same answer, and no time has passed.
  if (answers > 0 && step == answered)
    send (s, packet);
    continue;
  endif
  if (answers == 0) p = typecast (bytes(57:80), "double"); endif
  % Roll into the turn within a second, fly round; the wing follows its load within half a second.
  roll = roll + (bank - roll) * dt / 1.0;
  heading = heading + 9.80665 * tan (roll) / speed * dt;
  v = speed * [cos(heading), sin(heading), 0];
  p = p + v * dt;
  bend = bend + (soft / cos (roll) - bend) * dt / 0.5;
  q = times ([cos(heading / 2), 0, 0, sin(heading / 2)], [cos(roll / 2), -sin(roll / 2), 0, 0]);
  bones = repmat ([1, 0, 0, 0], 24, 1);
  bones(2:11, 1:2) = repmat ([cos(bend / 2), -sin(bend / 2)], 10, 1);
  bones(12:21, 1:2) = repmat ([cos(bend / 2), sin(bend / 2)], 10, 1);
  packet = motion (step, time, "elaha", p, q, v, [0, 0, 9.80665 * tan(roll) / speed], bones);
  send (s, packet);
  answered = step;
  answers = answers + 1;
endwhile
printf ("%d answers, now at %.3f %.3f %.3f, heading %.4f\n", count, p, heading);
disconnect (s);
