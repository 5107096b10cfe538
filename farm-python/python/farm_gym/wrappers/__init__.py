"""Wrappers for learners: common spaces, and aids that make farms easier to learn.

=================================  =============================================================================================
feature                            wrapper, and its twin for vector environments
=================================  =============================================================================================
vectors of ``float32``             :class:`FlatObservations`, :class:`VectorFlatObservations`
a dictionary without full stops    :class:`DictObservations`
numbered actions                   :class:`FlatDiscreteActions`, :class:`MultiDiscreteActions`
days with priced observations      :class:`ObservationActionLoop`
skip days until something happens  :class:`PassDays`, :class:`VectorPassDays`
"water when below x" as an action  :class:`StandingOrders`, :class:`VectorStandingOrders`
such orders for farmers on foot    :class:`Errands`, :class:`VectorErrands`
"sow here", not on each plot       :class:`ActHere`, :class:`VectorActHere`
no actions that change nothing     :class:`EffectMasks`, :class:`VectorEffectMasks`
rewards during the season          :class:`PotentialShaping`, :class:`VectorPotentialShaping`
a map of the places seen so far    :class:`MapMemory`, :class:`VectorMapMemory`
steps since each action            :class:`LastTaken`, :class:`VectorLastTaken`
several episodes as one            :class:`Lifetime`
exact rewards of each action       :class:`ValueToGo`, by the planner
=================================  =============================================================================================
"""

from __future__ import annotations

from farm_gym.wrappers.act_here import ActHere, VectorActHere
from farm_gym.wrappers.batches import VectorFlatObservations
from farm_gym.wrappers.effect_masks import EffectMasks, VectorEffectMasks
from farm_gym.wrappers.errands import Errands, VectorErrands
from farm_gym.wrappers.farm_orders import farm_orders
from farm_gym.wrappers.flatten import Flattener
from farm_gym.wrappers.last_taken import LastTaken, VectorLastTaken
from farm_gym.wrappers.lifetime import Lifetime
from farm_gym.wrappers.map_memory import MapMemory, VectorMapMemory
from farm_gym.wrappers.pass_days import PassDays, VectorPassDays
from farm_gym.wrappers.shaping import PotentialShaping, StandingCrop, VectorPotentialShaping, Worth
from farm_gym.wrappers.standing_orders import Order, StandingOrders, VectorStandingOrders
from farm_gym.wrappers.value_to_go import ValueToGo
from farm_gym.wrappers.views import (
    DictObservations,
    FlatDiscreteActions,
    FlatObservations,
    MultiDiscreteActions,
    ObservationActionLoop,
)

__all__ = [
    "ActHere",
    "DictObservations",
    "EffectMasks",
    "Errands",
    "FlatDiscreteActions",
    "FlatObservations",
    "Flattener",
    "LastTaken",
    "Lifetime",
    "MapMemory",
    "MultiDiscreteActions",
    "ObservationActionLoop",
    "Order",
    "PassDays",
    "PotentialShaping",
    "StandingCrop",
    "StandingOrders",
    "ValueToGo",
    "VectorActHere",
    "VectorEffectMasks",
    "VectorErrands",
    "VectorFlatObservations",
    "VectorLastTaken",
    "VectorMapMemory",
    "VectorPassDays",
    "VectorPotentialShaping",
    "VectorStandingOrders",
    "Worth",
    "farm_orders",
]
