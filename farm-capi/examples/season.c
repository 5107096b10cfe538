/* Plays an episode in each of four environments, and prints their returns.

   cc -I farm-capi/include farm-capi/examples/season.c -L target/release -lfarm_capi -o season */

#include <stdio.h>
#include <stdlib.h>

#include "farm.h"

#define ENVIRONMENTS 4

static void check(FarmCode code) {
  if (code != FARM_CODE_OK) {
    fprintf(stderr, "error %d: %s\n", (int)code, farm_error_text());
    exit(1);
  }
}

int main(void) {
  FarmBatch *batch;
  FarmSizes sizes;
  check(farm_open("clay_bean", NULL, ENVIRONMENTS, 1, FARM_AUTORESET_NEXT_STEP, &batch));
  check(farm_sizes(batch, &sizes));

  double rewards[ENVIRONMENTS], returns[ENVIRONMENTS] = {0};
  uint8_t terminated[ENVIRONMENTS], truncated[ENVIRONMENTS], over[ENVIRONMENTS] = {0};
  float *numbers = malloc(ENVIRONMENTS * sizes.numbers * sizeof(float));
  uint8_t *masks = malloc(ENVIRONMENTS * sizes.actions);
  /* Buffers that are not named here are null, and stay unwritten. */
  FarmOutputs outputs = {.numbers = numbers, .rewards = rewards, .terminated = terminated, .truncated = truncated};

  uint64_t seeds[ENVIRONMENTS] = {0, 1, 2, 3};
  int64_t actions[ENVIRONMENTS];
  check(farm_reset(batch, seeds, FARM_SPLIT_NONE, &outputs));
  for (size_t step = 0, left = ENVIRONMENTS; left > 0; step++) {
    check(farm_action_masks(batch, masks));
    for (size_t i = 0; i < ENVIRONMENTS; i++) {
      /* The actions in turn, if they are allowed. */
      size_t id = step % sizes.actions;
      actions[i] = masks[i * sizes.actions + id] ? (int64_t)id : 0;
    }
    check(farm_step(batch, actions, ENVIRONMENTS, &outputs));
    for (size_t i = 0; i < ENVIRONMENTS; i++) {
      if (over[i]) continue;
      returns[i] += rewards[i];
      over[i] = terminated[i] || truncated[i];
      left -= over[i];
    }
  }
  for (size_t i = 0; i < ENVIRONMENTS; i++) printf("seed %d: return %.6f\n", (int)seeds[i], returns[i]);

  free(numbers);
  free(masks);
  check(farm_close(batch));
  return 0;
}
