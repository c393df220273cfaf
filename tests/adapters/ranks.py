"""One of several processes that score together; run as ``python ranks.py FOLDER RANK PROCESSES``.

Workers of a loader count batches, the process merges what they counted, and all processes gather
the states of all. Each writes the result that it has then.
"""

from __future__ import annotations

import json
import random
import re
import sys
from pathlib import Path

import corefmeter
from corefmeter import Scorer

METRICS = ["muc", "b3", "ceafe", "blanc", "lea", "conll"]


def partition(chance: random.Random) -> list[list[tuple[int, int]]]:
    """Up to 5 entities of some of 30 mentions."""
    entities: list[list[tuple[int, int]]] = [[] for _ in range(5)]
    for i in range(30):
        if chance.random() < 0.8:
            entities[chance.randrange(5)].append((i, i + 1))
    return [entity for entity in entities if entity]


def documents() -> list[tuple[str, list[list[tuple[int, int]]], list[list[tuple[int, int]]]]]:
    """Name, key and response of 7 documents, so that two samplers need a padded one."""
    chance = random.Random(5)
    return [(f"d{i}", partition(chance), partition(chance)) for i in range(7)]


def counted(batch: list[tuple[str, list, list]]) -> Scorer:
    """What a worker makes of a batch."""
    scorer = Scorer(metrics=METRICS)
    for name, key, response in batch:
        scorer.update(key, response, name)
    return scorer


def merged(states: list[dict]) -> Scorer:
    """All processes, a padded document once."""
    total = Scorer(metrics=METRICS)
    for state in states:
        one = Scorer(metrics=METRICS)
        one.load_state_dict(state)
        total.merge(one, duplicates="first")
    return total


def block_with(text: str) -> str:
    """The block of code of the page that holds a text."""
    page = Path(__file__).parents[2] / "docs/howto/training.md"
    blocks = re.findall(r"^```\w+\n(.*?)^```", page.read_text("utf-8"), re.M | re.S)
    (found,) = (block for block in blocks if text in block)
    return found


def main() -> None:
    """Score this process's share with torch."""
    import torch.distributed as dist
    from torch.utils.data import DataLoader, DistributedSampler

    folder, rank, processes = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    dist.init_process_group(
        "gloo", init_method=f"file://{folder}/meeting", rank=rank, world_size=processes
    )
    data = documents()
    sampler = DistributedSampler(data, num_replicas=processes, rank=rank, shuffle=False)
    loader = DataLoader(data, batch_size=3, sampler=sampler, num_workers=2, collate_fn=counted)
    scorer = Scorer(metrics=METRICS)
    for part in loader:
        scorer.merge(part)
    states = [None] * processes
    dist.all_gather_object(states, scorer.state_dict())
    result = merged(states).compute()
    names = {"dist": dist, "scorer": scorer, "corefmeter": corefmeter}
    exec(block_with("all_gather_object"), names)  # which sends the scorers themselves
    assert names["total"].compute() == result
    (folder / f"{rank}.json").write_text(json.dumps(result.to_dict(by=["document"])), "utf-8")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
