"""Plays the oracle's actions on a server, and fails if they earn less than the manifest declares.

python oracle/solve.py [http://127.0.0.1:8000]
"""

import json
import sys
from pathlib import Path

from openenv.core.generic_client import GenericEnvClient


def main() -> None:
    """Plays the actions and prints the return."""
    address = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"
    solution = json.loads((Path(__file__).parent / "solution.json").read_text())
    with GenericEnvClient(base_url=address).sync() as env:
        env.reset(**solution["world"])
        total = sum(env.step({"action": action}).reward for action in solution["actions"])
    print(f"return: {total}")
    if total < solution["return"] - solution["tolerance"]:
        sys.exit(f"the oracle earns {total} instead of {solution['return']}: the server plays a different game")


if __name__ == "__main__":
    main()
