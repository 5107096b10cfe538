"""Plays an episode in each of four environments through the C interface, and prints their returns.

python farm-capi/examples/season.py target/release/libfarm_capi.so
"""

import ctypes
import json
import sys

ENVIRONMENTS = 4


class Sizes(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_size_t) for name in ("environments", "threads", "actions", "slots", "record_bytes", "numbers", "snapshot_bytes")
    ]


class Outputs(ctypes.Structure):
    _fields_ = [
        ("records", ctypes.c_void_p),
        ("numbers", ctypes.POINTER(ctypes.c_float)),
        ("rewards", ctypes.POINTER(ctypes.c_double)),
        ("terminated", ctypes.POINTER(ctypes.c_uint8)),
        ("truncated", ctypes.POINTER(ctypes.c_uint8)),
        ("costs", ctypes.POINTER(ctypes.c_double)),
        ("rejected", ctypes.POINTER(ctypes.c_int32)),
        ("final_records", ctypes.c_void_p),
        ("final_numbers", ctypes.POINTER(ctypes.c_float)),
    ]


farm = ctypes.CDLL(sys.argv[1])
farm.farm_error_text.restype = farm.farm_description.restype = ctypes.c_char_p


def check(code: int) -> None:
    if code:
        raise RuntimeError(f"error {code}: {farm.farm_error_text().decode()}")


batch, sizes = ctypes.c_void_p(), Sizes()
check(farm.farm_open(b"clay_bean", None, ctypes.c_size_t(ENVIRONMENTS), ctypes.c_size_t(1), 0, ctypes.byref(batch)))
check(farm.farm_sizes(batch, ctypes.byref(sizes)))
described = json.loads(farm.farm_description(batch))
assert len(described["actions"]) == sizes.actions

numbers = (ctypes.c_float * (ENVIRONMENTS * sizes.numbers))()
rewards = (ctypes.c_double * ENVIRONMENTS)()
terminated, truncated = (ctypes.c_uint8 * ENVIRONMENTS)(), (ctypes.c_uint8 * ENVIRONMENTS)()
masks = (ctypes.c_uint8 * (ENVIRONMENTS * sizes.actions))()
outputs = Outputs(numbers=numbers, rewards=rewards, terminated=terminated, truncated=truncated)

seeds = (ctypes.c_uint64 * ENVIRONMENTS)(*range(ENVIRONMENTS))
actions = (ctypes.c_int64 * ENVIRONMENTS)()
returns, over, step = [0.0] * ENVIRONMENTS, [False] * ENVIRONMENTS, 0
check(farm.farm_reset(batch, seeds, 0, ctypes.byref(outputs)))
while not all(over):
    check(farm.farm_action_masks(batch, masks))
    # The actions in turn, if they are allowed.
    wanted = step % sizes.actions
    for i in range(ENVIRONMENTS):
        actions[i] = wanted if masks[i * sizes.actions + wanted] else 0
    check(farm.farm_step(batch, actions, ctypes.c_size_t(ENVIRONMENTS), ctypes.byref(outputs)))
    for i in range(ENVIRONMENTS):
        if not over[i]:
            returns[i] += rewards[i]
            over[i] = bool(terminated[i] or truncated[i])
    step += 1
for seed, total in zip(seeds, returns, strict=True):
    print(f"seed {seed}: return {total:.6f}")
check(farm.farm_close(batch))
