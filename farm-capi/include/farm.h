/* Farm games from C. docs/c.md explains this interface. */

#ifndef FARM_H
#define FARM_H

#include <stddef.h>
#include <stdint.h>

/**
 * The result of a call. After each code except `FARM_CODE_OK`, `farm_error_text` returns an explanation.
 */
typedef enum FarmCode {
  /**
   * The call succeeded.
   */
  FARM_CODE_OK = 0,
  /**
   * A pointer is null, a text is not UTF-8, or a number or count is wrong.
   */
  FARM_CODE_ARGUMENT = 1,
  /**
   * The game does not exist or has problems. The text lists all of them, each with its place and its own code.
   */
  FARM_CODE_GAME = 2,
  /**
   * An action id does not exist. Nothing was stepped.
   */
  FARM_CODE_ACTION = 3,
  /**
   * A seed is reserved for another split. No episode started.
   */
  FARM_CODE_SEED = 4,
  /**
   * An episode is over, a snapshot was rejected, or a step failed.
   */
  FARM_CODE_STATE = 5,
  /**
   * Memory or threads are missing.
   */
  FARM_CODE_SYSTEM = 6,
  /**
   * A defect of the engine. Reset all environments before the next step, and report the defect.
   */
  FARM_CODE_DEFECT = 7,
} FarmCode;

/**
 * When an environment starts a new episode after one has ended, as in `gymnasium.vector.AutoresetMode`.
 */
typedef enum FarmAutoreset {
  /**
   * In the following step, whose action is ignored.
   */
  FARM_AUTORESET_NEXT_STEP = 0,
  /**
   * In the step that ends the episode. The last observation is in `final_records` and `final_numbers`.
   */
  FARM_AUTORESET_SAME_STEP = 1,
  /**
   * Never: any further step is an error until the environment is reset.
   */
  FARM_AUTORESET_DISABLED = 2,
} FarmAutoreset;

/**
 * The split that a seed belongs to.
 */
typedef enum FarmSplit {
  /**
   * No split: seeds that a split reserves are rejected.
   */
  FARM_SPLIT_NONE = 0,
  /**
   * For training.
   */
  FARM_SPLIT_TRAIN = 1,
  /**
   * For selecting models and hyperparameters.
   */
  FARM_SPLIT_VALIDATION = 2,
  /**
   * For reporting results.
   */
  FARM_SPLIT_TEST = 3,
} FarmSplit;

/**
 * Environments of one game that step together.
 */
typedef struct FarmBatch FarmBatch;

/**
 * The sizes of a batch's buffers.
 */
typedef struct FarmSizes {
  /**
   * Number of environments.
   */
  size_t environments;
  /**
   * Number of threads.
   */
  size_t threads;
  /**
   * Number of actions in the flat list: ids go from 0 to `actions` - 1.
   */
  size_t actions;
  /**
   * Maximum number of actions in a step.
   */
  size_t slots;
  /**
   * Number of bytes in an observation record.
   */
  size_t record_bytes;
  /**
   * Number of numbers in an observation.
   */
  size_t numbers;
  /**
   * Number of bytes in a snapshot.
   */
  size_t snapshot_bytes;
} FarmSizes;

/**
 * The caller's buffers. A call fills those that are not null, environment by environment.
 */
typedef struct FarmOutputs {
  /**
   * Observations: `environments` × `record_bytes` bytes, in the layout of `farm_description`.
   */
  uint8_t *records;
  /**
   * The same as numbers: `environments` × `numbers`. Integers above 2^24 are rounded.
   */
  float *numbers;
  /**
   * Rewards after costs: `environments` numbers.
   */
  double *rewards;
  /**
   * 1 where the game ended the episode: `environments` bytes.
   */
  uint8_t *terminated;
  /**
   * 1 where the step limit ended the episode: `environments` bytes.
   */
  uint8_t *truncated;
  /**
   * Weighted costs over the game's constraints: `environments` numbers.
   */
  double *costs;
  /**
   * Number of actions that were not executed: `environments` numbers.
   */
  int32_t *rejected;
  /**
   * With `FARM_AUTORESET_SAME_STEP`, the last observations of the episodes that ended, as in `records`.
   */
  uint8_t *final_records;
  /**
   * The same as numbers, as in `numbers`.
   */
  float *final_numbers;
} FarmOutputs;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Opens a game by its name or by the path of its YAML file, such as `clay_bean`, `backwards_valley@rules=7` or `games/mine.yaml`. The
 * environments have the seeds 0, 1, … until they are reset.
 *
 * `preset` is one of the game's presets, several joined by `+`, or null. `autoreset` is a `FarmAutoreset`. `farm_close` frees the batch.
 *
 * # Safety
 * `game` and `preset` are null or texts that end with a zero byte. A pointer can be written to `batch`.
 */
