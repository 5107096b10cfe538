"""Files of weather, as a game reads them."""

from pathlib import Path

import numpy as np
import pytest

import farm_gym
from farm_gym.__main__ import main


def station(folder: Path, latitude: float = 45.0) -> Path:
    """A year of days as cold in winter as those of Seoul."""
    months = [-2.0, 0.5, 6.0, 13.0, 18.0, 22.5, 25.5, 26.0, 21.5, 15.0, 7.5, 0.5]
    days = np.arange(np.datetime64("2021-01-01"), np.datetime64("2022-01-01"))
    means = [months[int(str(day)[5:7]) - 1] for day in days]
    rows = [f"{day},{mean - 4},{mean + 4},{9 if int(str(day)[8:]) % 4 == 0 else 0}" for day, mean in zip(days, means, strict=True)]
    path = folder / "station.csv"
    path.write_text("\n".join([f"# latitude: {latitude}, longitude: 5.0", "Date,Tmin,Tmax,Rain", *rows]), encoding="utf-8")
    return path


def test_a_file_says_what_was_read_and_what_its_months_are_like(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    read = farm_gym.weather(station(tmp_path))
    lines = str(read).splitlines()
    assert lines[0].startswith("365 days from 2021-01-01 to 2021-12-31 (table) at 45° N, 5° E") and repr(read) == str(read)
    assert lines[-12].startswith("Jan    -2.0") and lines[-1].startswith("Dec    0.5")
    # The command says the same.
    assert main(["weather", str(read.path)]) == 0
    assert capfd.readouterr().out.splitlines() == lines
    assert read.latitude == 45.0 and read.warnings == []
    assert farm_gym.weather(read.path, latitude=20).latitude == 20.0
    assert any("latitude 45" in warning for warning in farm_gym.weather(read.path, latitude=20).warnings)


def test_its_days_are_arrays_and_a_table_that_is_read_back(tmp_path: Path) -> None:
    read = farm_gym.weather(station(tmp_path))
    days = read.arrays()
    assert days["Date"].dtype == np.dtype("datetime64[D]")
    assert [str(day) for day in days["Date"][[0, -1]]] == ["2021-01-01", "2021-12-31"]
    assert {values.shape for values in days.values()} == {(365,)}
    assert np.allclose(days["Tmax#°C"] - days["Tmin#°C"], 8) and days["Rain#mm"].sum() == 9 * 84
    assert np.isnan(days["SRAD#MJ/m²"]).all(), "what is not measured is not known"
    read.to_csv(tmp_path / "days.csv")
    again = farm_gym.weather(tmp_path / "days.csv").arrays()
    assert days.keys() == again.keys()
    for name in ("Tmin#°C", "T#°C", "Tmax#°C", "RH#%", "Rain#mm", "U#km/h", "Clouds#%"):
        assert np.allclose(days[name], again[name]), name
    with pytest.raises(farm_gym.OutputError):
        read.to_csv(tmp_path / "no" / "days.csv")


def test_its_picture_names_the_nearest_climate_that_is_built_in(tmp_path: Path) -> None:
    read = farm_gym.weather(station(tmp_path))
    read.plot(tmp_path / "months.svg")
    assert "seoul_generated" in (tmp_path / "months.svg").read_text(encoding="utf-8")
    read.plot(tmp_path / "months.png")
    png = (tmp_path / "months.png").read_bytes()
    assert png.startswith(b"\x89PNG") and png == read._repr_png_()
    with pytest.raises(farm_gym.ConfigError, match=r"end the name in \.svg or \.png"):
        read.plot(tmp_path / "months.gif")


def test_what_is_wrong_is_told_with_its_place(tmp_path: Path) -> None:
    path = station(tmp_path)
    path.write_text(path.read_text(encoding="utf-8").replace("Tmax", "Tmox"), encoding="utf-8")
    with pytest.raises(farm_gym.ConfigError, match=r"station\.csv:2(.|\n)*`farm-gym describe Weather`") as raised:
        farm_gym.weather(path)
    assert raised.value.codes == ("wrong-weather-table",)
    with pytest.raises(farm_gym.ConfigError, match=r"none\.csv"):
        farm_gym.weather(tmp_path / "none.csv")
