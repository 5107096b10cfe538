"""Describes a data set for people (a short form of Gebru et al. 2021, "Datasheets for datasets")."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["sheet"]


def sheet(facts: dict[str, Any]) -> str:
    """The data sheet as Markdown."""
    arguments = {key: value for key, value in facts["arguments"].items() if value}
    references = "\n".join(f"| {name} | {mean:.3f} |" for name, mean in facts["references"]["means"].items())
    observations = "\n".join(f"| `{key}` | {doc} |" for key, doc in facts["observations"])
    seeds, unseen = facts["seeds"], facts["references"]["seeds"]
    chance = f" With the probability {facts['epsilon']}, a random action replaces its own." if facts["epsilon"] else ""
    return f"""# {facts["dataset_id"]}

{facts["episodes"]} episodes ({facts["steps"]:,} steps) of `{facts["game"]}`, played by `{facts["policy"]}`.{chance}

{facts["doc"]}

| | |
|---|---|
| return | mean {facts["mean_return"]:.3f}, from {facts["least_return"]:.3f} to {facts["most_return"]:.3f} |
| `ref_min_score` | {facts["ref_min_score"]:.3f}: doing nothing |
| `ref_max_score` | {facts["ref_max_score"]:.3f}: `{facts["references"]["best"]}` |
| seeds | {seeds["first"]} … {seeds["first"] + seeds["count"] - 1} |
| fingerprint of the game | `{facts["fingerprint"]}` |
| opened by | `{json.dumps(arguments, ensure_ascii=False)}` |
| version | farm-gym {facts["version"]} |

## How to reproduce it

```console
$ {facts["command"]} --out DIR
```

The same version makes the same bytes.

## Contents

`data/` is a Minari data set: `minari.MinariDataset("data")`. Each episode has observations and infos (one more than steps), actions, rewards,
terminations and truncations.

* `infos["log_probability"][t + 1]` is the logarithm of the probability of action `t` under the behaviour policy; entry 0 belongs to no action.
* `infos["action_mask"][t]` marks the actions of the flat list that would have been executed at step `t`.
* An action is an id of the flat list of {len(facts["action_names"])} actions, or, if a day has several actions, an id for each slot of the schedule.

| observation | meaning |
|---|---|
{observations}

`episodes.csv` has seed, steps and return of each episode; `croissant.json` has this description for machines.

## Reference scores

Mean returns over the seeds {unseen["first"]} … {unseen["first"] + unseen["count"] - 1}, none of which is in the data. A normalised score is
(return − `ref_min_score`) / (`ref_max_score` − `ref_min_score`).

| policy | mean return |
|---|---|
{references}

## Use and limits

Use it for offline reinforcement learning, imitation and off-policy evaluation in this game. A score shows how well a method learns from such data. It
shows nothing about real fields: the farm is simulated, at one site, with the prices and treatments of the game. The data involve no persons.

Licence: MIT.
"""
