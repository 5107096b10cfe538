"""A data set described for people (Gebru et al. 2021, "Datasheets for datasets", in short)."""

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
    chance = f" With the probability {facts['epsilon']} one action at random takes the place of its own." if facts["epsilon"] else ""
    return f"""# {facts['dataset_id']}

{facts['episodes']} episodes ({facts['steps']:,} steps) of `{facts['game']}`, played by `{facts['policy']}`.{chance}

{facts['doc']}

| | |
|---|---|
| return | mean {facts['mean_return']:.3f}, from {facts['least_return']:.3f} to {facts['most_return']:.3f} |
| `ref_min_score` | {facts['ref_min_score']:.3f}: doing nothing |
| `ref_max_score` | {facts['ref_max_score']:.3f}: `{facts['references']['best']}` |
| seeds | {seeds['first']} … {seeds['first'] + seeds['count'] - 1} |
| fingerprint of the game | `{facts['fingerprint']}` |
| opened by | `{json.dumps(arguments, ensure_ascii=False)}` |
| version | farm-gym {facts['version']} |

## Made again

```console
$ {facts['command']} --out DIR
```

The same version makes the same bytes.

## What is in it

`data/` is a Minari data set: `minari.MinariDataset("data")`. Each episode has observations and infos (one more than steps), actions, rewards,
terminations and truncations.

* `infos["log_probability"][t + 1]` is the logarithm of the probability with which the behaviour chose the action `t`; entry 0 belongs to no action.
* `infos["action_mask"][t]` says which actions of the flat list would have been executed at the step `t`.
* An action is an id of the flat list of {len(facts['action_names'])} actions, or one for each place of the schedule where a day has several.

| observation | meaning |
|---|---|
{observations}

`episodes.csv` has seed, steps and return of each episode; `croissant.json` says all this to machines.

## Reference scores

Mean returns over the seeds {unseen['first']} … {unseen['first'] + unseen['count'] - 1}, none of which is in the data. A normalised score is
(return − `ref_min_score`) / (`ref_max_score` − `ref_min_score`).

| policy | mean return |
|---|---|
{references}

## What it is for, and what not

For offline reinforcement learning, imitation and off-policy evaluation in this game. A score in it says how well a method learns from such data. It says
nothing of real fields: it is a simulated farm at one site, with the prices and the remedies of the game. No person has a part in the data.

Licence: MIT.
"""
