"""Sun, light and weather against published values."""

from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest

from volery.errors import ScenarioError, WorldError
from volery.render.sky import daylight
from volery.world.environment import Environment
from volery.world.scene.scene import Scene
from volery.world.sky import Sky, sun_position
from volery.world.weather import Weather

S = 1_000_000_000


def degrees_at(time: datetime, latitude: float, longitude: float) -> tuple[float, float]:
    azimuth, elevation = sun_position(time, latitude, longitude)
    return float(np.degrees(azimuth)), float(np.degrees(elevation))


def test_golden_colorado_as_in_the_nrel_report():
    """NREL/TP-560-34302, example: 2003-10-17 12:30:30 −7 h, zenith 50.11162°, azimuth 194.34024°."""
    time = datetime(2003, 10, 17, 12, 30, 30, tzinfo=timezone(timedelta(hours=-7)))
    azimuth, elevation = degrees_at(time, 39.742476, -105.1786)
    assert azimuth == pytest.approx(194.34024, abs=0.02) and 90 - elevation == pytest.approx(50.11162, abs=0.02)


def test_declination_as_in_meeus_example_25a():
    """1992 October 13.0 TD: apparent declination −7.78507°; seen from the pole it is the elevation."""
    time = datetime(1992, 10, 13, tzinfo=UTC) - timedelta(seconds=59)
    _, elevation = sun_position(time, -90.0, 0.0)
    lifted = 1.02 / np.tan(np.radians(7.785 + 10.3 / (7.785 + 5.11))) / 60
    assert np.degrees(elevation) - lifted == pytest.approx(7.78507, abs=0.01)


@pytest.mark.parametrize(("time", "latitude"), [("2024-03-20T03:06+00:00", 0.0), ("2024-06-20T20:51+00:00", 23.436)])
def test_equinox_stands_over_the_equator_and_solstice_over_the_tropic(time, latitude):
    """The published instants of March equinox and June solstice: somewhere on that parallel the sun is overhead."""
    there = [degrees_at(datetime.fromisoformat(time), latitude, lon)[1] for lon in np.arange(-180, 180, 0.1)]
    beside = [degrees_at(datetime.fromisoformat(time), latitude + 0.3, lon)[1] for lon in np.arange(-180, 180, 0.1)]
    assert max(there) > 89.9 and max(beside) < 89.75


@pytest.mark.parametrize(("date", "minutes"), [((2024, 2, 11), -14.2), ((2024, 11, 3), 16.45), ((2024, 4, 15), 0.0)])
def test_equation_of_time(date, minutes):
    """Noon at Greenwich: the sun is due south 12 h minus the equation of time after midnight."""
    noon = datetime(*date, 12, tzinfo=UTC) - timedelta(minutes=minutes)
    assert degrees_at(noon, 51.48, 0.0)[0] == pytest.approx(180, abs=0.15)


def test_direction_is_east_in_the_morning_and_turns_with_the_clock():
    sky = Sky(start="2024-03-20T06:30:00", latitude=0.0, longitude=0.0)
    morning, evening = sky.sun(0), sky.sun(11 * 3600 * S)
    assert morning.direction[0] > 0.99 and evening.direction[0] < -0.98
    assert np.linalg.norm(morning.direction) == pytest.approx(1)
    assert np.degrees(morning.azimuth) == pytest.approx(90, abs=0.5)
    south = Sky(start="2024-12-21T12:00:00+01:00", latitude=52.5, longitude=13.4).sun(0)
    assert south.direction[1] < -0.9 and np.degrees(south.elevation) == pytest.approx(14.1, abs=0.2)


def test_light_reddens_dims_and_goes_out():
    sky = Sky()
    noon, low, dusk, night = (sky.light_at(np.radians(e)) for e in (60, 5, -4, -20))
    assert noon.sun.min() > 0.5 and noon.zenith[2] > 2 * noon.zenith[0]
    assert low.sun[0] > 5 * low.sun[2] and not dusk.sun.any()
    assert noon.horizon.mean() > low.horizon.mean() > dusk.horizon.mean() > night.horizon.mean() > 0
    ladder = np.array([sky.light_at(e).zenith.mean() for e in np.radians(np.linspace(-25, 90, 400))])
    assert (np.diff(ladder) > 0).all(), "the sky must brighten steadily as the sun rises"
    assert Sky(haze=0.5).light_at(0.5).sun.mean() < sky.light_at(0.5).sun.mean()


