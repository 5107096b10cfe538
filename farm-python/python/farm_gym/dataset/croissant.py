"""Describes a data set for machines, in MLCommons Croissant 1.0 with its responsible-AI fields."""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path
from typing import Any

__all__ = ["croissant", "validate"]

#: The context from the Croissant 1.0 specification, with the responsible-AI vocabulary.
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}

#: The files, with their type and description.
_FILES = {
    "data/main_data.hdf5": ("application/x-hdf5", "Observations, actions, rewards, ends and infos of each episode, in Minari's format."),
    "data/metadata.json": ("application/json", "Spaces, reference scores, and how to reproduce the data set."),
    "episodes.csv": ("text/csv", "Seed, steps and return of each episode."),
}

_FIELDS = [
    ("seed", "sc:Integer", "The seed of the episode."),
    ("steps", "sc:Integer", "The number of its steps."),
    ("return", "sc:Float", "The sum of its rewards."),
]


def croissant(facts: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The Croissant document.

    Args:
        facts: The facts about the data set; see `farm_gym.dataset.writing`.
        folder: The folder with the data set's files, which this function hashes.
    """
    distribution = []
    for name, (kind, meaning) in _FILES.items():
        file = folder / name
        content = file.read_bytes()
        distribution.append(
            {
                "@type": "cr:FileObject",
                "@id": name,
                "name": name,
                "description": meaning,
                "contentUrl": name,
                "encodingFormat": kind,
                "contentSize": f"{len(content)} B",
                "sha256": hashlib.sha256(content).hexdigest(),
            }
        )
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"episodes/{name}",
            "name": name,
            "description": meaning,
            "dataType": kind,
            "source": {"fileObject": {"@id": "episodes.csv"}, "extract": {"column": name}},
        }
        for name, kind, meaning in _FIELDS
    ]
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "name": facts["dataset_id"].replace("/", "-"),
        "description": f"{facts['episodes']} episodes of the farm game {facts['game']}, played by {facts['policy']}. {facts['doc']}",
        "conformsTo": ["http://mlcommons.org/croissant/1.0", "http://mlcommons.org/croissant/RAI/1.0"],
        "license": "https://spdx.org/licenses/MIT.html",
        "url": "https://example.invalid/farm-gym",
        "version": "1.0.0",
        "creator": {"@type": "Organization", "name": "The farm-gym authors"},
        "citeAs": f"farm-gym {facts['version']}, data set {facts['dataset_id']}, fingerprint {facts['fingerprint']}",
        "isLiveDataset": False,
        "rai:dataCollection": f"Simulated. One command reproduces the same bytes: {facts['command']}",
        "rai:dataCollectionType": ["Synthetic data", "Simulation"],
        "rai:dataCollectionMissingData": "Nothing is missing: the data have every step of every episode, whatever its return.",
        "rai:dataPreprocessingProtocol": ["None: the values are those of a learner's observations."],
        "rai:dataBiases": [
            f"The data cover only the states and actions of the policy {facts['policy']}. The infos have the log-probability of each action.",
            "One site, one crop and the weather of its generator: other farms differ.",
        ],
        "rai:dataUseCases": ["Offline reinforcement learning, imitation, and off-policy evaluation in this game."],
        "rai:dataLimitations": ["A simulated farm. It is not advice for a field: yields, prices and treatments are those of the game."],
        "rai:dataSocialImpact": "None known; conclusions about real farms need data from real farms.",
        "rai:personalSensitiveInformation": ["None: the data involve no persons."],
        "rai:dataReleaseMaintenancePlan": "A change of the game changes its fingerprint; the data set is then regenerated as a new version.",
        "distribution": distribution,
        "recordSet": [{"@type": "cr:RecordSet", "@id": "episodes", "name": "episodes", "description": "The episodes.", "field": fields}],
    }


def validate(path: Path) -> list[str] | None:
    """The problems that mlcroissant finds in a document; None if mlcroissant is not installed."""
    if importlib.util.find_spec("mlcroissant") is None:
        return None
    import mlcroissant

    try:
        metadata = mlcroissant.Dataset(jsonld=str(path)).metadata
    except mlcroissant.ValidationError as error:
        return [str(error)]
    return sorted(metadata.ctx.issues.errors)
