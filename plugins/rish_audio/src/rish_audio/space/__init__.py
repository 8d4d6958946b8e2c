"""What distance, direction, speed, air and walls do to a sound: plain functions on arrays, one row a source.

Lengths are in world units unless a name says metres, angles in radians, arrays float64. All inputs must be finite. The
functions use only operations with equal bits on every machine, so their results may go into the World. There are few
sources, so an array call costs more than its arithmetic: the functions make few calls, and none of sin, cos or exp
where algebra gives the same.
"""