def test_bad_dates_and_places_are_refused():
    with pytest.raises(WorldError, match="2024-06-20T10"):
        Sky(start="yesterday")
    with pytest.raises(ScenarioError, match="latitude"):
        Sky(latitude=91)
    with pytest.raises(WorldError, match="calendar"):
        Sky().sun(10**24)


def test_clear_air_takes_nothing():
    clear = Weather()
    assert clear.extinction() == 0 and clear.visibility == np.inf and clear.false_return_rate == 0
    assert clear.false_return(np.array([10.0, 100.0])).tolist() == [0, 0]
    assert np.isinf(clear.false_distance(np.array([0.0, 0.5]))).all()


def test_weather_follows_its_formulas():
    assert Weather(fog=1).visibility == pytest.approx(50) and Weather(dust=1).visibility == pytest.approx(100)
    assert Weather(fog=1).extinction() == pytest.approx(3.912 / 50)
    heavy = Weather(rain=0.5)
    assert heavy.rain_rate == 25 and heavy.extinction() == pytest.approx(1.076 * 25**0.67 * np.log(10) / 1e4)
    wet = 5.42e-5 * 905 + 5.4958776
    assert Weather(snow=0.5).extinction() == pytest.approx(wet * 2.5**1.38 * np.log(10) / 1e4)
    both = Weather(rain=0.5, fog=0.4)
    assert both.extinction() == pytest.approx(heavy.extinction() + Weather(fog=0.4).extinction())
    assert Weather(fog=0.1).extinction(1550) < Weather(fog=0.1).extinction(905), "thin fog lets long waves pass"


@pytest.mark.parametrize("kind", ["fog", "rain", "snow", "dust"])
def test_more_of_anything_is_worse(kind):
    levels = [Weather(**{kind: x}) for x in np.linspace(0.05, 1, 20)]
    assert (np.diff([w.extinction() for w in levels]) > 0).all()
    assert (np.diff([w.visibility for w in levels]) < 0).all()
    assert (np.diff([w.false_return_rate for w in levels]) > 0).all()


def test_false_distances_have_the_chances_they_claim():
    snow = Weather(snow=1)
    u = (np.arange(200_000) + 0.5) / 200_000
    where = snow.false_distance(u)
    for r in (3.0, 10.0, 40.0):
        assert (where < r).mean() == pytest.approx(float(snow.false_return(r)), abs=1e-4)
    assert 0.005 < snow.false_return(100.0) < 0.05


def test_levels_beyond_one_are_refused():
    with pytest.raises(ScenarioError, match="too large"):
        Weather(fog=1.1)
    with pytest.raises(ScenarioError, match="too small"):
        Weather(rain=-0.1)


def lit(clouds):
    """Light at ten in the morning in June under clouds."""
    environment = Environment(Scene())
    environment.sky = Sky(clouds=clouds)
    return daylight(environment, 0)


def test_clouds_dim_the_sun_and_grey_the_sky():
    clear, cloudy, overcast = (lit(c) for c in (0.0, 0.5, 1.0))
    assert clear.sun.mean() > 1.8 * cloudy.sun.mean() > 20.0 * overcast.sun.mean()
    assert overcast.zenith / overcast.horizon == pytest.approx(3.0), "the CIE's overcast sky"
    assert np.ptp(overcast.zenith) == pytest.approx(0.0, abs=1e-9) and np.ptp(clear.zenith) > 0.05
    # On the level: less light than in the sun, more than a tenth of it.
    level = [d.sun.mean() * d.sun_W[2] + 0.2 * d.horizon.mean() + 0.8 * d.zenith.mean() for d in (clear, overcast)]
    assert 0.1 < level[1] / level[0] < 0.6
    assert (clear.cloud, cloudy.cloud, overcast.cloud) == pytest.approx((0.0, 0.5, 1.0))
