"""What is odd about a game reaches whoever opens it."""

from pathlib import Path

import gymnasium
import pytest

import farm_gym
import farm_gym.text

GAME = """
name: {name}
fields:
  Field-0:
    localization: {{latitude#°: 45.0, longitude#°: 5.0, altitude#m: 100}}
    entities:
      - Weather: {{file: station.csv}}
      - Soil: loam
farmers: [BasicFarmer: {{max_daily_interventions: 1}}]
rules:
  BasicRule:
    free_observations: [[Field-0, Weather-0, rain_amount#mm.day-1]]
    actions: {{Field-0: {{Soil-0: {{water_discrete: {{plot: '*', amount#L: [10], duration#min: [60]}}}}}}}}
    max_steps: 10
score: {{BasicScore: {{}}}}
"""


def station(folder: Path, name: str) -> Path:
    """A game whose weather is from 20 degrees further south."""
    rows = [f"2021-01-{day:02},2,9,{day % 3}" for day in range(1, 32)]
    (folder / "station.csv").write_text("\n".join(["# latitude: 25.0, longitude: 5.0", "Date,Tmin,Tmax,Rain", *rows]), encoding="utf-8")
    path = folder / f"{name}.yaml"
    path.write_text(GAME.format(name=name), encoding="utf-8")
    return path


@pytest.mark.filterwarnings("error")
def test_a_game_is_warned_of_once_and_its_environments_keep_it(tmp_path: Path) -> None:
    path = station(tmp_path, "odd")
    with pytest.warns(farm_gym.GameWarning, match="latitude 25") as told:
        env = farm_gym.make(path)
    assert [warning.filename for warning in told] == [__file__], "it is told where the environment is made"
    assert len(env.warnings) == 1 and "confirmed: [place]" in env.warnings[0]
    # The same again, and many at a time: nothing more is said.
    assert farm_gym.make(path).warnings == env.warnings
    assert farm_gym.make_vec(path, num_envs=2).warnings == env.warnings
    assert farm_gym.text.make(path).game.warnings == env.warnings
    env.reset(seed=0, options={"set": {"rules.BasicRule.max_steps": 5}})


@pytest.mark.filterwarnings("error")
def test_what_was_read_from_files_is_noted_without_a_warning(tmp_path: Path) -> None:
    path = station(tmp_path, "noted")
    with pytest.warns(farm_gym.GameWarning) as told:
        env = farm_gym.make(path)
    assert len(told) == 1
    (note,) = env.notes
    assert note.startswith("Field-0.Weather-0: station.csv: 31 days from 2021-01-01 to 2021-01-31")
    assert farm_gym.make_vec(path, num_envs=2).notes == env.notes
    assert farm_gym.make("clay_bean").notes == []


@pytest.mark.filterwarnings("error")
def test_gymnasium_and_vectors_tell_it_too(tmp_path: Path) -> None:
    with pytest.warns(farm_gym.GameWarning, match="latitude 25"):
        farm_gym.make_vec(station(tmp_path, "odd_vector"), num_envs=2)
    with pytest.warns(farm_gym.GameWarning, match="latitude 25"):
        env = gymnasium.make("farm_gym/ClayBean-v2", game=str(station(tmp_path, "odd_gymnasium")))
    assert "latitude 25" in env.unwrapped.warnings[0]  # type: ignore[attr-defined]
    with pytest.warns(farm_gym.GameWarning, match="latitude 25"):
        game = str(station(tmp_path, "odd_vectors"))
        gymnasium.make_vec("farm_gym/ClayBean-v2", num_envs=2, vectorization_mode="vector_entry_point", game=game)


def test_a_game_without_anything_odd_is_silent() -> None:
    assert farm_gym.make("clay_bean").warnings == []
