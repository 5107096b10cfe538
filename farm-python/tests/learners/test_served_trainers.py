"""Trainers of language models play games that `farm serve` serves, by their own code: a stub stands for the model."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from stub_model import REPLIES, Stub, stub_endpoint
from test_served import ACTIONS, GAME, in_the_process, served

SEED = 7


def test_trl_plays_by_its_environment_factory(tmp_path: Path) -> None:
    """A step of GRPO: TRL's own code calls the model, reads its calls of tools, plays them, and takes the reward."""
    trl = pytest.importorskip("trl")
    templates = pytest.importorskip("trl.chat_template_utils")
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    tokenizers = pytest.importorskip("tokenizers")
    datasets = pytest.importorskip("datasets")
    clients = pytest.importorskip("openenv.core.generic_client")

    alphabet = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    bare = tokenizers.Tokenizer(tokenizers.models.BPE({letter: i for i, letter in enumerate(alphabet)}, []))
    bare.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    bare.decoder = tokenizers.decoders.ByteLevel()
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=bare, eos_token="<|im_end|>", pad_token="<|endoftext|>", additional_special_tokens=["<|im_start|>"]
    )
    tokenizer.chat_template = templates.qwen3_chat_template

    class Scripted(transformers.Qwen3ForCausalLM):  # type: ignore[misc, name-defined, unused-ignore]
        """A model without sense that calls one tool after the other, whatever its weights say."""

        def generate(self, input_ids: Any = None, **_: Any) -> Any:
            replies = []
            for prompt in tokenizer.batch_decode(input_ids):
                turn = prompt.count("<tool_response>")
                call = {"name": ACTIONS[turn], "arguments": {}} if turn < len(ACTIONS) else None
                reply = f"<tool_call>\n{json.dumps(call)}\n</tool_call>" if call else "The end."
                replies.append(tokenizer.encode(f"{reply}<|im_end|>", add_special_tokens=False))
            longest = max(map(len, replies))
            padded = [reply + [tokenizer.pad_token_id] * (longest - len(reply)) for reply in replies]
            return torch.cat([input_ids, torch.tensor(padded)], dim=1)

    config = transformers.Qwen3Config(
        vocab_size=len(tokenizer), hidden_size=16, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2,
        num_key_value_heads=1, head_dim=8, max_position_embeddings=16384,
        eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id,
    )  # fmt: skip
    played: list[list[str]] = []

    with served(GAME) as address:

        class Farm:
            """An episode on the server; each public method is a tool."""

            def __init__(self) -> None:
                self._env = clients.GenericEnvClient(base_url=address).sync().__enter__()
                self._reward = 0.0
                self._actions: list[str] = []

            def reset(self, seed: int, **_: Any) -> str:
                first = self._env.reset(seed=seed, form="compact", observe=["text"])
                self._reward, self._actions = 0.0, []
                played.append(self._actions)
                # The instructions would fit as well; without them the test takes seconds.
                return str(first.observation["text"])

            def get_reward(self) -> float:
                return self._reward

            def _play(self, action: str) -> str:
                result = self._env.step({"action": action})
                self._reward += result.reward
                self._actions.append(action)
                return str(result.observation["text"])

        def tool(action: str) -> Any:
            def method(self: Any) -> str:
                return str(self._play(action))

            # Of the arguments, of which there are none, trainers read the types.
            method.__annotations__ = {"return": str}
            method.__name__ = action
            method.__doc__ = f"Plays {action}.\n\nReturns:\n    What is seen after it."
            return method

        for action in set(ACTIONS):
            setattr(Farm, action, tool(action))
        trainer = trl.GRPOTrainer(
            model=Scripted(config),
            processing_class=tokenizer,
            environment_factory=Farm,
            train_dataset=datasets.Dataset.from_list([{"prompt": [{"role": "user", "content": "Play."}], "seed": SEED}] * 2),
            args=trl.GRPOConfig(
                output_dir=str(tmp_path),
                max_steps=1,
                per_device_train_batch_size=2,
                num_generations=2,
                max_completion_length=8192,
                report_to=[],
                use_cpu=True,
                bf16=False,
                save_strategy="no",
            ),
        )
        trainer.train()
    expected = sum(in_the_process(SEED, ACTIONS))
    assert played == [ACTIONS, ACTIONS]
    [logged] = [entry for entry in trainer.state.log_history if "rewards/Farm/mean" in entry]
    assert logged["rewards/Farm/mean"] == pytest.approx(expected) and logged["tools/call_frequency"] == len(ACTIONS)


def test_verifiers_plays_by_its_taskset_for_openenv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The taskset that verifiers ships: it knows nothing of farms, but the schema that the server gives."""
    vf = pytest.importorskip("verifiers.v1")
    pytest.importorskip("openenv.core.generic_client")
    monkeypatch.setenv("STUB_KEY", "none")

    async def play(address: str, endpoint: str) -> Any:
        # Without a program around the model, which would come from the internet.
        player = {"harness": {"id": "null"}, "runtime": vf.SubprocessConfig()}
        taskset = {"id": "openenv", "base_url": address, "resets": [{"seed": SEED}]}
        env = vf.load_environment(vf.env_config_type("openenv")(taskset=taskset, player=player))
        [task] = env.taskset
        client = vf.EvalClientConfig(base_url=endpoint, api_key_var="STUB_KEY")
        async with env.serving():
            return await env.run_episode(task, vf.ModelContext(model="m", client=client))

    # Each turn of verifiers takes seconds, so the episode is short.
    game = tmp_path / "short.yaml"
    game.write_text(f"name: short\nextends: {GAME}\nrules:\n  BasicRule: {{max_steps: 5}}\n")
    with served(str(game)) as address, stub_endpoint() as endpoint:
        episode = asyncio.run(play(address, endpoint))
    assert episode.ok, episode.errors
    [trace] = episode.traces
    # Five steps, and the reply that can't be read, which takes no time.
    assert len(Stub.asked) == 6
    first = json.loads(Stub.asked[0]["messages"][-1]["content"])
    assert "TASK" in first["observation"]["instructions"] and first["action_schema"]["title"] == "GameAction"
    replies = [*REPLIES[:4], REPLIES[0]]
    earned = sum(in_the_process(SEED, [reply.splitlines()[-1] for reply in replies]))
    assert trace.rewards["openenv_reward"].score == earned
