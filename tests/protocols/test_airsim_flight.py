"""AirSim's multirotor client, unchanged, against our server: every flight command, by what the drone does."""

from airsim_rig import run_client, served


def test_every_flight_command_of_the_airsim_client():
    with served() as server:
        assert "done" in run_client("airsim", "flight.py", server.port)