enum FarmCode farm_open(const char *game,
                        const char *preset,
                        size_t environments,
                        size_t threads,
                        uint32_t autoreset,
                        struct FarmBatch **batch);

/**
 * Opens a game from the text of its YAML file. The text may come from a stranger: it can't open a file or run code, and its size is limited.
 * The other arguments are those of `farm_open`.
 *
 * # Safety
 * `yaml` is null or a text that ends with a zero byte. A pointer can be written to `batch`.
 */
enum FarmCode farm_open_text(const char *yaml,
                             size_t environments,
                             size_t threads,
                             uint32_t autoreset,
                             struct FarmBatch **batch);

/**
 * Frees a batch. Nothing happens if it is null.
 *
 * # Safety
 * `batch` is null, or an open batch that no other call uses. It is not used again.
 */
enum FarmCode farm_close(struct FarmBatch *batch);

/**
 * Writes the sizes of a batch's buffers.
 *
 * # Safety
 * `batch` is null, or an open batch that no other call uses. `sizes` can be written.
 */
enum FarmCode farm_sizes(struct FarmBatch *batch, struct FarmSizes *sizes);

/**
 * The game as JSON: `game`, `fingerprint`, `actions` (names by id), `wait` (the id that does nothing) and `observation`. This is a list of
 * entries with `key`, `doc`, `dtype`, `shape`, `offset` (in bytes in a record) and `first` (index among the numbers).
 *
 * The text is valid until the batch is closed. It is null if `batch` is null.
 *
 * # Safety
 * `batch` is null, or an open batch that no other call uses.
 */
const char *farm_description(struct FarmBatch *batch);

/**
 * Starts an episode in each environment. `seeds` has a seed for each environment; if it is null, each takes its next seed. `split` is the
 * `FarmSplit` of the seeds. No episode starts if a seed is rejected.
 *
 * # Safety
 * `batch` is null, or an open batch that no other call uses. `seeds` is null, or has `environments` numbers. `outputs` is null, or its buffers
 * have the sizes that `FarmOutputs` gives.
 */
enum FarmCode farm_reset(struct FarmBatch *batch,
                         const uint64_t *seeds,
                         uint32_t split,
                         const struct FarmOutputs *outputs);

/**
 * Starts an episode in one environment. `farm_observe` writes its observation.
 *
 * # Safety
 * `batch` is null, or an open batch that no other call uses.
 */
enum FarmCode farm_reset_one(struct FarmBatch *batch,
                             size_t environment,
                             uint64_t seed,
                             uint32_t split);

/**
 * Writes the current observations, after `farm_reset_one` or `farm_restore`. The other outputs are 0.
 *
 * # Safety
 * As for `farm_reset`.
 */
enum FarmCode farm_observe(struct FarmBatch *batch,
                           const struct FarmOutputs *outputs);

/**
 * Steps all environments. `actions` has one id for each environment, or `slots` ids for each; `count` is the number of ids.
 *
 * If a step fails, the error names the first environment that failed. Its episode is over; the others were stepped. If nothing was stepped,
 * the outputs are those of the last step.
 *
 * # Safety
 * As for `farm_reset`. `actions` has `count` numbers.
 */
enum FarmCode farm_step(struct FarmBatch *batch,
                        const int64_t *actions,
                        size_t count,
                        const struct FarmOutputs *outputs);

/**
 * Writes a byte for each environment and each action: 1 if the action would be executed now. `masks` has `environments` × `actions` bytes.
 *
 * # Safety
 * `batch` is null, or an open batch that no other call uses. `masks` can be written.
 */
enum FarmCode farm_action_masks(struct FarmBatch *batch,
                                uint8_t *masks);

/**
 * Writes the state of one environment: `snapshot_bytes` bytes, which another batch of the same game can restore.
 *
 * # Safety
 * `batch` is null, or an open batch that no other call uses. `bytes` can be written.
 */
enum FarmCode farm_snapshot(struct FarmBatch *batch,
                            size_t environment,
                            uint8_t *bytes);

/**
 * Returns one environment to a snapshot of `count` bytes. If the snapshot is rejected, the environment is unchanged. `farm_observe` writes the
 * observation.
 *
 * # Safety
 * `batch` is null, or an open batch that no other call uses. `bytes` has `count` bytes.
 */
enum FarmCode farm_restore(struct FarmBatch *batch,
                           size_t environment,
                           const uint8_t *bytes,
                           size_t count);

/**
 * The explanation of the last error on this thread; empty if no call has failed. It is valid until the next error on this thread.
 */
const char *farm_error_text(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* FARM_H */
