"""Aircraft that bend: bones on springs in MuJoCo under unsteady strip aerodynamics."""
